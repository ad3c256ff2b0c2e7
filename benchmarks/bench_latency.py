"""From request to result: how much the service adds to the program's own time.

`python -m benchmarks.bench_latency [--runs N]` starts its own server and prints, for programs of growing size, the
median and the 95th percentile of

    inside     Pool.run in the API process: sandbox, trace, validation, JSON
    loopback   POST /api/v1/runs over HTTP on this machine, by the standard library's client on a kept connection

each as milliseconds above the program's own time (`outcome.run_ms`) and as a ratio to it: with a pause before each
request, as people make them, so that a spare child has made itself ready; and back to back, where making the next child
takes a core from the run. Every request is run; none is answered from before. Then requests per second with as many
clients at once as the service has places.
"""

import argparse
import asyncio
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from backend.sandbox.pool import Pool  # noqa: E402 - the checkout is not installed
from backend.settings import Settings  # noqa: E402

PROGRAMS = {
    "empty": "",
    "10 lines": (
        "import torch\ntorch.manual_seed(0)\nx = torch.randn(4, 3)\nw = torch.randn(3, requires_grad=True)\n"
        "b = torch.zeros(1, requires_grad=True)\ny = x @ w + b\nloss = (y ** 2).mean()\n"
        "loss.backward()\nprint(w.grad)\nprint(b.grad)\n"
    ),
    "200 ops": (
        "import torch\nx = torch.tensor(1.0, requires_grad=True)\ny = x\n"
        "for i in range(200):\n    y = y * 1.01\ny.backward()\nprint(x.grad)\n"
    ),
}
PAUSES = {"ready": 0.2, "in a row": 0.0}
"""Seconds before each request."""


@dataclass
class Sample:
    """Milliseconds of one request: all of it, and the part that was the program itself."""

    total: float
    program: float


async def sample(request: Callable[[], Awaitable[bytes]], runs: int, pause: float) -> list[Sample]:
    """Times of `runs` requests, one after the other, to the trace as JSON; the first tenth is thrown away."""
    samples = []
    for _ in range(runs + runs // 10):
        await asyncio.sleep(pause)
        started = time.perf_counter()
        trace = await request()
        total = time.perf_counter() - started
        samples.append(Sample(total * 1e3, own_time(trace)))  # who asks reads it in time of its own
    return samples[runs // 10 :]


def report(where: str, program: str, samples: list[Sample]) -> None:
    added = sorted(one.total - one.program for one in samples)
    total = statistics.median(one.total for one in samples)
    own = statistics.median(one.program for one in samples)
    p95 = added[int(len(added) * 0.95)]
    print(
        f"{where:18} {program:9} program {own:7.2f} ms   added p50 {statistics.median(added):6.2f}  p95 {p95:6.2f} ms"
        f"   total / program {total / own if own else float('inf'):6.1f}"
    )


async def inside(runs: int) -> None:
    pool = Pool(Settings())
    await pool.start()
    try:
        for name, code in PROGRAMS.items():

            async def request(code: str = code) -> bytes:
                return (await pool.run(code, 0)).body

            for how, pause in PAUSES.items():
                report(f"inside, {how}", name, await sample(request, runs, pause))
    finally:
        await pool.stop()


async def loopback(port: int, runs: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    for name, code in PROGRAMS.items():
        body = json.dumps({"code": code})

        async def request(body: str = body) -> bytes:
            connection.request("POST", "/api/v1/runs", body, {"content-type": "application/json"})
            response = connection.getresponse()
            answer = response.read()
            assert response.status == 200, answer
            return answer

        for how, pause in PAUSES.items():
            report(f"loopback, {how}", name, await sample(request, runs, pause))
    connection.close()
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        await throughput(client, runs)


async def throughput(client: httpx.AsyncClient, runs: int) -> None:
    places = Settings().places * 2
    body = {"code": PROGRAMS["10 lines"]}

    async def visitor() -> None:
        for _ in range(runs):
            (await client.post("/api/v1/runs", json=body)).raise_for_status()

    started = time.perf_counter()
    await asyncio.gather(*(visitor() for _ in range(places)))
    rate = places * runs / (time.perf_counter() - started)
    print(f"loopback           10 lines  {places} clients at once: {rate:.0f} runs/s, no errors")


def own_time(trace: bytes) -> float:
    outcome = json.loads(trace)["outcome"]
    assert outcome["status"] == "ok", outcome
    return outcome["run_ms"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=100)
    runs = parser.parse_args().runs
    asyncio.run(inside(runs))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "backend", "--port", str(port)],
        cwd=ROOT,
        env={**os.environ, "AUTOGRAD_CACHE_BYTES": "0"},
    )
    try:
        wait_until_ready(f"http://127.0.0.1:{port}")
        asyncio.run(loopback(port, runs))
    finally:
        server.terminate()
        server.wait()


def wait_until_ready(base: str) -> None:
    for _ in range(300):
        try:
            if httpx.get(base + "/readyz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")


if __name__ == "__main__":
    main()
