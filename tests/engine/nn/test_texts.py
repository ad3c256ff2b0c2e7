"""Short programs about modules, parameters, factories and random numbers print what PyTorch prints."""

import contextlib
import io
import json
import re
import warnings
from pathlib import Path

import pytest

import engine

torch = engine.install_as_torch()
PROGRAMS = json.loads((Path(__file__).parents[2] / "oracle" / "nn_texts.json").read_text())


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    row = PROGRAMS[name]
    torch.manual_seed(0)
    torch.set_default_dtype(torch.float32)
    printed = io.StringIO()
    names = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "__name__": "__main__"}
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(row["program"], name, "exec"), names)
    assert re.sub(r"0x[0-9a-f]{6,}", "0xADDR", printed.getvalue()) == row["stdout"]
