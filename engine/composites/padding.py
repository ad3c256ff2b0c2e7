"""F.pad in all its modes."""

from collections.abc import Sequence
from typing import Any

from engine.composite import composite, python_function
from engine.composites.parsed import parsed
from engine.ops import pad as ops
from engine.ops.slicing import SLICE

Ints = Sequence[int]
_COPYING = {
    "reflect": (ops.REFLECTION1D, ops.REFLECTION2D, ops.REFLECTION3D),
    "replicate": (ops.REPLICATION1D, ops.REPLICATION2D, ops.REPLICATION3D),
}


def _check(self: Any, pad: Ints, mode: str, value: float | None) -> None:
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * self.ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(pad)} and input of dimension {self.ndim}"
        )
    if mode not in ("constant", "circular", *_COPYING):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if mode != "constant" and value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')


@composite('pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor', where=())
def pad(self: Any, pad: Ints, mode: str = "constant", value: float | None = None) -> Any:
    """A border around the last dimensions."""
    _check(self, pad, mode, value)
    if mode == "constant":
        return ops.CONSTANT_PAD(self, pad, 0.0 if value is None else value)
    dims = len(pad) // 2
    if dims not in (1, 2, 3) or self.ndim not in (dims + 1, dims + 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {self.ndim}D input tensor.\n"
            "Supported combinations for non-constant padding:\n"
            "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
            "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
            "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    if mode == "circular":
        return _circular(self, pad, dims)
    return _COPYING[mode][dims - 1](self, pad)


_parsed = parsed(pad)


def _pad(input: Any, pad: Any, mode: str = "constant", value: float | None = None) -> Any:
    """A border around the last dimensions."""
    return _parsed(input, pad, mode, value)


_pad.__name__ = _pad.__qualname__ = "pad"
F_PAD = python_function("nn")(_pad)


def _circular(self: Any, pad: Ints, dims: int) -> Any:
    """An empty tensor into which the input and, at each border, the opposite edge are copied."""
    n = self.ndim
    shape = list(self.shape)
    for i in range(dims):
        before, after = pad[2 * i], pad[2 * i + 1]
        size = self.shape[n - 1 - i]
        if before > size or after > size:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        if before + after + size < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
        shape[n - 1 - i] = size + before + after
    out = self.new_empty(tuple(shape))
    inside, source = out, self
    for i in range(dims):
        d, before, after = n - 1 - i, pad[2 * i], pad[2 * i + 1]
        inside = SLICE(inside, d, max(before, 0), shape[d] - max(after, 0), 1)
        source = SLICE(source, d, max(-before, 0), self.shape[d] - max(-after, 0), 1)
    inside.copy_(source)
    for i in reversed(range(dims)):
        d, before, after = n - 1 - i, pad[2 * i], pad[2 * i + 1]
        size = shape[d]
        if before > 0:
            edge = SLICE(out, d, size - before - max(after, 0), size - max(after, 0), 1)
            SLICE(out, d, 0, before, 1).copy_(edge)
        if after > 0:
            edge = SLICE(out, d, max(before, 0), max(before, 0) + after, 1)
            SLICE(out, d, size - after, size, 1).copy_(edge)
    return out
