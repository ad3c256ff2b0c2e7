"""Matrix products that accumulate in another dtype: PyTorch has them for GPUs, and lists them everywhere."""

from typing import Any, NoReturn

from engine.composite import composite

_WHERE = ("function",)


def _only_on_gpus(name: str) -> NoReturn:
    raise NotImplementedError(
        f"Could not run 'aten::{name}.dtype' with arguments from the 'CPU' backend. This operator exists for GPUs only."
    )


@composite("mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", where=_WHERE)
def mm(self: Any, mat2: Any, out_dtype: Any) -> NoReturn:
    """Not available. Raises NotImplementedError."""
    _only_on_gpus("mm")


@composite("bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", where=_WHERE)
def bmm(self: Any, mat2: Any, out_dtype: Any) -> NoReturn:
    """Not available. Raises NotImplementedError."""
    _only_on_gpus("bmm")


@composite(
    "baddbmm.dtype(Tensor self, Tensor batch1, Tensor batch2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1)"
    " -> Tensor",
    where=_WHERE,
)
def baddbmm(self: Any, batch1: Any, batch2: Any, out_dtype: Any, beta: Any = 1, alpha: Any = 1) -> NoReturn:
    """Not available. Raises NotImplementedError."""
    _only_on_gpus("baddbmm")


@composite(
    "addmm.dtype(Tensor self, Tensor mat1, Tensor mat2, ScalarType out_dtype, *, Scalar beta=1, Scalar alpha=1)"
    " -> Tensor",
    where=_WHERE,
)
def addmm(self: Any, mat1: Any, mat2: Any, out_dtype: Any, beta: Any = 1, alpha: Any = 1) -> NoReturn:
    """Not available. Raises NotImplementedError."""
    _only_on_gpus("addmm")
