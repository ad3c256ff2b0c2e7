"""Snapshots as the Value of the wire schema."""

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
)
from engine.trace.options import Options
from engine.trace.snapshots import Snapshot, statistics


class Values:
    """Builds Value documents, each snapshot's once."""

    def __init__(self, options: Options) -> None:
        self.shapes_only = options.values == "none"
        self.whole = PREVIEW_ELEMENTS if options.values == "preview" else options.value_elements
        self.rich_left = RICH_VALUES
        self.texts: dict[tuple[Any, bytes], str] = {}

    def of(self, s: Snapshot | None, final: bool = False) -> dict[str, Any] | None:
        """The document of a snapshot; `final` values are sent whole up to a larger size, with their printed text."""
        if s is None:
            return None
        if s.document is None or (final and not s.document["text"]):
            s.document = self._build(s, final)
        return s.document

    def _build(self, s: Snapshot, final: bool) -> dict[str, Any]:
        if self.shapes_only:
            known = s.a if s.summary is None else s.summary
            return self._preview(known.shape, known.dtype, np.empty(0), None, None)
        if s.summary is not None:
            m = s.summary
            return self._preview(m.shape, m.dtype, m.head, finite_numbers(m.stats), None)
        a = s.a
        shape, dtype = a.shape, a.dtype
        if a.size <= (self.whole or (FULL_FINAL_ELEMENTS if final else FULL_ELEMENTS)):
            return {
                "kind": "full", "shape": list(shape), "dtype": dtype_name(dtype), "data": plain(a),
                "text": self._text(a) if final or a.ndim == 0 else "",
            }  # fmt: skip
        head = a[tuple(slice(None, PREVIEW_ELEMENTS) for _ in shape)].ravel()[:PREVIEW_ELEMENTS]
        rich = self.rich_left > 0
        self.rich_left -= 1
        document = self._preview(shape, dtype, head, finite_numbers(statistics(a)), histogram(a) if rich else None)
        if final and a.size <= 100_000:
            document["text"] = text_of(a)
        return document

    def _text(self, a: Any) -> str:
        """Numbers recur: each scalar is written once."""
        if a.ndim:
            return text_of(a)
        key = (a.dtype, a.tobytes())
        text = self.texts.get(key)
        if text is None:
            text = self.texts[key] = text_of(a)
        return text

    def _preview(self, shape: Any, dtype: Any, head: Any, stats: Any, bins: Any) -> dict[str, Any]:
        return {
            "kind": "preview", "shape": list(shape), "dtype": dtype_name(dtype), "data": plain(head), "text": "",
            "stats": stats, "histogram": bins,
        }  # fmt: skip


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
    if kind == "f":
        return data if np.isfinite(a).all() else _tagged(data)
    if kind in "b":
        return data
    if kind in "iu":
        return data if not a.size or np.abs(a).max() <= EXACT_INTEGER else _tagged(data)
    return _tagged(data) if kind == "c" else a.astype(np.float32).tolist()


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


def finite_numbers(stats: dict[str, Any]) -> dict[str, Any]:
    """Statistics with what JSON cannot hold as strings."""
    return {k: number(v) for k, v in stats.items()}


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
    return {"edges": [low, low + width * HISTOGRAM_BINS], "counts": counts.tolist()}
