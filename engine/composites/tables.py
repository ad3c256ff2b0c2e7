"""Looking things up: embeddings, one-hot codes, and values along a dimension."""

from typing import Any

import numpy as np

from engine import modes
from engine.composite import composite, python_function
from engine.composites.parsed import checked, parsed
from engine.composites.shapes import at_least, common_shape
from engine.inplace import check_inplace
from engine.ops.checks import wrap_dim
from engine.ops.elements import NONZERO
from engine.ops.embedding import EMBEDDING, EMBEDDING_BAG
from engine.ops.gather_scatter import GATHER
from engine.ops.pieces import UNBIND
from engine.ops.slicing import SELECT
from engine.ops.views import EXPAND
from engine.tensor import Tensor
from engine.warning import warn


def _renorm(weight: Any, indices: Any, max_norm: float, norm_type: float) -> None:
    """Scale the rows that are looked up down to `max_norm`, in place."""
    rows = weight._a.copy()
    for i in sorted({int(i) for i in indices.reshape((-1,)).tolist()}):
        row = SELECT(weight, 0, i)._a  # which refuses an index that is out of range
        norm = float(np.linalg.norm(row.astype(np.float64), norm_type))
        if norm > max_norm:
            rows[i] *= rows.dtype.type(max_norm / (norm + 1e-7))
    with modes.no_grad():
        weight.copy_(Tensor._wrap(rows))  # one change, however many rows


def _padding_row(padding_idx: int | None, weight: Any, message: str) -> int:
    if padding_idx is None:
        return -1
    rows = weight.shape[0]
    if (padding_idx > 0 and padding_idx >= rows) or padding_idx < -rows:
        raise AssertionError(message)
    return padding_idx + rows if padding_idx < 0 else padding_idx


@python_function("nn")
def embedding(
    input: Any,
    weight: Any,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Any:
    """Rows of a table."""
    if not hasattr(weight, "_a"):  # which the parser refuses
        return _embedding(weight, input)
    row = _padding_row(padding_idx, weight, "Padding_idx must be within num_embeddings")
    if max_norm is not None:
        input = input.contiguous()
        _renorm(weight, input, max_norm, norm_type)
    return _embedding(weight, input, row, scale_grad_by_freq, sparse)


_embedding = parsed(EMBEDDING)
_POOLING = {"sum": 0, "mean": 1, "max": 2}


@python_function("nn")
def embedding_bag(
    input: Any,
    weight: Any,
    offsets: Any = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Any:
    """Rows of a table, pooled in bags."""
    if weight.dtype.name == "int64" and input.dtype.is_floating_point:
        warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is "
            "deprecated, and should now be `embedding_bag(input, weight, ...)`."
        )
        weight, input = input, weight
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the "
            f"same shape as the input ({input.shape})"
        )
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    if input.dim() == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
                f"sequences. However, found offsets of type {type(offsets)}"
            )
        rows, length = input.shape
        offsets = Tensor._wrap(
            np.arange(0, rows * length, length, dtype=input._a.dtype) if length else np.zeros(rows, int)
        )
        include_last_offset = False
        input = input.reshape((-1,))
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape((-1,))
    elif input.ndim == 1:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        if offsets.dim() != 1:
            raise ValueError("offsets has to be a 1D Tensor")
    else:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}")
    if mode not in tuple(_POOLING):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max":
        if scale_grad_by_freq:
            raise ValueError("max mode does not support scaling the gradient by the frequency")
        if sparse:
            raise ValueError("max mode does not support sparse weights")
    if max_norm is not None:
        with modes.no_grad():
            _renormed(weight, input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' "
            f"(got mode='{mode}'). Please open a feature request on GitHub."
        )
    return _bags(
        weight, input, offsets, scale_grad_by_freq, _POOLING[mode], sparse, per_sample_weights, include_last_offset,
        padding_idx,
    )[0]  # fmt: skip


@composite(
    "embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, "
    "bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False) "
    "-> (Tensor, Tensor, Tensor, Tensor)",
    where=("function",),
)
def bags(
    weight: Any,
    indices: Any,
    offsets: Any,
    scale_grad_by_freq: bool = False,
    mode: int = 0,
    sparse: bool = False,
    per_sample_weights: Any = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Any:
    """Rows of a table, pooled in bags, with the bag of each index, the sizes of the bags, and where maxima were."""
    if mode not in _POOLING.values():
        raise RuntimeError("`mode` must be sum, mean, or max.")
    if offsets.ndim != 1:
        raise RuntimeError(f"offsets has to be a 1D Tensor, but got Tensor of dimension {offsets.ndim}")
    rows = weight.shape[0]
    if padding_idx is not None and not -rows <= padding_idx < rows:
        raise RuntimeError(
            f"padding_idx must be within the number of embeddings, {-rows} through {rows - 1}, but got {padding_idx}"
        )
    row = -1 if padding_idx is None else padding_idx % rows
    return EMBEDDING_BAG(
        weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, row
    )


BAGS_WITH_PADDING = composite(
    "embedding_bag.padding_idx(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, "
    "bool sparse, Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) "
    "-> (Tensor, Tensor, Tensor, Tensor)",
    where=("function",),
)(bags.function)
_bags = parsed(BAGS_WITH_PADDING, bags)


@composite(
    "embedding_renorm_(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor", where=("function",)
)
def embedding_renorm_(self: Any, indices: Any, max_norm: float, norm_type: float) -> Any:
    """Scale the rows that are named down to a norm, in place."""
    check_inplace(self, modes.STATE.grad_enabled and self._needs_grad)
    _renorm(self, indices, max_norm, norm_type)
    return self


_renormed = checked(embedding_renorm_)


@composite("one_hot(Tensor self, int num_classes=-1) -> Tensor", where=("nn",))
def one_hot(self: Any, num_classes: int = -1) -> Any:
    """A one at the place of each class."""
    if self.dtype.name != "int64":
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    classes = self._a
    if classes.size == 0:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return Tensor._wrap(np.zeros((*classes.shape, num_classes), np.int64))
    if classes.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(classes.max()) + 1
    elif num_classes <= classes.max():
        raise RuntimeError("Class values must be smaller than num_classes.")
    out = Tensor._wrap((classes[..., None] == np.arange(num_classes)).astype(np.int64, "C"))
    out._version_counter().n = 2  # PyTorch fills zeros in and scatters ones
    return out


@composite("take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor")
def take_along_dim(self: Any, indices: Any, dim: int | None = None) -> Any:
    """gather with broadcasting."""
    if indices.dtype.name != "int64":
        raise RuntimeError(
            f"torch.take_along_dim(): dtype of indices should be Long but got {indices.dtype.torch_name}"
        )
    if dim is None:
        return GATHER(self.view((-1,)), 0, indices.view((-1,)))
    if self.ndim != indices.ndim:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions, but got "
            f"{self.ndim} dimensions for input, and {indices.ndim} dimensions for indices"
        )
    d = wrap_dim(dim, self.ndim)
    ours, theirs = list(self.shape), list(indices.shape)
    ours[d] = theirs[d]
    shape = common_shape([tuple(ours), tuple(theirs)])
    wide = list(shape)
    wide[d] = self.shape[d]
    return GATHER(EXPAND(self, tuple(wide)), d, EXPAND(indices, shape))


@composite("nonzero.as_tuple(Tensor self, *, bool as_tuple=False) -> Tensor")
def nonzero(self: Any, as_tuple: bool = False) -> Any:
    """Places of nonzero elements, as rows of one tensor or as a tuple of columns."""
    if not as_tuple:
        return NONZERO(self)
    return UNBIND(NONZERO(at_least(self, 1)), 1)


@composite("where(Tensor condition) -> Tensor[]", where=("function",))
def where(condition: Any) -> Any:
    """Indices of the true elements, one tensor per dimension."""
    return nonzero(condition, True)
