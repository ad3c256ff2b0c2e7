"""The programs whose graphs bench_page draws: from a lesson of nine boxes to a transformer of ten thousand.

Each is run and recorded as it stands, with no limit on the steps its trace may hold.
"""

import json

from engine.trace import Options, trace_program

NEURON = """import torch
x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
y = w * x + b
loss = y ** 2
loss.backward()
print(x.grad)
print(w.grad)
print(b.grad)
"""
STACK = """import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(4), nn.Linear(4, 8), nn.Linear(8, 4)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))

class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(BLOCKS))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

Stack()(torch.ones(2, 4)).sum().backward()
"""
GPT = """import torch
from torch import nn
from torch.nn import functional as F

class Head(nn.Module):
    def __init__(self, width, size):
        super().__init__()
        self.key = nn.Linear(width, size, bias=False)
        self.query = nn.Linear(width, size, bias=False)
        self.value = nn.Linear(width, size, bias=False)
        self.size = size

    def forward(self, x):
        scores = self.query(x) @ self.key(x).transpose(-2, -1) / self.size ** 0.5
        mask = torch.tril(torch.ones(x.shape[1], x.shape[1])) == 0
        return F.softmax(scores.masked_fill(mask, float("-inf")), dim=-1) @ self.value(x)

class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = nn.ModuleList(Head(width, width // heads) for _ in range(heads))
        self.project = nn.Linear(width, width)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.feed = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x):
        y = self.first(x)
        x = x + self.project(torch.cat([head(y) for head in self.heads], dim=-1))
        return x + self.feed(self.second(x))

class GPT(nn.Module):
    def __init__(self, words, width, heads, layers):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(8, width)
        self.blocks = nn.Sequential(*[Block(width, heads) for _ in range(layers)])
        self.norm, self.out = nn.LayerNorm(width), nn.Linear(width, words)

    def forward(self, tokens):
        x = self.words(tokens) + self.places(torch.arange(tokens.shape[1]))
        return self.out(self.norm(self.blocks(x)))

model = GPT(words=16, width=2 * HEADS, heads=HEADS, layers=LAYERS)
tokens = torch.randint(0, 16, (1, 9))
logits = model(tokens[:, :-1])
F.cross_entropy(logits.reshape(-1, 16), tokens[:, 1:].reshape(-1)).backward()
"""
CHAIN = """import torch
x = torch.tensor(1.0, requires_grad=True)
y = x
for _ in range(OPS):
    y = y * 0.9999 + 0.0001
y.backward()
"""


def stack(blocks: int) -> str:
    return STACK.replace("BLOCKS", str(blocks))


def gpt(layers: int, heads: int) -> str:
    return GPT.replace("LAYERS", str(layers)).replace("HEADS", str(heads))


def chain(ops: int) -> str:
    return CHAIN.replace("OPS", str(ops))


# Tensors and operations asked for, and a program that has about as many.
LADDER = {8: NEURON, 70: stack(3), 338: stack(15), 881: gpt(7, 1), 5_501: gpt(11, 7), 10_000: gpt(12, 12)}


def trace_of(code: str) -> str:
    """The trace of a program as the API would answer it, without the limits of the API."""
    trace = trace_program(code, options=Options(most_steps=1_000_000))
    if trace["outcome"]["status"] != "ok" or trace["truncated"]:
        raise SystemExit(f"bench_page: {trace['outcome']} {trace['truncated']}")
    return json.dumps(trace)
