"""What recording costs: a program traced, its document included, against the same program untraced.

`python -m benchmarks.bench_trace` prints ratios of median CPU times; all run in turn in one process, on
one thread. "Least" is the finished document read back from its JSON by msgspec, which is written in C: what it costs
to make these dicts and lists alone, when everything in them is known and nothing is recorded.
"""

import gc
import os
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from engine.install import install_as_torch  # noqa: E402  after the thread counts
from engine.random import manual_seed  # noqa: E402
from engine.reset import reset_engine  # noqa: E402
from engine.trace import trace_program  # noqa: E402

CHAIN = """
import torch
x = torch.tensor(1.01, requires_grad=True)
w = torch.tensor(0.99, requires_grad=True)
y = x
for _ in range(100):
    y = y * w + 0.01
y.backward()
"""
TEN_LINES = """
import torch
torch.manual_seed(0)
x = torch.randn(8, 4)
w = torch.randn(4, 2, requires_grad=True)
b = torch.zeros(2, requires_grad=True)
y = torch.tanh(x @ w + b)
loss = y.pow(2).mean()
loss.backward()
print(w.grad)
"""
GPT = """
import torch
from torch import nn
width, length = 48, 32

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        b, t, c = x.shape
        q, k, v = self.qkv(self.first(x)).split(c, dim=2)
        q, k, v = (m.view(b, t, 4, c // 4).transpose(1, 2) for m in (q, k, v))
        scores = (q @ k.transpose(-2, -1)) * (c // 4) ** -0.5
        y = torch.softmax(scores.masked_fill(mask, float("-inf")), -1) @ v
        x = x + self.out(y.transpose(1, 2).contiguous().view(b, t, c))
        return x + self.down(nn.functional.gelu(self.up(self.second(x))))

mask = torch.tril(torch.ones(length, length)) == 0
tokens, places = nn.Embedding(65, width), nn.Embedding(length, width)
blocks, norm, head = nn.ModuleList(Block() for _ in range(12)), nn.LayerNorm(width), nn.Linear(width, 65)
ids, target = torch.randint(0, 65, (4, length)), torch.randint(0, 65, (4 * length,))
x = tokens(ids) + places(torch.arange(length))
for block in blocks:
    x = block(x)
loss = nn.functional.cross_entropy(head(norm(x)).view(-1, 65), target)
loss.backward()
"""
PROGRAMS = {"scalar chain, 200 ops": CHAIN, "ten-line program": TEN_LINES, "GPT, 12 layers": GPT}


def untraced(code: str) -> None:
    """Run a program on the engine as a plain script would."""
    reset_engine()
    manual_seed(0)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    out = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  kept open while the program prints
    namespace["print"] = lambda *a: print(*a, file=out)
    gc.enable()
    exec(compile(code, "program.py", "exec"), namespace)
    gc.disable()
    out.close()


def main() -> None:
    install_as_torch()
    gc.collect()
    gc.freeze()  # as the process does that a program is forked from
    gc.disable()  # as the process does that runs one, but for the program itself
    for title, code in PROGRAMS.items():
        document = msgspec.json.encode(trace_program(code))
        runs: dict[str, Callable[[], object]] = {
            "off": partial(untraced, code),
            "on": partial(trace_program, code),
            "least": partial(msgspec.json.decode, document),
        }
        times: dict[str, list[float]] = {name: [] for name in runs}
        for i in range(9):
            for name, run in runs.items():
                gc.collect()  # what the run before left behind
                started = time.process_time()
                run()
                if i > 1:
                    times[name].append(time.process_time() - started)
        off, on, least = (statistics.median(times[name]) for name in ("off", "on", "least"))
        print(f"{title:24s} recording on / off: {on / off:5.2f}x   least / off: {least / off:5.2f}x", flush=True)


if __name__ == "__main__":
    main()
