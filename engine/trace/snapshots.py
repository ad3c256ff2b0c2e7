"""What tensors held at a moment, without copying until somebody writes."""

from typing import Any

import numpy as np

from engine.batching.tensor import all_elements
from engine.trace.limits import HELD_BYTES, PREVIEW_ELEMENTS


class Snapshot:
    """An array as it was. It shares the memory until the engine is about to write into it."""

    __slots__ = ("a", "summary", "document", "stats")

    def __init__(self, a: Any):
        self.a = a
        self.summary: Summary | None = None
        self.document: Any = None
        self.stats: dict[str, Any] | None = None


class Summary:
    """What remains of an array too large to keep: its shape, dtype, first elements and statistics."""

    __slots__ = ("shape", "dtype", "head", "stats")

    def __init__(self, a: np.ndarray):
        self.shape = a.shape
        self.dtype = a.dtype
        self.head = a[tuple(slice(None, PREVIEW_ELEMENTS) for _ in a.shape)].ravel()[:PREVIEW_ELEMENTS].copy()
        self.stats = statistics(a)


def statistics(a: np.ndarray) -> dict[str, Any]:
    """Minimum, maximum, mean, standard deviation and norm of the finite elements; counts of nan, inf and zero."""
    if a.dtype.kind == "c":
        a = np.abs(a)
    values = a if a.dtype.kind in "fiub" else a.astype(np.float64)
    zeros = values.size - int(np.count_nonzero(values))
    if values.dtype.kind != "f":
        values = values.astype(np.float64)
    total = float(np.sum(values, dtype=np.float64))
    nan = inf = 0
    if not np.isfinite(total):
        nan, inf = int(np.isnan(values).sum()), int(np.isinf(values).sum())
        values = values[np.isfinite(values)]
        total = float(np.sum(values, dtype=np.float64))
    n = values.size
    if not n:
        return {
            "min": None,
            "max": None,
            "mean": None,
            "std": None,
            "norm": None,
            "nan": nan,
            "inf": inf,
            "zeros": zeros,
        }
    flat = np.ravel(values)
    square = float(np.dot(flat, flat)) if flat.dtype != np.float16 else float(np.dot(flat.astype(np.float32), flat))
    mean = total / n
    std = max(square / n - mean * mean, 0.0) ** 0.5
    return {
        "min": float(flat.min()), "max": float(flat.max()), "mean": mean, "std": std, "norm": square**0.5,
        "nan": nan, "inf": inf, "zeros": zeros,
    }  # fmt: skip


class Snapshots:
    """All snapshots of a run, by the memory they look at."""

    def __init__(self) -> None:
        self.by_memory: dict[int, list[Snapshot]] = {}
        self.by_view: dict[int, Snapshot] = {}
        self.held = 0

    def take(self, a: Any) -> Snapshot:
        """A snapshot of an array (or numpy scalar) as it is now; of a sample inside a vmap, the whole batch."""
        if type(a) is not np.ndarray:
            a = all_elements(a)
            if type(a) is not np.ndarray:
                return Snapshot(a)
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
        self.by_memory.setdefault(id(root), []).append(s)
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
