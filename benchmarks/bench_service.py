"""The service under load: latency and runs a second, processor time a run, memory over many runs.

`python -m benchmarks.bench_service [--parts load repeated memory plain] [--programs tiny ...] [--runs N]
[--memory-runs N] [--connections 1 8 64 256]` starts its own server and asks it over loopback, by so many connections at
once, to run programs of three sizes. Every answer is checked, and every request is run. `repeated` asks a server that
keeps answers for what it answered before, which is no run. `plain` asks the same of a server that starts a plain
subprocess for each run, and prints the ratio.
"""

import argparse
import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TICKS = os.sysconf("SC_CLK_TCK")
PLAIN_RUNS = 12
ROOM_BYTES = 32 * 1024 * 1024
PARTS = ("load", "repeated", "memory", "plain")


@dataclass(frozen=True)
class Program:
    """A program and what it prints."""

    name: str
    code: str
    printed: str


_GPT = """import torch
from torch import nn
from torch.nn import functional as F
torch.manual_seed(0)
class Block(nn.Module):
    def __init__(self, c, h):
        super().__init__()
        self.n1, self.n2, self.h = nn.LayerNorm(c), nn.LayerNorm(c), h
        self.qkv, self.proj = nn.Linear(c, 3 * c), nn.Linear(c, c)
        self.mlp = nn.Sequential(nn.Linear(c, 4 * c), nn.GELU(), nn.Linear(4 * c, c))
    def forward(self, x):
        b, t, c = x.shape
        q, k, v = (p.view(b, t, self.h, -1).transpose(1, 2) for p in self.qkv(self.n1(x)).split(c, 2))
        a = (q @ k.transpose(-2, -1)) / (c // self.h) ** 0.5
        a = a.masked_fill(torch.tril(torch.ones(t, t)) == 0, float('-inf')).softmax(-1)
        x = x + self.proj((a @ v).transpose(1, 2).reshape(b, t, c))
        return x + self.mlp(self.n2(x))
tokens, place = nn.Embedding(65, 48), nn.Embedding(32, 48)
blocks, head = nn.Sequential(*[Block(48, 4) for _ in range(4)]), nn.Linear(48, 65)
i = torch.randint(0, 65, (1, 32))
y = head(blocks(tokens(i) + place(torch.arange(32))))
loss = F.cross_entropy(y.view(-1, 65), i.view(-1))
loss.backward()
print(loss.item() > 0)
"""
PROGRAMS = (
    Program("tiny", "print(6 * 7)", "42\n"),
    Program(
        "10 lines",
        "import torch\ntorch.manual_seed(0)\nx = torch.randn(4, 3)\nw = torch.randn(3, requires_grad=True)\n"
        "b = torch.zeros(1, requires_grad=True)\ny = x @ w + b\nloss = (y ** 2).mean()\n"
        "loss.backward()\nprint(w.grad.shape)\nprint(b.grad.shape)\n",
        "torch.Size([3])\ntorch.Size([1])\n",
    ),
    Program("GPT, 4 layers", _GPT, "True\n"),
)


class Connection:
    """HTTP over one kept connection, by hand: a client library would take more time than the service."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> "Connection":
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._writer.close()

    async def post(self, code: str) -> bytes:
        """The trace of a program as JSON; anything but 200 is an error."""
        body = json.dumps({"code": code}).encode()
        head = "POST /api/v1/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        self._writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        status, *headers = answer.split("\r\n")
        length = next(int(line.partition(":")[2]) for line in headers if line.lower().startswith("content-length"))
        data = await self._reader.readexactly(length)
        if " 200 " not in status:
            raise RuntimeError(f"{status}: {data.decode()}")
        return data


async def load(
    port: int, program: Program, connections: int, runs: int, expected: bytes | None = None
) -> tuple[list[float], float]:
    """Seconds of each of `runs` requests by so many connections, and of all together. Every answer is checked: it is
    `expected`, or a trace with what the program prints."""
    left, times = iter(range(runs)), []

    async def visitor() -> None:
        async with Connection(port) as connection:
            for _ in left:
                started = time.perf_counter()
                answer = await connection.post(program.code)
                times.append(time.perf_counter() - started)
                if answer == expected:
                    continue
                trace = json.loads(answer)
                printed = "".join(entry["text"] for entry in trace["console"])
                if printed != program.printed or expected is not None:
                    raise RuntimeError(f"a wrong answer: {printed!r}, {trace['outcome']}")

    started = time.perf_counter()
    await asyncio.gather(*(visitor() for _ in range(min(connections, runs))))
    return times, time.perf_counter() - started


async def one_answer(port: int, program: Program) -> bytes:
    """The trace of a program as JSON."""
    async with Connection(port) as connection:
        return await connection.post(program.code)


@contextlib.contextmanager
def serving(*arguments: str, cache_bytes: int = 0) -> Iterator[tuple[int, int]]:
    """Port and process id of a server of this checkout, which runs every request unless it has room for answers."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {
        "AUTOGRAD_QUEUE_LENGTH": "1024",
        "AUTOGRAD_SOFT_SECONDS": "60",
        "AUTOGRAD_HARD_SECONDS": "90",
        "AUTOGRAD_CACHE_BYTES": str(cache_bytes),
    }
    command = [sys.executable, "-m", "backend", "--port", str(port), *arguments]
    server = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **environment})
    try:
        asyncio.run(_until_it_answers(port))
        yield port, server.pid
    finally:
        server.terminate()
        server.wait()


async def _until_it_answers(port: int) -> None:
    for _ in range(600):
        with contextlib.suppress(OSError):
            async with Connection(port) as connection:
                await connection.post("")
                return
        await asyncio.sleep(0.1)
    raise SystemExit("the server did not start")


def processor_seconds(pid: int) -> float:
    """Of a server, of its zygote, and of the children that have ended."""
    return sum(sum(map(int, _stat(one)[11:15])) for one in [pid, *_children(pid)]) / TICKS


def resident_megabytes(pid: int) -> float:
    """Of a server and its zygote."""
    return sum(int(_stat(one)[21]) for one in [pid, *_children(pid)]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def _children(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _stat(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def report(
    name: str, connections: int, times: list[float], seconds: float, processor: float, what: str = "run"
) -> float:
    """Print a line; returns how many a second."""
    p50, p95, p99 = (sorted(times)[min(int(len(times) * part), len(times) - 1)] * 1e3 for part in (0.5, 0.95, 0.99))
    rate = len(times) / seconds
    print(
        f"{name:14} {connections:4} at once   p50 {p50:8.1f}   p95 {p95:8.1f}   p99 {p99:8.1f} ms"
        f"   {rate:7.1f} {what}s/s   {processor / len(times) * 1e3:6.1f} ms of processor a {what}",
        flush=True,
    )
    return rate


def measure(programs: list[Program], connections: list[int], runs: int) -> dict[str, float]:
    """The locked sandbox; returns the rate of each program at the fewest connections."""
    rates: dict[str, float] = {}
    with serving() as (port, pid):
        for program in programs:
            for count in connections:
                asyncio.run(load(port, program, count, max(runs // 10, 1)))
                before = processor_seconds(pid)
                times, seconds = asyncio.run(load(port, program, count, runs))
                rate = report(program.name, count, times, seconds, processor_seconds(pid) - before)
                rates.setdefault(program.name, rate)
    return rates


def repeat(programs: list[Program], connections: list[int], runs: int) -> None:
    """Answers that are kept."""
    with serving(cache_bytes=ROOM_BYTES) as (port, pid):
        for program in programs:
            kept = asyncio.run(one_answer(port, program))
            for count in connections:
                before = processor_seconds(pid)
                times, seconds = asyncio.run(load(port, program, count, runs, kept))
                report(program.name, count, times, seconds, processor_seconds(pid) - before, "repeat")


def remember(runs: int) -> None:
    """What the server and its zygote hold after many runs."""
    megabytes = []
    with serving() as (port, pid):
        for _ in range(4):
            asyncio.run(load(port, PROGRAMS[1], 8, max(runs // 4, 1)))
            megabytes.append(resident_megabytes(pid))
    words = ", ".join(f"{one:.0f}" for one in megabytes)
    print(f"memory after each quarter of {runs} runs: {words} MB   ratio {megabytes[-1] / megabytes[0]:.2f}")


def compare(programs: list[Program], rates: dict[str, float]) -> None:
    """The same by a plain subprocess a run."""
    with serving("--reduced-sandbox") as (port, pid):
        for program in programs:
            before = processor_seconds(pid)
            times, seconds = asyncio.run(load(port, program, 1, PLAIN_RUNS))
            rate = report(f"plain {program.name}"[:14], 1, times, seconds, processor_seconds(pid) - before)
            if program.name in rates:
                print(f"{program.name}: {rates[program.name] / rate:.1f} times the runs of a plain subprocess each")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=200, help="requests for each line")
    parser.add_argument("--memory-runs", type=int, default=2000)
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 8, 64, 256])
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--programs", nargs="+", metavar="NAME", help="first words of their names", default=[""])
    asked = parser.parse_args()
    programs = [program for program in PROGRAMS if program.name.startswith(tuple(asked.programs))]
    print(f"{asked.runs} requests a line; load of the machine before: {os.getloadavg()[0]:.1f}")
    rates = measure(programs, asked.connections, asked.runs) if "load" in asked.parts else {}
    if "repeated" in asked.parts:
        repeat(programs, asked.connections, asked.runs)
    if "memory" in asked.parts:
        remember(asked.memory_runs)
    if "plain" in asked.parts:
        compare(programs, rates)


if __name__ == "__main__":
    main()
