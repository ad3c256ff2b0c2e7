"""Programs that go wrong: the exception, its text, the warnings and what was printed are PyTorch's."""

import io
import linecache
import re
import sys
import warnings
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import pytest

from engine import install_as_torch
from engine.reset import reset_engine
from tests.oracle.recordings import ADDRESS, load

INTERNAL = re.compile(r"\s*\(Triggered internally at [^)]*\)")
KNOWN = load("known_differences")


def rows(name: str) -> list[Any]:
    """The rows of a file as test parameters; what is known to differ is expected to, with its reason."""
    known = KNOWN[name]
    return [
        pytest.param(n, r, id=n, marks=[pytest.mark.xfail(strict=True, reason=known[n])] if n in known else [])
        for n, r in load(name).items()
    ]


def _own_frames(message: str, shown: str) -> str:
    """A warning that holds a traceback, without the frames of what runs the program."""
    head, found, tail = message.partition("forward call that caused the error:\n")
    return head + found + tail[max(tail.find(f'  File "{shown}"'), 0) :]


def happens(program: str, name: str) -> dict[str, Any]:
    """Run a program as a fresh interpreter would: exception, warnings and printed text."""
    torch = install_as_torch()
    reset_engine()
    torch.manual_seed(0)
    shown = f"{name}.py"
    ns = {"__name__": "__main__", "__file__": shown}
    out, exception = io.StringIO(), None
    with redirect_stdout(out), redirect_stderr(io.StringIO()), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        linecache.cache[shown] = (len(program), None, program.splitlines(True), shown)
        try:
            exec(compile(program, shown, "exec"), ns)
        except BaseException as e:  # noqa: BLE001  whatever a program raises is what is compared
            tb = e.__traceback__
            while tb is not None and tb.tb_frame.f_code.co_filename != shown:
                tb = tb.tb_next
            exception = {
                "type": type(e).__name__,
                "message": ADDRESS.sub("0xADDR", str(e)),
                "line": tb and tb.tb_lineno,
            }
    return {
        "exception": exception,
        "warnings": [
            [
                w.category.__name__,
                ADDRESS.sub("0xADDR", _own_frames(str(w.message), shown)),
                w.lineno if w.filename == shown else None,
            ]
            for w in caught
        ],
        "stdout": ADDRESS.sub("0xADDR", out.getvalue()),
    }


def check(name: str, row: dict[str, Any]) -> None:
    got = happens(row["program"], name)
    want = row["exception"] and {k: row["exception"][k] for k in ("type", "message", "line")}
    assert got["exception"] == want
    assert got["warnings"] == [[w["category"], INTERNAL.sub("", w["message"]), w["line"]] for w in row["warnings"]]
    assert got["stdout"] == row["stdout"]


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Programs that open files find none; what they import is forgotten."""
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("torch"):
            del sys.modules[name]
    reset_engine()


@pytest.mark.parametrize(("name", "row"), rows("errors"))
def test_error(name: str, row: dict[str, Any]) -> None:
    check(name, row)


@pytest.mark.parametrize(("name", "row"), rows("op_errors"))
def test_everyday_mistake(name: str, row: dict[str, Any]) -> None:
    check(name, row)


@pytest.mark.parametrize(("name", "row"), rows("teaching"))
def test_teaching_program(name: str, row: dict[str, Any]) -> None:
    """What programs of lectures and tutorials print of modules, autograd, optimizers, loaders and the old style."""
    check(name, row)
