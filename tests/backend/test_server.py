"""The server as it is started: its command line, a client that leaves, the reduced mode."""

import json
import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.backend.processes import descendants
from tests.backend.service import RUNS
from tests.backend.serving import HOLDS_ON, PATIENCE_SECONDS, PATIENT, eventually, holders, serving, start


def test_a_client_that_leaves_takes_its_run_along() -> None:
    with serving(**PATIENT) as (client, pid):
        body = json.dumps({"code": HOLDS_ON})
        with socket.create_connection(("127.0.0.1", client.base_url.port)) as connection:
            connection.sendall(
                f"POST {RUNS} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            eventually(lambda: holders(pid))
            [runner] = holders(pid)
        eventually(lambda: not runner.is_alive)
        assert client.post(RUNS, json={"code": "print(1)"}).json()["outcome"]["status"] == "ok"


def test_nothing_outlives_the_server() -> None:
    with serving() as (_client, pid):
        below = descendants(pid)
        assert below
    eventually(lambda: not any(child.is_alive for child in below))


def test_nothing_outlives_a_server_that_is_killed() -> None:
    with serving() as (_client, pid):
        below = descendants(pid)
        os.kill(pid, signal.SIGKILL)
        eventually(lambda: not any(child.is_alive for child in below))


def test_a_program_sees_nothing_of_the_servers_environment() -> None:
    with serving(AUTOGRAD_QUEUE_LENGTH="7", SECRET_TOKEN="hidden", **PATIENT) as (client, _pid):
        trace = client.post(RUNS, json={"code": "import os\nprint(sorted(os.environ))"}).json()
    assert "PYTHONHASHSEED" in trace["console"][0]["text"]
    assert "SECRET" not in str(trace)
    assert "AUTOGRAD" not in str(trace)


@pytest.mark.parametrize(
    ("arguments", "environment", "says"),
    [
        (["--port", "PORT"], {}, "is in use"),
        (["--reduced-sandbox", "--host", "0.0.0.0"], {}, "this machine only"),
        (["--host", "no.such.host.invalid"], {}, "Cannot listen"),
        ([], {"AUTOGRAD_MEMORY_BYTES": "much"}, "AUTOGRAD_MEMORY_BYTES='much' is not a number."),
    ],
)
def test_what_keeps_it_from_starting_is_one_sentence(
    arguments: list[str], environment: dict[str, str], says: str
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        process = start(*(port if word == "PORT" else word for word in arguments), **environment)
        _out, said = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 1
    assert says in said
    assert said.count("\n") == 1


REDUCED = {
    "print(1)": "ok",
    "1 / 0": "error",
    "import os\nos._exit(3)": "error",
    "while True: print('x' * 1000)": "output",
    "import ctypes\nctypes.string_at(0)": "crash",
    "import os\nos.write(1, b'noise' * 100)\nprint(2)": "ok",
}
REDUCED_AND_SLOW = {
    "while True: pass": "timeout",
    "while True:\n    try:\n        while True: pass\n    except BaseException: pass": "timeout",
}


@pytest.mark.parametrize(
    ("programs", "limits"),
    [(REDUCED, PATIENT), (REDUCED_AND_SLOW, {"AUTOGRAD_SOFT_SECONDS": "1", "AUTOGRAD_HARD_SECONDS": "2"})],
    ids=["ends", "limits"],
)
def test_the_reduced_mode_runs_programs(programs: dict[str, str], limits: dict[str, str]) -> None:
    with serving("--reduced-sandbox", **limits) as (client, _pid):
        got = {code: client.post(RUNS, json={"code": code}).json()["outcome"]["status"] for code in programs}
    assert got == programs


def test_the_reduced_mode_says_what_it_is() -> None:
    with serving("--reduced-sandbox", **PATIENT) as (client, _pid):
        assert client.get("/readyz").json()["sandbox"] == "reduced"
        assert client.get("/api/v1/service").json()["sandbox"] == "reduced"
        foreign = client.post(RUNS, json={"code": "print(1)"}, headers={"host": "elsewhere.example"})
        assert foreign.status_code == foreign.json()["status"] == 400


def test_a_server_told_to_stop_finishes_what_runs_and_tells_the_rest() -> None:
    slow = {"code": "import time\ntime.sleep(4)\nprint('whole')"}
    with serving(AUTOGRAD_CONCURRENCY="1", **PATIENT) as (client, pid), ThreadPoolExecutor(3) as threads:

        def ask() -> httpx.Response:
            return httpx.post(client.base_url.join(RUNS), json=slow, timeout=PATIENCE_SECONDS)

        asked = [threads.submit(ask) for _ in range(3)]
        eventually(lambda: "playground_waiting 2.0" in client.get("/metrics").text)
        os.kill(pid, signal.SIGTERM)
        answers = [one.result() for one in asked]
    assert sorted(answer.status_code for answer in answers) == [200, 503, 503]
    assert [entry["text"] for entry in finished(answers)[0]["console"]] == ["whole\n"]
    assert all("is stopping" in answer.json()["detail"] for answer in answers if answer.status_code == 503)


def test_a_zygote_killed_under_two_hundred_runs_costs_none_of_them() -> None:
    with serving(AUTOGRAD_QUEUE_LENGTH="300", **PATIENT) as (client, pid), ThreadPoolExecutor(200) as threads:
        [zygote] = descendants(pid, levels=1)
        many = httpx.Limits(max_connections=200)
        with httpx.Client(base_url=client.base_url, timeout=PATIENCE_SECONDS, limits=many) as pool:
            asked = [threads.submit(pool.post, RUNS, json={"code": f"print({number})"}) for number in range(200)]
            eventually(lambda: any(one.done() for one in asked))
            os.kill(zygote.pid, signal.SIGKILL)
            traces = finished([one.result() for one in asked])
        assert [trace["console"][0]["text"] for trace in traces] == [f"{number}\n" for number in range(200)]
        eventually(lambda: 'playground_zygotes_total{reason="crash"} 1.0' in client.get("/metrics").text)
        assert not zygote.is_alive


def finished(answers: list[httpx.Response]) -> list[dict]:
    return [answer.json() for answer in answers if answer.status_code == 200]


def test_two_services_on_one_database_serve_the_same_links(tmp_path: Path) -> None:
    shared = {"AUTOGRAD_DATA_DIR": str(tmp_path), **PATIENT}
    with serving(**shared) as (one, _pid), serving(**shared) as (other, _other_pid):
        stored = [http.post("/api/v1/snippets", json={"code": code}) for http, code in ((one, "1"), (other, "2"))]
        assert [answer.status_code for answer in stored] == [201, 201]
        for answer in stored:
            url = answer.json()["url"]
            assert one.get(url).json() == other.get(url).json() == answer.json()
            assert other.get(f"{url}/trace").json()["outcome"]["status"] == "ok"
        assert other.post("/api/v1/snippets", json={"code": "1"}).status_code == 200
