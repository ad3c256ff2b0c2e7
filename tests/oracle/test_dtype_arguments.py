"""`dtype=`: what reductions, running sums, norms and factories make of each dtype, or how they refuse it.

dtype_arguments.json holds per expression in a tensor `x` and a dtype `D`, for each dtype of `x`, what PyTorch 2.13
prints for each `D`, or its error.
"""

import math
import warnings

import pytest

from engine import install_as_torch
from tests.oracle.recordings import load, printed

ROWS = [(text, of, results) for text, by_dtype in load("dtype_arguments").items() for of, results in by_dtype.items()]


def outcome(text: str, of: str, dtype: str) -> str:
    torch = install_as_torch()
    x = torch.tensor([1, 0, 3, 2]).to(getattr(torch, of))
    return printed(text, {"torch": torch, "math": math, "x": x, "D": getattr(torch, dtype)})


@pytest.mark.parametrize(("text", "of", "results"), ROWS, ids=[f"{text} of {of}" for text, of, _ in ROWS])
def test_a_dtype_is_taken_or_refused_as_in_pytorch(text: str, of: str, results: dict[str, str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of complex numbers made real, and of torch.range
        assert {dtype: outcome(text, of, dtype) for dtype in results} == results
