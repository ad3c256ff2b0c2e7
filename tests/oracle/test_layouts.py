"""How results lie in memory: `stride()` of what hundreds of calls give is what PyTorch has.

layouts.json holds sizes and strides PyTorch 2.13 has for each expression over the operands of layouts.py.
"""

import copy
from typing import Any

import pytest

from engine import install_as_torch
from tests.oracle.layouts import described, operands
from tests.oracle.recordings import load

ROWS = sorted(load("layouts").items())
TOGETHER = 50  # thousands of tests cost more than what they ask


@pytest.fixture(scope="module")
def names() -> dict[str, Any]:
    return {**operands(install_as_torch()), "copy": copy}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", range(0, len(ROWS), TOGETHER), ids=lambda first: f"from {ROWS[first][0]}")
def test_results_lie_in_memory_as_pytorchs_do(names: dict[str, Any], first: int) -> None:
    wanted = dict(ROWS[first : first + TOGETHER])
    assert {expression: described(eval(expression, names)) for expression in wanted} == wanted


def test_what_can_be_viewed_follows_from_the_layout(names: dict[str, Any]) -> None:
    """The sum lies as its first operand does, so it can be viewed as one row only in that order."""
    total = names["T"] + names["C"]
    with pytest.raises(RuntimeError, match="view size is not compatible"):
        total.view(-1)
    assert total.t().view(-1).tolist() == total.t().flatten().tolist()


def test_a_shallow_copy_shares_memory_and_a_deep_one_keeps_its_strides() -> None:
    torch = install_as_torch()
    x = torch.zeros(2, 4)
    copy.copy(x)[0] = 1
    assert x[0].tolist() == [1, 1, 1, 1]
    deep = copy.deepcopy(x[:, ::2])
    assert (deep.stride(), deep.untyped_storage().nbytes()) == ((4, 2), 32)
    deep[0] = 5
    assert x[0].tolist() == [1, 1, 1, 1]
