"""Arguments that are one number or one per dimension: `_pair(3)` is (3, 3)."""

from collections.abc import Callable, Iterable
from typing import Any


def _ntuple(n: int, name: str = "parse") -> Callable[[Any], tuple[Any, ...]]:
    def parse(x: Any) -> tuple[Any, ...]:
        return tuple(x) if isinstance(x, Iterable) else (x,) * n

    parse.__name__ = name
    return parse


_single = _ntuple(1, "_single")
_pair = _ntuple(2, "_pair")
_triple = _ntuple(3, "_triple")
_quadruple = _ntuple(4, "_quadruple")


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Take a prefix, such as "module." of a parallel model, off the names of a state_dict, in place."""
    for name in list(state_dict):
        if name.startswith(prefix):
            state_dict[name[len(prefix) :]] = state_dict.pop(name)
    metadata = getattr(state_dict, "_metadata", {})
    for name in list(metadata):
        if name and (name == prefix.rstrip(".") or name.startswith(prefix)):
            metadata[name[len(prefix) :]] = metadata.pop(name)


__all__ = ["_ntuple", "_pair", "_quadruple", "_single", "_triple", "consume_prefix_in_state_dict_if_present"]
