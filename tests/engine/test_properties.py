"""Whatever the shapes, views and writes: tensors do as numpy arrays do, and gradients as the chain rule says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays, mutually_broadcastable_shapes

from engine import install_as_torch

torch = install_as_torch()
BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum,
    "atan2": np.arctan2, "hypot": np.hypot, "eq": np.equal, "less": np.less,
}  # fmt: skip
FLOATS = st.floats(-8, 8, width=32).map(lambda v: round(v, 2))
SHAPES = st.lists(st.integers(0, 4), max_size=4).map(tuple)


def numbers(shape):
    return arrays(np.float64, shape, elements=FLOATS)


@st.composite
def broadcast_pair(draw):
    shapes = draw(mutually_broadcastable_shapes(num_shapes=2, max_dims=4, max_side=4, min_side=0))
    return tuple(draw(numbers(s)) for s in shapes.input_shapes)


def tensor(a):
    return torch.tensor(np.ascontiguousarray(a) if a.ndim else a, dtype=torch.float64)


@given(broadcast_pair(), st.sampled_from(sorted(BINARY)))
def test_broadcasting(pair, name):
    a, b = pair
    got, want = getattr(torch, name)(tensor(a), tensor(b)), BINARY[name](a, b)
    assert tuple(got.shape) == want.shape
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-12)


@given(broadcast_pair())
def test_gradients_of_what_was_broadcast(pair):
    """d(sum(a * b))/da is b summed over what `a` was repeated along, and the other way round."""
    a, b = (tensor(x).requires_grad_() for x in pair)
    (a * b).sum().backward()
    ones = np.ones(np.broadcast_shapes(*(x.shape for x in pair)))
    for t, other in ((a, pair[1]), (b, pair[0])):
        whole = ones * other
        extra = tuple(range(whole.ndim - t.ndim))
        whole = whole.sum(extra)
        stretched = tuple(i for i, n in enumerate(t.shape) if n == 1 and whole.shape[i] != 1)
        whole = whole.sum(stretched, keepdims=True)
        assert tuple(t.grad.shape) == tuple(t.shape)
        np.testing.assert_allclose(t.grad.numpy(), whole.reshape(t.shape), atol=1e-9)


@st.composite
def views(draw, shape):
    """Steps that lead from an array to a view of it, as functions for tensors and for arrays."""
    steps = []
    now = tuple(shape)
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["transpose", "narrow", "select", "unsqueeze", "step", "permute", "squeeze"]))
        if kind == "unsqueeze":
            d = draw(st.integers(0, len(now)))
            steps.append((lambda t, d=d: t.unsqueeze(d), lambda a, d=d: np.expand_dims(a, d)))
        elif not now:
            continue
        else:
            d = draw(st.integers(0, len(now) - 1))
            if kind == "transpose":
                e = draw(st.integers(0, len(now) - 1))
                steps.append((lambda t, d=d, e=e: t.transpose(d, e), lambda a, d=d, e=e: a.swapaxes(d, e)))
            elif kind == "permute":
                order = draw(st.permutations(range(len(now))))
                steps.append((lambda t, o=order: t.permute(o), lambda a, o=order: a.transpose(o)))
            elif kind == "squeeze":
                steps.append((lambda t: t.squeeze(), lambda a: a.squeeze()))
            elif kind == "narrow":
                low = draw(st.integers(0, now[d]))
                n = draw(st.integers(0, now[d] - low))
                at = (slice(None),) * d + (slice(low, low + n),)
                steps.append((lambda t, d=d, low=low, n=n: t.narrow(d, low, n), lambda a, at=at: a[at]))
            elif kind == "step":
                at = (slice(None),) * d + (slice(None, None, draw(st.integers(1, 3))),)
                steps.append((lambda t, at=at: t[at], lambda a, at=at: a[at]))
            elif now[d]:
                i = draw(st.integers(-now[d], now[d] - 1))
                at = (slice(None),) * d + (i, ...)  # a view, where numpy would give a number
                steps.append((lambda t, d=d, i=i: t.select(d, i), lambda a, at=at: a[at]))
            else:
                continue
        now = np.shape(steps[-1][1](np.empty(now)))
    return steps


@st.composite
def array_and_views(draw):
    a = draw(numbers(draw(SHAPES)))
    return a, draw(views(a.shape)), draw(views(a.shape))


def walk(x, steps, which):
    for step in steps:
        x = step[which](x)
    return x


@given(array_and_views())
def test_views(case):
    a, steps, _ = case
    t = torch.from_numpy(a.copy())
    view, want = walk(t, steps, 0), walk(a, steps, 1)
    assert tuple(view.shape) == np.shape(want)
    np.testing.assert_array_equal(view.numpy(), want)
    assert view._base is t or view is t
    if a.size and np.size(want):
        assert view.untyped_storage().data_ptr() == t.untyped_storage().data_ptr()


@given(array_and_views(), st.sampled_from(["add_", "mul_", "fill_", "zero_", "copy_"]), FLOATS)
def test_writes_through_one_view_show_in_another(case, how, value):
    a, written, read = case
    a = a.copy()
    t = torch.from_numpy(a.copy())
    target, other = walk(t, written, 0), walk(t, read, 0)
    version = t._version
    place = walk(a, written, 1)
    if how == "zero_":
        target.zero_()
        place[...] = 0
    elif how == "copy_":
        target.copy_(torch.tensor(value, dtype=torch.float64))
        place[...] = value
    else:
        getattr(target, how)(value)
        place[...] = {"add_": place + value, "mul_": place * value, "fill_": value}[how]
    np.testing.assert_array_equal(t.numpy(), a)
    np.testing.assert_array_equal(other.numpy(), walk(a, read, 1))
    assert t._version == other._version == version + 1


@given(array_and_views(), FLOATS)
def test_gradients_through_a_write_into_a_view(case, factor):
    """Where a view was multiplied by a number in place, the gradient is that number; elsewhere it is one."""
    a, steps, _ = case
    x = torch.from_numpy(a.copy()).requires_grad_()
    y = x.clone()
    walk(y, steps, 0).mul_(factor)
    y.sum().backward()
    want = np.ones(a.shape)
    place = walk(want, steps, 1)
    place *= factor
    np.testing.assert_allclose(x.grad.numpy(), want)


@given(broadcast_pair(), st.sampled_from(["add", "mul", "sub"]))
def test_inplace_is_the_operator_or_refuses(pair, name):
    a, b = pair
    t = tensor(a)
    want = BINARY[name](a, b)
    if want.shape == a.shape:
        assert getattr(t, name + "_")(tensor(b)) is t
        np.testing.assert_allclose(t.numpy(), want)
    else:
        with pytest.raises(RuntimeError, match=r"output with shape .* doesn't match the broadcast shape"):
            getattr(t, name + "_")(tensor(b))
        np.testing.assert_array_equal(t.numpy(), a)


def test_a_write_into_the_tensor_it_reads():
    t = torch.arange(6.0)
    a = np.arange(6.0)
    t[1:] += t[:-1].clone()
    a[1:] += a[:-1].copy()
    np.testing.assert_array_equal(t.numpy(), a)
    t.add_(t)
    np.testing.assert_array_equal(t.numpy(), 2 * a)
