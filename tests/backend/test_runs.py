"""POST /api/v1/runs: what it accepts, what it refuses and how."""

import json

import pytest
from fastapi.testclient import TestClient

from backend.schemas import Trace
from tests.backend.conftest import LIMITS
from tests.backend.service import RUNS, printed, run

JSON = {"content-type": "application/json"}


def test_a_run_is_a_trace(client: TestClient) -> None:
    trace = Trace.model_validate_json(client.post(RUNS, json={"code": "print(6 * 7)", "seed": 3}).content)
    assert trace.outcome.status == "ok"
    assert trace.seed == 3
    assert "".join(entry.text for entry in trace.console) == "42\n"
    assert trace.outcome.total_ms is not None


def test_an_empty_program_is_an_empty_trace(client: TestClient) -> None:
    trace = run(client, "")
    assert trace["outcome"]["status"] == "ok"
    assert trace["tensors"] == trace["ops"] == trace["nodes"] == trace["steps"] == []


def test_the_longest_program_runs(client: TestClient) -> None:
    start = "print('long')\n#"
    assert printed(run(client, start + "x" * (LIMITS.code_bytes - len(start)))) == "long\n"


def test_a_limit_counts_bytes_not_characters(client: TestClient) -> None:
    accepted = client.post(RUNS, json={"code": "#" + "字" * 21845})
    refused = client.post(RUNS, json={"code": "#" + "字" * 21846})
    assert (accepted.status_code, refused.status_code) == (200, 413)


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        (json.dumps({"code": "#" * (64 * 1024 + 1)}), 413, "longer than 64 KB"),
        (b'{"code": "' + b"x" * 10**6 + b'"}', 413, "longer than 64 KB"),
        (b"", 422, "not valid JSON"),
        (b"import torch", 422, "not valid JSON"),
        (b'{"code": "print(1)"', 422, "not valid JSON"),
        (b'{"code": "\xff"}', 422, "not valid JSON"),
        (rb'{"code": "\ud800"}', 422, "lone surrogates"),
        (b"[" * 100_000, 422, "not valid JSON"),
        (b"[]", 422, "`body`"),
        (b"null", 422, "`body`"),
        (b"{}", 422, "`code`"),
        (b'{"code": null}', 422, "`code`"),
        (b'{"code": 7}', 422, "`code`"),
        (b'{"code": ["print(1)"]}', 422, "`code`"),
        (b'{"code": "", "seed": "1"}', 422, "`seed`"),
        (b'{"code": "", "seed": 1.5}', 422, "`seed`"),
        (b'{"code": "", "seed": -1}', 422, "`seed`"),
        (b'{"code": "", "seed": 9223372036854775808}', 422, "`seed`"),
        (b'{"code": "", "seed": NaN}', 422, "`seed`"),
        (b'{"code": "", "speed": 1}', 422, "`speed`"),
    ],
)
def test_what_cannot_be_run_is_refused_with_a_reason(
    client: TestClient, body: bytes | str, status: int, says: str
) -> None:
    response = client.post(RUNS, content=body, headers=JSON)
    problem = response.json()
    assert response.status_code == problem["status"] == status
    assert response.headers["content-type"] == "application/problem+json"
    assert problem["title"]
    assert says in problem["detail"]


def test_a_body_without_a_length_is_cut_off_at_the_limit(client: TestClient) -> None:
    def parts():
        for _ in range(1000):
            yield b"x" * 65536

    response = client.post(RUNS, content=parts(), headers=JSON)
    assert response.status_code == 413


def test_a_false_length_is_refused(client: TestClient) -> None:
    assert client.post(RUNS, content=b"{}", headers={**JSON, "content-length": "10000000"}).status_code == 413


def test_another_sites_form_cannot_run_a_program(client: TestClient) -> None:
    response = client.post(RUNS, content=b'{"code": "print(1)"}', headers={"content-type": "text/plain"})
    assert response.status_code == 415


def test_values_json_has_no_word_for(client: TestClient) -> None:
    response = client.post(RUNS, json={"code": "print(float('nan'), float('inf'), 1e999, 2**64)"})
    assert printed(json.loads(response.content, parse_constant=pytest.fail)) == "nan inf inf 18446744073709551616\n"


def test_a_lone_surrogate_that_a_program_makes_is_shown_as_an_escape(client: TestClient) -> None:
    trace = run(client, "print(chr(0xd800))")
    assert trace["outcome"]["status"] == "ok"
    assert printed(trace) == "\\ud800\n"


def test_large_replies_are_compressed_for_those_who_accept_it(client: TestClient) -> None:
    response = client.post(RUNS, json={"code": "print('x' * 5000)"}, headers={"accept-encoding": "gzip"})
    assert response.headers["content-encoding"] == "gzip"
    assert printed(response.json()) == "x" * 5000 + "\n"
