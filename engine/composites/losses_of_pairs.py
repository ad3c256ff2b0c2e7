"""Losses of pairs and triplets: which of two is larger, nearer, or more alike."""

from collections.abc import Callable
from typing import Any

from engine.composite import composite, python_function
from engine.composites.distances import pairwise_distance
from engine.composites.parsed import checked
from engine.composites.reduction_words import legacy, number_of, reduced
from engine.composites.versions import changed
from engine.errors import sizes
from engine.ops.arithmetic import ADD_SCALAR, SUB, SUB_SCALAR
from engine.ops.bounds import CLAMP_MIN
from engine.ops.fill import ZEROS_LIKE
from engine.ops.masking import WHERE
from engine.ops.powers import SQRT

_EPSILON = 1e-12


@composite(
    "hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int reduction=0) -> Tensor",
    where=("function",),
)
def HINGE_EMBEDDING_LOSS(self: Any, target: Any, margin: float, reduction: int) -> Any:
    """ATen's hinge of one input."""
    # The margin takes the dtype of the input, as PyTorch fills a tensor like it.
    apart = CLAMP_MIN(SUB(margin if self.dtype.is_floating_point else self.new_full(self.shape, int(margin)), self), 0)
    zeros = ZEROS_LIKE(self)
    return reduced(WHERE(target != 1, apart, zeros) + WHERE(target != -1, self, zeros), reduction)


@python_function("nn")
def hinge_embedding_loss(
    input: Any,
    target: Any,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """The input where the target is 1, the hinge below the margin where it is -1."""
    number = number_of(legacy(size_average, reduce, reduction))
    return checked(HINGE_EMBEDDING_LOSS)(input, target, margin, number)


@composite(
    "margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=0) -> Tensor",
    where=("function",),
)
def MARGIN_RANKING_LOSS(input1: Any, input2: Any, target: Any, margin: float, reduction: int) -> Any:
    """ATen's hinge on which of two is larger."""
    losses = CLAMP_MIN(ADD_SCALAR(-target * (input1 - input2), margin), 0)
    return reduced(losses, reduction) if reduction else changed(losses)


@python_function("nn")
def margin_ranking_loss(
    input1: Any,
    input2: Any,
    target: Any,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Hinge on which of two inputs is the larger one."""
    number = number_of(legacy(size_average, reduce, reduction))
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{input1.size()}, input2: {input2.size()}, target: {target.size()} "
        )
    return checked(MARGIN_RANKING_LOSS)(input1, input2, target, margin, number)


@composite(
    "cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=0) -> Tensor",
    where=("function",),
)
def COSINE_EMBEDDING_LOSS(input1: Any, input2: Any, target: Any, margin: float, reduction: int) -> Any:
    """ATen's loss of the angle between two inputs."""
    if target.ndim == 1 and not (input1.ndim == 2 and input2.ndim == 2):
        raise RuntimeError(
            "1D target tensor expects 2D input tensors, but found inputs with sizes "
            f"{sizes(input1.shape)} and {sizes(input2.shape)}."
        )
    if target.ndim == 0 and not (input1.ndim == 1 and input2.ndim == 1):
        raise RuntimeError(
            "0D target tensor expects 1D input tensors, but found inputs with sizes "
            f"{sizes(input1.shape)} and {sizes(input2.shape)}."
        )
    if target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    dim = target.ndim
    dot = (input1 * input2).sum(dim)
    first = ADD_SCALAR((input1 * input1).sum(dim), _EPSILON)
    second = ADD_SCALAR((input2 * input2).sum(dim), _EPSILON)
    cosine = dot / SQRT(first * second)
    zeros = ZEROS_LIKE(cosine)
    apart = CLAMP_MIN(SUB_SCALAR(cosine, margin), 0)
    alike = SUB(1, cosine)
    return reduced(WHERE(target == 1, alike, zeros) + WHERE(target == -1, apart, zeros), reduction)


@python_function("nn")
def cosine_embedding_loss(
    input1: Any,
    input2: Any,
    target: Any,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Distance by angle where the target is 1, closeness beyond the margin where it is -1."""
    number = number_of(legacy(size_average, reduce, reduction))
    return checked(COSINE_EMBEDDING_LOSS)(input1, input2, target, margin, number)


@composite(
    "triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2.0,"
    " float eps=1e-06, bool swap=False, int reduction=0) -> Tensor",
    where=("function",),
)
def TRIPLET_MARGIN_LOSS(
    anchor: Any, positive: Any, negative: Any, margin: float, p: float, eps: float, swap: bool, reduction: int
) -> Any:
    """ATen's hinge on two distances."""
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D inputs"
        )
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = far.minimum(pairwise_distance(positive, negative, p, eps))
    return reduced(CLAMP_MIN(ADD_SCALAR(near, margin) - far, 0), reduction)


@python_function("nn")
def triplet_margin_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-06,
    swap: bool = False,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Any:
    """Hinge on how much nearer the positive is to the anchor than the negative."""
    number = number_of(legacy(size_average, reduce, reduction))
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    return checked(TRIPLET_MARGIN_LOSS)(anchor, positive, negative, margin, p, eps, swap, number)


@python_function("nn")
def triplet_margin_with_distance_loss(
    anchor: Any,
    positive: Any,
    negative: Any,
    *,
    distance_function: Callable[..., Any] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Any:
    """The triplet loss with a distance of the program's own."""
    number = number_of(reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D inputs"
        )
    distance = distance_function or (lambda a, b: pairwise_distance(a, b, 2.0, 1e-06, False))
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = far.minimum(distance(positive, negative))
    return reduced((margin + near - far).clamp_min(0), number)
