"""A tensor's memory written by what is no operator: an optimizer, a scaler of gradients."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import errors
from engine.modes import STATE


def write_memory(t: Any, write: Callable[[np.ndarray], object]) -> None:
    """Have `write` change the array of a tensor, in place: its version goes up, and observers are told of it.

    Raises RuntimeError for a tensor of inference mode outside of it.
    """
    if t._inference and not STATE.inference:
        raise RuntimeError(errors.INFERENCE_INPLACE)
    memory = t._array()
    for o in STATE.observers:
        o.on_before_write(t)
    write(memory)
    t._version_counter().n += 1
    for o in STATE.observers:
        o.on_written(t)
