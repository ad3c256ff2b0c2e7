"""Choosing by bits gives to the bit what numpy's `where` gives, above and below the size from which it is used."""

import ml_dtypes
import numpy as np
import pytest

from engine.choosing import _MANY, _MANY_TO_FILL, fill_where, where, zero_where

SHAPES = [(), (5,), (2, _MANY // 2), (_MANY + 1,), (3, _MANY)]
DTYPES = ["f2", "f4", "f8", "i1", "i4", "i8", "c8", "c16", ml_dtypes.bfloat16]


def _drawn(rng: np.random.Generator, shape: tuple[int, ...], dtype: object) -> np.ndarray:
    out = np.asarray(rng.normal(size=shape) * 9).astype(dtype)
    if out.dtype.kind in "fV" and out.size > 3:
        out.flat[:4] = [np.nan, np.inf, -np.inf, -0.0]
    return out


def _bits(a: np.ndarray) -> tuple[object, bytes]:
    return a.dtype, a.tobytes()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_the_same_bits_as_numpys_where(dtype: object) -> None:
    rng = np.random.default_rng(0)
    for shape in SHAPES:
        a, b, condition = _drawn(rng, shape, dtype), _drawn(rng, shape, dtype), rng.random(shape) < 0.5
        others = [b, np.ascontiguousarray(b[::-1]), b[::-1], b[..., :1]] if shape else [b]
        for other in others:
            assert _bits(where(condition, a, other)) == _bits(np.where(condition, a, other))
        kept = zero_where(condition, a)
        assert _bits(kept) == _bits(np.where(condition, np.zeros((), a.dtype), a))
        assert kept.base is None, "the array owns its memory, as every kernel's result does"


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_the_same_bits_when_a_number_is_filled_in(dtype: object) -> None:
    rng = np.random.default_rng(2)
    a, value = _drawn(rng, (_MANY_TO_FILL // 1024, 16, 64), dtype), np.asarray(7).astype(dtype)[()]
    for mask in ((), (64,), (16, 1), a.shape, (2, *a.shape)):
        condition = rng.random(mask) < 0.5
        assert _bits(fill_where(condition, value, a)) == _bits(np.where(condition, value, a))
    with pytest.raises(ValueError, match="broadcast"):
        fill_where(np.ones(3, bool), np.float32(0), np.ones(_MANY_TO_FILL, "f4"))


def test_arrays_that_lie_otherwise_are_chosen_as_numpy_chooses() -> None:
    rng = np.random.default_rng(1)
    a, b = _drawn(rng, (96, 128), "f4").T, _drawn(rng, (128, 96), "f4")
    condition = rng.random((96, 128)).T < 0.5
    assert where(condition, a, b).tobytes() == np.where(condition, a, b).tobytes()
    assert zero_where(condition, a).strides == np.where(condition, 0, a).strides
