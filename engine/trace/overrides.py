"""Leaf values that replace the program's own, so that one can ask "and if x were 3?" without editing it.

The elements are written where the tensor lies, without a new version: the program and every later record see a
tensor that was made with them. What was computed before its leaf got its name is not computed again, and the random
numbers that were drawn for it stay drawn.
"""

from typing import Any

import numpy as np

from engine.trace.lines import current_line
from engine.trace.options import Override
from engine.trace.recorder import Recorder

_UNUSED = {
    "name": "No new leaf tensor was given this name.",
    "line": "No tensor was made on this line.",
}


class OverrideError(ValueError):
    """A value that does not fit the tensor it is meant for."""


class Overrides:
    """Applies each override once. It observes the engine ahead of the recorder, for those by line."""

    def __init__(self, wanted: tuple[Override, ...], recorder: Recorder):
        self.recorder = recorder
        self.by_name = {o.name: (i, o) for i, o in enumerate(wanted) if o.name is not None}
        self.by_line = {o.line: (i, o) for i, o in enumerate(wanted) if o.name is None}
        self.report = [
            {
                "name": o.name, "line": o.line, "tensor": None, "step": None,
                "problem": _UNUSED["line" if o.name is None else "name"],
            }
            for o in wanted
        ]  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        """Every event but `on_create` passes by."""
        if name.startswith("on_"):
            return _pass_by
        raise AttributeError(name)

    def on_create(self, t: Any, name: str) -> None:
        """A factory made a tensor that no record knows yet. Raises OverrideError."""
        found = self.by_line.pop(current_line(), None) if self.by_line else None
        if found is not None:
            number, override = found
            self._write(number, override, t, f"line {override.line}")
            self.report[number].update(tensor=len(self.recorder.tensors), step=len(self.recorder.steps))

    def named(self, name: str, t: Any) -> None:
        """A tensor got its first name. Raises OverrideError."""
        found = self.by_name.get(name)
        t = t._all_samples()
        if found is None or t._fn is not None:
            return
        record = self.recorder.tensor(t)
        if record.names or any(r.names for r in self.recorder.tensors if r.storage == record.storage):
            return  # not new: the program had it under another name
        number, override = self.by_name.pop(name)
        self._write(number, override, t, f"`{name}`")
        self.report[number].update(tensor=record.id, step=record.step)
        record.replace_last(self.recorder.snapshots.take(t._a))

    def _write(self, number: int, override: Override, t: Any, what: str) -> None:
        report = self.report[number]
        try:
            a = _fitting(override.value, t._a)
            if type(t._a) is np.ndarray:
                t._a[...] = a
            else:
                t._a = a[()]
        except (ValueError, TypeError, OverflowError) as e:
            report["problem"] = f"The override of {what} {e}"
            raise OverrideError(report["problem"]) from None
        report["problem"] = None


def _pass_by(*_arguments: Any, **_fields: Any) -> None:
    pass


def _fitting(value: Any, like: Any) -> np.ndarray:
    """The value as an array of the tensor's dtype and shape."""
    try:
        a = np.array(_numbers(value, like.dtype.kind))
    except ValueError:
        raise ValueError("is not a number or a nested list of numbers of one shape.") from None
    if a.ndim and a.shape != like.shape:
        raise ValueError(f"has the shape {list(a.shape)}; the tensor's is {list(like.shape)}.")
    kinds = {"b": "b", "i": "bi", "u": "bi", "c": "bifc"}.get(like.dtype.kind, "bif")
    if a.size and a.dtype.kind not in kinds:
        raise ValueError(f"does not fit the tensor's dtype, {like.dtype}.")
    if a.dtype.kind == "i" and like.dtype.kind in "iu" and a.size:
        bounds = np.iinfo(like.dtype)
        if a.min() < bounds.min or a.max() > bounds.max:
            raise ValueError(f"is out of range for the tensor's dtype, {like.dtype}.")
    with np.errstate(all="ignore"):
        return np.broadcast_to(a.astype(like.dtype), like.shape)


def _numbers(value: Any, kind: str) -> Any:
    """Numbers as the wire writes them: "nan", "inf" and digits are strings there."""
    if isinstance(value, list):
        return [_numbers(v, kind) for v in value]
    if isinstance(value, str):
        return int(value) if kind in "iu" else complex(value) if kind == "c" else float(value)
    return value
