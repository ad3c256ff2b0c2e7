"""Operators without a rule: one sample after the other, the results stacked, as PyTorch's slow path does it."""

from typing import Any

from engine.batching.call import Call, Result, moved
from engine.dispatch import run, run_inplace
from engine.ops.copy import COPY_
from engine.ops.join import STACK
from engine.ops.slicing import SELECT
from engine.tensor import TensorBase
from engine.warning import warn


def one_by_one(call: Call, told: bool = True) -> Result | list[Result]:
    """Run the operator once per sample, with PyTorch's warning where it has no rule either (`told`)."""
    op = call.op
    if told:
        name = op.signature.base + ("_" if call.inplace and not op.signature.base.endswith("_") else "")
        warn(
            "There is a performance drop because we have not yet implemented the batching rule for "
            f"aten::{name}. Please file us an issue on GitHub so that we can prioritize its implementation."
        )
    if call.size == 0:
        raise RuntimeError(
            f"Batching rule not implemented for aten::{op.signature.base}. The fallback path does not support vmap "
            "over dims of size 0."
        )
    fronted = [_in_front(v, d) for v, d in zip(call.values, call.dims, strict=True)]
    results = [run(op, [_sample(v, d, i) for v, d in zip(fronted, call.dims, strict=True)]) for i in range(call.size)]
    if call.inplace:
        target = call.to_front(0)
        for i, r in enumerate(results):
            run_inplace(COPY_, [run(SELECT, [target, 0, i]), r, False])
        return target, 0
    if isinstance(results[0], tuple):
        columns = zip(*results, strict=True)
        return [(None, None) if c[0] is None else (_together(list(c)), 0) for c in columns]
    return _together(results), 0


def _in_front(v: Any, d: Any) -> Any:
    if isinstance(d, list):
        return [x if e is None else moved(x, e, 0) for x, e in zip(v, d, strict=True)]
    return moved(v, d, 0) if d is not None and isinstance(v, TensorBase) else v


def _sample(v: Any, d: Any, i: int) -> Any:
    if isinstance(d, list):
        return [x if e is None else run(SELECT, [x, 0, i]) for x, e in zip(v, d, strict=True)]
    return run(SELECT, [v, 0, i]) if d is not None else v


def _together(results: list[Any]) -> Any:
    out = run(STACK, [results, 0])
    return out.view(tuple(out.shape))
