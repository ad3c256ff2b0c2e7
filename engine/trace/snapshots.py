"""What tensors held at a moment, without copying until somebody writes."""

from typing import Any

import numpy as np

from engine.trace.limits import HELD_BYTES, PREVIEW_ELEMENTS
from engine.trace.statistics import Statistics


class Snapshot:
    """An array as it was. It shares the memory until the engine is about to write into it."""

    __slots__ = ("a", "summary", "document")

    def __init__(self, a: np.ndarray):
        self.a: np.ndarray | None = a
        self.summary: Summary | None = None
        self.document: dict[str, Any] | None = None


class Summary:
    """What remains of an array too large to keep: its shape, dtype, first elements and statistics."""

    __slots__ = ("shape", "dtype", "head", "stats")

    def __init__(self, a: np.ndarray):
        self.shape = a.shape
        self.dtype = a.dtype
        self.head = a.flat[:PREVIEW_ELEMENTS]
        self.stats = Statistics(a)


def kept(s: Any) -> Any:
    """The array or number of a snapshot; of one too large to keep, its Summary. All have a shape and a dtype."""
    return (s.a if s.summary is None else s.summary) if type(s) is Snapshot else s


class Snapshots:
    """All snapshots of a run, by the memory they look at."""

    def __init__(self) -> None:
        self.by_memory: dict[int, list[Snapshot]] = {}
        self.by_view: dict[int, Snapshot] = {}
        self.held = 0

    def take(self, a: Any) -> Any:
        """A snapshot of an array as it is now. A numpy scalar cannot change, and is its own."""
        if type(a) is not np.ndarray:
            return a
        known = self.by_view.get(id(a))
        if known is not None and known.a is a:
            return known
        s = Snapshot(a)
        nbytes = a.nbytes
        if self.held + nbytes > HELD_BYTES and nbytes > 1024:
            s.summary = Summary(a)
            s.a = None
            return s
        self.held += nbytes
        self.by_view[id(a)] = s
        root = a
        while type(root.base) is np.ndarray:
            root = root.base
        here = self.by_memory.get(id(root))
        if here is None:
            self.by_memory[id(root)] = [s]
        else:
            here.append(s)
        return s

    def before_write(self, a: Any) -> None:
        """Somebody is about to write into this memory: snapshots of it become copies."""
        if type(a) is not np.ndarray:
            return
        root = a
        while type(root.base) is np.ndarray:
            root = root.base
        for s in self.by_memory.pop(id(root), ()):
            if s.a is not None:
                self.by_view.pop(id(s.a), None)
                s.a = s.a.copy()
