"""Odd and wrong calls of hundreds of functions: what comes out, or which error, is what PyTorch has.

odd_calls.json holds per function rows of a program, which leaves its result in `r`, and the outcome PyTorch 2.13 has
for it: the error's type and text, or dtype, shape, grad_fn and values of every tensor in the result. odd_layers.json
holds the same for layers, losses, optimizers and what acts on the graph, odd_mistakes.json for small wrong
calls that learners make, odd_random.json for random numbers of every dtype, more_calls.json for rarer functions,
plain calls and odd ones, odd_graphs.json for what is recorded and what a pass computes, seldom_calls.json for the
functions, layers and transforms that few programs name, no_elements.json for tensors without elements, forward and
backward, out_dtypes.json for results written into memory of another dtype.
"""

import json
from typing import Any

import pytest

from engine import install_as_torch
from engine.reset import reset_engine
from engine.tensor import TensorBase
from tests.oracle.odd_calls import operands
from tests.oracle.recordings import load, near, plain

FILES = (
    "odd_calls",
    "odd_layers",
    "odd_mistakes",
    "odd_random",
    "more_calls",
    "odd_graphs",
    "seldom_calls",
    "no_elements",
    "out_dtypes",
)
ROWS = {(file, name): rows for file in FILES for name, rows in load(file).items()}


def tensors(v: Any) -> list[Any]:
    if isinstance(v, TensorBase):
        return [v]
    return [t for x in v for t in tensors(x)] if isinstance(v, list | tuple) else []


def described(t: Any) -> list[Any]:
    node = None if t.grad_fn is None else t.grad_fn.name()
    return [str(t.dtype).removeprefix("torch."), list(t.shape), node, plain(t.detach().tolist())]


def outcome(program: str) -> dict[str, Any]:
    torch = install_as_torch()
    reset_engine()
    torch.manual_seed(0)
    names = operands(torch)
    try:
        exec(program, names)
    except Exception as e:  # noqa: BLE001  its type and text are the outcome
        return {"error": [type(e).__name__, str(e)]}
    results = tensors(names["r"])
    if not results:
        return {"value": plain(names["r"])}
    return {"results": [described(t) for t in results]}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("file", "name"), ROWS, ids=lambda part: part)
def test_odd_calls_have_pytorchs_outcomes(file: str, name: str) -> None:
    for program, wanted in ROWS[file, name]:
        got = json.loads(json.dumps(outcome(program)))
        assert near(wanted, got, rtol=1e-4, atol=1e-5), (program, wanted, got)
