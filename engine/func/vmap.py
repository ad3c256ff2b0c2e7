"""`torch.vmap`: a function of samples as a function of a batch. It runs once, on tensors that stand for the batch."""

import functools
from collections.abc import Callable
from typing import Any

from engine.batching.interpreter import Level
from engine.batching.levels import batching, gathered, sampled
from engine.batching.tensor import level_of
from engine.batching.trees import filled, leaves, spread, structure_text
from engine.dispatch import apply
from engine.ops.join import CAT
from engine.tensor import TensorBase


def vmap(
    func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:  # fmt: skip
    """A function that takes tensors with one more dimension, `in_dims`, and returns them with it at `out_dims`.

    func runs once, on tensors that look like one sample: what depends on the values of a sample, a condition or
    `.item()`, raises RuntimeError. Keyword arguments are not mapped. Raises ValueError for dimensions that are not
    there or differ in size.

    Args:
        randomness: what random operators do inside: "error", "different" numbers for each sample, or the "same".
        chunk_size: run at most so many samples at a time.
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    name = getattr(func, "__name__", repr(func))

    @functools.wraps(func)
    def batched(*args: Any, **kwargs: Any) -> Any:
        dims = _input_dims(name, in_dims, args)
        flat = leaves(args)
        size = _batch_size(name, in_dims, flat, dims)
        if chunk_size is not None and chunk_size < size:
            return _in_chunks(batched_once, args, flat, dims, chunk_size, size, kwargs)
        return batched_once(args, flat, dims, size, kwargs)

    def batched_once(args: Any, flat: list[Any], dims: list[int | None], size: int, kwargs: dict[str, Any]) -> Any:
        with batching(size, randomness) as level:
            samples = (sampled(t, d, level) for t, d in zip(flat, dims, strict=True))
            result = func(*filled(args, samples), **kwargs)
            return _together(name, result, out_dims, level)

    return batched


def _input_dims(name: str, in_dims: Any, args: tuple[Any, ...]) -> list[int | None]:
    """The mapped dimension of every leaf of the arguments, None for what is not mapped."""
    where = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)"
    if isinstance(in_dims, bool) or not isinstance(in_dims, int | tuple):
        raise ValueError(
            f"{where}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, "
            f"got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a "
            "function with no inputs. The latter is unsupported."
        )
    dims = spread(in_dims, args)
    if dims is None:
        raise ValueError(
            f"{where}: in_dims is not compatible with the structure of `inputs`. in_dims has structure "
            f"{structure_text(in_dims)} but inputs has structure {structure_text(args)}."
        )
    checked: list[int | None] = []
    for t, d in zip(leaves(args), dims, strict=True):
        if d is None:
            checked.append(None)
            continue
        if not isinstance(d, int):
            raise ValueError(
                f"{where}: Got in_dim={d} for an input but in_dim must be either an integer dimension or None."
            )
        if not isinstance(t, TensorBase):
            raise ValueError(
                f"{where}: Got in_dim={d} for an input but the input is of type {type(t)}. We cannot vmap over "
                "non-Tensor arguments, please use None as the respective in_dim"
            )
        if not -t.ndim <= d < t.ndim:
            raise ValueError(
                f"{where}: Got in_dim={d} for some input, but that input is a Tensor of dimensionality {t.ndim} so "
                f"expected in_dim to satisfy -{t.ndim} <= in_dim < {t.ndim}."
            )
        checked.append(d % t.ndim)
    return checked


def _batch_size(name: str, in_dims: Any, flat: list[Any], dims: list[int | None]) -> int:
    sizes = [t.shape[d] for t, d in zip(flat, dims, strict=True) if d is not None]
    if not flat:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if not sizes:
        raise ValueError(
            f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): at least one Tensor to vmap over must be passed"
        )
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return sizes[0]


def _together(name: str, result: Any, out_dims: Any, level: Level) -> Any:
    """What the function returned, of all samples."""
    if any(not (d is None or (isinstance(d, int) and not isinstance(d, bool))) for d in leaves(out_dims)):
        raise ValueError(
            f"vmap({name}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python collection of ints "
            "representing where in the outputs the vmapped dimension should appear."
        )
    if isinstance(out_dims, tuple) and len(out_dims) == 1 and isinstance(result, TensorBase):
        out_dims = out_dims[0]
    dims = spread(out_dims, result)
    if dims is None:
        raise ValueError(
            f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of "
            f"`outputs`. out_dims has structure {structure_text(out_dims)} but outputs has structure "
            f"{structure_text(result)}."
        )
    whole = []
    for t, d in zip(leaves(result), dims, strict=True):
        if d is None:
            if isinstance(t, TensorBase) and level_of([t]) == level.number:
                raise ValueError(f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None")
            whole.append(t)
            continue
        if not isinstance(t, TensorBase):
            raise ValueError(
                f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(t)}. Did you mean to "
                "set out_dims= to None for output?"
            )
        whole.append(gathered(t, d, level))
    return filled(result, iter(whole))


def _in_chunks(
    once: Callable[..., Any], args: Any, flat: list[Any], dims: list[int | None], chunk: int, size: int,
    kwargs: dict[str, Any],
) -> Any:  # fmt: skip
    """The batch in pieces of at most `chunk` samples, the results one after the other."""
    results = []
    for start in range(0, size, chunk):
        n = min(chunk, size - start)
        part = [t if d is None else t.narrow(d, start, n) for t, d in zip(flat, dims, strict=True)]
        results.append(once(filled(args, iter(part)), part, dims, n, kwargs))
    columns = zip(*(leaves(r) for r in results), strict=True)
    return filled(results[0], iter([apply(CAT, (list(c), 0), {}) for c in columns]))
