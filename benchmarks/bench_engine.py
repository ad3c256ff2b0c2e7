"""The engine beside PyTorch eager, HIPS autograd, mygrad, micrograd and numpy by hand.

`python -m benchmarks.bench_engine`. Every contender runs the same computation in one process and in turn, and what is
printed are ratios of median CPU times, so that a noisy machine disturbs all alike: the engine's time over the other's
(below 1: the engine is faster). A library that is not installed is left out and said so. All run on one thread.
"""

import importlib
import os
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402  after the thread counts

from benchmarks.programs import PROGRAMS  # noqa: E402
from engine.creation import quiet_numpy  # noqa: E402
from engine.install import assemble  # noqa: E402
from engine.storage import keep_freed_memory  # noqa: E402

Step = Callable[[], object]
ROUNDS = 15


def contenders() -> dict[str, Any]:
    """The libraries that are there, the engine first."""
    quiet_numpy()
    keep_freed_memory()  # as the engine has it in a run; it serves all alike
    found: dict[str, Any] = {"engine": assemble()["torch"]}
    for name, module in (
        ("torch", "torch"),
        ("autograd", "autograd"),
        ("mygrad", "mygrad"),
        ("micrograd", "micrograd.engine"),
    ):
        try:
            found[name] = importlib.import_module(module)
        except ImportError:
            print(f"{name} is not installed and is left out", file=sys.stderr)
    if "torch" in found:
        found["torch"].set_num_threads(1)
    found["numpy"] = np
    return found


def compare(steps: dict[str, Step], rounds: int = ROUNDS) -> dict[str, float]:
    """Median CPU seconds per step, all measured in turn."""
    times: dict[str, list[float]] = {name: [] for name in steps}
    for step in steps.values():
        step()
        step()
    for _ in range(rounds):
        for name, step in steps.items():
            started = time.process_time()
            step()
            times[name].append(time.process_time() - started)
    return {name: statistics.median(t) for name, t in times.items()}


def main() -> None:
    libraries = contenders()
    others = [n for n in libraries if n != "engine"]
    print(f"{'engine / …':28s}" + "".join(f"{n:>11s}" for n in others))
    for title, makers in PROGRAMS.items():
        steps = {n: makers[n](libraries[n]) for n in libraries if n in makers}
        if "torch" in makers:
            steps = {"engine": makers["torch"](libraries["engine"]), **steps}
        medians = compare(steps)
        row = "".join(f"{medians['engine'] / medians[n]:10.2f}x" if n in medians else f"{'–':>11s}" for n in others)
        print(f"{title:28s}{row}", flush=True)


if __name__ == "__main__":
    main()
