"""Padding of the edges."""

from typing import Any

from engine.nn import functional as F
from engine.nn.modules.make import repeated
from engine.nn.modules.module import Module


class _Pad(Module):
    """Pads `spatial` dimensions by F.pad in one mode."""

    mode, spatial = "", 0

    def __init__(self, padding: Any) -> None:
        super().__init__()
        self.padding = repeated(padding, 2 * self.spatial)

    def forward(self, input: Any) -> Any:
        """The input with its edges."""
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPadNd(_Pad):
    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Any) -> Any:
        """The input with edges of one value."""
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class _ReflectionPadNd(_Pad):
    mode = "reflect"


class _ReplicationPadNd(_Pad):
    mode = "replicate"


class _CircularPadNd(_Pad):
    mode = "circular"


def _family(name: str, base: type[_Pad], what: str) -> dict[int, Any]:
    """The classes of one kind of padding for 1, 2 and 3 dimensions."""
    return {n: type(f"{name}{n}d", (base,), {"spatial": n, "__doc__": what, "__module__": __name__}) for n in (1, 2, 3)}


_CONSTANT = _family("ConstantPad", _ConstantPadNd, "Edges of one value.")
_REFLECTION = _family("ReflectionPad", _ReflectionPadNd, "Edges that mirror the inside.")
_REPLICATION = _family("ReplicationPad", _ReplicationPadNd, "Edges that repeat the outermost values.")
_CIRCULAR = _family("CircularPad", _CircularPadNd, "Edges that continue at the opposite side.")

ConstantPad1d, ConstantPad2d, ConstantPad3d = _CONSTANT.values()
ReflectionPad1d, ReflectionPad2d, ReflectionPad3d = _REFLECTION.values()
ReplicationPad1d, ReplicationPad2d, ReplicationPad3d = _REPLICATION.values()
CircularPad1d, CircularPad2d, CircularPad3d = _CIRCULAR.values()


class _Zeros(_ConstantPadNd):
    def __init__(self, padding: Any) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad1d(_Zeros, ConstantPad1d):
    """Edges of zeros."""


class ZeroPad2d(_Zeros, ConstantPad2d):
    """Edges of zeros."""


class ZeroPad3d(_Zeros, ConstantPad3d):
    """Edges of zeros."""


__all__ = [
    "CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d", "ConstantPad2d", "ConstantPad3d",
    "ReflectionPad1d",
    "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d", "ReplicationPad3d", "ZeroPad1d",
    "ZeroPad2d", "ZeroPad3d",
]  # fmt: skip
