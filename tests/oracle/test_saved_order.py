"""The order in which operators save: what `saved_tensors_hooks` pack and unpack, one after the other, as in PyTorch.

saved_order.json holds, for rows of facts.json that save two tensors or more, the shape, dtype and sum of magnitudes of
each tensor as it is packed and unpacked. A hook is asked once for each tensor, however many gradients need it.
"""

from typing import Any

import pytest

from engine import install_as_torch
from tests.oracle.recordings import load
from tests.oracle.test_facts import run_row

FACTS, ORDER = load("facts"), load("saved_order")


def seen(t: Any) -> list[Any]:
    total = t.detach().double().abs().sum().item()
    return [list(t.shape), str(t.dtype)[6:], round(total, 2) if total < 1e30 else None]


def alike(wanted: list[Any], found: list[Any]) -> bool:
    """Equal but for the last digits of the sums."""
    kinds = [w[:2] for w in wanted] == [f[:2] for f in found]
    return kinds and all(
        a == b or abs(a - b) <= 0.011 + 1e-3 * abs(a)
        for (*_, a), (*_, b) in zip(wanted, found, strict=True)
        if None not in (a, b)
    )


@pytest.mark.parametrize("name", ORDER)
def test_tensors_are_packed_and_unpacked_in_pytorchs_order(name: str) -> None:
    torch = install_as_torch()
    packed: list[Any] = []
    unpacked: list[Any] = []
    hooks = (lambda t: packed.append(seen(t)) or t, lambda t: unpacked.append(seen(t)) or t)
    with torch.autograd.graph.saved_tensors_hooks(*hooks):
        outs = [t for t in run_row(torch, FACTS[name])[2] if t.requires_grad]
        if outs:
            torch.autograd.backward([t.sum() for t in outs])
    assert alike(ORDER[name]["packed"], packed), packed
    assert alike(ORDER[name]["unpacked"], unpacked), unpacked
