"""What a tensor inside a vmap refuses, and how it is printed: its elements differ from sample to sample."""

from collections.abc import Callable
from typing import Any, NoReturn

from engine.batching.tensor import DATA_DEPENDENT, ESCAPED, NO_ITEM, BatchedTensor, Sample
from engine.dispatch import run
from engine.modes import STATE
from engine.operators import fallback
from engine.ops.copy import DETACH
from engine.tensor import TensorBase

_NO_STORAGE = "Cannot access data pointer of Tensor that doesn't have storage"
_NOT_INSIDE = {
    "backward": (
        "backward() called inside a functorch transform. This is not supported, please use functorch.grad or "
        "functorch.vjp instead or call backward() outside of functorch transforms."
    ),
    "requires_grad_": (
        "You are attempting to call Tensor.requires_grad_() (or perhaps using torch.autograd.functional.* APIs) inside "
        "of a function being transformed by a functorch transform. This is unsupported, please attempt to use the "
        "functorch transforms (e.g. grad, vjp, jacrev, jacfwd, hessian) or call requires_grad_() outside of a function "
        "being transformed instead."
    ),
}


_READING = (
    "item", "tolist", "tobytes", "copy", "astype", "any", "all", "sum", "min", "max", "__bool__", "__int__",
    "__float__", "__complex__", "__index__", "__getitem__", "__iter__", "__contains__",
)  # fmt: skip


def unknown(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
    """Refused: the elements of a Sample."""
    raise RuntimeError(DATA_DEPENDENT if STATE.batching is not None else ESCAPED)


def item(self: Any) -> Any:
    """Refused: one number for every sample."""
    raise RuntimeError(NO_ITEM)


def number(self: Any) -> Any:
    """Refused: int(tensor) and float(tensor)."""
    if self._a.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    raise RuntimeError(NO_ITEM)


def truth(self: Any) -> bool:
    """Refused: a condition that may hold for one sample and not for another."""
    raise RuntimeError(DATA_DEPENDENT)


def data(self: Any) -> Any:
    """Refused."""
    raise RuntimeError("accessing `data` under vmap transform is not allowed")


def storage(self: Any) -> Any:
    """Refused."""
    raise NotImplementedError("Cannot access storage of BatchedTensorImpl")


def show(self: Any, *, tensor_contents: Any = None) -> str:
    """repr(tensor): the whole batch, in the frames of its levels."""
    inner = "\n".join("    " + line for line in repr(self._value).split("\n"))
    if self._dim is None:
        return f"GradTrackingTensor(lvl={self._level + 1}, value=\n{inner}\n)"
    text = f"BatchedTensor(lvl={self._level}, bdim={self._dim}, value=\n{inner}\n)"
    if not self.requires_grad:
        return text
    inner = "\n".join("    " + line for line in text.split("\n"))
    return f"GradTrackingTensor(lvl={self._level + 1}, value=\n{inner}\n)"


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
    table.update({name: _refused(_NO_STORAGE) for name in ("tolist", "numpy", "__array__", "data_ptr")})
    table.update({name: _refused(message) for name, message in _NOT_INSIDE.items()})
    for name, method in table.items():
        setattr(BatchedTensor, name, method)
    for name in _READING:
        setattr(Sample, name, unknown)
