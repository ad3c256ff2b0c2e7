"""A run as server-sent events: what is told on the way, how it ends, who may leave."""

import asyncio
import contextlib
import dataclasses
import gzip
import json
import os
import signal
from collections.abc import Iterator

import httpx
import pytest
from fastapi.testclient import TestClient

from backend.app import create_app
from backend.run_events import RunProgress
from backend.sandbox import frames
from backend.sandbox.places import CLIENT, Places
from backend.sandbox.progress import Progress
from backend.schemas import Problem, Trace
from tests.backend.conftest import SETTINGS
from tests.backend.service import RUNS
from tests.backend.serving import HOLDS_ON, PATIENT, eventually, holders, serving

EVENTS = {"accept": "text/event-stream"}
SLOW = "import time, torch\nx = torch.ones(1)\nfor _ in range(20):\n    x = x * 2\n    time.sleep(0.1)\nprint(x)\n"


def events_of(response: httpx.Response) -> Iterator[tuple[str, dict]]:
    """Each event, as it comes."""
    name = ""
    for line in response.iter_lines():
        kind, _, value = line.partition(": ")
        if kind == "event":
            name = value
        elif kind == "data":
            yield name, json.loads(value)


def test_a_quick_run_is_one_event(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("backend.api.events._EVERY_SECONDS", 3600.0)  # on a busy machine it may be none
    answer = client.post(RUNS, json={"code": "print('a\\n\\nb')"}, headers=EVENTS)
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "x-accel-buffering" in answer.headers
    [(name, data)] = events_of(answer)
    assert name == "trace"
    assert [entry.text for entry in Trace.model_validate(data).console] == ["a\n\nb\n"]


def test_a_slow_run_tells_where_it_is_and_then_its_trace(client: TestClient) -> None:
    *told, (name, trace) = events_of(client.post(RUNS, json={"code": SLOW}, headers=EVENTS))
    assert name == "trace"
    assert {name for name, _place in told} == {"progress"}
    places = [RunProgress.model_validate(place) for _name, place in told]
    assert [place.elapsed_ms for place in places] == sorted(place.elapsed_ms for place in places)
    running = [place for place in places if place.phase == "running" and place.line is not None]
    assert running
    assert all(place.line in range(1, 7) for place in running)
    assert [place.steps for place in running] == sorted(place.steps or 0 for place in running)
    plain = client.post(RUNS, json={"code": SLOW}).json()
    for one in (trace, plain):
        one["outcome"]["run_ms"] = one["outcome"]["total_ms"] = None
    assert trace == plain, "being watched changes nothing"


def test_events_are_compressed_for_those_who_accept_it(client: TestClient) -> None:
    with client.stream("POST", RUNS, json={"code": SLOW}, headers={**EVENTS, "accept-encoding": "gzip"}) as answer:
        assert answer.headers["content-encoding"] == "gzip"
        text = gzip.decompress(b"".join(answer.iter_raw())).decode()
    assert text.startswith("event: progress\ndata: {")
    assert text.count("event: trace\n") == 1
    off = TestClient(create_app(dataclasses.replace(SETTINGS, gzip_level=0)))
    with off:
        plain = off.post(RUNS, json={"code": ""}, headers={**EVENTS, "accept-encoding": "gzip"})
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize(("body", "status"), [({"code": 5}, 422), ({"code": "#" * 70_000}, 413)])
def test_what_is_not_accepted_is_an_ordinary_problem(client: TestClient, body: dict, status: int) -> None:
    answer = client.post(RUNS, json=body, headers=EVENTS)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")


def test_who_waits_is_told_its_place_and_why_it_was_not_run() -> None:
    with contextlib.ExitStack() as open_ones:
        http, pid = open_ones.enter_context(serving(AUTOGRAD_CONCURRENCY="1", **PATIENT))

        def ask(code: str) -> Iterator[tuple[str, dict]]:
            return events_of(open_ones.enter_context(http.stream("POST", RUNS, json={"code": code}, headers=EVENTS)))

        running = ask("while True: pass")
        assert next(running)[1]["phase"] == "running"
        waiting = ask("print(2)")
        name, place = next(waiting)
        assert (name, place["phase"], place["position"]) == ("progress", "waiting", 1)
        os.kill(pid, signal.SIGTERM)
        *_places, (name, problem) = waiting
        told = Problem.model_validate(problem)
        assert (name, told.status, told.retry_after) == ("problem", 503, 5)
        assert "is stopping" in told.detail


def test_who_stops_reading_ends_the_run() -> None:
    with serving(**PATIENT) as (http, pid):
        with http.stream("POST", RUNS, json={"code": HOLDS_ON}, headers=EVENTS) as answer:
            events = events_of(answer)
            assert next(events)[0] == "progress"
            eventually(lambda: holders(pid))
            [runner] = holders(pid)
        eventually(lambda: not runner.is_alive)


def test_a_place_in_the_queue_is_that_in_which_turns_are_given() -> None:
    async def scenario() -> None:
        places, watched, served = Places(1, 9), {}, []

        async def ask(client: str, number: int) -> None:
            CLIENT.set(client)
            progress = watched[client, number] = Progress()
            async with places.one(progress):
                served.append((client, number))
                assert progress.phase == "running"
                assert progress.position is None

        async with places.one():
            asked = [asyncio.create_task(ask(*who)) for who in zip("aaabbc", range(6), strict=True)]
            await asyncio.sleep(0)
            foretold = sorted(watched, key=lambda who: watched[who].position)
            assert [watched[who].position for who in foretold] == [1, 2, 3, 4, 5, 6]
        await asyncio.gather(*asked)
        assert served == foretold

    asyncio.run(scenario())


@pytest.mark.parametrize("payload", [b"", b"1234567", b"123456789"])
def test_a_forged_place_is_refused(payload: bytes) -> None:
    with pytest.raises(frames.BadFrame):
        frames.read_place(payload)


def test_a_program_is_never_where_it_does_not_say() -> None:
    progress = Progress()
    progress.runs()
    progress.is_at(None, 0)
    assert (progress.phase, progress.line, progress.steps) == ("running", None, None)
    progress.is_at(*frames.read_place(frames.pack_place(7, 30)))
    assert (progress.phase, progress.line, progress.steps) == ("running", 7, 30)
    progress.is_at(None, 0)
    assert (progress.phase, progress.line, progress.steps) == ("writing", None, 30)
