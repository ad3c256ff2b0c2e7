"""The computations of benchmarks.programs in the libraries that do not speak torch's API, as far as these can do them.

micrograd knows scalars alone. Neither autograd without SciPy nor mygrad has an error function, so GELU and what is
built on it is not to be had there. Convolutions and a whole GPT by hand are left to libraries.
"""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

Step = Callable[[], object]
Maker = Callable[[Any], Step]
F32 = np.float32


def _scalar_chain(x: Any, w: Any) -> Any:
    y = x
    for _ in range(100):
        y = y * w + 0.01
    return y


def scalar_chain_micrograd(micrograd: Any) -> Step:
    x, w = micrograd.Value(1.01), micrograd.Value(0.99)
    return lambda: _scalar_chain(x, w).backward()


def scalar_chain_autograd(autograd: Any) -> Step:
    gradient = autograd.grad(_scalar_chain, (0, 1))
    return lambda: gradient(1.01, 0.99)


def scalar_chain_mygrad(mygrad: Any) -> Step:
    x, w = mygrad.tensor(1.01), mygrad.tensor(0.99)
    return lambda: _scalar_chain(x, w).backward()


def scalar_chain_numpy(numpy: Any) -> Step:
    """Forward kept in a list, backward through it."""
    x, w = F32(1.01), F32(0.99)

    def step() -> tuple[Any, Any]:
        y, kept = x, []
        for _ in range(100):
            kept.append(y)
            y = y * w + 0.01
        g, gw = F32(1), F32(0)
        for y in reversed(kept):
            gw += g * y
            g = g * w
        return g, gw

    return step


def vector_chain_autograd(autograd: Any) -> Step:
    anp = autograd.numpy

    def f(x: Any) -> Any:
        y = x
        for _ in range(75):
            y = anp.sin(y * 1.01)
        return anp.sum(y)

    gradient, start = autograd.grad(f), np.ones(1000, F32)
    return lambda: gradient(start)


def vector_chain_mygrad(mygrad: Any) -> Step:
    x = mygrad.tensor(np.ones(1000, F32))

    def step() -> None:
        y = x
        for _ in range(75):
            y = mygrad.sin(y * 1.01)
        y.sum().backward()

    return step


def vector_chain_numpy(numpy: Any) -> Step:
    x = numpy.ones(1000, F32)

    def step() -> Any:
        y, kept = x, []
        for _ in range(75):
            z = y * F32(1.01)
            kept.append(z)
            y = numpy.sin(z)
        y.sum()
        g = numpy.ones_like(x)
        for z in reversed(kept):
            g = g * numpy.cos(z) * F32(1.01)
        return g

    return step


def mlp_numpy(numpy: Any) -> Step:
    """One training step written by hand."""
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


def _mlp_start(rng: Any) -> tuple[list[Any], Any, Any]:
    """Parameters, inputs and targets."""
    parameters = [rng.normal(0, 0.03, (784, 256)), np.zeros(256), rng.normal(0, 0.05, (256, 10)), np.zeros(10)]
    return [p.astype(F32) for p in parameters], rng.normal(size=(64, 784)).astype(F32), rng.integers(0, 10, 64)


def mlp_autograd(autograd: Any) -> Step:
    anp, rows = autograd.numpy, np.arange(64)
    parameters, x, target = _mlp_start(np.random.default_rng(0))

    def loss(parameters: Any) -> Any:
        w1, b1, w2, b2 = parameters
        z = anp.dot(anp.maximum(anp.dot(x, w1) + b1, 0), w2) + b2
        z = z - anp.max(z, 1, keepdims=True)
        return anp.mean(anp.log(anp.sum(anp.exp(z), 1)) - z[rows, target])

    gradient = autograd.grad(loss)

    def step() -> None:
        for p, g in zip(parameters, gradient(parameters), strict=True):
            p -= F32(0.01) * g

    return step


def mlp_mygrad(mygrad: Any) -> Step:
    from_scores = importlib.import_module("mygrad.nnet.losses").softmax_crossentropy
    arrays, x, target = _mlp_start(np.random.default_rng(0))
    w1, b1, w2, b2 = parameters = [mygrad.tensor(p) for p in arrays]

    def step() -> None:
        from_scores(mygrad.maximum(x @ w1 + b1, 0) @ w2 + b2, target).backward()
        for p in parameters:
            p.data -= F32(0.01) * p.grad

    return step


def _attention_start() -> tuple[list[Any], Any]:
    """q, k, v, and where attention may not look."""
    rng = np.random.default_rng(0)
    return [rng.normal(size=(8, 4, 32, 16)).astype(F32) for _ in range(3)], np.tril(np.ones((32, 32))) == 0


def attention_numpy(numpy: Any) -> Step:
    (q, k, v), mask = _attention_start()
    ones = numpy.ones_like(v)

    def step() -> tuple[Any, Any, Any]:
        scores = numpy.where(mask, F32(-numpy.inf), (q @ k.swapaxes(-2, -1)) * F32(0.25))
        p = numpy.exp(scores - scores.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        (p @ v).sum()
        gp = ones @ v.swapaxes(-2, -1)
        gs = (gp - (gp * p).sum(-1, keepdims=True)) * p * F32(0.25)
        return gs @ k, gs.swapaxes(-2, -1) @ q, p.swapaxes(-2, -1) @ ones

    return step


def attention_autograd(autograd: Any) -> Step:
    anp = autograd.numpy
    (q, k, v), mask = _attention_start()

    def total(q: Any, k: Any, v: Any) -> Any:
        scores = anp.where(mask, F32(-np.inf), anp.matmul(q, anp.swapaxes(k, -2, -1)) * F32(0.25))
        p = anp.exp(scores - anp.max(scores, -1, keepdims=True))
        return anp.sum(anp.matmul(p / anp.sum(p, -1, keepdims=True), v))

    gradient = autograd.grad(total, (0, 1, 2))
    return lambda: gradient(q, k, v)


def attention_mygrad(mygrad: Any) -> Step:
    softmax = importlib.import_module("mygrad.nnet.activations").softmax
    arrays, mask = _attention_start()
    q, k, v = (mygrad.tensor(a) for a in arrays)
    out_of_sight = np.where(mask, F32(-np.inf), F32(0))

    def step() -> None:
        scores = (q @ mygrad.swapaxes(k, -2, -1)) * F32(0.25) + out_of_sight
        (softmax(scores, axis=-1) @ v).sum().backward()

    return step


def small_conv_mygrad(mygrad: Any) -> Step:
    layers = importlib.import_module("mygrad.nnet.layers")
    from_scores = importlib.import_module("mygrad.nnet.losses").softmax_crossentropy
    rng = np.random.default_rng(0)
    shapes = ((8, 1, 3, 3), (8, 1, 1), (8 * 13 * 13, 10), (10,))
    kernel, offset, w, b = (mygrad.tensor(rng.normal(0, 0.05, s).astype(F32)) for s in shapes)
    x, target = rng.normal(size=(16, 1, 28, 28)).astype(F32), rng.integers(0, 10, 16)

    def step() -> None:
        h = mygrad.maximum(layers.conv_nd(x, kernel, stride=1) + offset, 0)
        h = layers.max_pool(h, (2, 2), 2).reshape(16, -1)
        from_scores(h @ w + b, target).backward()

    return step


OTHERS: dict[str, dict[str, Maker]] = {
    "scalar chain, 200 ops": {
        "autograd": scalar_chain_autograd, "mygrad": scalar_chain_mygrad, "micrograd": scalar_chain_micrograd,
        "numpy": scalar_chain_numpy,
    },
    "vector chain, 150 ops": {
        "autograd": vector_chain_autograd, "mygrad": vector_chain_mygrad, "numpy": vector_chain_numpy,
    },
    "MLP step 64x784-256-10": {"autograd": mlp_autograd, "mygrad": mlp_mygrad, "numpy": mlp_numpy},
    "attention 8x4x32x16": {"autograd": attention_autograd, "mygrad": attention_mygrad, "numpy": attention_numpy},
    "small conv net 16x28x28": {"mygrad": small_conv_mygrad},
}  # fmt: skip
