"""Products of Householder reflections, as a QR factorisation leaves them: the columns below a diagonal, and factors."""

from typing import Any

from engine.composite import composite
from engine.errors import sizes
from engine.ops.reflections import HOUSEHOLDER_PRODUCT, ORMQR

_TOP, _LINALG = ("function", "method"), ("linalg",)


def _check(who: str, input: Any, tau: Any) -> None:
    if input.ndim < 2:
        raise RuntimeError(f"{who}: input must have at least 2 dimensions.")
    if who.endswith("product"):
        if input.shape[-2] < input.shape[-1]:
            raise RuntimeError(f"{who}: input.shape[-2] must be greater than or equal to input.shape[-1]")
        if input.shape[-1] < (tau.shape[-1] if tau.ndim else 1):
            raise RuntimeError(f"{who}: input.shape[-1] must be greater than or equal to tau.shape[-1]")
    if input.ndim - tau.ndim != 1:
        raise RuntimeError(
            f"{who}: Expected tau to have one dimension less than input, but got tau.ndim equal to {tau.ndim} and "
            f"input.ndim is equal to {input.ndim}"
        )
    if input.shape[:-2] != tau.shape[:-1]:
        raise RuntimeError(
            f"{who}: Expected batch dimensions of tau to be equal to input.shape[:-2], but got {sizes(tau.shape[:-1])}"
        )
    if tau.dtype is not input.dtype and who == "torch.ormqr":
        raise RuntimeError(
            f"{who}: Expected input and tau to have the same dtype, but input has dtype{input.dtype.torch_name} and "
            f"tau has dtype {tau.dtype.torch_name}"
        )
    if tau.dtype is not input.dtype:
        raise RuntimeError(
            f"{who}: tau dtype {tau.dtype.torch_name} does not match input dtype {input.dtype.torch_name}"
        )


@composite("linalg_householder_product.checked(Tensor input, Tensor tau) -> Tensor", where=_LINALG)
def householder_product(input: Any, tau: Any) -> Any:
    """The first columns of the product of reflections: the Q of a QR factorisation."""
    _check("torch.linalg.householder_product", input, tau)
    return HOUSEHOLDER_PRODUCT(input, tau)


@composite("orgqr(Tensor self, Tensor input2) -> Tensor", where=_TOP)
def orgqr(self: Any, input2: Any) -> Any:
    """`linalg.householder_product`, by its old name."""
    return householder_product(self, input2)


@composite(
    "ormqr.checked(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor",
    where=_TOP,
)
def ormqr(self: Any, input2: Any, input3: Any, left: bool = True, transpose: bool = False) -> Any:
    """A matrix times the product of reflections, from either side."""
    if self.ndim < 2:
        raise RuntimeError("torch.ormqr: input must have at least 2 dimensions.")
    if input3.ndim < 2:
        raise RuntimeError("torch.ormqr: other must have at least 2 dimensions.")
    side = -2 if left else -1
    count = input2.shape[-1] if input2.ndim else 1
    if input3.shape[side] < count:
        raise RuntimeError(f"torch.ormqr: other.shape[{side}] must be greater than or equal to tau.shape[-1]")
    if input3.shape[side] != self.shape[-2]:
        raise RuntimeError(f"torch.ormqr: other.shape[{side}] must be equal to input.shape[-2]")
    if count != min(input3.shape[side], self.shape[-1]):
        raise RuntimeError(f"torch.ormqr: tau.shape[-1] must be equal to min(other.shape[{side}], input.shape[-1])")
    _check("torch.ormqr", self, input2)
    if self.ndim != input3.ndim:
        raise RuntimeError(
            "torch.ormqr: Expected other to have the same number of dimensions as input, but got other.ndim equal to "
            f"{input3.ndim} and input.ndim is equal to {self.ndim}"
        )
    if input3.dtype is not self.dtype:
        raise RuntimeError(
            "torch.ormqr: Expected input and other to have the same dtype, but input has dtype "
            f"{self.dtype.torch_name} and other has dtype {input3.dtype.torch_name}"
        )
    return ORMQR(self, input2, input3, left, transpose)
