"""What tensors held at a moment, without copying until somebody writes."""

import weakref
from typing import Any

import numpy as np

from engine.batching.tensor import all_elements
from engine.from_data import plain_array
from engine.trace.limits import HELD_BYTES, PREVIEW_ELEMENTS
from engine.trace.statistics import Statistics, same_elements

NUMBERS = frozenset(np.sctypeDict.values())
"""The types of numpy's scalars: such a number cannot change, and is its own snapshot."""


class Snapshot:
    """An array as it was. It shares the memory until the engine is about to write into it."""

    __slots__ = ("a", "summary", "document")

    def __init__(self, a: np.ndarray | None, summary: "Summary | None" = None):
        self.a = a
        self.summary = summary
        self.document: dict[str, Any] | None = None


class Summary:
    """What remains of an array too large to keep. `counts` is its histogram, where it has one."""

    __slots__ = ("shape", "dtype", "strides", "itemsize", "head", "stats", "counts")

    def __init__(self, a: np.ndarray, stats: Statistics | None):
        self.shape, self.dtype, self.strides, self.itemsize = a.shape, a.dtype, a.strides, a.itemsize
        self.head = a.flat[:PREVIEW_ELEMENTS]
        self.stats = stats
        self.counts: tuple[float, float, list[int]] | None = None


def kept(s: Any) -> Any:
    """The array or number of a snapshot; of one too large to keep, its Summary. All have shape, dtype and strides."""
    return (s.a if s.summary is None else s.summary) if type(s) is Snapshot else s


class Snapshots:
    """All snapshots of a run, by the memory they look at.

    An array of more than `whole` elements is described at once, while it is at hand, and let go: the program's memory
    can then be used again, as it is without a recorder.
    """

    def __init__(self, whole: float, with_statistics: bool) -> None:
        self.whole, self.with_statistics = whole, with_statistics
        self.by_memory: dict[int, list[Snapshot]] = {}
        self.by_view: dict[int, Snapshot] = {}
        self.described: dict[int, tuple[Any, Snapshot]] = {}  # by id of a large array: weakly that array, its snapshot
        self.large: dict[int, _Memory] = {}  # by id of a large array's memory
        self.held = 0

    def take(self, a: Any) -> Any:
        """A snapshot of an array as it is now; of a sample inside a vmap, of the whole batch. None stays None."""
        if type(a) is not np.ndarray:
            if type(a) in NUMBERS or a is None:
                return a
            a = all_elements(a)
            if not isinstance(a, np.ndarray):
                return a
            a = plain_array(a)
        key = id(a)
        again = self.described.get(key)
        if again is not None and again[0]() is a:
            return again[1]
        known = self.by_view.get(key)
        if known is not None and known.a is a:
            return known
        root = a
        while type(root.base) is np.ndarray:
            root = root.base
        nbytes = a.nbytes
        if a.size > self.whole or (self.held + nbytes > HELD_BYTES and nbytes > 1024):
            s = self._summarised(a, root)
            self.described[key] = weakref.ref(a), s
            return s
        s = Snapshot(a)
        self.held += nbytes
        self.by_view[key] = s
        here = self.by_memory.get(id(root))
        if here is None:
            self.by_memory[id(root)] = [s]
        else:
            here.append(s)
        return s

    def _summarised(self, a: np.ndarray, root: np.ndarray) -> Snapshot:
        """Views of the same elements share their statistics, and those of one form their snapshot."""
        memory = self.large.get(id(root))
        if memory is None or memory.array() is not root:
            memory = self.large[id(root)] = _Memory(root)
        memory.views.append(id(a))
        elements = same_elements(a, root)
        form = elements, a.shape, a.strides
        s = memory.snapshots.get(form)
        if s is None:
            stats = None
            if self.with_statistics:
                stats = memory.statistics.get(elements)
                if stats is None:
                    stats = memory.statistics[elements] = Statistics(a)
            s = memory.snapshots[form] = Snapshot(None, Summary(a, stats))
        return s

    def before_write(self, a: Any) -> None:
        """Somebody is about to write into this memory: snapshots of it become copies."""
        if type(a) is not np.ndarray:
            return
        root = a
        while type(root.base) is np.ndarray:
            root = root.base
        memory = self.large.pop(id(root), None)
        if memory is not None:
            for view in memory.views:
                self.described.pop(view, None)
        for s in self.by_memory.pop(id(root), ()):
            if s.a is not None:
                self.by_view.pop(id(s.a), None)
                s.a = s.a.copy()


class _Memory:
    """What is known of the memory of large arrays: weakly its array, and what views of it were described."""

    __slots__ = ("array", "statistics", "snapshots", "views")

    def __init__(self, root: np.ndarray):
        self.array = weakref.ref(root)
        self.statistics: dict[Any, Statistics] = {}
        self.snapshots: dict[Any, Snapshot] = {}
        self.views: list[int] = []  # the ids of those
