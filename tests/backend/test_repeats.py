"""Answers kept from before: whose, how many, and how they are told from new ones."""

import asyncio
import dataclasses
import json
from collections.abc import Iterator, Mapping

import pytest
from fastapi.testclient import TestClient

from backend.app import create_app
from backend.example_store import load
from backend.sandbox.finished import Finished
from backend.sandbox.meters import Meters
from backend.sandbox.pool import Pool
from backend.sandbox.progress import Progress
from backend.sandbox.repeatable import is_repeatable
from backend.sandbox.repeats import Repeats
from tests.backend.conftest import SETTINGS
from tests.backend.service import RUNS, printed
from tests.backend.test_pool import with_pool

REPEATABLE = [
    "",
    "import torch",
    "import torch.nn as nn, torch.nn.functional as F  # both",
    "from torch import (\n    nn,\n    optim,\n)",
    "import random\nrandom.seed(3)\nprint(random.random())",
    "import numpy as np\nrng = np.random.default_rng(0)\nnp.random.seed(seed)",
    "import torch\nmodel = torch.nn.Linear(1, 1)\nmodel.eval()\ntorch.compile(model)",
    "import torch\ntorch.manual_seed(0)\nprint(f'{torch.rand(1)} {1}')",
    "numbers = {1, 2, 3}\nwords = {'a': 1}\nprint('set x to 3')",
]
DOUBTFUL = [
    "import time",
    "import torch, time",
    "import torch; import time",
    "if True: import datetime",
    "from os import urandom",
    "import torch, \\\n  time",
    "__import__('time')",
    "import importlib",
    "import gc",
    "import random\nrandom.seed()",
    "import random\nrandom.seed(None)",
    "import random\nrandom.SystemRandom().random()",
    "import random\nrandom.Random()",
    "import torch\ntorch.seed()",
    "import torch\ntorch . seed ()",
    "import numpy as np\nnp.random.default_rng()",
    "import numpy as np\nnp.random.default_rng(None)",
    "import numpy as np\nmake = np.random.default_rng\nmake()",
    "import numpy as np\nnp.random.Generator(np.random.PCG64())",
    "import numpy as np\nnp.datetime64('now')",
    "import torch\ntorch.empty(3)",
    "import torch\nx = torch.ones(2).new_empty(4)",
    "import torch\ntorch.ones(2).data_ptr()",
    "print(id(3))",
    "print(sorted([3, 4], key=id))",
    "print(hash(object()))",
    "kept = id\nprint(kept(3))",
    "\uff49\uff44(3)",
    "import ｔime",
    "for node in set(nodes): print(node)",
    "for node in {a, b}: print(node)",
    "for node in {n for n in nodes}: print(node)",
    "eval('i' + 'd')(3)",
    "import sys\nsys.modules['time'].time()",
]
NOT_KEPT = {
    "a limit": "while True: pass",
    "printed text": "print('x' * 100_000)\nprint(1)",
    "an address": "class A: pass\nprint(A())",
}


class Counting:
    """A sandbox that answers how many runs it was asked for, and no sooner than it may."""

    def __init__(self) -> None:
        self.meters = Meters(dict)
        self.torch_version = "2.13"
        self.runs = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def run(
        self, code: str, seed: int, options: Mapping[str, object] | None = None, progress: Progress | None = None
    ) -> Finished:
        self.runs += 1
        await self.may_answer.wait()
        return Finished(str(self.runs).rjust(100).encode(), "ok")


@pytest.fixture(scope="module")
def keeping() -> Iterator[TestClient]:
    """A service that keeps answers."""
    with TestClient(create_app(dataclasses.replace(SETTINGS, cache_bytes=1 << 20))) as client:
        yield client


async def turns() -> None:
    """Let everything under way come as far as it can."""
    for _ in range(10):
        await asyncio.sleep(0)


def ask(client: TestClient, code: str, **more: object) -> tuple[str | None, str | None, bytes]:
    response = client.post(RUNS, json={"code": code, **more})
    assert response.status_code == 200
    return response.headers.get("cache-status"), response.headers.get("age"), response.content


@pytest.mark.parametrize("code", REPEATABLE)
def test_an_ordinary_program_is_taken_to_be_repeatable(code: str) -> None:
    assert is_repeatable(code)


@pytest.mark.parametrize("code", DOUBTFUL)
def test_in_doubt_a_program_is_not(code: str) -> None:
    assert not is_repeatable(code)


@pytest.mark.parametrize(
    "start", ["{a, b", "{ ", "{a, ", "import torch", "import torch, ", "from torch", "id", "seed", ".seed("]
)
@pytest.mark.parametrize(
    "filling", [" ", ",", " ,", "a, ", "fo ", ".a", ", torch", " as a", "\n", "{a, b", "id  ", "seed "]
)
def test_no_text_takes_longer_to_judge_than_it_is_long(start: str, filling: str) -> None:
    """A pattern that looks back would be at it for minutes, and hold the service up for as long."""
    short, long = (start + filling * (length // len(filling)) + "!" for length in (60, 60_000))
    assert is_repeatable(long) == is_repeatable(short)


def test_what_is_taken_to_be_repeatable_is() -> None:
    async def scenario(pool: Pool) -> None:
        for example in load().examples:
            if is_repeatable(example.code):
                first, again = [json.loads((await pool.run(example.code, 0)).body) for _ in range(2)]
                for trace in (first, again):
                    trace["outcome"].update(run_ms=None, total_ms=None)
                assert first == again or " at 0x" in json.dumps(first), example.id

    with_pool(scenario)


def test_the_same_program_is_answered_from_before(keeping: TestClient) -> None:
    code = "import torch\nx = torch.rand(2, requires_grad=True)\nx.sum().backward()\nprint(x)"
    first, no_age, body = ask(keeping, code)
    assert (first, no_age) == ("playground; fwd=miss; stored", None)
    status, age, again = ask(keeping, code)
    assert (status, again) == ("playground; hit", body)
    assert age is not None
    assert age.isdigit()
    for other in ({"seed": 1}, {"options": {"saved": False}}, {"options": {"until": {"line": 3}}}):
        assert ask(keeping, code, **other)[0] == "playground; fwd=miss; stored"
    assert ask(keeping, code + "\n")[0] == "playground; fwd=miss; stored"


def test_an_error_of_the_program_is_kept(keeping: TestClient) -> None:
    assert ask(keeping, "1 / 0")[0] == "playground; fwd=miss; stored"
    status, _age, body = ask(keeping, "1 / 0")
    assert status == "playground; hit"
    assert json.loads(body)["outcome"]["error"]["type"] == "ZeroDivisionError"


@pytest.mark.parametrize("code", NOT_KEPT.values(), ids=NOT_KEPT)
def test_what_may_come_out_otherwise_is_not_kept(keeping: TestClient, code: str) -> None:
    assert [ask(keeping, code)[0] for _ in range(2)] == ["playground; fwd=miss"] * 2


def test_a_clock_is_read_each_time(keeping: TestClient) -> None:
    code = "import time\nprint(time.perf_counter_ns())"
    answers = [ask(keeping, code) for _ in range(2)]
    assert [status for status, _age, _body in answers] == ["playground; fwd=bypass"] * 2
    assert len({printed(json.loads(body)) for _status, _age, body in answers}) == 2


def test_every_form_is_made_of_what_is_kept(keeping: TestClient) -> None:
    code = "import torch\nx = torch.ones(1, requires_grad=True)\n(x * 2).backward()"
    ask(keeping, code)
    for form in ("text/vnd.graphviz", "text/vnd.mermaid", "text/plain", "text/event-stream"):
        answer = keeping.post(RUNS, json={"code": code}, headers={"Accept": form})
        assert answer.headers["cache-status"] == "playground; hit"
    made = keeping.post("/api/v1/snippets", json={"code": code}).json()
    assert keeping.get(made["url"] + "/trace").headers["cache-status"] == "playground; hit"
    assert keeping.get(made["url"] + ".dot").headers["cache-status"] == "playground; hit"


def test_an_answer_from_before_is_no_run(keeping: TestClient) -> None:
    def counts() -> tuple[float, float]:
        lines = dict(line.rsplit(" ", 1) for line in keeping.get("/metrics").text.splitlines())
        found = (
            lines.get(name, 0)
            for name in ('playground_runs_total{status="ok"}', 'playground_answers_total{source="hit"}')
        )
        runs, hits = map(float, found)
        return runs, hits

    ask(keeping, "print('counted')")
    runs, hits = counts()
    ask(keeping, "print('counted')")
    assert counts() == (runs, hits + 1)


def test_who_asks_again_too_often_is_refused() -> None:
    settings = dataclasses.replace(SETTINGS, cache_bytes=1 << 20, run_rate="2/hour")
    with TestClient(create_app(settings), client=("192.0.2.1", 5000)) as client:
        answers = [client.post(RUNS, json={"code": "print(1)"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert "hit" in answers[1].headers["cache-status"]


def test_without_room_nothing_is_said_of_it(client: TestClient) -> None:
    assert [ask(client, "print(1)")[:2] for _ in range(2)] == [(None, None)] * 2


def test_the_longest_unused_goes_first() -> None:
    async def scenario() -> None:
        sandbox = Counting()
        kept = Repeats(sandbox, 9 * 600)
        for seed in range(9):
            await kept.run("", seed)
        await kept.run("", 0)
        assert sandbox.runs == 9
        await kept.run("", 9)
        assert sandbox.runs == 10
        await kept.run("", 0)
        assert sandbox.runs == 10
        await kept.run("", 1)
        assert sandbox.runs == 11

    asyncio.run(scenario())


def test_one_too_large_is_not_kept() -> None:
    async def scenario() -> None:
        sandbox = Counting()
        kept = Repeats(sandbox, 7 * 600)
        assert [(await kept.run("", 0)).source for _ in range(2)] == ["miss", "miss"]

    asyncio.run(scenario())


def test_the_same_asked_for_meanwhile_is_run_once() -> None:
    async def scenario() -> None:
        sandbox = Counting()
        kept = Repeats(sandbox, 1 << 20)
        sandbox.may_answer.clear()
        asked = [asyncio.ensure_future(kept.run("", 0)) for _ in range(20)]
        await turns()
        sandbox.may_answer.set()
        answers = await asyncio.gather(*asked)
        assert sandbox.runs == 1
        assert {answer.body for answer in answers} == {answers[0].body}
        assert sorted(str(answer.source) for answer in answers) == ["hit"] * 19 + ["stored"]

    asyncio.run(scenario())


def test_who_waits_for_a_run_that_is_lost_has_one_of_its_own() -> None:
    async def scenario() -> None:
        sandbox = Counting()
        kept = Repeats(sandbox, 1 << 20)
        sandbox.may_answer.clear()
        first, *others = [asyncio.ensure_future(kept.run("", 0)) for _ in range(3)]
        await turns()
        first.cancel()
        await turns()
        sandbox.may_answer.set()
        answers = await asyncio.gather(*others)
        assert {str(answer.source) for answer in answers} == {"stored"}
        assert sandbox.runs == 3
        assert (await kept.run("", 0)).source == "hit"

    asyncio.run(scenario())
