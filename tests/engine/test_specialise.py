"""The straight-line code of plain ops makes the same node and the same gradients as the general way."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from engine import dispatch, install_as_torch
from engine.arguments import number
from engine.op import Op
from engine.records import ops_by_name
from engine.signature import REQUIRED
from engine.tensor import TensorBase


def plain_ops() -> list[Op]:
    """Ops that are specialised and have samples."""
    install_as_torch()
    return [
        op
        for op in ops_by_name().values()
        if op.grad_fn and op.samples and not op.signature.base.endswith("_") and dispatch.specialised(op).maker
    ]


def arguments(torch: Any, op: Op, sample: dict[str, Any]) -> list[Any]:
    values = []
    for i, p in enumerate(op.signature.params):
        v = sample.get(p.name, p.default)
        assert v is not REQUIRED, f"{op.name}: no sample for {p.name}"
        if isinstance(v, np.ndarray | np.generic) and p.type.startswith("Tensor"):
            v = torch.tensor(np.array(v)).requires_grad_(np.asarray(v).dtype.kind == "f" and i not in op.constants)
        values.append(v)
    return values


def outcome(op: Op, values: list[Any], general: bool) -> tuple[Any, ...]:
    """Graph, what is saved, and gradients of one run."""
    fast_rules, way, maker = op.node_class.fast_rules, op.runner, op.maker
    if general:
        op.node_class.fast_rules, op.runner = None, partial(dispatch.run_general, op)
        op.maker = None
    try:
        made = dispatch.run(op, values)
        outs = [t for t in made if t is not None] if isinstance(made, tuple) else [made]
        owned = [t for t in outs if t.grad_fn is not None]
        if not owned:
            return (op.name, [plain(t) for t in outs])
        node = owned[0].grad_fn
        saved = [getattr(node, f"_saved_{s.name}") for s in op.plan.saves if s.exposed]
        leaves = [v for v in values if isinstance(v, TensorBase) and v.requires_grad]
        for t in leaves:
            t.grad = None
        torch = install_as_torch()
        torch.autograd.backward(owned, [torch.ones_like(t) for t in owned])
        return (
            [f if f is None else (f.name(), nr) for f, nr in node.next_functions],
            node.meta,
            [plain(t) for t in outs],
            [t.output_nr for t in owned],
            [plain(s) for s in saved],
            [plain(t.grad) for t in leaves],
        )
    finally:
        if general:
            op.node_class.fast_rules, op.runner, op.maker = staticmethod(fast_rules), way, maker


def plain(v: Any) -> Any:
    if isinstance(v, TensorBase):
        return np.asarray(v._a).tolist()
    return number(v) if not isinstance(v, list | tuple) else [plain(x) for x in v]


@pytest.mark.parametrize("op", plain_ops(), ids=lambda op: op.name)
def test_both_ways_agree(op: Op) -> None:
    torch = install_as_torch()
    rng = np.random.default_rng(0)
    compared = 0
    for sample in op.samples(rng):  # type: ignore[misc]
        fast = outcome(op, arguments(torch, op, sample), general=False)
        general = outcome(op, arguments(torch, op, sample), general=True)
        np.testing.assert_equal(fast, general)
        compared += 1
    assert compared


def test_the_fast_way_is_taken() -> None:
    torch = install_as_torch()
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    assert ops_by_name()["mul.Tensor"].maker
    assert type(y.grad_fn).fast_rules is not None
