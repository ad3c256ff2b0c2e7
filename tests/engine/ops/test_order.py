"""Sorting, ranks and counts: ties and nan go where PyTorch puts them."""

import numpy as np
import pytest

from engine.ops.counting import BINCOUNT, HISTC, SEARCHSORTED, UNIQUE2, UNIQUE_CONSECUTIVE
from engine.ops.cumulative import CUMMAX, CUMMIN
from engine.ops.extremes import ARGMAX, MAX_DIM
from engine.ops.sorting import KTHVALUE, MEDIAN, MEDIAN_DIM, MODE, NANMEDIAN_DIM, SORT, TOPK

NAN = float("nan")
WITH_NAN = np.array([1.0, NAN, 3.0, NAN])


def lists(result):
    return [np.asarray(r).tolist() for r in result]


def test_equal_elements_keep_their_order_both_ways():
    x = np.array([2.0, 1.0, 2.0, 1.0])
    assert lists(SORT.forward(x)) == [[1, 1, 2, 2], [1, 3, 0, 2]]
    assert lists(SORT.forward(x, 0, True)) == [[2, 2, 1, 1], [0, 2, 1, 3]]


def test_nan_counts_as_largest():
    assert lists(SORT.forward(WITH_NAN))[1] == [0, 2, 1, 3]
    assert lists(SORT.forward(WITH_NAN, 0, True))[1] == [1, 3, 2, 0]
    assert lists(TOPK.forward(WITH_NAN, 2))[1] == [1, 3]
    assert lists(KTHVALUE.forward(WITH_NAN, 2)) == [3.0, 2]
    assert ARGMAX.forward(WITH_NAN) == 1


def test_the_median_is_the_lower_one_and_nan_if_any():
    assert lists(MEDIAN_DIM.forward(np.array([0.0, 5, 5, 4]), 0)) == [4.0, 3]
    assert np.isnan(MEDIAN.forward(WITH_NAN))
    assert lists(MEDIAN_DIM.forward(WITH_NAN, 0))[1] == 1
    assert lists(NANMEDIAN_DIM.forward(WITH_NAN, 0)) == [1.0, 0]


def test_the_mode_is_the_smallest_of_the_most_frequent_at_its_last_place():
    assert lists(MODE.forward(np.array([3.0, 1, 2, 1, 1, 3, 3]))) == [1.0, 4]


def test_running_extremes_say_where_they_were_last_reached():
    x = np.array([1.0, 2, 2, NAN, 1, NAN])
    assert lists(CUMMAX.forward(x, 0))[1] == [0, 1, 2, 3, 3, 5]
    assert lists(CUMMIN.forward(np.array([0.0, 1, 1, 0]), 0))[1] == [0, 0, 0, 3]


def test_the_first_of_equal_maxima_is_chosen():
    assert lists(MAX_DIM.forward(np.array([[5.0, 5, 1]]), 1)) == [[5.0], [0]]


def test_distinct_elements():
    assert lists(UNIQUE2.forward(np.array([3, 1, 1]), True, True, True)) == [[1, 3], [1, 0, 0], [2, 1]]
    assert lists(UNIQUE2.forward(np.array([NAN, NAN])))[0] == pytest.approx([NAN, NAN], nan_ok=True)
    assert lists(UNIQUE_CONSECUTIVE.forward(np.array([1, 1, 2, 1]), True, True)) == [[1, 2, 1], [0, 0, 1, 2], [2, 1, 1]]


def test_positions_among_sorted_rows():
    edges = np.array([[1, 3, 5], [2, 4, 6]])
    assert SEARCHSORTED.forward(edges, np.array([[3], [4]])).tolist() == [[1], [1]]
    assert SEARCHSORTED.forward(edges, np.array([[3], [4]]), right=True).tolist() == [[2], [2]]


def test_counts():
    assert BINCOUNT.forward(np.array([1, 1, 3]), None, 6).tolist() == [0, 2, 0, 1, 0, 0]
    assert HISTC.forward(np.array([1.0, 1.0]), 3).tolist() == [0, 2, 0]
    with pytest.raises(RuntimeError, match="non-negative integral"):
        BINCOUNT.forward(np.array([-1]))
