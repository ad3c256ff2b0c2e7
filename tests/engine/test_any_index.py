"""Indices of every kind, mixed at random, read and written: numpy's elements, counted once for each read in a gradient.

numpy treats an integer next to lists as one of the lists, PyTorch as a view taken before; so the model looks up in two
steps, views first.
"""

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import install_as_torch

torch = install_as_torch()
SHAPE = (3, 4, 2)
WHOLE = slice(None)


class Index(NamedTuple):
    """An index as a program writes it, and as numpy takes it in two steps."""

    given: Any
    views: tuple[Any, ...]
    places: tuple[Any, ...]

    def look_up(self, a: np.ndarray) -> np.ndarray:
        return a[self.views][self.places]


@st.composite
def places(draw, length: int, count: int) -> np.ndarray:
    """Positions along a dimension, repeats and positions from behind among them."""
    dims = draw(st.sampled_from([(count,), (1,), (2, count), (2, 1)]))
    size = int(np.prod(dims))
    found = draw(st.lists(st.integers(-length, length - 1), min_size=size, max_size=size))
    return np.array(found, np.int64).reshape(dims)


def written(draw, where: np.ndarray) -> Any:
    """Positions or a mask in one of the forms a program may have them in."""
    if not where.size:
        return torch.tensor(where.tolist(), dtype=torch.int64).reshape(where.shape)
    forms = [where.tolist(), where, torch.tensor(where.tolist())]
    if where.dtype != np.bool_:
        forms.append(torch.tensor(where.tolist(), dtype=torch.int32))
    return forms[draw(st.integers(0, len(forms) - 1))]


@st.composite
def indices(draw) -> Index:
    count = draw(st.integers(0, 3))
    parts: list[tuple[Any, Any, Any]] = []  # as written, as a view, as places; None where there is nothing to look up
    d = 0
    while d < len(SHAPE):
        n = SHAPE[d]
        kind = draw(st.sampled_from(["integer", "slice", "whole", "whole", "places", "places", "mask", "masks"]))
        if kind == "integer":
            i = draw(st.integers(-n, n - 1))
            parts.append((i, i, None))
        elif kind == "slice":
            s = slice(*[draw(st.none() | st.integers(-4, 4)) for _ in "ab"], draw(st.none() | st.integers(1, 3)))
            parts.append((s, s, WHOLE))
        elif kind == "places":
            p = draw(places(n, count))
            parts.append((written(draw, p), WHOLE, p))
        elif kind == "mask" and count <= n:
            m = np.isin(np.arange(n), draw(st.permutations(range(n)))[:count])
            parts.append((written(draw, m), WHOLE, m))
        elif kind == "masks" and d + 1 < len(SHAPE):
            all_places = n * SHAPE[d + 1]
            m = np.isin(np.arange(all_places), draw(st.permutations(range(all_places)))[:count]).reshape(n, -1)
            parts.append((torch.tensor(m.tolist()), WHOLE, m))  # as a list it would count as one dimension
            parts.append(("of the mask", WHOLE, None))
            d += 1
        else:
            parts.append((WHOLE, WHOLE, WHOLE))
        d += 1
    views, looked = [p[1] for p in parts], [p[2] for p in parts if p[2] is not None]
    given = [p[0] for p in parts if not (isinstance(p[0], str))]
    ends = [i for i, g in enumerate(given) if g is not WHOLE]
    if draw(st.booleans()):  # what is whole at the end may be left out
        given = given[: ends[-1] + 1 if ends else 0]
    elif draw(st.booleans()):  # or stand for "...", anywhere
        start = draw(st.integers(0, len(given)))
        stop = start
        while stop < len(given) and given[stop] is WHOLE:
            stop += 1
        given[start:stop] = [...]
    if draw(st.booleans()):  # a new dimension comes first
        given, views, looked = [None, *given], [None, *views], [WHOLE, *looked]
    index = given[0] if len(given) == 1 and draw(st.booleans()) else tuple(given)
    return Index(index, (*views, ...), tuple(looked))  # with "...", a view even of a single element


def numbers() -> np.ndarray:
    return np.arange(24.0).reshape(SHAPE)


def tensor() -> Any:
    return torch.arange(24, dtype=torch.float64).reshape(SHAPE)


@settings(max_examples=80)
@given(indices())
def test_reading(index: Index) -> None:
    t, want = tensor(), index.look_up(numbers())
    got = t[index.given]
    assert got.shape == want.shape
    np.testing.assert_array_equal(got.numpy(), want)
    looked_up = any(isinstance(p, np.ndarray) for p in index.places)
    shared = got.untyped_storage().data_ptr() == t.untyped_storage().data_ptr()
    assert shared != looked_up or not want.size


def place(a: np.ndarray, index: Index, value: Any) -> None:
    view = a[index.views]
    view[index.places] = value


@settings(max_examples=80)
@given(indices(), st.booleans())
def test_writing(index: Index, row_by_row: bool) -> None:
    """A number, or a row that is repeated, to wherever the index points."""
    t, want = tensor(), numbers()
    value: Any = -1.5
    shape = index.look_up(want).shape
    repeats = len(np.unique(index.look_up(want))) < int(np.prod(shape))
    if row_by_row and shape and not repeats:
        value = -np.arange(1.0, shape[-1] + 1)
    place(want, index, value)
    t[index.given] = value if isinstance(value, float) else torch.from_numpy(value)
    np.testing.assert_array_equal(t.numpy(), want)
    assert t._version == 1


@settings(max_examples=50)
@given(indices())
def test_changing_what_is_there(index: Index) -> None:
    """`t[i] += 1` adds once even where `i` names a place twice."""
    t, want = tensor(), numbers()
    place(want, index, index.look_up(want) + 1)
    t[index.given] += 1
    np.testing.assert_array_equal(t.numpy(), want)


@settings(max_examples=50)
@given(indices())
def test_the_gradient_counts_every_read(index: Index) -> None:
    x = tensor().requires_grad_()
    y = x[index.given]
    up = np.arange(1.0, y.numel() + 1).reshape(tuple(y.shape))
    (grad,) = torch.autograd.grad(y, x, torch.tensor(up.tolist(), dtype=torch.float64).reshape(up.shape))
    want = np.zeros(SHAPE)
    np.add.at(want[index.views], index.places, up)
    np.testing.assert_array_equal(grad.numpy(), want)


@settings(max_examples=50)
@given(indices())
def test_the_gradient_of_what_is_overwritten_is_zero(index: Index) -> None:
    x, v = tensor().requires_grad_(), torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    y = x.clone()
    y[index.given] = v
    (y * tensor()).sum().backward()
    kept = numbers()
    place(kept, index, 0)
    np.testing.assert_array_equal(x.grad.numpy(), kept)
    assert float(v.grad) == index.look_up(numbers()).sum()


@pytest.mark.parametrize("form", [np.ndarray.tolist, np.asarray], ids=["list", "array"])
def test_behind_an_ellipsis_a_mask_of_two_dimensions_is_a_tensor(form: Any) -> None:
    """Anything else counts as one dimension there, as in PyTorch, and so meets another than was meant."""
    mask = np.ones((4, 2), bool)
    assert tensor()[..., torch.tensor(mask)].shape == (3, 8)
    with pytest.raises(IndexError, match=r"The shape of the mask \[4, 2\] at index 0 does not match"):
        tensor()[..., 0, form(mask)]


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "float32", "uint8", "bool"])
def test_an_array_counts_by_its_numbers_and_a_tensor_by_its_dtype(dtype: str) -> None:
    """Bytes and bools are masks in both; else arrays are read as integers, and tensors have to be some."""
    array = np.array([1, 0, 1]).astype(dtype)
    mask = dtype in ("uint8", "bool")
    wanted = numbers()[array.astype(bool) if mask else array.astype(int)]
    np.testing.assert_array_equal(tensor()[array].numpy(), wanted)
    assert tensor()[np.array(1).astype(dtype)].shape == ((1, 3, 4, 2) if mask else (4, 2))
    if mask or dtype in ("int32", "int64"):
        np.testing.assert_array_equal(tensor()[torch.from_numpy(array)].numpy(), wanted)
    else:
        with pytest.raises(IndexError, match="tensors used as indices must be long, int, byte or bool tensors"):
            tensor()[torch.from_numpy(array)]


def test_a_single_bool_of_numpys_is_no_index() -> None:
    with pytest.raises(IndexError, match=r"are valid indices \(got numpy.bool\)"):
        tensor()[np.bool_(True)]


@given(st.integers(0, 2), st.integers(-3, -1), st.none() | st.integers(-4, 4))
def test_negative_steps_are_refused(dim: int, step: int, start: int | None) -> None:
    at = (WHOLE,) * dim + (slice(start, None, step),)
    t = tensor()
    with pytest.raises(ValueError, match="step must be greater than zero"):
        t[at]
    with pytest.raises(ValueError, match="step must be greater than zero"):
        t[at] = 0
    np.testing.assert_array_equal(t.numpy(), numbers())
