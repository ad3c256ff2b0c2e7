"""Every operator under vmap: the whole batch at once gives what one sample after the other gives."""

from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import pytest

from engine import install_as_torch
from engine.batching.levels import batching, gathered, sampled
from engine.dispatch import apply, bind, run
from engine.op import Op
from engine.records import all_records
from engine.tensor import TensorBase

torch = install_as_torch()

SAMPLED = [
    r for r in all_records() if isinstance(r, Op) and r.samples is not None and not r.signature.base.endswith("_")
]
BATCH = 3
DRAWING = {"bernoulli", "multinomial", "normal", "poisson"}
"""Operators whose result is random."""
OF_ONE_MEMORY = {"as_strided", "as_strided_copy"}
"""Operators that read the memory of their input, which is another for each sample of a batch."""


WHOLE_OUTPUTS = {"_linalg_det": 1, "_linalg_slogdet": 2}
"""Outputs that count; the factors after them depend on how the matrix lies in memory."""
NEEDS_STATISTICS = {"native_batch_norm"}
"""Operators that refuse a batch without statistics of its own, as PyTorch does."""


def arguments(op: Op, sample: dict[str, Any]) -> list[Any]:
    """The sample's arguments in order, arrays as tensors."""

    def made(v: Any) -> Any:
        if isinstance(v, list) and any(isinstance(x, np.ndarray) for x in v):
            return [made(x) for x in v]
        return torch.tensor(np.array(v)) if isinstance(v, np.ndarray | np.generic) else v

    return bind(op, [], {k: made(v) for k, v in sample.items()})


def varied(op: Op, values: list[Any], seed: int) -> list[list[Any]]:
    """The arguments of several samples: floating-point numbers rolled along, the rest alike."""
    rng = np.random.default_rng(seed)

    def other(v: Any) -> Any:
        if isinstance(v, list):
            return [other(x) for x in v]
        if not isinstance(v, TensorBase) or not v.dtype.is_floating_point:
            return v
        return v * (1 + 0.01 * float(rng.random()))

    return [values, *([other(v) for v in values] for _ in range(BATCH - 1))]


def batched_call(op: Op, rows: list[list[Any]], which: set[int], dim: int) -> Any:
    """The operator on the batch, with the arguments `which` batched along `dim`."""
    with batching(BATCH) as level:
        values = []
        for i, column in enumerate(zip(*rows, strict=True)):
            if i not in which:
                values.append(column[0])
            elif isinstance(column[0], list):
                values.append([sampled(torch.stack(list(c), dim), dim, level) for c in zip(*column, strict=True)])
            else:
                values.append(sampled(torch.stack(list(column), dim), dim, level))
        out = run(op, values)
        if isinstance(out, tuple):
            return tuple(None if t is None else gathered(t, 0, level) for t in out)
        return gathered(out, 0, level)


def looped_call(op: Op, rows: list[list[Any]], which: set[int]) -> Any:
    """The same one sample after the other."""
    outs = [
        run(op, [v if i in which else w for i, (v, w) in enumerate(zip(row, rows[0], strict=True))]) for row in rows
    ]
    if isinstance(outs[0], tuple):
        return tuple(None if c[0] is None else torch.stack(list(c)) for c in zip(*outs, strict=True))
    return torch.stack(outs)


def batchable(op: Op, values: list[Any]) -> list[int]:
    """Positions of arguments that may be batched: tensors of floating-point numbers."""
    found = []
    for i in op.tensors:
        v = values[i]
        parts = v if isinstance(v, list) else [v]
        if parts and all(isinstance(t, TensorBase) and t.dtype.is_floating_point for t in parts):
            found.append(i)
    return found


def cases(op: Op) -> list[tuple[list[Any], set[int], int]]:
    """Arguments, which of them are batched, and along which dimension."""
    found = []
    for sample in op.samples(np.random.default_rng(0)):  # type: ignore[misc]
        values = arguments(op, sample)
        at = batchable(op, values)
        if not at or (op.name in NEEDS_STATISTICS and values[3] is not None):
            continue
        found += [(values, set(at), 0), (values, set(at), -1)]
        found += [(values, {i}, 0) for i in at if len(at) > 1]
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", SAMPLED, ids=lambda op: op.name)
def test_a_batch_gives_what_its_samples_give(op: Op) -> None:
    if op.signature.base in DRAWING | OF_ONE_MEMORY:
        return
    for seed, (values, which, dim) in enumerate(cases(op)):
        rows = varied(op, values, seed)
        found, expected = batched_call(op, rows, which, dim), looped_call(op, rows, which)
        pairs = zip(found, expected, strict=True) if isinstance(found, tuple) else ((found, expected),)
        for a, b in islice(pairs, WHOLE_OUTPUTS.get(op.name)):
            if a is None or b is None:
                assert a is b
                continue
            torch.testing.assert_close(a, b, equal_nan=True, msg=f"{values} {which} {dim}: {a} is not {b}")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", [o for o in SAMPLED if o.grads], ids=lambda op: op.name)
def test_gradients_inside_a_vmap_are_those_of_each_sample(op: Op) -> None:
    if op.signature.base in DRAWING | OF_ONE_MEMORY:
        return
    for seed, (values, which, dim) in enumerate(cases(op)[::3]):
        at = sorted(i for i in which if not isinstance(values[i], list) and op.signature.params[i].name in named(op))
        if not at:
            continue
        rows = varied(op, values, seed)

        gradient = torch.func.grad(partial(loss, op, values, at), argnums=tuple(range(len(at))))
        samples = [[row[i] for i in at] for row in rows]
        whole = [torch.stack(list(c), dim) for c in zip(*samples, strict=True)]
        found = torch.func.vmap(gradient, in_dims=dim)(*whole)
        expected = [torch.stack(list(c)) for c in zip(*(gradient(*s) for s in samples), strict=True)]
        for a, b in zip(found, expected, strict=True):
            torch.testing.assert_close(a, b, equal_nan=True, msg=f"{values} {at} {dim}: {a} is not {b}")


def loss(op: Op, values: list[Any], at: list[int], *tensors: Any) -> Any:
    """A number that depends on the first output of the operator, with the tensors as its arguments `at`."""
    given = list(values)
    for i, t in zip(at, tensors, strict=True):
        given[i] = t
    out = apply(op, given, {})
    first = out[0] if isinstance(out, tuple) else out
    return (first * first).sum() if first.dtype.is_floating_point else first.abs().sum()


def named(op: Op) -> set[str]:
    """The inputs that a rule is for."""
    return {k.strip() for key in op.grads for k in key.split(",")}
