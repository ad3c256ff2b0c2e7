"""`torch.testing.assert_close`: whether two results are equal up to rounding, and if not, by how much."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engine import dtypes
from engine.creation import as_tensor, tensor
from engine.tensor import TensorBase
from engine.warning import warn

_TOLERANCES = {"float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}


def _tolerances(a: Any, b: Any, rtol: float | None, atol: float | None) -> tuple[float, float]:
    """The given tolerances, or those of the coarser dtype."""
    if (rtol is None) != (atol is None):
        missing = "atol" if atol is None else "rtol"
        raise ValueError(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}.")
    if rtol is not None and atol is not None:
        return rtol, atol
    known = [_TOLERANCES.get(t.dtype.to_real().name, (0.0, 0.0)) for t in (a, b)]
    return max(k[0] for k in known), max(k[1] for k in known)


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: Any = None,
) -> None:
    """Raise AssertionError with the largest differences when two results are not close."""
    for place, a, b in _pairs(actual, expected):
        try:
            _compare(a, b, rtol, atol, equal_nan, check_dtype, check_stride)
        except AssertionError as e:
            text = f"{e}{place}"
            raise AssertionError(text if msg is None else msg(text) if callable(msg) else msg) from None


def _pairs(a: Any, b: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """What is compared with what in two results of one structure, each with where it stands, said in a sentence.

    Raises AssertionError where the structures differ, TypeError for what cannot be compared.
    """
    place = f"\n\nThe failure occurred for item {path}" if path else ""
    if isinstance(a, Sequence) and isinstance(b, Sequence) and not isinstance(a, str) and not isinstance(b, str):
        if len(a) != len(b):
            raise AssertionError(f"The length of the sequences mismatch: {len(a)} != {len(b)}{place}")
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from _pairs(x, y, f"{path}[{i}]")
    elif isinstance(a, Mapping) and isinstance(b, Mapping):
        missing, additional = (sorted(p.keys() - q.keys(), key=str) for p, q in ((b, a), (a, b)))
        if missing or additional:
            lines = ["The keys of the mappings do not match:"]
            lines += [f"Missing keys in the actual mapping: {missing}"] if missing else []
            lines += [f"Additional keys in the actual mapping: {additional}"] if additional else []
            raise AssertionError("\n".join(lines) + place)
        for key in sorted(a, key=str):
            yield from _pairs(a[key], b[key], f"{path}[{key!r}]")
    elif _comparable(a, b):
        yield place, a, b
    else:
        text = f"No comparison pair was able to handle inputs of type {type(a)} and {type(b)}."
        raise TypeError(text + place)


def _comparable(a: Any, b: Any) -> bool:
    """Nothing with anything, numbers with numbers, tensors and arrays with their like."""
    if a is None or b is None or (_is_number(a) and _is_number(b)):
        return True
    related = isinstance(a, type(b)) or isinstance(b, type(a))
    return related and isinstance(a, TensorBase | np.ndarray)


def _is_number(v: Any) -> bool:
    return isinstance(v, bool | int | float | complex | np.number | np.bool_)


def _compare(a: Any, b: Any, rtol: Any, atol: Any, equal_nan: bool, check_dtype: bool, check_stride: bool) -> None:
    if a is None or b is None:
        if a is not b:
            raise AssertionError(f"None mismatch: {a} is not {b}")
        return
    if isinstance(a, bool) and isinstance(b, bool):
        if a is not b:
            raise AssertionError(f"Booleans mismatch: {a} is not {b}")
        return
    if _is_number(a) and check_dtype and type(a) is not type(b):
        raise AssertionError(f"The (d)types do not match: {type(a)} != {type(b)}.")
    a, b = (v if isinstance(v, TensorBase) else _as_tensor(v) for v in (a, b))
    if a.shape != b.shape:
        raise AssertionError(f"The values for attribute 'shape' do not match: {a.shape} != {b.shape}.")
    if check_dtype and a.dtype is not b.dtype:
        raise AssertionError(f"The values for attribute 'dtype' do not match: {a.dtype} != {b.dtype}.")
    if check_stride and a.stride() != b.stride():
        raise AssertionError(f"The values for attribute 'stride()' do not match: {a.stride()} != {b.stride()}.")
    rtol, atol = _tolerances(a, b, rtol, atol)
    common = dtypes.int64 if a.dtype is b.dtype is dtypes.bool_ else dtypes.promote_types(a.dtype, b.dtype)
    _compare_values(a._a.astype(common.numpy), b._a.astype(common.numpy), rtol, atol, equal_nan)


def _as_tensor(v: Any) -> Any:
    """A number or an array as a tensor that loses nothing of it."""
    wide = {float: dtypes.float64, complex: dtypes.complex128}
    return as_tensor(v, dtype=wide.get(type(v)))


def _compare_values(a: Any, b: Any, rtol: float, atol: float, equal_nan: bool) -> None:
    close = np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if np.all(close):
        return
    wrong = ~np.asarray(close)
    absolute = np.where(wrong, np.abs(a - b), 0)
    ratio = np.abs(a - b) / np.abs(b)
    relative = np.where(wrong, ratio if a.dtype.kind in "fc" else ratio.astype(np.float32), 0)
    exact = rtol == 0 and atol == 0
    if np.ndim(a) == 0:
        raise AssertionError(
            f"Scalars are not {'equal' if exact else 'close'}!\n\nExpected {b.item()} but got {a.item()}.\n"
            f"{_difference('Absolute', absolute.item(), None, atol, exact)}\n"
            f"{_difference('Relative', relative.item(), None, rtol, exact)}"
        )
    count = int(wrong.sum())
    raise AssertionError(
        f"Tensor-likes are not {'equal' if exact else 'close'}!\n\n"
        f"Mismatched elements: {count} / {wrong.size} ({count / wrong.size:.1%})\n"
        f"{_largest('absolute', absolute, atol, exact)}\n{_largest('relative', relative, rtol, exact)}"
    )


def _largest(kind: str, values: np.ndarray, tolerance: float, exact: bool) -> str:
    place = np.unravel_index(int(np.argmax(values)), values.shape)
    return _difference(f"Greatest {kind}", values[place].item(), tuple(int(i) for i in place), tolerance, exact)


def _difference(kind: str, value: float, place: Any, tolerance: float, exact: bool) -> str:
    text = f"{kind} difference: {value}"
    if place is not None:
        text += f" at index {place}"
    return text if exact else f"{text} (up to {tolerance} allowed)"


_OLD_TOLERANCES = {"float16": (1e-3, 1e-3), "float32": (1e-4, 1e-5), "float64": (1e-5, 1e-8)}


def assert_allclose(
    actual: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    msg: str = "",
) -> None:
    """`assert_close` by the old name: of any dtypes, with wider tolerances, and nan equal to nan."""
    warn(
        "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future release. Please "
        "use `torch.testing.assert_close()` instead. You can find detailed upgrade instructions in "
        "https://github.com/pytorch/pytorch/issues/61844.",
        FutureWarning,
    )
    actual = actual if isinstance(actual, TensorBase) else tensor(actual)
    expected = expected if isinstance(expected, TensorBase) else tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        known = [_OLD_TOLERANCES.get(t.dtype.name, (0.0, 0.0)) for t in (actual, expected)]
        rtol, atol = max(k[0] for k in known), max(k[1] for k in known)
    assert_close(
        actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, check_stride=False,
        msg=msg or None,
    )  # fmt: skip


TESTING: dict[str, Any] = {"assert_allclose": assert_allclose, "assert_close": assert_close}
