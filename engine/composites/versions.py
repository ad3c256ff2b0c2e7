"""Results that PyTorch changes in place before it returns them: their version tells."""

from typing import Any


def changed(t: Any, times: int = 1) -> Any:
    """The tensor, as if it had been written so many times."""
    t._version_counter().n = times
    return t
