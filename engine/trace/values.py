"""Snapshots as the Value of the wire schema: whole when small, else a few elements, statistics and a histogram."""

import math
from functools import cache
from typing import Any

import numpy as np

from engine import printing
from engine.dtypes import from_numpy
from engine.trace.digits import rounded
from engine.trace.limits import (
    EXACT_INTEGER,
    FULL_ELEMENTS,
    FULL_FINAL_ELEMENTS,
    PREVIEW_ELEMENTS,
    RICH_FINAL,
    TEXT_CHARACTERS,
    TEXT_ELEMENTS,
)
from engine.trace.options import Options
from engine.trace.snapshots import NUMBERS, Snapshot, Summary, kept
from engine.trace.statistics import Statistics, histogram

_UNKNOWN = Statistics(np.empty(0))
_NO_SIZES: list[int] = []


class Values:
    """Builds Value documents, each snapshot's once for a step and once for the end of the run.

    The numbers of previews are filled in by `finish`, all of them together.
    """

    def __init__(self, options: Options) -> None:
        self.shapes_only = options.values == "none"
        asked = _elements_asked(options)
        self.whole_at_step, self.whole_at_the_end = asked or FULL_ELEMENTS, asked or FULL_FINAL_ELEMENTS
        self.rich_left = RICH_FINAL
        self.texts: dict[Any, str] = {}
        self.previews: list[tuple[dict[str, Any], Any, Statistics]] = []  # document, first elements, statistics
        self.histograms: list[tuple[dict[str, Any], float, float]] = []  # document, lower and upper edge

    def at_step(self, s: Any) -> dict[str, Any] | None:
        """What a snapshot held at one step."""
        if s is None:
            return None
        if type(s) is not Snapshot:
            return self._shape(s) if self.shapes_only else _one(s, "")
        if s.document is None:
            a = s.a
            if self.shapes_only:
                s.document = self._shape(kept(s))
            elif a is not None and a.size <= self.whole_at_step:
                s.document = self._full(a, "")
            else:
                s.document = self._preview(kept(s))
        return s.document

    def at_the_end(self, s: Any, with_text: bool, array: Any = None) -> dict[str, Any]:
        """What a tensor holds at the end: whole up to a larger size, its printed text if asked, or a histogram.

        `array` is where the elements still are, when they are.
        """
        if type(s) in NUMBERS and not self.shapes_only:
            return _one(s, self._text(s) if with_text else "")
        a = kept(s)
        if self.shapes_only:
            return self._shape(a)
        if type(a) is not Summary:
            return self._full(a, self._text(a) if with_text and a.size <= TEXT_ELEMENTS else "")
        if a.counts is None and self.rich_left and type(array) is np.ndarray:
            self.rich_left -= 1
            a.counts = histogram(array)
        if a.counts is None:
            return self._preview(a) if s.document is None else s.document
        low, high, counts = a.counts
        shown = {"edges": [], "counts": counts}
        self.histograms.append((shown, low, high))
        return self._preview(a, shown)

    def when_small(self, s: Any) -> dict[str, Any] | None:
        """A value that formulas can show; None for a larger one."""
        if type(s) is Snapshot and (s.a is None or s.a.size > self.whole_at_step):
            return None
        return self.at_step(s)

    def finish(self) -> None:
        """Fill in the numbers of the previews and the edges of the histograms, rounded all together."""
        heads = [_plain_or_real(head) for _, head, _ in self.previews]
        is_float = [type(head[0]) is float if head else False for head in heads]
        numbers = [n for head, real in zip(heads, is_float, strict=True) if real for n in head]
        for _, _, stats in self.previews:
            numbers += stats.numbers
        for _, low, high in self.histograms:
            numbers += (low, high)
        short, at = rounded(numbers), 0
        for (document, _, _), head, real in zip(self.previews, heads, is_float, strict=True):
            if real:
                data = short[at : at + len(head)]
                at += len(head)
                document["data"] = data if math.isfinite(sum(data)) else [number(n) for n in data]
            else:
                document["data"] = [number(n) for n in head]
        for document, _, stats in self.previews:
            if stats.numbers:
                low, high, mean, std, norm = short[at : at + 5]
                at += 5
            else:
                low = high = mean = std = norm = None
            document["stats"] = {
                "min": low, "max": high, "mean": mean, "std": std, "norm": norm,
                "nan": stats.nan, "inf": stats.inf, "zeros": stats.zeros,
            }  # fmt: skip
        for document, _, _ in self.histograms:
            document["edges"] = short[at : at + 2]
            at += 2
        self.previews, self.histograms = [], []

    def _shape(self, a: Any) -> dict[str, Any]:
        return {
            "kind": "preview", "shape": list(a.shape), "dtype": dtype_name(a.dtype), "data": [], "text": "",
            "stats": None, "histogram": None,
        }  # fmt: skip

    def _full(self, a: Any, text: str) -> dict[str, Any]:
        return {"kind": "full", "shape": list(a.shape), "dtype": dtype_name(a.dtype), "data": plain(a), "text": text}

    def _preview(self, a: Any, counts: dict[str, Any] | None = None) -> dict[str, Any]:
        if type(a) is Summary:
            head, stats = a.head, a.stats or _UNKNOWN
        else:
            head, stats = a.flat[:PREVIEW_ELEMENTS], Statistics(a)
        document = self._shape(a)
        document["histogram"] = counts
        self.previews.append((document, head, stats))
        return document

    def _text(self, a: Any) -> str:
        """Values recur, ones and zeros above all: each is written once."""
        key = a.dtype, a.shape, a.tobytes()
        text = self.texts.get(key)
        if text is None:
            text = self.texts[key] = text_of(a)
        return text


def _one(a: Any, text: str) -> dict[str, Any]:
    """The Value of a numpy scalar."""
    data = a.item()
    if type(data) is not float or data - data != 0:
        data = plain(a)
    return {"kind": "full", "shape": _NO_SIZES, "dtype": _scalar_name(type(a)), "data": data, "text": text}


@cache
def _scalar_name(kind: type) -> str:
    return dtype_name(np.dtype(kind))


def whole_elements(options: Options) -> float:
    """Arrays of more elements than this are never shown whole."""
    if options.probe is not None:
        return math.inf
    return _elements_asked(options) or FULL_FINAL_ELEMENTS


def _elements_asked(options: Options) -> int | None:
    return PREVIEW_ELEMENTS if options.values == "preview" else options.value_elements


def whole(a: Any) -> dict[str, Any]:
    """The Value of an array with all its elements."""
    a = np.asarray(a)
    return {
        "kind": "full", "shape": list(a.shape), "dtype": dtype_name(a.dtype), "data": plain(a), "text": text_of(a),
        "stats": None, "histogram": None,
    }  # fmt: skip


@cache
def dtype_name(dtype: Any) -> str:
    """A numpy dtype as PyTorch prints it: "torch.float32"."""
    return f"torch.{from_numpy(dtype).name}"


def text_of(a: Any) -> str:
    """As print(tensor) shows it."""
    return printing.tensor_text(a)[:TEXT_CHARACTERS]


def plain(a: Any) -> Any:
    """Nested lists of JSON numbers; what JSON cannot hold exactly is a string."""
    data = a.tolist()
    if type(data) is float:
        return number(data)
    kind = a.dtype.kind
    if kind == "f":
        return data if np.isfinite(a).all() else _tagged(data)
    if kind == "b":
        return data
    if kind in "iu":
        return data if not a.size or np.abs(a).max() <= EXACT_INTEGER else _tagged(data)
    return _tagged(data) if kind == "c" else _tagged(a.astype(np.float32).tolist())


def _plain_or_real(head: np.ndarray) -> list[Any]:
    """A few elements as Python numbers."""
    return (head.astype(np.float32) if head.dtype.kind == "V" else head).tolist()


def _tagged(data: Any) -> Any:
    return [_tagged(x) for x in data] if isinstance(data, list) else number(data)


def number(v: Any) -> Any:
    """One number for JSON: "nan", "inf", "-inf", digits of large integers and complex numbers as strings."""
    if isinstance(v, float):
        return v if v - v == 0 else ("nan" if v != v else "inf" if v > 0 else "-inf")
    if isinstance(v, complex):
        return str(v).strip("()")
    if isinstance(v, int) and abs(v) > EXACT_INTEGER:
        return str(v)
    return v
