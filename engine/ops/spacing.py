"""Evenly spaced numbers."""

from typing import Any

import numpy as np

from engine.normal_kernel import fused_multiply_add


def evenly_spaced(start: Any, end: Any, steps: int, np_type: np.dtype) -> np.ndarray:
    """`steps` numbers from start to end; each half counts from its own end, so that both ends are exact."""
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    if steps == 1:
        return np.full(1, start, np_type)
    if np_type.kind == "V" or np_type.char == "e":
        return _in_half(start, end, steps, np_type)
    index = np.arange(steps)
    kind = np_type if np_type.kind in "fc" else np.dtype(np.float64)
    if np_type.kind in "iu":
        start, end = int(start), int(end)
    low, high = kind.type(start), kind.type(end)
    step = kind.type((high - low) / kind.type(max(steps - 1, 1)))
    if kind.kind == "c":
        return np.where(index < steps // 2, low + step * index, high - step * (steps - 1 - index)).astype(np_type)
    up = fused_multiply_add(index.astype(kind), step, low)
    down = fused_multiply_add((steps - 1 - index).astype(kind), -step, high)
    return np.where(index < steps // 2, up, down).astype(np_type)


def _in_half(start: Any, end: Any, steps: int, half: np.dtype) -> np.ndarray:
    """The same where every step of the computation is rounded to float16 or bfloat16."""

    def rounded(x: Any) -> Any:
        return np.asarray(x, np.float32).astype(half).astype(np.float32)

    low, high, index = rounded(start), rounded(end), np.arange(steps)
    step = rounded(rounded(high - low) / rounded(max(steps - 1, 1)))
    up, down = (rounded(step * rounded(i)) for i in (index, steps - 1 - index))
    return np.where(index < steps // 2, low + up, high - down).astype(half)
