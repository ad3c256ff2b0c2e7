"""Samples of categories that a gradient can pass through."""

from typing import Any

from engine.composite import python_function
from engine.composites.like_factories import empty_like, zeros_like
from engine.layout import MEMORY_FORMATS
from engine.warning import warn


@python_function("nn")
def gumbel_softmax(logits: Any, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Any:
    """Softmax of logits with Gumbel noise; with `hard` one-hot, though its gradient is that of the soft one."""
    if eps != 1e-10:
        warn("`eps` parameter is deprecated and has no effect.")
    blank = (None, None, None, False, False, None)
    gumbels = -empty_like(logits, *blank[:-1], MEMORY_FORMATS["contiguous_format"]).exponential_().log()
    soft = ((logits + gumbels) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    return zeros_like(logits, *blank).scatter_(dim, index, 1.0) - soft.detach() + soft
