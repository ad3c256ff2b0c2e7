"""Derivatives that the samples of a record cannot check: backward operators whose arguments depend on one another, and
decompositions that read one triangle of a symmetric matrix."""

import numpy as np
import pytest

from engine.ops.batch_norm import BATCH_NORM, BATCH_NORM_BACKWARD
from engine.ops.cholesky import CHOLESKY, CHOLESKY_INVERSE, CHOLESKY_SOLVE
from engine.ops.factors import CHOLESKY_EX, EIGH
from engine.ops.layer_norm import LAYER_NORM, LAYER_NORM_BACKWARD

STEP = 1e-6
RNG = np.random.default_rng(7)


def slope(function, point, direction):
    """The derivative of a tuple-valued function along a direction, by differences."""
    after = function(*(p + STEP * d for p, d in zip(point, direction, strict=True)))
    before = function(*(p - STEP * d for p, d in zip(point, direction, strict=True)))
    return [(a - b) / (2 * STEP) for a, b in zip(after, before, strict=True)]


def agree(slopes, ups, gradients, direction):
    numeric = sum(float((s * u).sum()) for s, u in zip(slopes, ups, strict=True))
    exact = sum(float((g * d).sum()) for g, d in zip(gradients, direction, strict=True))
    assert exact == pytest.approx(numeric, rel=1e-6, abs=1e-7)


def like(*arrays):
    return [RNG.normal(size=a.shape) for a in arrays]


def test_backward_of_layer_norm():
    x, w, g = RNG.normal(size=(4, 3)), RNG.normal(size=3), RNG.normal(size=(4, 3))

    def backward(x, w, g):
        _, mean, rstd = LAYER_NORM.forward(x, (3,), w, w, 1e-5)
        return LAYER_NORM_BACKWARD.forward(g, x, (3,), mean, rstd, w, w, (True, True, True))

    ups, direction = like(x, w, w), like(x, w, g)
    _, mean, rstd = LAYER_NORM.forward(x, (3,), w, w, 1e-5)
    rule = LAYER_NORM_BACKWARD.grads["input, weight, grad_out"].rule
    gradients = rule(ups, g, x, (3,), mean, rstd, w, (True, True, True))
    agree(slope(backward, (x, w, g), direction), ups, gradients, direction)


@pytest.mark.parametrize("training", [True, False])
def test_backward_of_batch_norm(training):
    x, w, g = RNG.normal(size=(4, 2, 3)), RNG.normal(size=2), RNG.normal(size=(4, 2, 3))
    running = np.array([0.5, -0.5]), np.array([1.0, 2.0])

    def statistics(x):
        kept = (None, None) if training else running
        return BATCH_NORM.forward(x, w, w, *kept, training, 0.1, 1e-5)[1:]

    def backward(x, w, g):
        return BATCH_NORM_BACKWARD.forward(g, x, w, *running, *statistics(x), training, 1e-5, (True, True, True))

    ups, direction = like(x, w, w), like(x, w, g)
    rule = BATCH_NORM_BACKWARD.grads["input, weight, grad_out"].rule
    gradients = rule(ups, g, x, w, *running, *statistics(x), training, 1e-5, (True, True, True))
    agree(slope(backward, (x, w, g), direction), ups, gradients, direction)


def symmetric(n=3):
    a = RNG.normal(size=(n, n))
    return a + a.T


def positive_definite():
    return symmetric() + 8 * np.eye(3)


@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_factor_along_symmetric_steps(upper):
    a, step, up = positive_definite(), symmetric(), RNG.normal(size=(3, 3))
    both = {CHOLESKY_EX: lambda a: CHOLESKY_EX.forward(a, upper)[:1], CHOLESKY: lambda a: (CHOLESKY.forward(a, upper),)}
    for op, factor in both.items():
        grad = up if op is CHOLESKY else [up, None]
        gradient = op.grads["self"].rule(grad, upper, factor(a)[0])
        agree(slope(factor, (a,), (step,)), [up], [gradient], [step])


def test_eigenvalues_and_vectors_along_symmetric_steps():
    a, step = positive_definite(), symmetric()
    values, vectors = EIGH.forward(a)
    ups = like(values, vectors)

    def decomposed(a):
        found = EIGH.forward(a)
        signs = np.sign((found[1] * vectors).sum(0))  # an eigenvector's sign is free: keep the one at hand
        return found[0], found[1] * signs

    gradient = EIGH.grads["A"].rule(ups, values, vectors)
    agree(slope(decomposed, (a,), (step,)), ups, [gradient], [step])


@pytest.mark.parametrize("upper", [False, True])
def test_solving_and_inverting_along_triangular_steps(upper):
    triangle = np.triu if upper else np.tril
    factor, step = triangle(RNG.normal(size=(3, 3))) + 3 * np.eye(3), triangle(RNG.normal(size=(3, 3)))
    b, of_b, up = (RNG.normal(size=(3, 2)) for _ in range(3))
    result = CHOLESKY_SOLVE.forward(b, factor, upper)
    gradients = CHOLESKY_SOLVE.grads["self, input2"].rule(up, factor, result, upper, (True, True))
    slopes = slope(lambda b, f: (CHOLESKY_SOLVE.forward(b, f, upper),), (b, factor), (of_b, step))
    agree(slopes, [up], gradients, [of_b, step])

    up = RNG.normal(size=(3, 3))
    inverse = CHOLESKY_INVERSE.forward(factor, upper)
    gradient = CHOLESKY_INVERSE.grads["self"].rule(up, factor, upper, inverse)
    agree(slope(lambda f: (CHOLESKY_INVERSE.forward(f, upper),), (factor,), (step,)), [up], [gradient], [step])
