"""What views are by PyTorch's rules, worked out on sizes, strides and an offset alone: a model to test tensors against.

Each rule takes a `Seen` and the arguments of the method of its name, and returns the `Seen` of the result; None stands
for a result with memory of its own.
"""

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np


class Seen(NamedTuple):
    """Some flat memory as a tensor sees it; sizes, strides and offset are counted in elements."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int

    def of(self, memory: np.ndarray) -> np.ndarray:
        """The elements, as a view of the flat memory."""
        steps = [s * memory.itemsize for s in self.strides]
        return np.lib.stride_tricks.as_strided(memory[min(self.offset, memory.size) :], self.shape, steps)

    @property
    def numel(self) -> int:
        return prod(self.shape)

    @property
    def repeats(self) -> bool:
        """Whether a stride of 0 puts several elements in one place."""
        return self.numel > 0 and any(s == 0 and n > 1 for n, s in zip(self.shape, self.strides, strict=True))

    @property
    def overlaps(self) -> bool:
        """Whether two elements lie in one place, for whatever reason."""
        places = self.of(np.arange(self.end))
        return np.unique(places).size < self.numel

    @property
    def end(self) -> int:
        """One more than the last place of the memory that is seen."""
        last = sum((n - 1) * s for n, s in zip(self.shape, self.strides, strict=True))
        return self.offset + (last + 1 if self.numel else 0)


def by_rows(shape: Sequence[int]) -> Seen:
    """New memory, row after row."""
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(step)
        step *= max(n, 1)
    return Seen(tuple(shape), tuple(reversed(strides)), 0)


def without(items: Sequence[int], d: int) -> tuple[int, ...]:
    return (*items[:d], *items[d + 1 :])


def select(s: Seen, d: int, i: int) -> Seen:
    at = s.offset + (i % s.shape[d]) * s.strides[d]
    return Seen(without(s.shape, d), without(s.strides, d), at)


def narrow(s: Seen, d: int, start: int, length: int) -> Seen:
    return sliced(s, d, start, start + length, 1)


def sliced(s: Seen, d: int, start: int, stop: int, step: int) -> Seen:
    n = s.shape[d]
    start = min(max(start + n * (start < 0), 0), n)
    stop = min(max(stop + n * (stop < 0), start), n)
    shape, strides = list(s.shape), list(s.strides)
    shape[d], strides[d] = -((start - stop) // step), strides[d] * step
    return Seen(tuple(shape), tuple(strides), s.offset + start * s.strides[d])


def permute(s: Seen, order: Sequence[int]) -> Seen:
    return Seen(tuple(s.shape[d] for d in order), tuple(s.strides[d] for d in order), s.offset)


def transpose(s: Seen, d: int, e: int) -> Seen:
    order = list(range(len(s.shape)))
    order[d], order[e] = order[e], order[d]
    return permute(s, order)


def movedim(s: Seen, d: int, e: int) -> Seen:
    order = [i for i in range(len(s.shape)) if i != d]
    order.insert(e, d)
    return permute(s, order)


def unsqueeze(s: Seen, d: int) -> Seen:
    step = s.shape[d] * s.strides[d] if d < len(s.shape) else 1
    return Seen((*s.shape[:d], 1, *s.shape[d:]), (*s.strides[:d], step, *s.strides[d:]), s.offset)


def squeeze(s: Seen, *dims: int) -> Seen:
    for d in reversed(range(len(s.shape))):
        if s.shape[d] == 1 and d in (dims or range(len(s.shape))):
            s = Seen(without(s.shape, d), without(s.strides, d), s.offset)
    return s


def expand(s: Seen, size: Sequence[int]) -> Seen:
    lead = len(size) - len(s.shape)
    if not s.shape:
        return Seen(tuple(size), (0,) * len(size), s.offset)
    strides: list[int] = []
    for i in reversed(range(len(size))):
        if i >= lead:
            strides.insert(0, 0 if size[i] != s.shape[i - lead] else s.strides[i - lead])
        else:  # as if of length 1 before, which has a stride that nobody sees
            strides.insert(0, size[i + 1] * strides[0] if size[i] == 1 else 0)
    return Seen(tuple(size), tuple(strides), s.offset)


def as_strided(s: Seen, size: Sequence[int], strides: Sequence[int], offset: int) -> Seen:
    return Seen(tuple(size), tuple(strides), offset)


def unfold(s: Seen, d: int, size: int, step: int) -> Seen:
    shape, strides = list(s.shape), list(s.strides)
    shape[d], strides[d] = (shape[d] - size) // step + 1, strides[d] * step
    return Seen((*shape, size), (*strides, s.strides[d]), s.offset)


def diagonal(s: Seen, k: int, d: int, e: int) -> Seen:
    n = max(min(s.shape[d] + min(k, 0), s.shape[e] - max(k, 0)), 0)
    skipped = (k * s.strides[e] if k >= 0 else -k * s.strides[d]) if n else 0
    rest = [i for i in range(len(s.shape)) if i not in (d, e)]
    shape, strides, offset = permute(s, rest)
    return Seen((*shape, n), (*strides, s.strides[d] + s.strides[e]), offset + skipped)


def view(s: Seen, size: Sequence[int]) -> Seen | None:
    """None where the strides do not allow a view of this shape."""
    if not s.numel:
        return Seen(tuple(size), s.strides if tuple(size) == s.shape else by_rows(size).strides, s.offset)
    strides: list[int] = []
    left = list(size)
    for numel, step in runs(s):
        taken = 1
        while left and (taken < numel or left[-1] == 1):
            strides.insert(0, taken * step)
            taken *= left.pop()
        if taken != numel:
            return None
    return Seen(tuple(size), (*[1] * len(left), *strides), s.offset)


def runs(s: Seen) -> list[tuple[int, int]]:
    """From behind, the runs of dimensions that one stride leads through: their number of elements and that stride."""
    found: list[tuple[int, int]] = []
    for d in reversed(range(len(s.shape))):
        numel, step = found[-1] if found else (1, s.strides[d])
        ahead = s.shape[d] != 1 and s.strides[d] != numel * step
        if found and ahead:
            found.append((s.shape[d], s.strides[d]))
        else:
            found[-1:] = [(numel * s.shape[d], step)]
    return found


def flip(s: Seen, dims: Sequence[int]) -> None:
    """A copy."""


def split(s: Seen, length: int, d: int) -> list[Seen]:
    n = s.shape[d]
    return [narrow(s, d, i, min(length, n - i)) for i in range(0, n, length)] or [s]


def chunk(s: Seen, chunks: int, d: int) -> list[Seen]:
    return split(s, max(-(-s.shape[d] // chunks), 1), d)


def unbind(s: Seen, d: int) -> list[Seen]:
    return [select(s, d, i) for i in range(s.shape[d])]


RULES: dict[str, Any] = {
    "select": select, "narrow": narrow, "permute": permute, "transpose": transpose, "movedim": movedim,
    "unsqueeze": unsqueeze, "squeeze": squeeze, "expand": expand, "as_strided": as_strided, "unfold": unfold,
    "diagonal": diagonal, "view": view, "reshape": view, "flip": flip, "split": split, "chunk": chunk,
    "unbind": unbind, "slice": sliced,
}  # fmt: skip
