"""The computations that bench_engine compares: per title, a maker of one step for each library that can do it.

A maker under "torch" serves PyTorch and the engine alike, which is the point of the engine.
"""

from collections.abc import Callable
from typing import Any

from benchmarks.other_programs import OTHERS

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
    title: {"torch": maker, **OTHERS.get(title, {})}
    for title, maker in {
        "scalar chain, 200 ops": scalar_chain,
        "vector chain, 150 ops": vector_chain,
        "MLP step 64x784-256-10": mlp,
        "attention 8x4x32x16": attention,
        "small conv net 16x28x28": small_conv,
        "layer-norm MLP 128x64": layer_norm_mlp,
        "GPT, 12 layers, C=48, T=32": gpt,
    }.items()
}
