"""The programs of the articles, through the recorder: printed text, errors and graphs as PyTorch 2.13 recorded them.

They lie beside the checkout, in ../shared; where they do not, this file has nothing to run and says so.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from backend.schemas import Trace
from engine.trace import trace_program
from tests.oracle.recordings import ADDRESS, near, recorded_graph

SEEDS = Path(__file__).parents[3] / "shared" / "oracle" / "seeds"
PROGRAMS = sorted(SEEDS.glob("*.py"))
PRINTS_TIMINGS = {"001_05_no_grad_timing", "001_08_no_grad_timing_light"}
TOO_SLOW = {"001_05_no_grad_timing"}  # two thousand products of large matrices; make oracle runs it

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(not PROGRAMS, reason="the recordings are not beside this checkout"),
]


def graph(nodes: dict[int, Any], root: int) -> list[Any]:
    order: dict[int, int] = {}
    todo = [root]
    for key in todo:
        if key not in order:
            order[key] = len(order)
            todo += [e[0] for e in nodes[key]["next_functions"] if e[0] is not None]
    return [
        [nodes[k]["name"], [[None if n is None else order[n], i] for n, i in nodes[k]["next_functions"]]] for k in order
    ]


@pytest.mark.parametrize("program", [p for p in PROGRAMS if p.stem not in TOO_SLOW], ids=lambda p: p.stem)
def test_program(program: Path) -> None:
    want = json.loads(program.with_suffix(".json").read_text(encoding="utf-8"))
    text = json.dumps(trace_program(program.read_text(encoding="utf-8"), 0), allow_nan=False)
    Trace.model_validate_json(text)
    trace = json.loads(text)
    if program.stem not in PRINTS_TIMINGS:
        printed = "".join(c["text"] for c in trace["console"] if c["stream"] == "stdout")
        assert ADDRESS.sub("0xADDR", printed) == want["stdout"]
    error, exception = trace["outcome"]["error"], want["exception"]
    assert (error and [error["type"], error["message"], error["frames"][0]["line"]]) == (
        exception and [exception[k] for k in ("type", "message", "line")]
    )
    by_name = {n: t for t in trace["tensors"] for n in t["names"]}
    nodes = {n["id"]: n for n in trace["nodes"]}
    for t in want["tensors"]:
        got = by_name[t["name"]]
        keys = ("shape", "dtype", "requires_grad", "is_leaf", "stride", "storage_offset", "is_view", "output_nr")
        assert {k: got[k] for k in keys} == {k: t[k] for k in keys}, t["name"]
        if not t["is_inference"]:
            assert got["version"] == t["_version"]
        assert (got["grad_fn"] is None) == (t["grad_fn"] is None)
        if t["grad_fn"] is not None:
            assert graph(nodes, got["grad_fn"]) == recorded_graph(want["nodes"], t["grad_fn"]["node"])[0]
        assert (got["grad"] is None) == (t["grad"] is None)
        if t["grad"] is not None and t["grad"]["values"] is None:
            continue  # too large to be recorded
        assert near(t["grad"] and t["grad"]["values"], got["grad"] and got["grad"]["data"])
