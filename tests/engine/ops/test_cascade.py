"""Sums add up in PyTorch's order: right in every shape, and in the order that its kernels take."""

import numpy as np
import pytest

from engine.ops.cascade import cascade_sum, register_sum
from engine.ops.cumulative import CUMSUM
from engine.ops.rounded import READABLE

SHAPES = [
    ((5,), None),
    ((8,), None),
    ((33,), 0),
    ((READABLE,), None),
    ((6, 9), None),
    ((3, 5), 1),
    ((4, 10), 1),
    ((7, 9), 0),
]
SHAPES += [((2, 3, 4), 2), ((2, 3, 4), 0), ((1, 20), 1), ((20, 1), 0)]


@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize(("shape", "axis"), SHAPES)
def test_every_element_is_added_once(shape, axis, keepdim):
    x = np.random.default_rng(3).integers(-9, 9, size=shape).astype(np.float32)  # whole numbers: any order is exact
    total = cascade_sum(x, axis, keepdim)
    np.testing.assert_array_equal(total, x.sum(axis, keepdims=keepdim))
    assert total.dtype == np.float32
    assert np.shape(total) == x.sum(axis, keepdims=keepdim).shape


def test_four_sums_take_turns():
    big, one = np.float32(1e8), np.float32(1)
    x = np.array([big, one, one, one, -big], np.float32)  # the fifth joins the first before the others do
    assert cascade_sum(x, None, False) == 3


def test_eight_lanes_are_added_from_the_first_to_the_last():
    x = np.zeros(16, np.float32)
    x[0], x[8], x[1] = 1e8, -1e8, 1
    assert cascade_sum(x, None, False) == 1
    x[8], x[9] = 0, -1e8  # now lane 0 and lane 1 meet only at the end, where the one is lost
    assert cascade_sum(x, None, False) == 0


def test_running_sums_are_carried_in_double_precision():
    x = np.array([1e8, 1, 1, 1, 1, -1e8], np.float32)
    assert CUMSUM.forward(x, 0)[-1] == 4


def test_large_and_other_arrays_are_left_to_numpy():
    assert cascade_sum(np.ones(5000, np.float32), None, False) is None
    assert cascade_sum(np.ones((30, 30), np.float32), 0, False) is None
    assert cascade_sum(np.ones((4, 6), np.float32).T, None, False) is None


@pytest.mark.parametrize("n", [8, 10, 16, 50])
def test_a_register_adds_every_element_once(n):
    x = np.random.default_rng(4).integers(-9, 9, size=(3, n)).astype(np.float32)
    np.testing.assert_array_equal(register_sum(x), x.sum(-1, keepdims=True))
