"""What PyTorch prints: tensors, nodes, modules, optimizers, dtypes, devices."""

import warnings
from typing import Any

import pytest

from engine import install_as_torch
from engine.reset import reset_engine
from tests.oracle.recordings import ADDRESS, load

CASES = load("reprs")["cases"]


@pytest.fixture(autouse=True)
def fresh() -> Any:
    reset_engine()
    yield
    reset_engine()


def test_all_recordings_are_there() -> None:
    assert len(CASES) == 138


@pytest.mark.parametrize("row", CASES, ids=[row["code"] for row in CASES])
def test_text(row: dict[str, str]) -> None:
    torch = install_as_torch()
    names: dict[str, Any] = {"torch": torch, "nn": torch.nn}
    *statements, last = row["code"].split("; ")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for statement in statements:
            exec(statement, names)
        value = eval(last, names)
    assert ADDRESS.sub("0xADDR", repr(value)) == row["repr"]
    assert ADDRESS.sub("0xADDR", str(value)) == row["str"]
