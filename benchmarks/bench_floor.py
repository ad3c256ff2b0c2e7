"""What this machine asks for a run, whatever the service does: the least that a process of its own for each run costs.

`python -m benchmarks.bench_floor [--times N]` prints medians of

    wake    a byte to another process and a byte back, over pipes: in a row, and 0.2 s after the last
    fork    the fork, the end and the wait for a child that does nothing: of a bare interpreter, and of one that has
            loaded all that the zygote has, its memory as the system lays it and as the zygote lays it
    page    what a child pays for each page it is the first to write to, of those it shares with its parent
"""

import argparse
import importlib
import mmap
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from backend.sandbox import heap, kernel, launch  # noqa: E402 - the checkout is not installed
from backend.settings import Limits  # noqa: E402

PAGES = 2_000
PAUSES = {"in a row": 0.0, "after 0.2 s": 0.2}
LAYOUTS = ("bare", "loaded", "loaded, on huge pages")
_MOST_PAUSED = 25


def median_us(action: Callable[[], object], times: int, pause: float = 0.0) -> float:
    """Microseconds that an action takes."""
    taken = []
    for _ in range(times):
        time.sleep(pause)
        started = time.perf_counter()
        action()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken) * 1e6


def wake(times: int) -> None:
    there, back = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        os.close(there[1])
        while os.read(there[0], 1):
            os.write(back[1], b"x")
        os._exit(0)

    def ask() -> None:
        os.write(there[1], b"x")
        os.read(back[0], 1)

    for name, pause in PAUSES.items():
        print(f"wake, {name:12} {median_us(ask, min(times, _MOST_PAUSED) if pause else times, pause):9.0f} µs")
    os.close(there[1])
    os.waitpid(child, 0)


def fork(layout: str, times: int) -> None:
    """In an interpreter of its own, as what is loaded stays."""
    command = [sys.executable, "-P", "-s", __file__, "--layout", layout, "--times", str(times)]
    subprocess.run(command, env=launch.environment(), check=True)


def fork_here(layout: str, times: int) -> None:
    if layout != "bare":
        in_one_piece = layout == LAYOUTS[2]
        with heap.in_one_piece() if in_one_piece else nullcontext():
            preload_all()
        if in_one_piece:
            heap.use_huge_pages()
    print(f"fork, {layout:22} {median_us(fork_and_end, times):9.0f} µs")
    if layout == LAYOUTS[2]:
        shared = mmap.mmap(-1, PAGES * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE)
        shared.write(b"x" * len(shared))
        write, skip = ((lambda step=step: fork_and_end(shared, step)) for step in (1, PAGES))
        print(f"page {(median_us(write, times) - median_us(skip, times)) / (PAGES - 1):32.1f} µs")


def fork_and_end(shared: mmap.mmap | None = None, step: int = 1) -> None:
    """A child that writes to every so-many-th page, if to any, and ends."""
    pid = kernel.fork()
    if pid == 0:
        if shared is not None:
            for page in range(0, PAGES, step):
                shared[page * mmap.PAGESIZE] = 1
        os._exit(0)
    os.waitpid(pid, 0)


def preload_all() -> None:
    """Not imported before it is said where memory goes."""
    importlib.import_module("backend.sandbox.preload").load(Limits())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--layout", choices=LAYOUTS, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.layout:
        fork_here(asked.layout, asked.times)
        return
    wake(asked.times)
    for layout in LAYOUTS:
        fork(layout, asked.times)


if __name__ == "__main__":
    main()
