"""The commands beside serving, as they are typed; and the client in one file, against a server."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from backend.schemas import Trace
from clients.python.autograd_playground_client import Playground, Refused
from tests.backend.serving import PATIENCE_SECONDS, PATIENT, ROOT, serving
from tests.backend.traces import SQUARE


def command(*words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "backend", *words],
        cwd=ROOT,
        env={**os.environ, **PATIENT},
        input=given,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )


def test_trace_prints_what_the_api_would_answer(tmp_path: Path) -> None:
    (tmp_path / "square.py").write_text(SQUARE)
    done = command("trace", str(tmp_path / "square.py"), "--seed", "3")
    trace = Trace.model_validate_json(done.stdout)
    assert (done.returncode, done.stderr, trace.seed) == (0, "", 3)
    assert trace.console[0].text == "tensor(6.)\n"


def test_trace_takes_options_and_forms_from_standard_input() -> None:
    options = json.dumps({"overrides": [{"name": "x", "value": 5}]})
    done = command("trace", "-", "--format", "text", "--options", options, given=SQUARE)
    assert done.returncode == 0
    assert "x.grad is now 10." in done.stdout


def test_trace_of_a_program_that_fails_is_printed_and_the_status_says_so() -> None:
    done = command("trace", "-", "--format", "dot", given="1 / 0\n")
    assert done.returncode == 1
    assert done.stdout.startswith('digraph autograd {\n  label="error at line 1: ZeroDivisionError: division by zero"')


@pytest.mark.parametrize(
    ("words", "given", "says"),
    [
        (["trace", "no/such/file.py"], "", "No such file"),
        (["trace", "-", "--options", '{"until": {}}'], "", "either a line or a step"),
        (["trace", "-"], "#" * 70_000, "longer than 64 KB"),
        (["check", "-"], "x = (", "line 1"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(words: list[str], given: str, says: str) -> None:
    done = command(*words, given=given)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert says in done.stderr


def test_check_says_which_names_are_there() -> None:
    done = command("check", "-", given="import torch\ntorch.ones(1)\ntorch.sigmod(1)\n")
    assert done.returncode == 1
    assert "torch.ones  (line 2): supported\n" in done.stdout
    assert "torch.sigmod  (line 3): not known" in done.stdout
    assert done.stdout.endswith("2 of 3 names are supported.\n")
    assert command("check", "-", given=SQUARE).returncode == 0


def test_the_client_speaks_to_a_server() -> None:
    with serving(**PATIENT) as (http, _pid):
        playground = Playground(str(http.base_url))
        run = playground.run(SQUARE)
        assert (run.ok, run.error, run.printed) == (True, None, "tensor(6.)\n")
        assert (run.value("x"), run.grad("x"), run.grad("y")) == (3.0, 6.0, None)
        assert run.nodes == ["MulBackward0", "torch::autograd::AccumulateGrad"]
        assert playground.run(SQUARE, overrides={"x": 5}, until_line=5, saved=False).grad("x") == 10.0
        assert playground.run("1 / 0").error == "ZeroDivisionError: division by zero"
        assert playground.render(SQUARE, "dot").startswith("digraph")
        assert playground.elements("import torch\nw = torch.arange(9.0)\n", "w", "3:5") == [3.0, 4.0]
        assert not playground.diff(SQUARE, SQUARE.replace("*", "+"))["same"]
        assert {op["grad_fn"] for op in playground.ops("mul.Tensor")} == {"MulBackward0"}
        assert playground.examples()
        with pytest.raises(Refused, match="No tensor of this run is called `q`") as refused:
            playground.elements(SQUARE, "q")
        assert refused.value.status == 422
        with pytest.raises(KeyError):
            run.tensor("q")
        told: list[dict] = []
        slow = "import time\nfor _ in range(20):\n    time.sleep(0.1)\nprint('end')\n"
        assert playground.run(slow, on_progress=told.append).printed == "end\n"
        assert {place["phase"] for place in told} <= {"waiting", "running", "writing"}
        assert any(place["line"] in (2, 3) for place in told)
        with pytest.raises(Refused, match="422"):
            playground.run(SQUARE, until_line=0, on_progress=told.append)
        with pytest.raises(ZeroDivisionError):
            playground.run(slow, on_progress=lambda _place: 1 / 0)
