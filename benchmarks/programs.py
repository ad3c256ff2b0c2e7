"""The computations that bench_engine compares: per title, a maker of one step for each library that can do it.

A maker under "torch" serves PyTorch and the engine alike, which is the point of the engine.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

Step = Callable[[], object]
Maker = Callable[[Any], Step]


def scalar_chain(torch: Any) -> Step:
    """200 scalar ops and their backward."""
    x, w = torch.tensor(1.01, requires_grad=True), torch.tensor(0.99, requires_grad=True)

    def step() -> None:
        y = x
        for _ in range(100):
            y = y * w + 0.01
        y.backward()
        x.grad = w.grad = None

    return step


def scalar_chain_micrograd(micrograd: Any) -> Step:
    x, w = micrograd.Value(1.01), micrograd.Value(0.99)

    def step() -> None:
        y = x
        for _ in range(100):
            y = y * w + 0.01
        y.backward()

    return step


def scalar_chain_autograd(autograd: Any) -> Step:
    def f(x: Any, w: Any) -> Any:
        y = x
        for _ in range(100):
            y = y * w + 0.01
        return y

    gradient = autograd.grad(f, (0, 1))
    return lambda: gradient(1.01, 0.99)


def scalar_chain_mygrad(mygrad: Any) -> Step:
    x, w = mygrad.tensor(1.01), mygrad.tensor(0.99)

    def step() -> None:
        y = x
        for _ in range(100):
            y = y * w + 0.01
        y.backward()

    return step


def vector_chain(torch: Any) -> Step:
    """150 ops on 1,000 elements."""
    x = torch.ones(1000, requires_grad=True)

    def step() -> None:
        y = x
        for _ in range(75):
            y = (y * 1.01).sin()
        y.sum().backward()
        x.grad = None

    return step


def vector_chain_autograd(autograd: Any) -> Step:
    anp = autograd.numpy

    def f(x: Any) -> Any:
        y = x
        for _ in range(75):
            y = anp.sin(y * 1.01)
        return anp.sum(y)

    gradient, start = autograd.grad(f), np.ones(1000, np.float32)
    return lambda: gradient(start)


def mlp(torch: Any) -> Step:
    """One training step of 64 x 784-256-10 with SGD."""
    nn = torch.nn
    model = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
    optimizer, loss_of = torch.optim.SGD(model.parameters(), lr=0.01), nn.CrossEntropyLoss()
    x, target = torch.randn(64, 784), torch.randint(0, 10, (64,))

    def step() -> None:
        optimizer.zero_grad()
        loss_of(model(x), target).backward()
        optimizer.step()

    return step


def mlp_numpy(numpy: Any) -> Step:
    """The same step written by hand."""
    rng = numpy.random.default_rng(0)
    f32 = numpy.float32
    w1, b1 = rng.normal(0, 0.03, (256, 784)).astype(f32), numpy.zeros(256, f32)
    w2, b2 = rng.normal(0, 0.05, (10, 256)).astype(f32), numpy.zeros(10, f32)
    x, target = rng.normal(size=(64, 784)).astype(f32), rng.integers(0, 10, 64)
    rows = numpy.arange(64)

    def step() -> None:
        a = x @ w1.T + b1
        h = numpy.maximum(a, 0)
        z = h @ w2.T + b2
        p = numpy.exp(z - z.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        p[rows, target] -= 1
        p /= 64
        d = (p @ w2) * (a > 0)
        for parameter, gradient in ((w2, p.T @ h), (b2, p.sum(0)), (w1, d.T @ x), (b1, d.sum(0))):
            gradient *= -0.01
            parameter += gradient

    return step


def attention(torch: Any) -> Step:
    """Causal attention, 4 heads of 16 over 32 positions, batch 8, written out."""
    q, k, v = (torch.randn(8, 4, 32, 16, requires_grad=True) for _ in range(3))
    mask = torch.tril(torch.ones(32, 32)) == 0

    def step() -> None:
        scores = (q @ k.transpose(-2, -1)) * 0.25
        out = torch.softmax(scores.masked_fill(mask, float("-inf")), -1) @ v
        out.sum().backward()
        q.grad = k.grad = v.grad = None

    return step


def small_conv(torch: Any) -> Step:
    """One step of a small conv net on 16 images of 1 x 28 x 28."""
    nn = torch.nn
    model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(8 * 13 * 13, 10))
    loss_of = nn.CrossEntropyLoss()
    x, target = torch.randn(16, 1, 28, 28), torch.randint(0, 10, (16,))

    def step() -> None:
        model.zero_grad()
        loss_of(model(x), target).backward()

    return step


def layer_norm_mlp(torch: Any) -> Step:
    """An MLP block with layer normalisation and GELU, 128 rows of 64."""
    nn = torch.nn
    model = nn.Sequential(nn.LayerNorm(64), nn.Linear(64, 256), nn.GELU(), nn.Linear(256, 64))
    x = torch.randn(128, 64)

    def step() -> None:
        model.zero_grad()
        model(x).pow(2).mean().backward()

    return step


def gpt(torch: Any) -> Step:
    """One forward and backward pass of a GPT of 12 layers, width 48, 4 heads, 32 positions, batch 4."""
    nn, width, length = torch.nn, 48, 32

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

        def forward(self, x: Any) -> Any:
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

    def step() -> None:
        for m in (tokens, places, blocks, norm, head):
            m.zero_grad()
        x = tokens(ids) + places(torch.arange(length))
        for block in blocks:
            x = block(x)
        nn.functional.cross_entropy(head(norm(x)).view(-1, 65), target).backward()

    return step


PROGRAMS: dict[str, dict[str, Maker]] = {
    "scalar chain, 200 ops": {
        "torch": scalar_chain, "micrograd": scalar_chain_micrograd, "autograd": scalar_chain_autograd,
        "mygrad": scalar_chain_mygrad,
    },
    "vector chain, 150 ops": {"torch": vector_chain, "autograd": vector_chain_autograd},
    "MLP step 64x784-256-10": {"torch": mlp, "numpy": mlp_numpy},
    "attention 8x4x32x16": {"torch": attention},
    "small conv net 16x28x28": {"torch": small_conv},
    "layer-norm MLP 128x64": {"torch": layer_norm_mlp},
    "GPT, 12 layers, C=48, T=32": {"torch": gpt},
}  # fmt: skip
