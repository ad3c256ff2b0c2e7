"""What can be asked about tensors and their dtypes: `is_floating_point`, `is_nonzero`, `numel` and their kin."""

from typing import Any

from engine.composite import composite


@composite("is_floating_point(Tensor self) -> bool")
def is_floating_point(self: Any) -> bool:
    """Whether the dtype is a floating-point one."""
    return self.dtype.is_floating_point


@composite("is_complex(Tensor self) -> bool")
def is_complex(self: Any) -> bool:
    """Whether the dtype is complex."""
    return self.dtype.is_complex


@composite("is_signed(Tensor self) -> bool")
def is_signed(self: Any) -> bool:
    """Whether the dtype holds negative numbers."""
    return self.dtype.is_signed


@composite("is_nonzero(Tensor self) -> bool")
def is_nonzero(self: Any) -> bool:
    """Whether the only element is not zero. Raises RuntimeError for any other count of elements."""
    return bool(self)


@composite("is_conj(Tensor self) -> bool")
def is_conj(self: Any) -> bool:
    """Never: conjugates are computed at once here."""
    return False


@composite("is_neg(Tensor self) -> bool")
def is_neg(self: Any) -> bool:
    """Never: negatives are computed at once here."""
    return False


@composite("is_inference(Tensor self) -> bool", where=("function",))
def is_inference(self: Any) -> bool:
    """Whether it was made in inference mode."""
    return self.is_inference()


@composite("numel(Tensor self) -> int", where=("function",))
def numel(self: Any) -> int:
    """Number of elements."""
    return self._a.size


@composite("detach.function(Tensor self) -> Tensor", where=("function",))
def detach(self: Any) -> Any:
    """The same memory without history."""
    return self.detach()
