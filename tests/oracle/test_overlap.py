"""Tensors that share memory with the one that is written: what PyTorch 2.13 refuses, warns of, and computes.

overlap.json holds ways to make a target `x` and an operand `y` from one `base`, and for each call what comes of it:
"repeats" and "overlaps" for the two errors, "written" where no more than that can be said, else what `x` then holds.
A warning stands beside it.
"""

import warnings
from typing import Any

import pytest

from engine import errors, install_as_torch
from tests.oracle.recordings import load, near, plain

RECORDED = load("overlap")
CALLS = sorted(RECORDED["calls"].items())
REFUSED = {errors.OVERLAPPING_INPLACE: "repeats", errors.OVERLAPPING_OPERAND: "overlaps"}


def outcome(call: str, base: str, x_and_y: str) -> Any:
    """What comes of a call, as it is recorded."""
    torch = install_as_torch()
    if not x_and_y.startswith("base"):  # the target is made by itself
        names = {"torch": torch, "x": eval(base, {"torch": torch}), "y": eval(x_and_y, {"torch": torch})}
    else:
        x, y = eval(x_and_y, {"torch": torch, "base": eval(base, {"torch": torch})})
        names = {"torch": torch, "x": x, "y": y}
    torch.manual_seed(0)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(call, names)
        except RuntimeError as e:
            found: Any = REFUSED.get(str(e), str(e))
        else:
            found = plain(names["x"].tolist())
    told = sorted({str(w.message) for w in caught})
    return [found, told] if told else found


@pytest.mark.parametrize(("call", "rows"), CALLS, ids=[call for call, _ in CALLS])
def test_memory_that_is_written_and_read(call: str, rows: dict[str, Any]) -> None:
    different = {}
    for name, wanted in rows.items():
        found = outcome(call, *RECORDED["pairs"][name])
        if wanted == "written":
            if isinstance(found, str):
                different[name] = (found, wanted)
        elif not near(wanted, found):
            different[name] = (found, wanted)
    assert not different
