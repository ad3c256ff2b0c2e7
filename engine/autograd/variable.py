"""`torch.autograd.Variable`: the old name of Tensor."""

from typing import Any

from engine.tensor import Tensor


class _VariableMeta(type):
    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, Tensor)


class Variable(metaclass=_VariableMeta):
    """Calling it gives the tensor itself, with `requires_grad` set when asked."""

    def __new__(cls, data: Any, requires_grad: bool = False, volatile: bool = False) -> Any:
        t = data.detach()
        t.requires_grad = requires_grad
        return t
