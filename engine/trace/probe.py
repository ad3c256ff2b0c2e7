"""Exact elements of one tensor of a run, at one moment of it."""

import re
from types import EllipsisType
from typing import Any

from engine.trace.limits import SLICE_ELEMENTS
from engine.trace.options import Probe
from engine.trace.recorder import Recorder
from engine.trace.records import TensorRecord
from engine.trace.snapshots import Summary, kept
from engine.trace.values import whole

_NUMBER = r"-?\d{1,15}"
_PART = re.compile(rf"\s*(?:(\.\.\.)|({_NUMBER})|({_NUMBER})?\s*:\s*({_NUMBER})?\s*(?::\s*([1-9]\d{{0,14}})?)?)\s*")


class NotThere(ValueError):
    """What was asked for is not in the run; the message says why."""


def look(recorder: Recorder, probe: Probe) -> dict[str, Any]:
    """The slice in the shape of the wire's TensorSlice; `problem` says why there is no value."""
    found: dict[str, Any] = {
        "tensor": None, "names": [], "of": probe.of, "step": None, "version": None, "index": probe.index,
        "shape": None, "value": None, "problem": None,
    }  # fmt: skip
    try:
        record = _tensor(recorder, probe.tensor)
        found.update(tensor=record.id, names=record.names)
        step, version, snapshot = _moment(record, probe)
        found.update(step=min(step, max(len(recorder.steps) - 1, 0)), version=version)
        a = kept(snapshot)
        found["shape"] = list(a.shape)
        if type(a) is Summary:
            raise NotThere("This run made more values than are kept, and these elements are not among them.")
        found["value"] = whole(_cut(a, probe.index))
    except NotThere as e:
        found["problem"] = str(e)
    return found


def parse_index(text: str) -> tuple[int | slice | EllipsisType, ...]:
    """An index as Python writes it between brackets: "0, 2:10, ..., ::3". Raises NotThere."""
    if not text.strip():
        return ()
    parts: list[int | slice | EllipsisType] = []
    for part in text.split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise NotThere(f"`{part.strip()}` is not an index: write numbers, slices such as 2:10 or ::3, and `...`.")
        dots, number, *bounds = match.groups()
        if dots:
            parts.append(...)
        elif number:
            parts.append(int(number))
        else:
            parts.append(slice(*(None if b is None else int(b) for b in bounds)))
    return tuple(parts)


def _tensor(recorder: Recorder, wanted: int | str) -> TensorRecord:
    if isinstance(wanted, int):
        if not 0 <= wanted < len(recorder.tensors):
            raise NotThere(f"This run has no tensor {wanted}; it has {len(recorder.tensors)}.")
        return recorder.tensors[wanted]
    for record in reversed(recorder.tensors):  # the last one of a name: what the name means at the end
        if wanted in record.names:
            return record
    raise NotThere(f"No tensor of this run is called `{wanted}`.")


def _moment(record: TensorRecord, probe: Probe) -> tuple[int, int | None, Any]:
    history: list[tuple[int, int | None, Any]]
    if probe.of == "grad":
        history = [(step, None, snapshot) for step, snapshot in record.grads]
    else:
        history = [m for m in record.values() if probe.version in (None, m[1])]
        if not history:
            raise NotThere(f"The tensor has no version {probe.version}; its last is {record.version}.")
    if probe.step is not None:
        history = [m for m in history if m[0] <= probe.step]
    if not history or history[-1][2] is None:
        when = "" if probe.step is None else f" at step {probe.step}"
        what = "gradient" if probe.of == "grad" else "value"
        raise NotThere(f"The tensor has no {what}{when}.")
    return history[-1]


def _cut(a: Any, index: str) -> Any:
    try:
        part = a[parse_index(index)]
    except IndexError as e:
        raise NotThere(f"The index does not fit the shape {list(a.shape)}: {e}.") from None
    if part.size > SLICE_ELEMENTS:
        raise NotThere(f"The slice has {part.size:,} elements; at most {SLICE_ELEMENTS:,} are sent. Narrow `index`.")
    return part
