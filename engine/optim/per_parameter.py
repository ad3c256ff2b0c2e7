"""What most optimizers share: every parameter that has a gradient changes by itself, by one rule."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dtypes import float64, get_default_dtype
from engine.optim.optimizer import Optimizer, recorded
from engine.optim.real_parts import RealParts, real_parts
from engine.tensor import Tensor, TensorBase


class PerParameter(Optimizer):
    """Subclasses say in `_update(group, parameter, gradient)` how one parameter's array changes."""

    _takes_complex = True

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One step for every parameter that has a gradient; returns the closure's loss, or None without one."""
        loss = None if closure is None else recorded(closure)
        with self._announced():
            for group in self.param_groups:
                if isinstance(group["lr"], TensorBase):
                    group = {**group, "lr": group["lr"]._a.item()}
                for p in group["params"]:
                    if p._grad is not None:
                        g = np.asarray(p._grad._a)
                        g = -g if group.get("maximize") else g
                        if g.dtype.kind == "c":
                            self._update_parts(group, p, g)
                        else:
                            self._update(group, p, g)
        return loss

    def _update_parts(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        """A complex parameter changes as its real and imaginary parts do."""
        if not self._takes_complex:
            raise RuntimeError(f"{type(self).__name__} does not support complex parameters")
        RealParts(p).update(self.state, lambda parts: self._update(group, parts, real_parts(np.ascontiguousarray(g))))

    def _update(self, group: dict[str, Any], p: Any, g: np.ndarray) -> None:
        raise NotImplementedError

    def _work(self, p: Any, number: int = 0) -> np.ndarray:
        """Memory like a parameter's for results on the way, kept between steps: fresh memory costs more than sums."""
        kept = self.__dict__.setdefault("_kept_work", {})
        key, size = (p._a.dtype, number), p._a.size
        if key not in kept or kept[key].size < size:
            kept[key] = np.empty(size, p._a.dtype)
        return kept[key][:size].reshape(p._a.shape)


def scalar_state(value: float) -> Tensor:
    """A 0-dimensional float tensor for counters kept in the state."""
    return Tensor._wrap(np.array(value, np.float64 if get_default_dtype() is float64 else np.float32))


def zeros_like(p: Any) -> Tensor:
    """Zeros of a parameter's shape and dtype."""
    return Tensor._wrap(np.zeros_like(p._array()))


def _check_rate(name: str, value: Any) -> None:
    if name == "learning_rate" and isinstance(value, TensorBase) and value._a.size != 1:
        raise ValueError("Tensor lr must be 1-element")


def check_at_least_zero(**values: Any) -> None:
    """Raise ValueError as PyTorch does for a negative option; the keyword says what it is called."""
    for name, v in values.items():
        _check_rate(name, v)
        if not 0.0 <= v:  # type: ignore[operator]  # noqa: SIM300  the order that Python's own errors speak of
            raise ValueError(f"Invalid {' '.join(name.rsplit('_', 1))}: {v}")


def check_not_negative(**values: Any) -> None:
    """The same as SGD has it, which lets nan through."""
    for name, v in values.items():
        _check_rate(name, v)
        if v < 0.0:
            raise ValueError(f"Invalid {' '.join(name.rsplit('_', 1))}: {v}")


def check_at_least(low: float, name: str, value: Any) -> None:
    """Raise ValueError, in the words of the newer optimizers, for an option below its least."""
    if not low <= value:
        raise ValueError(f"{name} should be >= {low} but is: {value}")


def check_betas(betas: tuple[float, float]) -> None:
    """Raise ValueError unless both are in [0, 1)."""
    for i in range(2):
        b = betas[i]
        if not 0.0 <= b < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {b}")
