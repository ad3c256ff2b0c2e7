"""New tensors of random numbers: `rand`, `randn`, `randint`, `randperm`, `normal`, and their `_like` forms."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine import dtypes, random
from engine.composite import composite
from engine.composites.factories import TAIL, checked_size, finish
from engine.composites.like_factories import LIKE
from engine.ops.layouts import shaped_like, with_steps
from engine.ops.random_fill import check_integer_bounds
from engine.storage import strides_of
from engine.tensor import Tensor

WITH_GENERATOR = f"*, Generator? generator, {TAIL[3:]}"
LIKE_WITH_GENERATOR = f"*, Generator? generator, {LIKE[3:]}"


def _real_type(dtype: dtypes.dtype, kernel: str) -> np.dtype:
    if dtype.rank < 2:
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{dtype.torch_name}'")
    return dtype.to_real().numpy


def _alike(draw: Callable[..., np.ndarray], self: Any, memory_format: Any, *given: Any) -> np.ndarray:
    """draw(size, …) for the size of a tensor, the numbers in the order of its memory or of the format named."""
    model = shaped_like(self._a, None, memory_format)
    if draw is _normal:
        given = (*given, model.flags.c_contiguous)
    drawn = random.drawn_as_it_lies(model, lambda size: draw(size, *given))
    return with_steps(drawn, strides_of(model))


def _uniform(size: Any, generator: Any, dtype: Any) -> np.ndarray:
    dtype = dtype or dtypes.get_default_dtype()
    real = _real_type(dtype, "check_uniform_bounds")
    if dtype.is_complex:
        return random.uniform(generator, (*size, 2), real).view(dtype.numpy).reshape(size)
    return random.uniform(generator, size, real)


def _normal(size: Any, generator: Any, dtype: Any, contiguous: bool = True) -> np.ndarray:
    dtype = dtype or dtypes.get_default_dtype()
    real = _real_type(dtype, "normal_kernel_cpu")
    if dtype.is_complex:  # both parts share the variance
        return random.normal(generator, (*size, 2), real, 0.0, 0.5**0.5, contiguous).view(dtype.numpy).reshape(size)
    return random.normal(generator, size, real, 0.0, 1.0, contiguous)


def _integers(size: Any, generator: Any, low: int, high: int, dtype: Any) -> np.ndarray:
    dtype = dtype or dtypes.int64
    check_integer_bounds(low, high, dtype)
    return random.randint(generator, size, low, high, dtype.numpy)


@composite(f"rand.generator(SymInt[] size, {WITH_GENERATOR}) -> Tensor", where=("function",))
def rand_generator(
    size: Any, generator: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """Uniform numbers in [0, 1) from a given generator."""
    return finish(_uniform(checked_size("rand", size), generator, dtype), "rand", device, requires_grad)


@composite(f"rand(SymInt[] size, {TAIL}) -> Tensor", where=("function",))
def rand(size: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any) -> Tensor:
    """Uniform numbers in [0, 1)."""
    return finish(_uniform(checked_size("rand", size), None, dtype), "rand", device, requires_grad)


@composite(f"randn.generator(SymInt[] size, {WITH_GENERATOR}) -> Tensor", where=("function",))
def randn_generator(
    size: Any, generator: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """Normal numbers from a given generator."""
    return finish(_normal(checked_size("randn", size), generator, dtype), "randn", device, requires_grad)


@composite(f"randn(SymInt[] size, {TAIL}) -> Tensor", where=("function",))
def randn(size: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any) -> Tensor:
    """Normal numbers."""
    return finish(_normal(checked_size("randn", size), None, dtype), "randn", device, requires_grad)


@composite(f"randint.generator(SymInt high, SymInt[] size, {WITH_GENERATOR}) -> Tensor", where=("function",))
def randint_generator(
    high: Any, size: Any, generator: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any,
    requires_grad: Any,
) -> Tensor:  # fmt: skip
    """Integers in [0, high) from a given generator."""
    a = _integers(checked_size("randint", size), generator, 0, high, dtype)
    return finish(a, "randint", device, requires_grad)


@composite(f"randint(SymInt high, SymInt[] size, {TAIL}) -> Tensor", where=("function",))
def randint(
    high: Any, size: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """Integers in [0, high)."""
    return finish(_integers(checked_size("randint", size), None, 0, high, dtype), "randint", device, requires_grad)


@composite(
    f"randint.low_generator(SymInt low, SymInt high, SymInt[] size, {WITH_GENERATOR}) -> Tensor", where=("function",)
)
def randint_low_generator(
    low: Any, high: Any, size: Any, generator: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any,
    requires_grad: Any,
) -> Tensor:  # fmt: skip
    """Integers in [low, high) from a given generator."""
    a = _integers(checked_size("randint", size), generator, low, high, dtype)
    return finish(a, "randint", device, requires_grad)


@composite(f"randint.low(SymInt low, SymInt high, SymInt[] size, {TAIL}) -> Tensor", where=("function",))
def randint_low(
    low: Any, high: Any, size: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """Integers in [low, high)."""
    return finish(_integers(checked_size("randint", size), None, low, high, dtype), "randint", device, requires_grad)


def _shuffled(n: int, generator: Any, dtype: Any, device: Any, requires_grad: Any) -> Tensor:
    checked_size("randperm", (n,))
    if dtype is not None and (dtype.is_complex or dtype is dtypes.bool_):
        raise NotImplementedError(f"\"randperm\" not implemented for '{dtype.torch_name}'")
    a = random.randperm(generator, n).astype((dtype or dtypes.int64).numpy, copy=False)
    return finish(a, "randperm", device, requires_grad)


@composite(f"randperm.generator(SymInt n, {WITH_GENERATOR}) -> Tensor", where=("function",))
def randperm_generator(
    n: Any, generator: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any
) -> Tensor:
    """0 to n - 1 in random order, from a given generator."""
    return _shuffled(n, generator, dtype, device, requires_grad)


@composite(f"randperm(SymInt n, {TAIL}) -> Tensor", where=("function",))
def randperm(n: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any) -> Tensor:
    """0 to n - 1 in random order."""
    return _shuffled(n, None, dtype, device, requires_grad)


@composite(
    f"normal.float_float(float mean, float std, SymInt[] size, *, Generator? generator=None, {TAIL[3:]}) -> Tensor",
    where=("function",),
)
def normal_sized(
    mean: Any, std: Any, size: Any, generator: Any, out: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any,
    requires_grad: Any,
) -> Tensor:  # fmt: skip
    """Normal numbers of one mean and standard deviation."""
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    dtype = dtype or dtypes.get_default_dtype()
    real, size = _real_type(dtype, "normal_kernel_cpu"), checked_size("normal", size)
    if dtype.is_complex:
        a = (random.any_normal(generator, size, dtype.numpy, std) + mean).astype(dtype.numpy)
    else:
        a = random.normal(generator, size, real, mean, std)
    return finish(a, "normal", device, requires_grad)


@composite(f"rand_like.generator(Tensor self, {LIKE_WITH_GENERATOR}) -> Tensor", where=("function",))
def rand_like_generator(
    self: Any, generator: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any,
    memory_format: Any,
) -> Tensor:  # fmt: skip
    """Uniform numbers with another tensor's size, from a given generator."""
    return finish(
        _alike(_uniform, self, memory_format, generator, dtype or self.dtype), "rand_like", device, requires_grad
    )


@composite(f"rand_like(Tensor self, {LIKE}) -> Tensor", where=("function",))
def rand_like(
    self: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any, memory_format: Any
) -> Tensor:
    """Uniform numbers with another tensor's size and dtype."""
    return finish(_alike(_uniform, self, memory_format, None, dtype or self.dtype), "rand_like", device, requires_grad)


@composite(f"randn_like.generator(Tensor self, {LIKE_WITH_GENERATOR}) -> Tensor", where=("function",))
def randn_like_generator(
    self: Any, generator: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any,
    memory_format: Any,
) -> Tensor:  # fmt: skip
    """Normal numbers with another tensor's size, from a given generator."""
    return finish(
        _alike(_normal, self, memory_format, generator, dtype or self.dtype), "randn_like", device, requires_grad
    )


@composite(f"randn_like(Tensor self, {LIKE}) -> Tensor", where=("function",))
def randn_like(
    self: Any, dtype: Any, layout: Any, device: Any, pin_memory: Any, requires_grad: Any, memory_format: Any
) -> Tensor:
    """Normal numbers with another tensor's size and dtype."""
    return finish(_alike(_normal, self, memory_format, None, dtype or self.dtype), "randn_like", device, requires_grad)


def _int_of(high: Any) -> int:
    if isinstance(high, int):
        return high
    if high.ndim:
        raise RuntimeError("high must be a scalar tensor and on CPU")
    return int(high.item())


def _integers_like(
    self: Any, generator: Any, low: int, high: Any, dtype: Any, device: Any, requires: Any, memory_format: Any
) -> Tensor:
    a = _alike(_integers, self, memory_format, generator, low, _int_of(high), dtype or self.dtype)
    return finish(a, "randint_like", device, requires)


def _randint_like(overload: str, high: str, like: str) -> Any:
    """An overload of randint_like: with one bound or two, an int or a tensor, and a generator or none."""

    def function(self: Any, *values: Any) -> Tensor:
        *low, bound = values[: high.count(",") + 1]
        generator = values[len(low) + 1] if "Generator" in like else None
        dtype, _, device, _, *rest = values[-6:]
        return _integers_like(self, generator, low[0] if low else 0, bound, dtype, device, *rest)

    signature = f"randint_like{overload}(Tensor self, {high}, {like}) -> Tensor"
    return composite(signature, where=("function",))(function)


RANDINT_LIKE = tuple(
    _randint_like(f".{name}{suffix}".rstrip("."), high, like)
    for name, high in (("", "SymInt high"), ("low_dtype", "SymInt low, SymInt high"), ("Tensor", "Tensor high"))
    for suffix, like in (("_generator", LIKE_WITH_GENERATOR), ("", LIKE))
)
