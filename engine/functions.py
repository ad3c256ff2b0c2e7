"""From records to callables: every op and composite becomes `torch.x`, `Tensor.x`, `x_`, as its record says."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from engine.accidents import guarded
from engine.builtin import builtin
from engine.composite import Composite, PythonFunction
from engine.dispatch import run, run_inplace
from engine.modes import STATE
from engine.old_overloads import old_overloads
from engine.op import Op
from engine.overload_order import in_pytorch_order
from engine.overloads import Overload
from engine.renaming import renamed
from engine.return_types import return_type

Record = Op | Composite
NAMESPACES = ("function", "method", "nn", "linalg", "special", "fft")


def caller(record: Record) -> Callable[[list[Any]], Any]:
    """What runs a record with its values in order."""
    if isinstance(record, Composite):
        function = record.function
        return lambda values: function(*values) if STATE.batching is None else STATE.batching.compose(record, values)
    if record.signature.base.endswith("_") and not record.signature.base.endswith("__"):
        return partial(run_inplace, record)
    if record.names:
        return partial(_named, record)
    return partial(run, record)


def _named(op: Op, values: list[Any]) -> Any:
    return RETURN_TYPES(op)(run(op, values))


_NAMED: dict[str, Any] = {}


def RETURN_TYPES(op: Op) -> Any:
    """The named tuple class of an op with several results: torch.return_types.max."""
    cls = _NAMED.get(op.name)
    if cls is None:
        cls = _NAMED[op.name] = return_type(op.signature.base, op.names)
    return cls


def build(records: Iterable[Record | PythonFunction]) -> dict[str, dict[str, Callable[..., Any]]]:
    """Callables by namespace and name.

    A record that says `inplace` adds the method and function `name_`.
    """
    grouped: dict[str, dict[str, list[tuple[Record, Callable[[list[Any]], Any]]]]] = {n: {} for n in NAMESPACES}
    plain = []
    for r in records:
        if isinstance(r, PythonFunction):
            plain.append(r)
            continue
        base = r.signature.base
        for place in r.where:
            name = base.removeprefix(place + "_") if place in ("linalg", "special", "fft") else base
            grouped[place].setdefault(name, []).append((r, caller(r)))
        if r.inplace and isinstance(r, Op):
            for place in ("method", "function"):
                grouped[place].setdefault(base + "_", []).append((r, partial(run_inplace, r)))
    out: dict[str, dict[str, Callable[..., Any]]] = {}
    for place, names in grouped.items():
        out[place] = {}
        for name, entries in names.items():
            method = place == "method"
            entries = [entries[i] for i in in_pytorch_order([r.signature for r, _ in entries])]
            overloads = [Overload(r.signature, call, r.numbers, method, not name.endswith("_")) for r, call in entries]
            overloads += old_overloads(name, overloads, [r.signature for r, _ in entries], method)
            doc = f"{name}: {'; '.join(r.name for r, _ in entries)}"
            shown = f"{place}_{name}" if place in ("linalg", "special", "fft") else name
            out[place][name] = builtin(shown, overloads, method, doc)
    for f in plain:
        for place in f.where:
            name = f.function.__name__
            function = renamed(f.function, f"Tensor.{name}") if place == "method" else f.function
            out[place][name] = guarded(name, function)
    return out
