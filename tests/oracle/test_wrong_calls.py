"""Calls with wrong arguments, kind by kind over many functions: the exception and its text are PyTorch's.

wrong_calls.json holds per kind of mistake rows of the call, the exception's type and its message, as PyTorch 2.13 has
them.
"""

import numpy as np
import pytest

from engine import install_as_torch
from engine.accidents import guarded
from engine.reset import reset_engine
from tests.oracle.recordings import load

ROWS = [(kind, *row) for kind, rows in load("wrong_calls").items() for row in rows]


@pytest.mark.parametrize(("kind", "call", "error", "message"), ROWS, ids=[row[1] for row in ROWS])
def test_wrong_call(kind: str, call: str, error: str, message: str) -> None:
    torch = install_as_torch()
    reset_engine()
    with pytest.raises(Exception) as raised:  # noqa: PT011  the type and the whole text are compared
        eval(call, {"torch": torch, "F": torch.nn.functional})
    assert (type(raised.value).__name__, str(raised.value)) == (error, message), kind


WIDE = [row for row in ROWS if "2**70" in row[1]]


@pytest.mark.parametrize(("kind", "call", "error", "message"), WIDE, ids=[row[1] for row in WIDE])
def test_a_number_is_not_let_through_by_an_earlier_call_of_the_same_types(
    kind: str, call: str, error: str, message: str
) -> None:
    torch = install_as_torch()
    eval(call.replace("2**70", "1"), {"torch": torch, "F": torch.nn.functional})
    test_wrong_call(kind, call, error, message)


def test_an_accident_in_numpy_names_the_function() -> None:
    torch = install_as_torch()
    call = guarded("total", lambda tensor: np.broadcast_shapes(tuple(tensor.shape), (3,)))
    with pytest.raises(RuntimeError) as raised:
        call(torch.ones(2))
    assert str(raised.value) == "total() cannot be computed with these arguments: (Tensor of float32 [2])"


def test_an_error_of_the_programs_own_code_stays() -> None:
    with pytest.raises(KeyError, match="own"):
        guarded("total", lambda: {}["own"])()


@pytest.mark.parametrize("divisor", [0.5, -0.5])
def test_a_remainder_of_zero_has_the_dividends_sign(divisor: float) -> None:
    torch = install_as_torch()
    left = torch.tensor([-1.5, 1.5]) % divisor
    assert torch.signbit(left).tolist() == [True, False]
    assert left.abs().tolist() == [0.0, 0.0]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_xlogy_with_a_number_keeps_the_tensors_dtype(dtype: str) -> None:
    torch = install_as_torch()
    x = torch.tensor([0.0, 2.0], dtype=getattr(torch, dtype))
    assert torch.xlogy(x, 2.0).dtype is x.dtype
    assert torch.xlogy(2.0, x + 1).dtype is x.dtype
