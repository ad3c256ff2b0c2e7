"""Traces that are too large: what is left is a whole trace of the first steps."""

import asyncio
from collections.abc import Iterator

from fastapi.testclient import TestClient

from backend.sandbox.pool import Pool
from backend.schemas import Trace
from backend.settings import Limits, Settings
from tests.backend.conftest import LIMITS
from tests.backend.service import RUNS, printed, run

CHAIN = (
    "import torch\n"
    "x = torch.ones({size}, requires_grad=True)\n"
    "for i in range({count}):\n"
    "    x = x * 1.0001\n"
    "x.sum().backward()\n"
    "print('done')\n"
)


def names(trace: Trace) -> Iterator[tuple[str, int | None, set[int]]]:
    """Every id that one table says of another: where, the id, the ids there are."""
    tensors, ops, nodes, scopes = ({one.id for one in table} for table in
                                   (trace.tensors, trace.ops, trace.nodes, trace.scopes))  # fmt: skip
    steps = set(range(len(trace.steps)))
    for tensor in trace.tensors:
        yield "tensor.base", tensor.base, tensors
        yield "tensor.grad_fn", tensor.grad_fn, nodes
        yield "tensor.op", tensor.op, ops
        yield "tensor.scope", tensor.scope, scopes
        yield "tensor.created_step", tensor.created_step, steps
        yield from (("tensor.values", moment.step, steps) for moment in tensor.values)
        yield from (("tensor.grads", moment.step, steps) for moment in tensor.grads)
    for op in trace.ops:
        yield from (("op.input", argument.tensor, tensors) for argument in op.inputs)
        yield from (("op.output", output, tensors) for output in op.outputs)
        yield "op.grad_fn", op.grad_fn, nodes
        yield "op.step", op.step, steps
    for node in trace.nodes:
        yield from (("node.next", edge[0], nodes) for edge in node.next_functions or ())
        yield from (("node.saved", saved.tensor, tensors) for saved in node.saved)
        yield from (("node.released", saved.released_step, steps) for saved in node.saved)
        yield "node.op", node.op, ops
        yield "node.tensor", node.tensor, tensors
    for backward in trace.backwards:
        yield from (("backward.order", node, nodes) for node in backward.order)
        yield from (("backward.roots", node, nodes) for node in backward.roots)
        yield "backward.end_step", backward.end_step, steps
    for index, step in enumerate(trace.steps):
        yield "step.index", step.index, {index}
        yield "step.op", step.op, ops
        yield "step.node", step.node, nodes
        yield "step.tensor", step.tensor, tensors
    for entry in trace.console:
        yield "console.step", entry.step, steps


def dangling(trace: Trace) -> list[tuple[str, int]]:
    return [(where, named) for where, named, there in names(trace) if named is not None and named not in there]


def test_an_ordinary_trace_names_only_what_is_there(client: TestClient) -> None:
    trace = Trace.model_validate_json(client.post(RUNS, json={"code": CHAIN.format(count=20, size=3)}).content)
    assert trace.outcome.status == "ok"
    assert len(trace.ops) > 20
    assert dangling(trace) == []


def test_a_hundred_thousand_operations_are_too_large_and_the_first_are_kept() -> None:
    """All limits are the defaults but those of time: how much of that a busy machine gives says nothing here."""
    patient = Limits(soft_seconds=60, hard_seconds=90, trace_seconds=60, cpu_soft_seconds=60, cpu_hard_seconds=60)

    async def run_it() -> Trace:
        pool = Pool(Settings(limits=patient, concurrency=1, spares=0))
        await pool.start()
        try:
            return (await pool.run(CHAIN.format(count=100_000, size=3), 0)).trace
        finally:
            await pool.stop()

    trace = asyncio.run(run_it())
    assert trace.outcome.status == "too_large"
    assert trace.truncated[0].total is not None
    assert trace.truncated[0].total > 200_000
    assert len(trace.ops) > 1000
    assert len(trace.steps) == trace.truncated[-1].kept
    assert "".join(entry.text for entry in trace.console) == "done\n"
    assert dangling(trace) == []


def test_a_reply_is_cut_to_its_limit(client: TestClient) -> None:
    code = CHAIN.format(count=1500, size=64)
    trace = Trace.model_validate_json(client.post(RUNS, json={"code": code}).content)
    assert trace.outcome.status == "too_large"
    assert "4 MB" in (trace.outcome.message or "")
    assert 0 < len(trace.ops) < 1500
    assert dangling(trace) == []
    assert printed(run(client, code)) == "done\n"
    assert len(trace.model_dump_json(exclude_unset=True)) < 1.5 * LIMITS.reply_bytes
