"""New tensors of given size and content: `zeros`, `full`, `eye`, `arange`, `linspace` and their kin."""

import math
from typing import Any

import numpy as np

from engine import dtypes
from engine.composite import composite
from engine.creation import check_device, made
from engine.ops.kinds import check_dtype, held
from engine.ops.layouts import copied
from engine.ops.spacing import evenly_spaced
from engine.tensor import Tensor, TensorBase
from engine.warning import warn

_OPTIONS = (
    "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=False, "
    "bool? requires_grad=False"
)
TAIL = f"*, Tensor? out=None, {_OPTIONS}"
NO_OUT = f"*, {_OPTIONS}"
_LANES = {4: 8, 8: 4}  # how many elements PyTorch makes at once, by item size


def finish(a: np.ndarray, name: str, device: Any, requires_grad: bool | None) -> Tensor:
    """What every factory ends with: the device checked, the array a leaf."""
    check_device(device)
    return made(a, bool(requires_grad), name)


def checked_size(name: str, size: tuple[int, ...]) -> tuple[int, ...]:
    """The size. Raises RuntimeError when a dimension is negative."""
    if any(n < 0 for n in size):
        if name == "zeros":
            raise RuntimeError("zeros: Dimension size must be non-negative.")
        worst = next(n for n in size if n < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {worst}: [{', '.join(map(str, size))}]")
    if math.prod(size) >= 2**61:
        raise RuntimeError(f"Storage size calculation overflowed with sizes=[{', '.join(map(str, size))}]")
    return size


def wanted(dtype: dtypes.dtype | None) -> np.dtype:
    """The numpy type of a dtype, the default one standing for None."""
    return (dtype or dtypes.get_default_dtype()).numpy


@composite(f"zeros(SymInt[] size, {TAIL}) -> Tensor", where=("function",))
def zeros(size: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any) -> Tensor:
    """Zeros of a size."""
    return finish(np.zeros(checked_size("zeros", size), wanted(dtype)), "zeros", device, requires_grad)


@composite(f"ones(SymInt[] size, {TAIL}) -> Tensor", where=("function",))
def ones(size: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any) -> Tensor:
    """Ones of a size."""
    return finish(np.ones(checked_size("ones", size), wanted(dtype)), "ones", device, requires_grad)


@composite(f"empty(SymInt[] size, *, MemoryFormat? memory_format=None, {TAIL[3:]}) -> Tensor", where=("function",))
def empty(
    size: Any, memory_format: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """A size whose content does not matter: zeros here, so that a run is always the same."""
    if memory_format is not None and "preserve" in repr(memory_format):
        raise RuntimeError("unsupported memory format Preserve")
    a = np.zeros(checked_size("empty", size), wanted(dtype))
    return finish(a if memory_format is None else copied(a, memory_format), "empty", device, requires_grad)


def strided_zeros(size: tuple[int, ...], stride: tuple[int, ...], np_type: np.dtype) -> np.ndarray:
    """Zeros at given strides. Raises RuntimeError for strides that do not fit the size, or lead out of memory."""
    if len(size) != len(stride):
        raise RuntimeError(
            f"dimensionality of sizes ({len(size)}) must match dimensionality of strides ({len(stride)})"
        )
    checked_size("empty_strided", size)
    count = 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True)) if 0 not in size else 0
    if 0 not in size and any(s < 0 < n - 1 for n, s in zip(size, stride, strict=True)):
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes=[{', '.join(map(str, size))}] and "
            f"strides=[{', '.join(map(str, stride))}]"
        )
    return np.ndarray(size, np_type, np.zeros(count, np_type), 0, tuple(s * np_type.itemsize for s in stride))


@composite(f"empty_strided(SymInt[] size, SymInt[] stride, {NO_OUT}) -> Tensor", where=("function",))
def empty_strided(
    size: Any, stride: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """A size whose elements lie at given strides."""
    return finish(strided_zeros(size, stride, wanted(dtype)), "empty_strided", device, requires_grad)


@composite(f"empty_permuted(SymInt[] size, int[] physical_layout, {NO_OUT}) -> Tensor", where=("function",))
def empty_permuted(
    size: Any, physical_layout: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """A size whose dimensions lie in memory in a given order, the outermost first."""
    ndim = len(size)
    if ndim != len(physical_layout):
        raise RuntimeError(
            "Number of dimensions in size does not match the length of the physical_layout; i.e. len(size) = "
            f"{ndim} is not equal to len(physical_layout) = {len(physical_layout)}"
        )
    for i, d in enumerate(physical_layout):
        if not 0 <= d < ndim:
            raise RuntimeError(
                f"Dimension out of range (expected to be between 0 and {ndim - 1}, but got {d} at index {i}).  NB: "
                "negative dims not currently supported; file an issue if you want it."
            )
        if d in physical_layout[:i]:
            raise RuntimeError("Duplicate dim not allowed")
    checked_size("empty_permuted", tuple(size[d] for d in physical_layout))
    stride, step = [0] * ndim, 1
    for d in reversed(physical_layout):
        stride[d] = step
        step *= max(size[d], 1)
    a = strided_zeros(size, tuple(stride), wanted(dtype))
    return finish(a, "empty_permuted", device, requires_grad)


@composite(f"full(SymInt[] size, Scalar fill_value, {TAIL}) -> Tensor", where=("function",))
def full(
    size: Any, fill_value: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """One value at a size; its dtype follows the value."""
    kind = (dtype or dtypes.dtype_of_number(fill_value)).numpy
    a = np.full(checked_size("full", size), held(fill_value, kind), kind)
    return finish(a, "full", device, requires_grad)


@composite(f"scalar_tensor(Scalar s, {NO_OUT}) -> Tensor", where=("function",))
def scalar_tensor(s: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any) -> Tensor:
    """A 0-dimensional tensor of the default dtype."""
    return finish(np.asarray(held(s, wanted(dtype))), "scalar_tensor", device, requires_grad)


def _eye(n: int, m: int, dtype: Any, device: Any, requires_grad: Any) -> Tensor:
    for name, count in (("n", n), ("m", m)):
        if count < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {count}")
    return finish(np.eye(n, m, dtype=wanted(dtype)), "eye", device, requires_grad)


@composite(f"eye(SymInt n, {TAIL}) -> Tensor", where=("function",))
def eye(n: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any) -> Tensor:
    """The identity matrix."""
    return _eye(n, n, dtype, device, requires_grad)


@composite(f"eye.m(SymInt n, SymInt m, {TAIL}) -> Tensor", where=("function",))
def eye_m(
    n: Any, m: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """Ones on the diagonal of a rectangle."""
    return _eye(n, m, dtype, device, requires_grad)


def _steps(start: Any, end: Any, step: Any) -> float:
    """(end - start) / step. Raises RuntimeError as `arange` and `range` do."""
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    return (end - start) / step


def _progression(n: int, start: Any, step: Any, np_type: np.dtype) -> np.ndarray:
    """start, start + step, …, rounded as PyTorch rounds: whole blocks count from their own first element."""
    if np_type.kind in "iu":
        return (int(start) + int(step) * np.arange(n)).astype(np_type)
    index = np.arange(n)
    a = (start + step * index).astype(np_type)
    lanes = _LANES.get(np_type.itemsize, 1)
    whole = n - n % (2 * lanes)
    if whole and lanes > 1:
        lane = index[:whole] % lanes
        first = (start + step * (index[:whole] - lane)).astype(np_type).astype(np.float64)
        a[:whole] = first + lane * float(step)
    return a


def _arange(start: Any, end: Any, step: Any, dtype: Any, device: Any, requires_grad: Any) -> Tensor:
    if dtype is None:
        whole = all(isinstance(v, int) for v in (start, end, step))
        dtype = dtypes.int64 if whole else dtypes.get_default_dtype()
    check_dtype("arange_cpu", dtype.numpy, "fiuV")
    n = math.ceil(_steps(start, end, step))
    if dtype is dtypes.int64:
        start, end, step = int(start), int(end), int(step)
        if step == 0:
            raise ValueError("step must be nonzero")
        n = -((start - end) // step)
    return finish(_progression(n, start, step, dtype.numpy), "arange", device, requires_grad)


@composite(f"arange(Scalar end, {TAIL}) -> Tensor", where=("function",))
def arange(end: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any) -> Tensor:
    """0, 1, … below `end`."""
    return _arange(0, end, 1, dtype, device, requires_grad)


@composite(f"arange.start(Scalar start, Scalar end, {NO_OUT}) -> Tensor", where=("function",))
def arange_start(
    start: Any, end: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """start, start + 1, … below `end`."""
    return _arange(start, end, 1, dtype, device, requires_grad)


@composite(f"arange.start_step(Scalar start, Scalar end, Scalar step=1, {TAIL}) -> Tensor", where=("function",))
def arange_step(
    start: Any, end: Any, step: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """start, start + step, … before `end`."""
    return _arange(start, end, step, dtype, device, requires_grad)


@composite(f"range.step(Scalar start, Scalar end, Scalar step=1, {TAIL}) -> Tensor", where=("function",))
def range_(
    start: Any, end: Any, step: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """start, start + step, … up to and including `end`."""
    warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with "
        "Python's range builtin. Instead, use torch.arange, which produces values in [start, end)."
    )
    check_dtype("range_cpu", wanted(dtype), "fiuV")
    if wanted(dtype).kind in "iu":
        for v in (start, end, step):
            if not math.isfinite(v):
                raise RuntimeError("value cannot be converted to type int64_t without overflow")
    n = math.floor(_steps(start, end, step)) + 1
    return finish(_progression(n, start, step, wanted(dtype)), "range", device, requires_grad)


_ENDS = (("Tensor", "Tensor"), ("Scalar", "Tensor"), ("Tensor", "Scalar"), ("Scalar", "Scalar"))


def _plain(name: str, v: Any) -> Any:
    """An end as a number. Raises RuntimeError for a tensor with dimensions."""
    if not isinstance(v, TensorBase):
        return v
    if v.dim() != 0:
        raise RuntimeError(
            f"{name} only supports 0-dimensional start and end tensors, but got start with {v.dim()} dimension(s)."
        )
    return v._a.item()


def _linspace(
    start: Any,
    end: Any,
    steps: Any,
    out: Any,
    dtype: Any,
    layout: Any,
    device: Any,
    pin_memory: Any,
    requires_grad: Any,
) -> Tensor:
    """Evenly spaced numbers, both ends included."""
    check_dtype("linspace_cpu", wanted(dtype), "fciuV")
    a = evenly_spaced(_plain("linspace", start), _plain("linspace", end), steps, wanted(dtype))
    return finish(a, "linspace", device, requires_grad)


def _logspace(
    start: Any, end: Any, steps: Any, base: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any,
    requires_grad: Any,
) -> Tensor:  # fmt: skip
    """Powers of `base` with evenly spaced exponents."""
    np_type = wanted(dtype)
    check_dtype("logspace_cpu", np_type, "fciuV")
    kind = np_type if np_type.kind in "fc" else np.dtype(np.float64)
    exponents = evenly_spaced(_plain("logspace", start), _plain("logspace", end), steps, kind)
    return finish(np.power(kind.type(base), exponents).astype(np_type), "logspace", device, requires_grad)


LINSPACE = tuple(
    composite(f"linspace.{a}_{b}({a} start, {b} end, int steps, {TAIL}) -> Tensor", where=("function",))(_linspace)
    for a, b in _ENDS
)
LOGSPACE = tuple(
    composite(
        f"logspace.{a}_{b}({a} start, {b} end, int steps, float base=10.0, {TAIL}) -> Tensor", where=("function",)
    )(_logspace)
    for a, b in _ENDS
)


def _triangle(name: str, pick: Any, row: int, col: int, offset: int, dtype: Any) -> np.ndarray:
    check_dtype(name, (dtype or dtypes.int64).numpy, "", "il")
    for what, n in (("row", row), ("col", col)):
        if n < 0:
            raise RuntimeError(f"{what} must be non-negative, got{n}")
    return np.stack(np.nonzero(pick(np.ones((row, col), bool), offset))).astype((dtype or dtypes.int64).numpy)


@composite(f"tril_indices(int row, int col, int offset=0, {NO_OUT}) -> Tensor", where=("function",))
def tril_indices(
    row: Any, col: Any, offset: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """Row and column numbers of the lower triangle."""
    return finish(_triangle("tril_indices", np.tril, row, col, offset, dtype), "tril_indices", device, requires_grad)


@composite(f"triu_indices(int row, int col, int offset=0, {NO_OUT}) -> Tensor", where=("function",))
def triu_indices(
    row: Any, col: Any, offset: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """Row and column numbers of the upper triangle."""
    return finish(_triangle("triu_indices", np.triu, row, col, offset, dtype), "triu_indices", device, requires_grad)
