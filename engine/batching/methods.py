"""What a tensor inside a vmap refuses, and how it is printed: its elements differ from sample to sample."""

from collections.abc import Callable
from typing import Any, NoReturn

from engine import errors
from engine.batching.tensor import NO_ITEM, BatchedTensor, Sample, refusal, unrecorded
from engine.dispatch import run
from engine.operators import fallback
from engine.ops.copy import DETACH
from engine.showing import text_inside
from engine.tensor import TensorBase

_READING = (
    "item", "tolist", "tobytes", "copy", "astype", "any", "all", "sum", "min", "max", "__bool__", "__int__",
    "__float__", "__complex__", "__index__", "__getitem__", "__iter__", "__contains__",
)  # fmt: skip


def unknown(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    """Refused: the elements of a Sample."""
    raise refusal()


def item(self: Any) -> Any:
    """Refused: one number for every sample."""
    raise refusal(NO_ITEM)


def number(self: Any) -> Any:
    """Refused: int(tensor) and float(tensor)."""
    if self._a.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    raise refusal(NO_ITEM)


def truth(self: Any) -> bool:
    """Refused: a condition that may hold for one sample and not for another."""
    raise refusal()


def data(self: Any) -> Any:
    """Refused, except to a derivative that is taken inside."""
    if self._needs_grad:
        plain = unrecorded(self)
        plain._transforms = self._transforms
        return plain
    raise RuntimeError("accessing `data` under vmap transform is not allowed")


def storage(self: Any) -> Any:
    """Refused."""
    raise NotImplementedError(
        f"Cannot access storage of {'TensorWrapper' if self._needs_grad else 'BatchedTensorImpl'}"
    )


def show(self: Any, *, tensor_contents: Any = None) -> str:
    """repr(tensor): the whole batch, in the frames of its levels."""
    return text_inside(self)


def text_format(self: Any, spec: str) -> str:
    """format(tensor, spec): refused for numbers."""
    return number(self) if self._a.ndim == 0 else object.__format__(self, spec)


def detach(self: Any) -> Any:
    """The same memory without history."""
    return run(DETACH, [self])


def deepcopy(self: Any, memo: dict[int, Any]) -> Any:
    """A copy."""
    return self.clone()


def _refused(message: str) -> Callable[..., Any]:
    def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(message)

    return refuse


def _plainly(name: str) -> Callable[..., Any]:
    """An arithmetic operator without the short way that plain tensors take."""

    def operate(self: Any, other: Any) -> Any:
        return fallback(getattr(BatchedTensor, name), self, other)

    return operate


def _of_number(name: str) -> Callable[..., Any]:
    """The same with the tensor on the right. Between tensors the left one's operator counts, not the subclass's."""

    def operate(self: Any, other: Any) -> Any:
        if isinstance(other, TensorBase):
            return NotImplemented
        return fallback(getattr(BatchedTensor, name), self, other)

    return operate


def attach() -> None:
    """Give BatchedTensor the methods of this module."""
    table: dict[str, Any] = {
        "item": item, "__bool__": truth, "__float__": number, "__int__": number, "__complex__": number,
        "__index__": number, "data": property(data), "untyped_storage": storage, "storage": storage, "__repr__": show,
        "__str__": show, "__format__": text_format, "detach": detach, "__deepcopy__": deepcopy,
        "__add__": _plainly("add"), "__radd__": _of_number("add"), "__sub__": _plainly("sub"),
        "__mul__": _plainly("mul"), "__rmul__": _of_number("mul"), "__truediv__": _plainly("div"),
    }  # fmt: skip
    table.update({name: _refused(errors.NO_STORAGE) for name in ("tolist", "numpy", "__array__", "data_ptr")})
    for name, method in table.items():
        setattr(BatchedTensor, name, method)
    for name in _READING:
        setattr(Sample, name, unknown)
