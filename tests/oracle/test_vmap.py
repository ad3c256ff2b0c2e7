"""Recorded facts of torch.vmap: values, the graph outside, gradients inside, random numbers, printed texts, errors."""

import warnings
from random import Random
from typing import Any

import numpy as np
import pytest

from engine import install_as_torch
from tests.oracle.recordings import load, near

torch = install_as_torch()
RECORDED = load("vmap")
KNOWN = load("known_differences")
NAMES: dict[str, Any] = {}
exec(RECORDED["functions"], NAMES)
NAMES |= {"v": torch.vmap, "X": torch.ones(2, 3)}
BATCH = 2


def label(case: dict[str, Any]) -> str:
    """What a difference is listed under."""
    dims, shapes = tuple(case["in_dims"]), [tuple(s) for s in case["shapes"]]
    return f"{case['source']} {dims} {shapes}"


def numbers(shape: list[int], seed: int) -> Any:
    """The numbers that the recording used: Python's own generator."""
    r = Random(seed)
    flat = [r.uniform(-2, 2) for _ in range(int(np.prod(shape)))]
    return torch.tensor(flat, dtype=torch.float32).reshape(shape)


def inputs(case: dict[str, Any], requires_grad: bool) -> list[Any]:
    """Tensors of all samples."""
    made = []
    for seed, (shape, d) in enumerate(zip(case["shapes"], case["in_dims"], strict=True)):
        whole = shape if d is None else [BATCH, *shape] if d == 0 else [*shape, BATCH]
        made.append(numbers(whole, seed).requires_grad_(requires_grad))
    return made


def graph(fn: Any, depth: int = 0) -> str:
    """A graph in one line: names without "Backward", then the graphs of the edges."""
    if fn is None:
        return "-"
    if "Accumulate" in fn.name():
        return "Acc"
    if depth > 40:
        return "..."
    return f"{fn.name().replace('Backward', '')}({','.join(graph(e[0], depth + 1) for e in fn.next_functions)})"


def function(case: dict[str, Any]) -> Any:
    """The recorded function of logical tensors."""
    return eval(f"lambda {','.join('xyz'[: len(case['shapes'])])}: {case['source']}", NAMES)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("source", sorted({c["source"] for c in RECORDED["cases"]}))
def test_values_graphs_and_gradients(source: str) -> None:
    for case in (c for c in RECORDED["cases"] if c["source"] == source):
        f, dims = function(case), tuple(case["in_dims"])
        out = torch.vmap(f, in_dims=dims)(*inputs(case, True))
        if label(case) not in KNOWN["vmap_graphs"]:
            assert graph(out.grad_fn) == case["graph"], label(case)
        if "values" in case:
            assert near(case["values"], out.detach().reshape(-1).tolist()[:6], 1e-3, 1e-3), label(case)
        if "gradients" in case:
            gradient = torch.func.grad(lambda *a, f=f: (f(*a) ** 2).sum(), argnums=tuple(range(len(dims))))
            found = torch.vmap(gradient, in_dims=dims)(*inputs(case, False))
            assert near(case["gradients"], [g.reshape(-1).tolist()[:4] for g in found], 2e-3, 2e-3), label(case)


def test_every_known_difference_is_one() -> None:
    for case in RECORDED["cases"]:
        if label(case) in KNOWN["vmap_graphs"]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                out = torch.vmap(function(case), in_dims=tuple(case["in_dims"]))(*inputs(case, True))
            assert graph(out.grad_fn) != case["graph"], f"{label(case)} agrees now: take it off the list"


def told(f: Any) -> Any:
    """What a call gives, or the error it raises, as recorded."""
    try:
        return f()
    except Exception as e:  # noqa: BLE001  whatever it is, it is compared
        return f"{type(e).__name__}: {e}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "case", RECORDED["texts"], ids=lambda c: " ".join(str(v) for k, v in c.items() if k != "result")
)
def test_texts(case: dict[str, Any]) -> None:
    if "call" in case:
        assert told(lambda: repr(eval(case["call"], NAMES))) == case["result"]
    elif "shape" in case:
        seen = []

        def inside(x: Any) -> Any:
            seen.append(repr(eval(case["expression"], NAMES | {"x": x})))
            return x

        whole = torch.arange(6.0)[: int(np.prod(case["shape"]))].reshape(case["shape"])
        assert told(lambda: torch.vmap(inside)(whole) is not None and seen[0]) == case["result"]
    else:
        torch.manual_seed(1)
        given = torch.tensor([[1.5, -0.25, -2.0], [0.5, -1.0, -1.5]])
        f = torch.vmap(lambda x: eval(case["expression"], NAMES | {"x": x}), randomness=case["randomness"])
        assert near(case["result"], told(lambda: f(given).tolist()), 1e-3, 1e-4)
