"""What PyTorch has for sparse tensors, as it answers on an ordinary one: it refuses, or has nothing to do."""

from typing import Any

from engine.builtin import without_arguments
from engine.composite import composite
from engine.ops.views import ALIAS
from engine.type_names import type_name

_SSPADDMM = "tensor.sspaddmm(...) can only be called on sparse tensors"


@composite("smm(Tensor self, Tensor mat2) -> Tensor")
def smm(self: Any, mat2: Any) -> Any:
    """A product with a sparse matrix. Raises RuntimeError: there are none."""
    raise RuntimeError(_SSPADDMM)


@composite("sspaddmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor")
def sspaddmm(self: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any) -> Any:
    """A product with a sparse matrix, added. Raises RuntimeError: there are none."""
    raise RuntimeError(_SSPADDMM)


@composite("to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor", where=("method",))
def to_dense(self: Any, dtype: Any, masked_grad: Any) -> Any:
    """The tensor itself, which is dense, in another dtype if one is named."""
    return self if dtype is None else self.to(dtype)


@composite(
    "xpu(Tensor self, Device? device=None, bool non_blocking=False, *, MemoryFormat? memory_format=None) -> Tensor",
    where=("method",),
)
def xpu(self: Any, device: Any, non_blocking: bool, memory_format: Any) -> Any:
    """There is no XPU here: PyTorch's own error."""
    if device is not None and device.type == "cuda":
        raise RuntimeError("Invalid device, must be xpu device")
    raise AssertionError("Torch not compiled with XPU enabled")


def dense_dim(self: Any) -> int:
    """How many dimensions are not sparse: all."""
    return self.ndim


def sparse_dim(self: Any) -> int:
    """How many dimensions are sparse: none."""
    return 0


def _refusing(name: str, layout: str) -> Any:
    def refuse(self: Any) -> Any:
        raise RuntimeError(f"{name} expected {layout} tensor layout but got Strided")

    refuse.__name__ = name
    return without_arguments(refuse)


def resolve_neg(self: Any) -> Any:
    """The tensor itself: negatives are computed at once here."""
    return self


@composite("as_subclass(Tensor self, any cls) -> Tensor", where=("method",))
def as_subclass(self: Any, cls: Any) -> Any:
    """A view of another class of tensors. Raises TypeError for what is no class."""
    if not isinstance(cls, type):
        raise TypeError(f"cls must be a type (got {type_name(cls)})")
    view = ALIAS(self)
    if cls is not type(view):
        view.__class__ = cls
    return view


_COLUMNS, _ROWS = "sparse column compressed", "sparse row compressed"


def attach(cls: type) -> None:
    """Give `cls` the methods that take no arguments."""
    table = {
        "resolve_neg": without_arguments(resolve_neg),
        "dense_dim": without_arguments(dense_dim),
        "sparse_dim": without_arguments(sparse_dim),
        "coalesce": _refusing("coalesce", "sparse coordinate"),
        "is_coalesced": _refusing("is_coalesced", "sparse coordinate"),
        "indices": _refusing("indices", "sparse coordinate"),
        "crow_indices": _refusing("crow_indices", _ROWS),
        "col_indices": _refusing("col_indices", _ROWS),
        "ccol_indices": _refusing("ccol_indices", _COLUMNS),
        "row_indices": _refusing("row_indices", _COLUMNS),
    }
    for name, method in table.items():
        setattr(cls, name, method)
