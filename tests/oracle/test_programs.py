"""Whole programs as people write them: what they print is what PyTorch printed, up to the last digits of numbers."""

import re

import pytest

from tests.oracle.recordings import load
from tests.oracle.test_errors import happens, in_an_empty_folder  # noqa: F401  every program starts afresh

PROGRAMS = load("programs")
NUMBER = re.compile(r"-?\d+\.\d*(?:e[-+]?\d+)?|-?\d+e[-+]?\d+")


def apart(text: str) -> tuple[str, list[float]]:
    """A text without its numbers, and the numbers. Spaces go too: a sign that is rounded away moves a column."""
    return NUMBER.sub("#", text).replace(" ", ""), [float(n) for n in NUMBER.findall(text)]


def agrees(want: str, got: str) -> bool:
    """Whether two texts are alike, numbers with a point within 0.02 %, as single precision allows after some steps."""
    (text, numbers), (other, others) = apart(want), apart(got)
    return text == other and all(
        a == b or (a != a and b != b) or abs(a - b) <= 1e-6 + 2e-4 * max(abs(a), abs(b))
        for a, b in zip(numbers, others, strict=True)
    )


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_what_it_prints_with_pytorch(name: str) -> None:
    row = PROGRAMS[name]
    got = happens(row["program"], name)
    found = got["exception"] and {k: got["exception"][k] for k in ("type", "message")}
    assert found == row["exception"]
    assert [w[:2] for w in got["warnings"]] == row["warnings"]
    assert agrees(row["stdout"], got["stdout"]), got["stdout"]


def test_a_number_that_differs_is_seen():
    assert agrees("loss 0.50000 at 3", "loss 0.50001 at 3")
    assert not agrees("loss 0.50000 at 3", "loss 0.50100 at 3")
    assert not agrees("loss 0.5 at 3", "loss 0.5 at 4")
