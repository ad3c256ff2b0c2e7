"""Convolution and pooling against their definitions, written as loops over every window."""

from itertools import product

import numpy as np
import pytest

from engine.ops.avg_pool import AVG_POOL2D
from engine.ops.conv import CONVOLUTION
from engine.ops.fold import COL2IM, IM2COL
from engine.ops.max_pool import MAX_POOL2D


def convolved(x, w, b, stride, padding, dilation, groups):
    """Sum of products under each window, one output element at a time."""
    x = np.pad(x, ((0, 0), (0, 0), *((p, p) for p in padding)))
    kernel = w.shape[2:]
    count = [(n - d * (k - 1) - 1) // s + 1 for n, k, s, d in zip(x.shape[2:], kernel, stride, dilation, strict=True)]
    out = np.zeros((x.shape[0], w.shape[0], *count))
    for n, o, *at in product(range(x.shape[0]), range(w.shape[0]), *map(range, count)):
        first = o // (w.shape[0] // groups) * w.shape[1]
        window = tuple(
            slice(i * s, i * s + d * (k - 1) + 1, d) for i, s, d, k in zip(at, stride, dilation, kernel, strict=True)
        )
        out[(n, o, *at)] = (x[(n, slice(first, first + w.shape[1]), *window)] * w[o]).sum() + b[o]
    return out


@pytest.mark.parametrize(
    ("space", "channels", "kernel", "stride", "padding", "dilation", "groups"),
    [
        ((7,), (2, 3), (3,), (2,), (1,), (2,), 1),
        ((5, 6), (4, 2), (2, 3), (1, 2), (0, 1), (2, 1), 2),
        ((3, 4, 3), (1, 2), (2, 2, 1), (1, 1, 2), (1, 0, 0), (1, 2, 1), 1),
    ],
)
def test_convolution(space, channels, kernel, stride, padding, dilation, groups):
    rng = np.random.default_rng(0)
    cin, cout = channels
    x, w, b = rng.normal(size=(2, cin, *space)), rng.normal(size=(cout, cin // groups, *kernel)), rng.normal(size=cout)
    got = CONVOLUTION.forward(x, w, b, stride, padding, dilation, False, (0,) * len(space), groups)
    assert np.allclose(got, convolved(x, w, b, stride, padding, dilation, groups))


def test_a_transposed_convolution_is_the_adjoint():
    rng = np.random.default_rng(1)
    stride, padding, dilation = (2, 1), (1, 0), (1, 2)
    w, y = rng.normal(size=(4, 3, 3, 2)), rng.normal(size=(2, 4, 3, 4))
    up = CONVOLUTION.forward(y, w, None, stride, padding, dilation, True, (1, 0), 1)
    x = rng.normal(size=up.shape)
    down = CONVOLUTION.forward(x, w, None, stride, padding, dilation, False, (0, 0), 1)
    assert np.isclose((down * y).sum(), (x * up).sum())


WAYS = [
    ((2, 2), (), (0, 0), False),
    ((3, 2), (2, 2), (1, 1), False),
    ((3, 3), (2, 2), (1, 1), True),
    ((2, 3), (3, 2), (0, 1), True),
]


def windows(x, kernel, stride, padding, ceil_mode):
    """For each window: its place in the output and the rows and columns of the image in it."""
    stride = stride or kernel
    spans = []
    for n, k, s, p in zip(x.shape[2:], kernel, stride, padding, strict=True):
        starts = [i * s - p for i in range(n + p) if i * s < n + p and (ceil_mode or i * s - p + k <= n + p)]
        spans.append([(max(a, 0), min(a + k, n)) for a in starts])
    for (i, rows), (j, columns) in product(enumerate(spans[0]), enumerate(spans[1])):
        yield (i, j), slice(*rows), slice(*columns)


@pytest.mark.parametrize(("kernel", "stride", "padding", "ceil_mode"), WAYS)
def test_max_pooling(kernel, stride, padding, ceil_mode):
    x = np.random.default_rng(2).permutation(2 * 3 * 7 * 6).reshape(2, 3, 7, 6) / 8
    values, places = MAX_POOL2D.forward(x, kernel, stride, padding, (1, 1), ceil_mode)
    numbers = np.arange(42).reshape(7, 6)
    seen = 0
    for at, rows, columns in windows(x, kernel, stride, padding, ceil_mode):
        part = x[:, :, rows, columns].reshape(2, 3, -1)
        assert np.array_equal(values[(..., *at)], part.max(-1))
        assert np.array_equal(places[(..., *at)], numbers[rows, columns].reshape(-1)[part.argmax(-1)])
        seen += 1
    assert seen == values[0, 0].size


@pytest.mark.parametrize(("kernel", "stride", "padding", "ceil_mode"), WAYS)
def test_mean_pooling_without_its_border(kernel, stride, padding, ceil_mode):
    x = np.random.default_rng(3).normal(size=(2, 3, 7, 6))
    got = AVG_POOL2D.forward(x, kernel, stride, padding, ceil_mode, False, None)
    for at, rows, columns in windows(x, kernel, stride, padding, ceil_mode):
        assert np.allclose(got[(..., *at)], x[:, :, rows, columns].mean((-2, -1)))


def test_max_pooling_lets_nan_through():
    x = np.array([[[[1.0, np.nan], [3.0, 2.0]]]])
    values, places = MAX_POOL2D.forward(x, (2, 2), (), (0, 0), (1, 1), False)
    assert np.isnan(values).all()
    assert places.item() == 1


def test_folding_back_what_was_unfolded_counts_the_windows():
    x = np.random.default_rng(4).normal(size=(1, 2, 5, 4))
    how = ((2, 2), (1, 1), (0, 0), (1, 1))
    count = COL2IM.forward(IM2COL.forward(np.ones_like(x), *how), (5, 4), *how)
    assert np.allclose(COL2IM.forward(IM2COL.forward(x, *how), (5, 4), *how), x * count)
    assert count[0, 0, 0, 0] == 1
    assert count[0, 0, 2, 2] == 4
