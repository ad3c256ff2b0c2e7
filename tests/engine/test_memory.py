"""Kernels leave their inputs alone: they write into none but those they say, and only views share their memory."""

from typing import Any

import numpy as np
import pytest

from engine.op import Op
from engine.records import ops_by_name
from engine.signature import REQUIRED

# PyTorch's name for: looks at the memory, is not treated as a view
SHARES = {"_unsafe_view", "unsafe_split.Tensor", "unsafe_split_with_sizes"}
CHECKED = [op for op in ops_by_name().values() if op.samples]


def arrays(v: Any) -> list[np.ndarray]:
    if isinstance(v, np.ndarray):
        return [v]
    return [a for x in v for a in arrays(x)] if isinstance(v, list | tuple) else []


@pytest.mark.parametrize("op", CHECKED, ids=lambda op: op.name)
def test_inputs_are_left_alone(op: Op) -> None:
    samples = op.samples(np.random.default_rng(0))  # type: ignore[misc]
    assert samples
    for sample in samples:
        values = [sample.get(p.name, p.default) for p in op.signature.params]
        if REQUIRED in [v for v in values if not isinstance(v, np.ndarray | list | tuple)]:
            continue
        inputs = [a for i, v in enumerate(values) for a in arrays(v) if i not in op.writes]
        before = [a.copy() for a in inputs]
        for a in inputs:
            a.flags.writeable = False
        out = arrays(op.forward(*values))
        for a, b in zip(inputs, before, strict=True):
            np.testing.assert_array_equal(a, b)
        if not op.view and op.name not in SHARES:
            shared = [o.shape for o in out for a in inputs if o.size and np.shares_memory(o, a)]
            assert not shared, f"{op.name} returns memory of its input: {shared}"
