"""`dim`: what functions make of every way to name a dimension or several, and how they refuse what names none.

dim_arguments.json holds per call in `t`, a matrix (`x`) or a number (`z`), what PyTorch 2.13 prints, or its error. Each
is made twice: what the first call teaches the parser must not let the second one pass unseen.
"""

import re
import warnings
from itertools import groupby

import pytest

from engine import install_as_torch
from engine.reset import reset_engine
from tests.oracle.recordings import load, printed


def function(row: tuple[str, str]) -> str:
    """The name before the arguments."""
    return re.match(r"[\w.]+", row[0])[0]  # type: ignore[index] - every call has one


CALLS = load("dim_arguments")
ROWS = {(name, of): dict(rows) for of, calls in CALLS.items() for name, rows in groupby(calls.items(), function)}


def outcome(of: str, call: str) -> str:
    torch = install_as_torch()
    torch.manual_seed(0)
    t = torch.tensor([[3.0, 1.0, 2.0], [0.5, -1.0, 4.0]] if of == "x" else 2.0)
    names = {
        "torch": torch,
        "F": torch.nn.functional,
        "t": t,
        "i": torch.tensor([[0, 1, 0]]),
        "j": torch.tensor([1, 0]),
    }
    return printed(call, names)


@pytest.mark.parametrize(("name", "of"), ROWS)
def test_a_dimension_is_taken_or_refused_as_in_pytorch(name: str, of: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call, result in ROWS[name, of].items():
            reset_engine()
            assert [outcome(of, call), outcome(of, call)] == [result, result], call
