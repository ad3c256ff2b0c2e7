"""Complex parameters as optimizers see them: as twice as many real numbers, on the same memory."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.tensor import Tensor
from engine.writing import write_memory


def real_parts(a: np.ndarray) -> np.ndarray:
    """Real and imaginary parts of a complex array along a new last dimension; a view."""
    return a[..., None].view(np.dtype(a.dtype.char.lower()))


def in_parts(t: Any) -> Any:
    """A complex tensor as its parts; any other as it is."""
    return RealParts(t) if t._a.dtype.kind == "c" else t


def _whole(t: Any, shape: tuple[int, ...]) -> Any:
    """A tensor of real and imaginary parts of a parameter's shape as the complex tensor that it is; others as given."""
    a = t._a if isinstance(t, Tensor) else None
    if a is None or a.shape != (*shape, 2) or a.dtype.kind != "f":
        return t
    return Tensor._wrap(a.view(np.result_type(a.dtype, np.complex64))[..., 0])


class RealParts:
    """Stands for a complex parameter, or for a tensor of its state, with the array of its parts."""

    def __init__(self, whole: Any):
        self.whole = whole

    @property
    def _a(self) -> np.ndarray:
        return real_parts(self.whole._a)

    def _array(self) -> np.ndarray:
        return real_parts(self.whole._array())

    def write(self, write: Callable[[np.ndarray], object]) -> None:
        """As `write_memory`, with the array of the parts."""
        write_memory(self.whole, lambda memory: write(real_parts(memory)))

    def update(self, states: Any, change: Callable[["RealParts"], None]) -> None:
        """Have `change` work on the parts, with the state of the parameter in parts too."""
        state = states[self.whole]
        complex_state = [k for k, v in state.items() if isinstance(v, Tensor) and v._a.dtype.kind == "c"]
        states[self] = {k: RealParts(v) if k in complex_state else v for k, v in state.items()}
        try:
            change(self)
        finally:
            parts = states.pop(self)
        shape = self.whole._a.shape
        state.update({k: _whole(v, shape) for k, v in parts.items() if not isinstance(v, RealParts)})
