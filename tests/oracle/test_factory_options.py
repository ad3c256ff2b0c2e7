"""What functions that make tensors, and those that bring them elsewhere, say to every option, fitting or not.

factory_options.json holds per call, whose options go where the braces are, what PyTorch 2.13 makes of it: under ""
without any, under each option that changes something, or is refused, and in "same" the options that change nothing.
"""

import warnings
from typing import Any

import numpy as np
import pytest

from engine import install_as_torch
from engine.reset import reset_engine
from tests.oracle.recordings import load, printed

ROWS = load("factory_options")


def outcome(program: str, shows_values: bool) -> str:
    torch = install_as_torch()
    reset_engine()
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(3)
    names = {"torch": torch, "np": np, "x": torch.arange(6.0).reshape(2, 3), "i": torch.arange(4), "g": g}

    def shown(r: Any) -> str:
        what = repr(r) if shows_values else f"{r.dtype} {tuple(r.shape)}"
        return f"{what} {r.requires_grad} {r.is_leaf} {r.stride()}"

    return printed(program, names, shown)


@pytest.mark.parametrize("call", ROWS)
def test_options_do_what_they_do_in_pytorch(call: str) -> None:
    recorded: dict[str, Any] = dict(ROWS[call])
    expected = {**dict.fromkeys(recorded.pop("same"), recorded[""]), **recorded}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {k: outcome(call.replace("{}", k), "empty" not in call) for k in expected}
    assert found == expected
