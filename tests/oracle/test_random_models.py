"""Models made at random: layers, losses, hooks, optimizers, schedulers, Functions and torch.func, with mistakes.

random_models.json holds what PyTorch 2.13 prints of each, with the definitions that all of them begin with.
"""

import contextlib
import io
import warnings
from typing import Any

import pytest

from engine import install_as_torch
from engine.reset import reset_engine
from tests.oracle.recordings import ADDRESS, load
from tests.oracle.test_random_programs import _same as same

RECORDED = load("random_models")


@pytest.mark.parametrize("program", RECORDED["programs"], ids=[str(p["seed"]) for p in RECORDED["programs"]])
def test_a_random_model_prints_what_pytorch_prints(program: dict[str, Any]) -> None:
    torch = install_as_torch()
    reset_engine()
    printed = io.StringIO()
    names: dict[str, Any] = {"__name__": "__main__"}
    with warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        exec(RECORDED["prelude"], names)
        torch.manual_seed(program["seed"])
        exec(program["code"], names)
    wanted = program["printed"].rstrip().split("\n")
    found = ADDRESS.sub("0xADDR", printed.getvalue()).rstrip().split("\n")
    for number, (a, b) in enumerate(zip(wanted, found, strict=False)):
        before = [line for line in wanted[: number + 1] if line.startswith("> ")]
        assert same(a.strip(), b.strip()), (before[-1:], a, b)
    assert len(found) == len(wanted)
