"""Normalised vectors and distances."""

from typing import Any

from engine.composite import composite, python_function
from engine.dtypes import promote_types
from engine.modes import no_grad
from engine.ops.arithmetic import ADD_SCALAR
from engine.ops.batched import batch_shape
from engine.ops.copy import CLONE
from engine.ops.norms import NORM_DIM, VECTOR_NORM
from engine.ops.reduction import SUM_DIM
from engine.ops.views import EXPAND


@python_function("nn")
def normalize(input: Any, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None) -> Any:
    """The input divided by its p-norm over `dim`, which counts as at least `eps`."""
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


@composite("cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor", where=("function", "nn"))
def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    """Cosine of the angle between vectors along `dim`; norms count as at least `eps`."""
    shape = batch_shape(tuple(x1.shape), tuple(x2.shape))
    common = promote_types(x1.dtype, x2.dtype)
    if not common.is_floating_point:
        raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {common.torch_name}")
    same = tuple(x1.shape) == tuple(x2.shape)
    a, b = (x if x.dtype is common else x.to(common) for x in (x1, x2))
    if not same:
        a, b = EXPAND(a, shape), EXPAND(b, shape)
    sizes = [CLONE(VECTOR_NORM(x, 2, (dim,), True)) for x in (a, b)]
    with no_grad():
        for n in sizes:
            n.clamp_min_(eps)
    second = b / sizes[1]  # the second factor first, as PyTorch's nodes are numbered
    return SUM_DIM((a / sizes[0]) * second, (dim,))


@composite(
    "pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) -> Tensor",
    where=("function", "nn"),
)
def pairwise_distance(x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Any:
    """The p-norm of the difference of vectors in the last dimension; `eps` keeps it away from zero."""
    last = max(x1.ndim, x2.ndim) - 1
    return NORM_DIM(ADD_SCALAR(x1 - x2, eps), float(p), (last,), keepdim)
