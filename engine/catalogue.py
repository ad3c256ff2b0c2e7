"""The catalogue of operators: what each record says, in a form for people, with an example that runs."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from engine.composite import Composite, PythonFunction
from engine.op import Op, formulas
from engine.plan import node_class
from engine.records import all_records
from engine.signature import Param, Signature

HOMES = {
    "function": "torch",
    "method": "torch.Tensor",
    "nn": "torch.nn.functional",
    "linalg": "torch.linalg",
    "special": "torch.special",
    "fft": "torch.fft",
}
_PREFERRED = ("function", "nn", "linalg", "special", "fft", "method")
_WRITTEN_OUT = 24  # elements up to which an example writes an array out


@dataclass(frozen=True, slots=True)
class Row:
    """One operator or composed function.

    Attributes:
        name: with its overload, "mul.Tensor"; `base` without.
        signature: as PyTorch's native functions write it; empty for functions that PyTorch writes in Python.
        found_at: where a program finds it; empty for operators that others are made of.
        grad_fn: its backward node; empty when its result never needs a gradient, or the nodes are those of its parts.
        saved: what the node keeps, by attribute name without `_saved_`.
        forward, backward: formulas in LaTeX, with slots such as `[[self]]`.
        example: a program; empty for composed functions.
        made_of_others: it has no node of its own.
        says: one sentence, for composed functions.
        parameters, outputs: of the signature.
    """

    name: str
    base: str
    signature: str
    found_at: tuple[str, ...]
    grad_fn: str
    saved: tuple[str, ...]
    forward: str
    backward: dict[str, str]
    is_view: bool
    has_inplace: bool
    example: str
    made_of_others: bool
    says: str
    parameters: tuple[Param, ...] = ()
    outputs: int = 1


@cache
def rows() -> tuple[Row, ...]:
    """Every operator and composed function, in alphabetical order."""
    return tuple(sorted((_row(r) for r in all_records()), key=lambda row: (row.base.lower(), row.name)))


def _row(record: Op | Composite | PythonFunction) -> Row:
    if isinstance(record, Op):
        sig = record.signature
        return Row(
            record.name, sig.base, written(sig), found_at(sig.base, record.where), record.grad_fn or "",
            saved(record), record.latex, formulas(record), record.view, bool(record.inplace), example(record), False,
            "", sig.params, sig.returns,
        )  # fmt: skip
    if isinstance(record, PythonFunction):
        name, says = record.function.__name__, _first_sentence(record.function)
        return Row(
            record.name, name, "", found_at(name, record.where), "", (), "", {}, False, False, "", True, says
        )  # fmt: skip
    sig = record.signature
    return Row(
        record.name, sig.base, written(sig), found_at(sig.base, record.where), "", (), "", {}, False, record.inplace,
        "", True, _first_sentence(record.function), sig.params, sig.returns,
    )  # fmt: skip


def _first_sentence(function: Any) -> str:
    return (function.__doc__ or "").strip().split("\n")[0]


def written(sig: Signature) -> str:
    """A signature in PyTorch's notation."""
    parts, star = [], False
    for p in sig.params:
        if p.keyword_only and not star:
            parts.append("*")
            star = True
        default = "" if p.required else f"={list(p.default) if isinstance(p.default, tuple) else p.default}"
        parts.append(f"{p.type}{'?' * p.optional} {p.name}{default}")
    result = "Tensor" if sig.returns == 1 else "(" + ", ".join(["Tensor"] * sig.returns) + ")"
    return f"{sig.name}({', '.join(parts)}) -> {result}"


def found_at(base: str, where: Iterable[str]) -> tuple[str, ...]:
    """Where a program finds a name: "torch.mul", "torch.Tensor.mul"."""
    return tuple(
        f"{HOMES[place]}.{base.removeprefix(place + '_') if place in ('linalg', 'special', 'fft') else base}"
        for place in where
    )


def saved(op: Op) -> tuple[str, ...]:
    """Names of what an operator's node keeps for the backward pass."""
    if op.grad_fn is None:
        return ()
    return tuple(sorted(a.removeprefix("_saved_") for a in dir(node_class(op)) if a.startswith("_saved_")))


def example(op: Op) -> str:
    """A program that calls the operator and goes backward through it, from the record's samples; empty without any."""
    if op.example:
        return f"import torch\n\nprint({op.example})"
    place = next((p for p in _PREFERRED if p in op.where), None)
    if op.samples is None or place is None:
        return ""
    sample = op.samples(np.random.default_rng(zlib.crc32(op.name.encode())))[0]
    named = set(formulas(op))
    lines, arguments, wanted = ["import torch", ""], [], ""
    by_name = False
    for p in op.signature.params:
        v = sample.get(p.name, p.default)
        if p.name not in sample and not p.required:
            by_name = True
            continue
        shown = repr(v)
        if isinstance(v, np.ndarray | np.generic):
            grad = not wanted and p.name in named and v.dtype.kind == "f"
            shown = p.name if p.name.isidentifier() and p.name != "self" else "x"
            wanted = shown if grad else wanted
            lines.append(f"{shown} = {_array(np.asarray(v), grad)}")
        elif type(v) is list:
            shown = "[" + ", ".join(_array(np.asarray(a), False) for a in v) + "]"
            lines.append(f"{p.name} = {shown}")
            shown = p.name
        keyword = p.keyword_only or by_name
        arguments.append(f"{'input' if p.name == 'self' else p.name}={shown}" if keyword else shown)
    base = op.signature.base
    if place == "method":
        at = [p.name for p in op.signature.params].index("self")
        target = arguments.pop(at)
        lines.append(f"y = {target}.{base}({', '.join(arguments)})")
    else:
        lines.append(f"y = {found_at(base, (place,))[0]}({', '.join(arguments)})")
    result = _differentiable_result(op, sample)
    lines.append(f"print({result})")
    if wanted:
        lines += [f"{result}.sum().backward()", f"print({wanted}.grad)"]
    return "\n".join(lines)


def _differentiable_result(op: Op, sample: dict[str, Any]) -> str:
    """How a program names the first result that has a gradient, where `y` is what the operator returns."""
    out = op.forward(*[sample.get(p.name, p.default) for p in op.signature.params])
    if type(out) not in (tuple, list):
        return "y"
    kinds = [getattr(o, "dtype", np.dtype(bool)).kind for o in out]
    return f"y[{next((i for i, k in enumerate(kinds) if k in 'fc' and i not in op.nondiff), 0)}]"


def _array(a: np.ndarray, requires_grad: bool) -> str:
    tail = ", requires_grad=True)" if requires_grad else ")"
    if a.size > _WRITTEN_OUT and a.dtype.kind == "f":
        return f"torch.randn({', '.join(map(str, a.shape))}{tail}"
    values = np.round(a, 2) if a.dtype.kind in "fc" else a
    return f"torch.tensor({values.tolist()}{tail}"
