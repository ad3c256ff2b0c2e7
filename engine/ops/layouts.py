"""How results lie in memory, which `stride()` shows: rows one after the other, or columns as LAPACK has them."""

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from math import prod
from typing import Any

import numpy as np

from engine.storage import steps_by_rows, strides_of


def by_rows(x: Any) -> Any:
    """Contiguous; a copy only where numpy, following its inputs, arranged the array in another order."""
    if not x.flags.c_contiguous:
        return np.ascontiguousarray(x)
    return with_steps(x, steps_by_rows(x.shape)) if 1 in x.shape else x


def by_columns(x: Any) -> Any:
    """Every matrix of a batch column by column."""
    turned = np.swapaxes(x, -1, -2)
    return x if turned.flags.c_contiguous else np.swapaxes(np.ascontiguousarray(turned), -1, -2)


def dense_steps(shape: tuple[int, ...], operands: Sequence[Any]) -> tuple[int, ...]:
    """Strides, in elements, of a new array of this shape, its dimensions in the order in which the operands have them.

    Of two dimensions the one along which the first operand takes the smaller step comes to lie closer together; an
    operand that repeats its elements along either leaves the decision to the next.
    """
    return _dense_steps(shape, *[(a.shape, a.strides) for a in operands])


@lru_cache(maxsize=4096)  # a network asks the same at every step
def _dense_steps(shape: tuple[int, ...], *operands: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[int, ...]:
    steps = []
    for sizes, strides in operands:
        lead = len(shape) - len(sizes)
        own = [0 if n == 1 != wanted else s for n, s, wanted in zip(sizes, strides, shape[lead:], strict=True)]
        steps.append([0] * lead + own)

    def further(p: int, q: int) -> int:
        """1 when dimension p has to lie further apart than q, -1 for the opposite, 0 when no operand tells."""
        for own in steps:
            if own[p] and own[q]:
                if own[p] != own[q]:
                    return 1 if own[p] > own[q] else -1
                if shape[p] > shape[q]:
                    return 1
        return 0

    order = list(range(len(shape)))[::-1]  # the closest first
    for i in range(1, len(order)):
        at = i
        for before in reversed(range(i)):
            told = further(order[before], order[at])
            if told > 0:
                order[before], order[at] = order[at], order[before]
                at = before
            elif told < 0:
                break
    if order == list(range(len(shape)))[::-1]:
        return steps_by_rows(shape)
    found, step = [0] * len(shape), 1
    for d in order:
        found[d] = step
        step *= shape[d]
    return tuple(found)


def is_dense(a: Any) -> bool:
    """Whether the elements fill their memory without gaps, each once, in whatever order of dimensions."""
    expected = a.itemsize
    for s, n in sorted((s, n) for s, n in zip(a.strides, a.shape, strict=True) if n > 1):
        if s != expected:
            return False
        expected *= n
    return True


def by_channels(x: Any) -> bool:
    """Whether these are images, or volumes, whose channels lie next to each other."""
    return x.ndim in (4, 5) and np.moveaxis(x, 1, -1).flags.c_contiguous


def suggests_channels(x: Any) -> bool:
    """Whether the strides of images or volumes are rather those of channels that lie next to each other."""
    if x.ndim not in (4, 5) or x.strides[1] == 0:
        return False
    least = 0
    for d in (1, *range(x.ndim - 1, 1, -1), 0):
        s, n = x.strides[d], x.shape[d]
        if not n or s < least or (d == 0 and least == x.strides[1]):
            return False
        least = s * max(n, 1)
    return True


def lies_in(x: Any, memory_format: Any) -> bool:
    """Whether the strides suggest this format, so that a conversion to it has nothing to do."""
    return suggests_channels(x) if "channels" in str(memory_format) else x.ndim < 2 or x.flags.c_contiguous


def shaped_alike(parts: Sequence[Any], out: Any) -> Any:
    """What was put together of images: channels next to each other if they are so in all of them."""
    if out.ndim in (4, 5) and all(suggests_channels(x) for x in parts):
        return with_steps(out, steps_by_channels(out.shape))
    return out


def keeps_channels(forward: Callable[..., Any], operands: int = 1) -> Callable[..., Any]:
    """A kernel whose images have their channels next to each other where those of its first operands have."""

    @wraps(forward)
    def kernel(*args: Any, **kwargs: Any) -> Any:
        out = forward(*args, **kwargs)
        if not any(suggests_channels(x) for x in args[:operands]):
            return out
        if type(out) is not tuple:
            return with_steps(out, steps_by_channels(out.shape))
        return tuple([x if x is None or x.ndim < 4 else with_steps(x, steps_by_channels(x.shape)) for x in out])

    return kernel


def with_steps(x: Any, steps: tuple[int, ...]) -> Any:
    """The array with these strides, in elements; a copy where it has others."""
    if x.strides == tuple([s * x.itemsize for s in steps]):
        return x
    out = _memory(x.shape, x.dtype, steps)
    out[...] = x
    return out


def _memory(shape: tuple[int, ...], dt: np.dtype, steps: tuple[int, ...]) -> np.ndarray:
    """A new array with these strides, in elements, without gaps."""
    return np.ndarray(shape, dt, np.empty(prod(shape), dt), strides=tuple([s * dt.itemsize for s in steps]))


def _steps(x: np.ndarray) -> tuple[int, ...]:
    """Strides in elements."""
    return tuple([s // x.itemsize for s in x.strides])


def iterated(out: Any, *operands: Any) -> Any:
    """A result of pointwise arithmetic, laid out in memory as PyTorch's iterator over the operands does it.

    A number counts as an operand of another size than the result's; None does not count.

    https://github.com/pytorch/pytorch/wiki/How-to-use-TensorIterator says which layouts it keeps.
    """
    shape = out.shape
    arrays = [a for a in operands if isinstance(a, np.ndarray)]
    in_rows = all(a.flags.c_contiguous for a in arrays)
    if len(shape) < 2 or (in_rows and out.flags.c_contiguous and 1 not in shape and 0 not in shape):
        return out
    if all(a is None or getattr(a, "shape", ()) == shape for a in operands):
        if in_rows:
            return with_steps(out, steps_by_rows(shape))
        if all(by_channels(a) for a in arrays):
            return with_steps(out, steps_by_channels(shape))
        steps = [_steps(a) for a in arrays]
        if all(s == steps[0] for s in steps) and is_dense(arrays[0]):
            return with_steps(out, steps[0])
    return with_steps(out, dense_steps(shape, arrays))


def steps_by_channels(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Strides, in elements, of images whose channels lie next to each other."""
    steps = steps_by_rows((shape[0], *shape[2:], shape[1]))
    return (steps[0], steps[-1], *steps[1:-1])


def like_steps(model: Any) -> tuple[int, ...]:
    """Strides, in elements, of a new array laid out as the model is, or nearly, where that has gaps."""
    if not model.size or is_dense(model):
        return strides_of(model)
    return dense_steps(model.shape, [model])


def shaped_like(model: Any, dtype: Any = None, memory_format: Any = None) -> Any:
    """An array of the model's shape whose elements lie as `memory_format` says; without one, as the model's do.

    Raises RuntimeError for a format of images and another number of dimensions.
    """
    name = str(memory_format)
    if "channels_last" in name:
        rank, word = (5, "channels_last_3d") if "3d" in name else (4, "channels_last")
        if model.ndim != rank:
            raise RuntimeError(f"required rank {rank} tensor to use {word} format")
        steps = steps_by_channels(model.shape)
    else:
        steps = steps_by_rows(model.shape) if "contiguous" in name else like_steps(model)
    return _memory(model.shape, model.dtype if dtype is None else np.dtype(dtype), steps)


def copied(x: Any, memory_format: Any = None) -> Any:
    """A copy, in the order in memory that `shaped_like` gives."""
    channels = memory_format is not None and "channels" in str(memory_format)
    if not channels and (x.ndim < 2 or (x.flags.c_contiguous and 1 not in x.shape and x.size)):
        return x.copy()
    out = shaped_like(x, None, memory_format)
    out[...] = x
    return out


def laid_out_like(model: Any, x: Any) -> Any:
    """The elements of `x` in the order that those of `model`, of the same shape, have in memory."""
    if model.flags.c_contiguous and x.flags.c_contiguous and 1 not in x.shape and x.size:
        return x
    return with_steps(x, like_steps(model))


def laid_out_as_first(forward: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel whose result, where it has the size of its first input, has its elements in that one's order."""

    @wraps(forward)
    def kernel(self: Any, *args: Any, **kwargs: Any) -> Any:
        out = forward(self, *args, **kwargs)
        return laid_out_like(self, out) if self.ndim > 1 and out.shape == self.shape else out

    return kernel


def contiguous_results(forward: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel whose results are contiguous whatever its inputs are, as those of PyTorch's reductions are."""

    @wraps(forward)
    def kernel(*args: Any, **kwargs: Any) -> Any:
        out = forward(*args, **kwargs)
        if type(out) is tuple:
            return tuple([x if x.flags.c_contiguous else np.ascontiguousarray(x) for x in out])
        return out if out.flags.c_contiguous else np.ascontiguousarray(out)

    return kernel
