"""PyTorch's CPU random numbers: the generator, and every distribution drawn from it, as numpy arrays.

Both PyTorch and numpy use the Mersenne Twister with 32-bit words and seed it alike, so the words come from numpy. How
many words a number takes, and in which order, is PyTorch's. Functions take the generator first, ``None`` standing for
the default one, and then the shape of the result.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine.c_calls import takes_nothing, takes_one
from engine.normal_kernel import box_muller, fused_multiply_add

Shape = Sequence[int]

_STATE = np.dtype(
    [
        ("initial_seed", "<u8"), ("left", "<i4"), ("seeded", "<i4"), ("next", "<u8"), ("words", "<u8", 624),
        ("normal_x", "<f8"), ("normal_y", "<f8"), ("normal_rho", "<f8"), ("normal_is_valid", "<i4"), ("gap", "<i4"),
        ("float_normal", "<f4"), ("float_normal_is_valid", "u1"), ("end", "u1", 3),
    ]
)  # fmt: skip
_WORDS = 624
_BLOCK = 16  # normals made at once
_SEED_OF_A_NEW_GENERATOR = 67280421310721  # PyTorch's choice, so that unseeded generators start alike too


class Generator:
    """A stream of random numbers, as ``torch.Generator(device="cpu")``."""

    def __init__(self, device: Any = "cpu") -> None:
        self.device = device
        self._bits = np.random.MT19937(0)
        self._seeder = np.random.RandomState(self._bits)
        self._reader = np.random.Generator(self._bits)
        self.spare_normal: float | None = None  # normals are made in pairs; the second waits for the next draw
        self.manual_seed(_SEED_OF_A_NEW_GENERATOR)

    @takes_one("Generator.manual_seed")
    def manual_seed(self, seed: int) -> Generator:
        """Restart the stream from ``seed``, an integer in [-2**63, 2**64), and return the generator itself."""
        if isinstance(seed, (bool, np.bool_)) or not isinstance(seed, (int, np.integer)):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        seed = int(seed)
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._initial_seed = seed % 2**64
        self._seeder.seed(self._initial_seed % 2**32)  # the twister itself takes only the low word
        self.spare_normal = None
        return self

    @takes_nothing("Generator.seed")
    def seed(self) -> int:
        """Restart the stream from a seed nobody can predict, and return that seed."""
        self.manual_seed(int.from_bytes(os.urandom(8), "little"))
        return self._initial_seed

    @takes_nothing("Generator.initial_seed")
    def initial_seed(self) -> int:
        """The seed the stream was last started from, as an unsigned 64-bit number."""
        return self._initial_seed

    def words(self, n: int) -> np.ndarray:
        """The next ``n`` 32-bit words, uint32."""
        # numpy spends a word even when it is asked for no bytes
        return np.frombuffer(self._reader.bytes(4 * n), dtype="<u4") if n else np.empty(0, np.uint32)

    def double_words(self, n: int) -> np.ndarray:
        """The next ``n`` 64-bit words, uint64; the first of two 32-bit words is the high one."""
        pairs = self.words(2 * n).view("<u8")
        return (pairs << np.uint64(32)) | (pairs >> np.uint64(32))

    def get_state(self) -> np.ndarray:
        """Everything needed to continue the stream later: 5056 bytes (uint8), laid out as PyTorch lays them out."""
        state = np.zeros((), _STATE)
        twister = self._bits.state["state"]
        key, position = twister["key"], int(twister["pos"])
        if position == _WORDS and np.array_equal(key, _seeded_key(self._initial_seed)):
            position = 0  # seeded and not yet used: PyTorch tells this apart from a spent block of words
        state["initial_seed"] = self._initial_seed
        state["left"] = _WORDS + 1 - position if position else 1
        state["seeded"], state["next"], state["words"] = 1, position, key
        if self.spare_normal is not None:
            state["normal_y"], state["normal_is_valid"] = self.spare_normal, 1
        return np.frombuffer(state.tobytes(), np.uint8).copy()

    def set_state(self, new_state: np.ndarray) -> Generator:
        """Continue from a state that ``get_state`` returned."""
        raw = np.asarray(new_state)
        if raw.dtype != np.uint8:
            raise TypeError("RNG state must be a torch.ByteTensor")
        if raw.size != _STATE.itemsize:
            raise RuntimeError(
                f"Expected a CPUGeneratorImplState of size {_STATE.itemsize} "
                f"but found the input RNG state size to be {raw.size}"
            )
        state = np.frombuffer(raw.tobytes(), _STATE)[0]
        left, position = int(state["left"]), int(state["next"])
        if not (state["seeded"] and 0 < left <= _WORDS and position <= _WORDS):
            raise RuntimeError("Invalid mt19937 state")
        self._initial_seed = int(state["initial_seed"])
        self._bits.state = {
            "bit_generator": "MT19937",
            "state": {"key": state["words"].astype(np.uint32), "pos": _WORDS if left == 1 else position},
        }
        self.spare_normal = float(state["normal_y"]) if state["normal_is_valid"] else None
        return self

    def clone_state(self) -> Generator:
        """A second generator that will continue exactly as this one."""
        return Generator(self.device).set_state(self.get_state())


def _seeded_key(seed: int) -> np.ndarray:
    bits = np.random.MT19937(0)
    np.random.RandomState(bits).seed(seed % 2**32)
    return bits.state["state"]["key"]


default_generator = Generator()
"""The generator that every function uses when it is given none. It is never replaced, only reseeded."""


def manual_seed(seed: int) -> Generator:
    """Reseed the default generator, as ``torch.manual_seed``, and return it."""
    return default_generator.manual_seed(int(seed))


def _size(shape: Shape) -> int:
    return math.prod(shape)


def _unit(generator: Generator | None, n: int, kind: type[np.floating]) -> np.ndarray:
    """``n`` numbers in [0, 1): 53 bits each for float64, else 24 bits in float32."""
    generator = generator or default_generator
    if kind is np.float64:
        return (generator.double_words(n) & np.uint64(2**53 - 1)) * 2.0**-53
    return (generator.words(n) & np.uint32(2**24 - 1)).astype(np.float32) * np.float32(2.0**-24)


def memory_axes(model: np.ndarray) -> list[int]:
    """The axes of an array from the one with the longest stride to that with the shortest."""
    return sorted(range(model.ndim), key=lambda axis: -model.strides[axis])


def drawn_as_it_lies(model: np.ndarray, draw: Callable[[tuple[int, ...]], np.ndarray]) -> np.ndarray:
    """What `draw` makes of a shape, for an array laid out as `model`: its first number goes where memory begins."""
    if model.flags.c_contiguous:
        return draw(model.shape)
    axes = memory_axes(model)
    return draw(tuple([model.shape[axis] for axis in axes])).transpose(np.argsort(axes))


def uniform(
    generator: Generator | None, shape: Shape, dtype: np.dtype | type = np.float32, low: float = 0.0, high: float = 1.0
) -> np.ndarray:
    """Uniform numbers in [low, high), as ``torch.rand`` and ``Tensor.uniform_``."""
    dtype = np.dtype(dtype)
    drawn = _unit(generator, _size(shape), dtype.type)
    if low == 0.0 and high == 1.0 and dtype.itemsize > 2:
        return drawn.reshape(shape)
    kind = drawn.dtype.type
    drawn = fused_multiply_add(drawn, kind(high) - kind(low), kind(low)).astype(dtype, copy=False)
    drawn[drawn == dtype.type(high)] = low  # rounded up to the end that is excluded
    return drawn.reshape(shape)


def normal(
    generator: Generator | None,
    shape: Shape,
    dtype: np.dtype | type = np.float32,
    mean: float = 0.0,
    std: float = 1.0,
    contiguous: bool = True,
) -> np.ndarray:
    """Normal numbers, as ``torch.randn`` and ``Tensor.normal_``.

    Fewer than 16, or those for memory that is not contiguous, are made one by one in float64, more of them in blocks
    of 16 in their own precision; a remainder makes the last 16 be drawn anew.
    """
    generator = generator or default_generator
    dtype, n = np.dtype(dtype), _size(shape)
    if n < _BLOCK or not contiguous:
        few = _few_normals(generator, n)
        if mean != 0.0 or std != 1.0:
            few = fused_multiply_add(few, np.float64(std), np.float64(mean))
        return few.astype(dtype).reshape(shape)
    whole = n - n % _BLOCK
    # the short types are filled block by block through float32; the others draw for the remainder too, then anew
    drawn = _unit(generator, whole if dtype.itemsize == 2 else n, dtype.type)
    out = np.empty(n, drawn.dtype)
    out[:whole] = box_muller(drawn[:whole], mean, std)
    if whole < n:
        out[n - _BLOCK :] = box_muller(_unit(generator, _BLOCK, dtype.type), mean, std)
    return out.astype(dtype, copy=False).reshape(shape)


def _few_normals(generator: Generator, n: int) -> np.ndarray:
    """``n`` normal numbers in float64, each pair of them from two uniform ones."""
    values = []
    if n and generator.spare_normal is not None:
        values.append(generator.spare_normal)
        generator.spare_normal = None
    pairs = (n - len(values) + 1) // 2
    drawn = _unit(generator, 2 * pairs, np.float64).tolist()
    for first, second in zip(drawn[::2], drawn[1::2], strict=True):
        radius, theta = math.sqrt(-2.0 * math.log1p(-second)), 2.0 * math.pi * first
        values += radius * math.cos(theta), radius * math.sin(theta)
    if len(values) > n:
        generator.spare_normal = values.pop()
    return np.array(values, np.float64)


def randint(
    generator: Generator | None, shape: Shape, low: int, high: int, dtype: np.dtype | type = np.int64
) -> np.ndarray:
    """Integers in [low, high). Raises ``RuntimeError`` for an empty range."""
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    generator = generator or default_generator
    n, span = _size(shape), high - low
    # From 2**28 on PyTorch takes two words, so that the remainder favours no value noticeably.
    drawn = generator.words(n) % np.uint32(span) if span < 2**28 else generator.double_words(n) % np.uint64(span)
    return (drawn.astype(np.int64) + low).astype(dtype, copy=False).reshape(shape)


def whole_range(generator: Generator | None, shape: Shape, dtype: np.dtype | type) -> np.ndarray:
    """Integers over all that ``dtype`` represents exactly, from 0, as ``Tensor.random_()`` without bounds."""
    generator = generator or default_generator
    dtype, n = np.dtype(dtype), _size(shape)
    if dtype.kind == "V":
        limit = 2**8  # bfloat16
    elif dtype.kind == "f":
        limit = 2 ** (np.finfo(dtype).nmant + 1)
    else:
        limit = 1 if dtype.kind == "b" else int(np.iinfo(dtype).max)
    drawn = generator.words(n) if dtype.itemsize < 8 else generator.double_words(n)
    return (drawn % drawn.dtype.type(limit + 1)).astype(dtype).reshape(shape)


def randperm(generator: Generator | None, n: int) -> np.ndarray:
    """The numbers 0 to n - 1 (int64) in random order."""
    generator = generator or default_generator
    order = list(range(n))
    if n > 1:
        left = np.arange(n, 1, -1, dtype=np.uint32)
        steps = (generator.words(n - 1) % left).tolist()
        for i, step in enumerate(steps):
            order[i], order[i + step] = order[i + step], order[i]
    return np.array(order, np.int64)


def any_normal(generator: Generator | None, shape: Shape, dtype: np.dtype, std: float = 1.0) -> np.ndarray:
    """Normal numbers around zero of any floating-point dtype; both parts of a complex one share the variance."""
    if dtype.kind != "c":
        return normal(generator, shape, dtype, 0.0, std)
    real = np.float32 if dtype.itemsize == 8 else np.float64
    return normal(generator, (*shape, 2), real, 0.0, std * 0.5**0.5).view(dtype).reshape(shape)


def bernoulli(
    generator: Generator | None, shape: Shape, probability: float | np.ndarray, dtype: np.dtype | type = np.float32
) -> np.ndarray:
    """Ones with the given probability, else zeros, as ``Tensor.bernoulli_``.

    A single probability is compared in float64; an array of them, of the result's shape, in its own precision.
    """
    if isinstance(probability, np.ndarray):
        drawn = _unit(generator, _size(shape), probability.dtype.type).reshape(shape)
    else:
        drawn = _unit(generator, _size(shape), np.float64).reshape(shape)
    return (drawn < probability).astype(dtype)


def dropout_noise(
    generator: Generator | None, shape: Shape, p: float, dtype: np.dtype | type = np.float32
) -> np.ndarray:
    """What dropout multiplies its input by: 0 with probability ``p``, else 1 / (1 - p)."""
    wide = np.float64 if dtype == np.float64 else np.float32
    keep = bernoulli(generator, shape, 1 - p, wide)
    return (keep / wide(1 - p)).astype(dtype, copy=False)


def _narrowed(values: np.ndarray, shape: Shape, dtype: np.dtype | type) -> np.ndarray:
    """float64 values in the wanted type; PyTorch reaches the short types by way of float32, which rounds twice."""
    if np.dtype(dtype).itemsize == 2:
        values = values.astype(np.float32)
    with np.errstate(over="ignore"):
        return values.astype(dtype, copy=False).reshape(shape)


def exponential(
    generator: Generator | None, shape: Shape, dtype: np.dtype | type = np.float32, rate: float = 1.0
) -> np.ndarray:
    """Waiting times with mean 1 / rate, as ``Tensor.exponential_``."""
    drawn = _unit(generator, _size(shape), np.float64)
    return _narrowed(-1.0 / rate * np.log1p(-drawn), shape, dtype)


def geometric(generator: Generator | None, shape: Shape, p: float, dtype: np.dtype | type = np.float32) -> np.ndarray:
    """Number of trials up to the first success, as ``Tensor.geometric_``."""
    drawn = _unit(generator, _size(shape), np.float64)
    return _narrowed(np.ceil(np.log(drawn) / math.log(1 - p)), shape, dtype)


def cauchy(
    generator: Generator | None,
    shape: Shape,
    dtype: np.dtype | type = np.float32,
    median: float = 0.0,
    sigma: float = 1.0,
) -> np.ndarray:
    """Cauchy numbers, as ``Tensor.cauchy_``."""
    drawn = _unit(generator, _size(shape), np.float64)
    tangent = np.tan(np.pi * (drawn - 0.5))
    return _narrowed(fused_multiply_add(tangent, np.float64(sigma), np.float64(median)), shape, dtype)


def log_normal(
    generator: Generator | None, shape: Shape, dtype: np.dtype | type = np.float32, mean: float = 1.0, std: float = 2.0
) -> np.ndarray:
    """Numbers whose logarithm is normal with ``mean`` and ``std``, as ``Tensor.log_normal_``."""
    drawn = _few_normals(generator or default_generator, _size(shape))
    return _narrowed(np.exp(fused_multiply_add(drawn, np.float64(std), np.float64(mean))), shape, dtype)


def multinomial(
    generator: Generator | None, weights: np.ndarray, samples: int, replacement: bool = False
) -> np.ndarray:
    """Category numbers (int64) drawn by ``weights``: floating point, one row of weights or several.

    The result has the rows of ``weights`` and ``samples`` columns. Raises ``RuntimeError`` as ``torch.multinomial``.
    """
    if samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and samples > weights.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    with_race = not replacement or samples == 1
    _check_weights(weights, with_race)
    if with_race:
        return _race(generator, weights, samples)
    rows = weights.reshape(-1, weights.shape[-1])
    picked = np.empty((rows.shape[0], samples), np.int64)
    drawn = _unit(generator, picked.size, np.float64).reshape(picked.shape)
    for row, sample, into in zip(rows, drawn, picked, strict=True):
        heights = np.cumsum(row, dtype=row.dtype)
        heights /= heights[-1]
        heights[-1] = 1
        into[:] = np.searchsorted(heights.astype(np.float64), sample)
    return picked.reshape(*weights.shape[:-1], samples)


def _check_weights(weights: np.ndarray, with_race: bool) -> None:
    negative_or_nan, infinite = not np.all(weights >= 0), bool(np.any(np.isinf(weights)))
    if with_race and (negative_or_nan or infinite):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if negative_or_nan:
        raise RuntimeError("invalid multinomial distribution (encountering probability entry < 0)")
    if infinite:
        raise RuntimeError("invalid multinomial distribution (encountering probability entry = infinity or NaN)")
    if np.any(weights.sum(axis=-1) <= 0):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")


def _race(generator: Generator | None, weights: np.ndarray, samples: int) -> np.ndarray:
    """Categories in the order of exponential arrivals at rates ``weights``: a draw without replacement."""
    speed = weights / drawn_as_it_lies(weights, lambda shape: exponential(generator, shape, weights.dtype))
    if samples == 1:
        return np.argmax(speed, axis=-1)[..., None]
    return np.argsort(-speed, axis=-1, kind="stable")[..., :samples]
