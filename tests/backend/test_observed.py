"""What the service says of itself: request ids, log lines, counts, rates."""

import asyncio
import dataclasses
import json
import logging

import pytest
from fastapi.testclient import TestClient
from prometheus_client import CollectorRegistry
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import Receive, Scope, Send

from backend.api.observed import Observed, client_of
from backend.api.rates import Rates, TooOften
from backend.app import create_app
from backend.logs import REQUEST_ID, JsonLines
from backend.settings import SettingsError
from tests.backend.conftest import SETTINGS
from tests.backend.service import RUNS, run

SECRET = "s3cret_of_a_user"


def test_every_answer_has_an_id(client: TestClient) -> None:
    first, second = (client.get("/healthz").headers["x-request-id"] for _ in range(2))
    assert first != second
    assert client.get("/healthz", headers={"x-request-id": "a.fair-id_1"}).headers["x-request-id"] == "a.fair-id_1"
    assert client.get("/healthz", headers={"x-request-id": "<script>"}).headers["x-request-id"] != "<script>"
    assert client.post(RUNS, content=b"x").headers["x-request-id"]


def test_a_line_a_request_and_nothing_of_the_program_in_any(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    program = f"import sys\nprint('{SECRET}')\nimport os\nos.write(2, b'{SECRET}')\nraise ValueError('{SECRET}')"
    run(client, program)
    run(client, f"import engine.trace.run as r\nr.build_document = None\n{SECRET} = 1")
    client.get(f"/api/v1/{SECRET}")
    lines = [JsonLines().format(record) for record in caplog.records if record.name.startswith("backend")]
    assert not [line for line in lines if SECRET in line]
    answered = [line for line in map(json.loads, lines) if line["message"] == "answered"]
    assert [(line["method"], line["route"], line["status"]) for line in answered] == [
        ("POST", RUNS, 200),
        ("POST", RUNS, 200),
        ("GET", "page", 404),
    ]
    assert {"time", "level", "logger", "ms"} <= set(answered[0])
    assert [line for line in lines if "the recorder failed" in line]


def test_a_line_carries_the_id_of_its_request() -> None:
    token = REQUEST_ID.set("abc")
    try:
        record = logging.makeLogRecord({"name": "x", "levelname": "INFO", "msg": "said %s", "args": ("字",), "n": 3})
        line = json.loads(JsonLines().format(record))
    finally:
        REQUEST_ID.reset(token)
    assert (line["request_id"], line["message"], line["n"], line["level"]) == ("abc", "said 字", 3, "info")


def test_counts(client: TestClient) -> None:
    def counted() -> dict[str, float]:
        lines = client.get("/metrics").text.splitlines()
        return {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in lines if not line.startswith("#")}

    before = counted()
    run(client, "print(1)")
    run(client, "1 / 0")
    after = counted()
    for status in ("ok", "error"):
        name = f'playground_runs_total{{status="{status}"}}'
        assert after[name] == before.get(name, 0) + 1
    answers = f'playground_http_answers_total{{method="POST",route="{RUNS}",status="200"}}'
    assert after[answers] == before.get(answers, 0) + 2
    assert after["playground_run_seconds_count"] == before["playground_run_seconds_count"] + 2
    assert after["playground_running"] == after["playground_waiting"] == 0
    assert after["playground_spares"] >= 0


def test_runs_of_the_service_itself_are_not_counted() -> None:
    with TestClient(create_app(SETTINGS)) as client:
        counts = client.get("/metrics").text
    assert "playground_runs_total{" not in counts
    assert "playground_run_seconds_count 0.0" in counts


def test_counts_can_be_turned_off() -> None:
    quiet = TestClient(create_app(dataclasses.replace(SETTINGS, metrics=False)))
    assert quiet.get("/metrics").status_code == 404


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::"),
        ("::1", "::1"),
        ("testclient", "testclient"),
    ],
)
def test_who_asks(address: str, client: str) -> None:
    assert client_of({"type": "http", "client": (address, 1)}) == client
    assert client_of({"type": "http", "client": None}) == ""


def test_a_rate_bounds_each_client_for_itself_and_not_this_machine() -> None:
    async def scenario() -> None:
        rates = Rates(runs="2/hour", snippets="")
        for client in ("a", "a", "b", "127.0.0.1", "127.0.0.1", "127.0.0.1", "::1"):
            await rates.count("runs", client)
        with pytest.raises(TooOften, match="More than 2 runs in one hour") as raised:
            await rates.count("runs", "a")
        assert 1 <= raised.value.retry_after <= 7200
        for _ in range(9):
            await rates.count("snippets", "a")

    asyncio.run(scenario())


def test_a_rate_that_is_none_is_refused() -> None:
    with pytest.raises(SettingsError, match="600/minute"):
        Rates(runs="often")


def test_a_client_that_runs_too_often_is_told_when_to_come_back() -> None:
    with TestClient(create_app(dataclasses.replace(SETTINGS, run_rate="2/hour"))) as client:
        answers = [client.post(RUNS, json={"code": ""}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2].headers["retry-after"]) >= 1
    assert answers[2].headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("packed", [True, False])
def test_a_client_that_leaves_before_its_answer_is_no_fault(caplog: pytest.LogCaptureFixture, packed: bool) -> None:
    """A file's answer is given up when its client leaves, and a compressor holds its beginning back until then."""
    caplog.set_level(logging.INFO)

    async def answer_nothing(_scope: Scope, receive: Receive, _send: Send) -> None:
        await receive()

    async def left() -> dict:
        return {"type": "http.disconnect"}

    async def send(_message: object) -> None:
        raise AssertionError("nobody listens")

    async def scenario() -> None:
        app = GZipMiddleware(answer_nothing) if packed else answer_nothing
        observed = Observed(app, CollectorRegistry())
        await observed({"type": "http", "method": "GET", "path": "/", "headers": [], "client": None}, left, send)

    asyncio.run(scenario())
    assert [(record.status, record.levelname) for record in caplog.records if record.msg == "answered"] == [
        (499, "INFO")
    ]


def test_a_fault_is_logged_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    async def faulty(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise RuntimeError("broken")

    observed = Observed(faulty, CollectorRegistry())
    with pytest.raises(RuntimeError, match="broken"):
        asyncio.run(observed({"type": "http", "method": "BREW", "path": "/x", "headers": []}, None, None))  # type: ignore[arg-type]
    assert [(record.levelname, vars(record)["status"], vars(record)["method"]) for record in caplog.records] == [
        ("ERROR", 500, "other")
    ]
