"""Indexing against numpy, which agrees with torch wherever both take the index, and the errors where they do not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.install import install_as_torch

torch = install_as_torch()
SHAPE = (3, 4, 2)


def numbers() -> np.ndarray:
    return np.arange(24, dtype=np.float32).reshape(SHAPE)


INDICES = {
    "int": 1,
    "negative": -1,
    "slice": slice(1, None),
    "step": slice(None, None, 2),
    "beyond": slice(2, 9),
    "none": None,
    "ellipsis": ...,
    "two": (0, 1),
    "column": (slice(None), 2),
    "last": (..., -1),
    "new axes": (None, 0, None, slice(1, 3)),
    "list": [0, 2, 0],
    "negative list": [-1, 0],
    "pair of lists": ([0, 2], [1, 3]),
    "list after slice": (slice(None), [0, 3]),
    "list after int": (1, [0, 3]),
    "lists apart": ([0, 1], slice(None), [1, 0]),
    "broadcast": (np.array([[0], [2]]), np.array([1, 3])),
    "mask": np.arange(24).reshape(SHAPE) % 3 == 0,
    "mask of rows": np.array([True, False, True]),
    "mask of two dimensions": (np.arange(12).reshape(3, 4) % 2 == 0, 1),
    "true": True,
    "false": False,
    "empty list": [],
}


def for_torch(index):
    """The same index with tensors in place of arrays."""
    if isinstance(index, tuple):
        return tuple(for_torch(i) for i in index)
    return torch.from_numpy(np.array(index)) if isinstance(index, np.ndarray) else index


def for_numpy(index):
    return np.zeros(0, int) if isinstance(index, list) and not index else index


@pytest.mark.parametrize("name", INDICES)
def test_reads_what_numpy_reads(name):
    got = torch.from_numpy(numbers())[for_torch(INDICES[name])]
    want = numbers()[for_numpy(INDICES[name])]
    assert tuple(got.shape) == want.shape
    assert np.array_equal(got.numpy(), want)


@pytest.mark.parametrize("name", INDICES)
def test_writes_what_numpy_writes(name):
    want, t = numbers(), torch.from_numpy(numbers())
    t[for_torch(INDICES[name])] = -1.5
    want[for_numpy(INDICES[name])] = -1.5
    assert np.array_equal(t.numpy(), want)


@pytest.mark.parametrize("name", INDICES)
def test_the_gradient_counts_every_read(name):
    x = torch.from_numpy(numbers()).requires_grad_()
    y = x[for_torch(INDICES[name])]
    up = np.arange(1, y.numel() + 1, dtype=np.float32).reshape(tuple(y.shape))
    (grad,) = torch.autograd.grad(y, x, torch.from_numpy(up))
    want = np.zeros(SHAPE, np.float32)
    np.add.at(want, for_numpy(INDICES[name]), up)
    assert np.array_equal(grad.numpy(), want)


part = st.one_of(
    st.integers(-2, 1),
    st.builds(slice, st.none() | st.integers(-3, 3), st.none() | st.integers(-3, 3), st.none() | st.integers(1, 3)),
    st.just(None),
)


@given(st.lists(part, max_size=5).filter(lambda p: sum(i is not None for i in p) <= 3))
def test_any_mixture_of_views_shares_memory(parts):
    base = numbers()
    got, want = torch.from_numpy(base)[tuple(parts)], base[tuple(parts)]
    assert np.array_equal(got.numpy(), want)
    assert not got.numel() or np.shares_memory(got.numpy(), base)


@pytest.mark.parametrize(
    ("index", "error", "message"),
    [
        (3, IndexError, "index 3 is out of bounds for dimension 0 with size 3"),
        ((0, 4), IndexError, "index 4 is out of bounds for dimension 1 with size 4"),
        ((0, 0, 0, 0), IndexError, "too many indices for tensor of dimension 3"),
        (1.5, IndexError, "only integers, slices"),
        ("a", TypeError, "new\\(\\): invalid data type 'str'"),
        (slice(None, None, -1), ValueError, "step must be greater than zero"),
        ([0, 3], IndexError, "index 3 is out of bounds for dimension 0 with size 3"),
        (([0, 1], [0, 1, 2]), IndexError, "shape mismatch: indexing tensors could not be broadcast together"),
        (np.array([True, False]), IndexError, "The shape of the mask \\[2\\] at index 0 does not match"),
    ],
)
def test_a_wrong_index_is_refused_in_torchs_words(index, error, message):
    with pytest.raises(error, match=message):
        torch.from_numpy(numbers())[for_torch(index)]


def test_views_keep_torchs_order_of_nodes():
    x = torch.zeros(2, 3, 4, requires_grad=True)
    names = []
    node = x[0, None, :, 1:].grad_fn
    while node.next_functions:
        names.append(node.name())
        node = node.next_functions[0][0]
    assert names == ["SliceBackward0", "UnsqueezeBackward0", "SelectBackward0"]


def test_elements_cannot_be_deleted():
    t = torch.zeros(3)
    with pytest.raises(TypeError, match="does not support deleting"):
        del t[0]
