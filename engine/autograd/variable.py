"""`torch.autograd.Variable`: the old name of Tensor."""

from typing import Any

import numpy as np

from engine.methods import VOLATILE_SET
from engine.tensor import Tensor, TensorBase
from engine.type_names import type_name
from engine.warning import warn


class _VariableMeta(type):
    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, Tensor)


class Variable(metaclass=_VariableMeta):
    """Calling it gives the tensor itself, with `requires_grad` set when asked."""

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: Any = None) -> Any:
        if volatile:
            warn(VOLATILE_SET)
            if requires_grad:
                raise ValueError("Variable can't be volatile and require_grad at the same time!")
        if data is None:
            data = Tensor._wrap(np.zeros(0, np.float32))
        if not isinstance(data, TensorBase):
            raise TypeError(f"Variable data has to be a tensor, but got {type_name(data)}")
        t = data.detach()  # type: ignore[attr-defined]
        t.requires_grad = requires_grad
        return t
