"""Programs made at random: tensors of any dtype, views, writes, mistakes, passes. What PyTorch 2.13 prints of each.

random_programs.json holds their steps: a line of code, or a list. ["try", name, line, …] runs lines, prints the error
they end with, and shows the tensor they made; ["show", name] shows one; ["tensor", name] takes the first of several, or
another where there is none; ["grads", name, …] prints what gradients have arrived.
"""

import contextlib
import io
import re
import warnings
from typing import Any

import pytest

from engine import install_as_torch
from engine.reset import reset_engine
from tests.oracle.recordings import load

PROGRAMS = load("random_programs")["programs"]
_NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?")


def _show(name: str, t: Any) -> None:
    if not hasattr(t, "grad_fn"):
        print(name, t)
        return
    lies = (t.stride(), t.storage_offset()) if t.numel() else ""
    fn = t.grad_fn.name() if t.grad_fn is not None else None
    print(
        name, tuple(t.shape), t.dtype, lies, t.requires_grad, t.is_leaf, t._version, fn, t.is_contiguous()
    )  # fmt: skip
    print(t)


def _graph(fn: Any, depth: int = 0, seen: set[Any] | None = None) -> None:
    seen = set() if seen is None else seen
    if fn is None or fn in seen or depth > 12:
        return
    seen.add(fn)
    saved = sorted(a for a in dir(fn) if a.startswith("_saved") and "sym" not in a)
    print(" " * depth + fn.name(), len(fn.next_functions), saved)
    for into, nr in fn.next_functions:
        print(" " * depth + "-", nr if into is not None else None)
        _graph(into, depth + 1, seen)


def _twice(torch: Any) -> Any:
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, k):  # type: ignore[no-untyped-def]
            ctx.save_for_backward(x)
            ctx.k = k
            return x * k

        @staticmethod
        def backward(ctx, g):  # type: ignore[no-untyped-def]
            _ = ctx.saved_tensors
            return g * ctx.k, None

    return Twice


def _take(step: Any, names: dict[str, Any], torch: Any) -> None:
    if isinstance(step, str):
        exec(step, names)
        return
    kind, first, *rest = step
    if kind == "show":
        _show(first, names[first])
    elif kind == "tensor":
        t = names[first]
        if isinstance(t, tuple | list) and t and isinstance(t[0], torch.Tensor):
            names[first] = t[0]
        if not isinstance(names[first], torch.Tensor):
            names[first] = torch.ones(2, 3, requires_grad=True)
    elif kind == "grads":
        for name in (first, *rest):
            t = names[name]
            kept = isinstance(t, torch.Tensor) and (t.is_leaf or t.retains_grad)
            print(name, t.grad if kept else "-")
    else:
        print(">", rest[0])
        try:
            exec("\n".join(rest), names)
            if first:
                _show(first, names[first])
        except Exception as e:  # noqa: BLE001  whatever a mistake leads to is printed
            print(type(e).__name__, str(e)[:600])
        if first:
            names.setdefault(first, torch.ones(2, 3))


def _same(wanted: str, found: str) -> bool:
    """Whether two lines are equal but for the last digits of numbers."""
    if _NUMBER.sub("#", wanted) != _NUMBER.sub("#", found):
        return False
    pairs = zip(_NUMBER.findall(wanted), _NUMBER.findall(found), strict=True)
    return all(abs(float(a) - float(b)) <= 2e-3 * max(1e-3, abs(float(a))) for a, b in pairs)


@pytest.mark.parametrize("program", PROGRAMS, ids=[str(p["seed"]) for p in PROGRAMS])
def test_a_random_program_prints_what_pytorch_prints(program: dict[str, Any]) -> None:
    torch = install_as_torch()
    reset_engine()
    torch.manual_seed(program["seed"])
    names = {"torch": torch, "F": torch.nn.functional, "show": _show, "graph": _graph, "Twice": _twice(torch)}
    printed = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        warnings.simplefilter("ignore")
        for step in program["steps"]:
            _take(step, names, torch)
    wanted, found = program["printed"].rstrip().split("\n"), printed.getvalue().rstrip().split("\n")
    for number, (a, b) in enumerate(zip(wanted, found, strict=False)):
        before = [line for line in wanted[:number] if line.startswith("> ")]
        assert _same(a.strip(), b.strip()), (before[-1:], a, b)
    assert len(found) == len(wanted)
