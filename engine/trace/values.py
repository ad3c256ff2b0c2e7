"""Snapshots as the Value of the wire schema: whole when small, else a few elements, statistics and a histogram."""

from typing import Any

import numpy as np

from engine import printing
from engine.dtypes import from_numpy
from engine.trace.limits import (
    EXACT_INTEGER,
    FULL_ELEMENTS,
    FULL_FINAL_ELEMENTS,
    HISTOGRAM_BINS,
    PREVIEW_ELEMENTS,
    RICH_VALUES,
    TEXT_CHARACTERS,
    TEXT_ELEMENTS,
)
from engine.trace.options import Options
from engine.trace.snapshots import Snapshot, statistics

_DIGITS = 6  # of numbers that only describe a tensor


class Values:
    """Builds Value documents, each snapshot's once for a step and once for the end of the run."""

    def __init__(self, options: Options) -> None:
        self.shapes_only = options.values == "none"
        asked = PREVIEW_ELEMENTS if options.values == "preview" else options.value_elements
        self.whole_at_step, self.whole_at_the_end = asked or FULL_ELEMENTS, asked or FULL_FINAL_ELEMENTS
        self.rich_left = RICH_VALUES
        self.texts: dict[tuple[Any, bytes], str] = {}

    def at_step(self, s: Snapshot | None) -> dict[str, Any] | None:
        """What a snapshot held at one step."""
        if s is None:
            return None
        if s.document is None:
            a = s.a
            if self.shapes_only:
                s.document = self._shape(s)
            elif a is not None and a.size <= self.whole_at_step:
                s.document = self._full(a, False)
            else:
                s.document = self._preview(s, False)
        return s.document

    def at_the_end(self, s: Snapshot | None, with_text: bool) -> dict[str, Any] | None:
        """What a tensor holds at the end: whole up to a larger size, its printed text if asked, or a histogram."""
        if s is None:
            return None
        a = s.a
        if self.shapes_only:
            return self._shape(s)
        if a is not None and a.size <= self.whole_at_the_end:
            return self._full(a, with_text and a.size <= TEXT_ELEMENTS)
        self.rich_left -= 1
        return self._preview(s, self.rich_left >= 0)

    def when_small(self, s: Snapshot | None) -> dict[str, Any] | None:
        """A value that formulas can show; None for a larger one."""
        return self.at_step(s) if s is not None and s.a is not None and s.a.size <= self.whole_at_step else None

    def _shape(self, s: Snapshot) -> dict[str, Any]:
        known = s.a if s.summary is None else s.summary
        return {
            "kind": "preview", "shape": list(known.shape), "dtype": dtype_name(known.dtype), "data": [], "text": "",
            "stats": None, "histogram": None,
        }  # fmt: skip

    def _full(self, a: Any, with_text: bool) -> dict[str, Any]:
        return {
            "kind": "full", "shape": list(a.shape), "dtype": dtype_name(a.dtype), "data": plain(a),
            "text": self._text(a) if with_text else "",
        }  # fmt: skip

    def _preview(self, s: Snapshot, with_histogram: bool) -> dict[str, Any]:
        if s.summary is not None:
            a, shape, dtype, head, stats = None, s.summary.shape, s.summary.dtype, s.summary.head, s.summary.stats
        else:
            a = s.a
            shape, dtype = a.shape, a.dtype
            head = a[tuple([slice(None, PREVIEW_ELEMENTS) for _ in shape])].ravel()[:PREVIEW_ELEMENTS]
            stats = s.stats or statistics(a)
            s.stats = stats
        return {
            "kind": "preview", "shape": list(shape), "dtype": dtype_name(dtype), "data": described(plain(head)),
            "text": "",
            "stats": {k: described(number(v)) for k, v in stats.items()},
            "histogram": histogram(a) if with_histogram and a is not None else None,
        }  # fmt: skip

    def _text(self, a: Any) -> str:
        """Numbers recur: each scalar is written once."""
        if a.ndim:
            return text_of(a)
        key = (a.dtype, a.tobytes())
        text = self.texts.get(key)
        if text is None:
            text = self.texts[key] = text_of(a)
        return text


def whole(a: Any) -> dict[str, Any]:
    """The Value of an array with all its elements."""
    a = np.asarray(a)
    return {
        "kind": "full", "shape": list(a.shape), "dtype": dtype_name(a.dtype), "data": plain(a), "text": text_of(a),
        "stats": None, "histogram": None,
    }  # fmt: skip


def dtype_name(dtype: Any) -> str:
    """A numpy dtype as PyTorch prints it: "torch.float32"."""
    return f"torch.{from_numpy(dtype).name}"


def text_of(a: Any) -> str:
    """As print(tensor) shows it."""
    return printing.tensor_text(np.asarray(a))[:TEXT_CHARACTERS]


def plain(a: Any) -> Any:
    """Nested lists of JSON numbers; what JSON cannot hold exactly is a string."""
    kind = a.dtype.kind
    data = a.tolist()
    if type(data) is float:
        return number(data)
    if kind == "f":
        return data if np.isfinite(a).all() else _tagged(data)
    if kind == "b":
        return data
    if kind in "iu":
        return data if not a.size or np.abs(a).max() <= EXACT_INTEGER else _tagged(data)
    return _tagged(data) if kind == "c" else a.astype(np.float32).tolist()


def described(v: Any) -> Any:
    """Numbers to a few digits, for what only describes."""
    if isinstance(v, list):
        return [described(x) for x in v]
    return float(f"{v:.{_DIGITS}g}") if isinstance(v, float) else v


def _tagged(data: Any) -> Any:
    return [_tagged(x) for x in data] if isinstance(data, list) else number(data)


def number(v: Any) -> Any:
    """One number for JSON: "nan", "inf", "-inf", digits of large integers and complex numbers as strings."""
    if isinstance(v, complex):
        return str(v).strip("()")
    if isinstance(v, float):
        return v if v - v == 0 else ("nan" if v != v else "inf" if v > 0 else "-inf")
    if isinstance(v, int) and abs(v) > EXACT_INTEGER:
        return str(v)
    return v


def histogram(a: Any) -> dict[str, Any] | None:
    """Counts of the finite elements in equal bins."""
    flat = np.ravel(np.abs(a) if a.dtype.kind == "c" else a)
    if flat.dtype.kind != "f":
        flat = flat.astype(np.float64)
    low, high = (float(flat.min()), float(flat.max())) if flat.size else (0.0, 0.0)
    if not (np.isfinite(low) and np.isfinite(high)):
        flat = flat[np.isfinite(flat)]
        low, high = (float(flat.min()), float(flat.max())) if flat.size else (0.0, 0.0)
    if not np.isfinite(high - low):
        return None
    width = (high - low) / HISTOGRAM_BINS or 1.0
    counts = np.bincount(((flat - low) / width).astype(np.intp).clip(0, HISTOGRAM_BINS - 1), minlength=HISTOGRAM_BINS)
    return {"edges": [described(low), described(low + width * HISTOGRAM_BINS)], "counts": counts.tolist()}
