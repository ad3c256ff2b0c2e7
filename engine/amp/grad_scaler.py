"""`torch.amp.GradScaler`: https://docs.pytorch.org/docs/stable/amp.html#gradient-scaling"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.dtypes import float16
from engine.tensor import Tensor, TensorBase
from engine.warning import warn
from engine.writing import write_memory


class GradScaler:
    """Multiplies a loss so that short gradients do not vanish, and divides them again before the step.

    A step whose gradients are not finite is left out, and the factor made smaller.
    """

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        self._device, self._enabled = device, enabled
        if device == "cuda" and enabled:
            warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.")
            self._enabled = False
        if self._enabled:
            if growth_factor <= 1.0:
                raise AssertionError("The growth factor must be > 1.0.")
            if backoff_factor >= 1.0:
                raise AssertionError("The backoff factor must be < 1.0.")
            self._init_scale, self._init_growth_tracker = init_scale, 0
            self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
            self._growth_interval = growth_interval
            self._scale: Any = None
            self._growth_tracker: Any = None
            self._stages: dict[int, str] = {}  # "unscaled" or "stepped", by optimizer
            self._found: dict[int, bool] = {}  # whether an optimizer's gradients had inf or nan

    def scale(self, outputs: Any) -> Any:
        """A tensor, or tensors in lists, times the factor."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, TensorBase):
            if self._scale is None:
                self._scale = Tensor._wrap(np.array(self._init_scale, np.float32))
                self._growth_tracker = Tensor._wrap(np.array(self._init_growth_tracker, np.int32))
            return outputs * self._scale
        if isinstance(outputs, Iterable):
            scaled = map(self.scale, outputs)
            return type(outputs)(scaled) if isinstance(outputs, list | tuple) else scaled  # type: ignore[call-arg]
        raise ValueError("outputs must be a Tensor or an iterable of Tensors")

    def _check_used(self, name: str) -> None:
        if self._scale is None:
            raise AssertionError(
                f"Attempted {name} but _scale is None.  This may indicate your script did not use scaler.scale(loss or "
                "outputs) earlier in the iteration."
            )

    def unscale_(self, optimizer: Any) -> None:
        """Divide an optimizer's gradients by the factor, once between two updates."""
        if not self._enabled:
            return
        self._check_used("unscale_")
        stage = self._stages.get(id(optimizer))
        if stage == "unscaled":
            raise RuntimeError("unscale_() has already been called on this optimizer since the last update().")
        if stage == "stepped":
            raise RuntimeError("unscale_() is being called after step().")
        self._unscale(optimizer)
        self._stages[id(optimizer)] = "unscaled"

    def _unscale(self, optimizer: Any) -> None:
        inverse = np.float32(1.0 / float(self._scale._a))
        grads = [p._grad for group in optimizer.param_groups for p in group["params"] if p._grad is not None]
        if any(g.dtype is float16 for g in grads):
            raise ValueError("Attempting to unscale FP16 gradients.")

        def divide(memory: np.ndarray) -> None:
            memory[...] = memory * inverse

        for g in grads:
            finite = np.isfinite(g._array()).all()
            self._found[id(optimizer)] = self._found.get(id(optimizer), False) or not finite
            write_memory(g, divide)

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """`optimizer.step()` on unscaled gradients, unless one of them is inf or nan."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check_used("step")
        stage = self._stages.get(id(optimizer))
        if stage == "stepped":
            raise RuntimeError("step() has already been called since the last update().")
        if stage is None:
            self._unscale(optimizer)
        if id(optimizer) not in self._found:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        result = None if self._found[id(optimizer)] else optimizer.step(*args, **kwargs)
        self._stages[id(optimizer)] = "stepped"
        return result

    def update(self, new_scale: Any = None) -> None:
        """Make the factor smaller after a step left out, larger after `growth_interval` steps taken."""
        if not self._enabled:
            return
        self._check_used("update")
        scale, taken = self._scale._array(), self._growth_tracker._array()
        if new_scale is not None:
            scale[...] = new_scale._a if isinstance(new_scale, TensorBase) else new_scale
        elif not self._found:
            raise AssertionError("No inf checks were recorded prior to update.")
        elif any(self._found.values()):
            scale *= np.float32(self._backoff_factor)
            taken[...] = 0
        else:
            taken += 1
            if taken == self._growth_interval:
                larger = np.float32(scale * self._growth_factor)
                scale[...] = larger if np.isfinite(larger) else scale
                taken[...] = 0
        self._stages, self._found = {}, {}

    def get_scale(self) -> float:
        """The factor; 1 when there is no scaling."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else float(self._scale._a)

    def get_growth_factor(self) -> float:
        """What the factor grows by."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set what the factor grows by."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """What the factor shrinks by."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set what the factor shrinks by."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """After how many steps taken the factor grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set after how many steps taken the factor grows."""
        self._growth_interval = new_interval

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        return self._init_growth_tracker if self._growth_tracker is None else int(self._growth_tracker._a)

    def is_enabled(self) -> bool:
        """Whether it scales at all."""
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """The factor and its options; empty when there is no scaling."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(), "growth_factor": self._growth_factor, "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval, "_growth_tracker": self._get_growth_tracker(),
        }  # fmt: skip

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over a state. Raises RuntimeError for an empty one."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler."
            )
        self._init_scale, self._init_growth_tracker = state_dict["scale"], state_dict["_growth_tracker"]
        self._growth_factor, self._backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        if self._scale is not None:
            self._scale._array()[...] = self._init_scale
            self._growth_tracker._array()[...] = self._init_growth_tracker


def _former(device: str) -> type[GradScaler]:
    """`torch.cuda.amp.GradScaler`, the former name for one kind of device."""

    class scaler(GradScaler):
        __doc__ = f"`torch.{device}.amp.GradScaler`, the former name for one kind of device."

        def __init__(
            self, init_scale: float = 2.0**16, growth_factor: float = 2.0, backoff_factor: float = 0.5,
            growth_interval: int = 2000, enabled: bool = True,
        ) -> None:  # fmt: skip
            warn(
                f"`torch.{device}.amp.GradScaler(args...)` is deprecated. Please use `torch.amp.GradScaler('{device}', "
                "args...)` instead.",
                FutureWarning,
            )
            super().__init__(device, init_scale, growth_factor, backoff_factor, growth_interval, enabled)

    scaler.__name__ = scaler.__qualname__ = f"{device}_scaler"
    return scaler


cuda_scaler, cpu_scaler = _former("cuda"), _former("cpu")


__all__ = ["GradScaler"]
