"""`torch.vmap`: a function of samples as a function of a batch, by calling it once per sample."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from engine import random
from engine.dispatch import apply
from engine.func.trees import filled, is_node, leaves
from engine.ops.join import STACK
from engine.tensor import TensorBase

RANDOM = (
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' "
    "randomness flags on vmap or perform the randomness operation out of vmap"
)


def vmap(
    func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:  # fmt: skip
    """A function that takes tensors with one more dimension, `in_dims`, and returns them with it at `out_dims`.

    func sees one sample after the other, so that it may do more than PyTorch's vmap allows. Keyword arguments are not
    mapped. Raises ValueError for dimensions that are not there or differ in size.
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
        state = random.default_generator.get_state()
        results = []
        for i in range(size):
            if randomness == "same":
                random.default_generator.set_state(state)
            sample = (t if d is None else t.select(d, i) for t, d in zip(flat, dims, strict=True))
            results.append(func(*filled(args, sample), **kwargs))
            if randomness == "error" and i == 0 and (random.default_generator.get_state() != state).any():
                random.default_generator.set_state(state)
                raise RuntimeError(RANDOM)
        return _together(name, results, out_dims)

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
    dims = _spread(in_dims, args)
    if dims is None:
        raise ValueError(
            f"{where}: in_dims is not compatible with the structure of inputs. in_dims has structure {in_dims} but "
            f"inputs has structure {args}."
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


def _spread(dims: Any, tree: Any) -> list[Any] | None:
    """One dimension per leaf: a number or None counts for all leaves below it. None where structures differ."""
    if not is_node(dims):
        return [dims] * len(leaves(tree))
    if not is_node(tree) or len(dims) != len(tree) or isinstance(dims, dict) != isinstance(tree, dict):
        return None
    keys = tree if isinstance(tree, dict) else range(len(tree))
    parts = [_spread(dims[k], tree[k]) for k in keys]
    return None if any(p is None for p in parts) else [d for p in parts for d in p or ()]


def _batch_size(name: str, in_dims: Any, flat: list[Any], dims: list[int | None]) -> int:
    sizes = [t.shape[d] for t, d in zip(flat, dims, strict=True) if d is not None]
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


def _together(name: str, results: list[Any], out_dims: Any) -> Any:
    """The results of all samples, stacked."""
    if not results:
        raise ValueError(f"vmap({name}): the playground cannot map over a dimension of size 0")
    columns = zip(*(leaves(r) for r in results), strict=True)
    dims = _spread(out_dims, results[0])
    if dims is None:
        raise ValueError(
            f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of "
            "`outputs`."
        )
    stacked = []
    for column, d in zip(columns, dims, strict=True):
        if d is None:
            stacked.append(column[0])
            continue
        if not isinstance(column[0], TensorBase):
            raise ValueError(
                f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(column[0])}. Did you mean to "
                "set out_dims= to None for output?"
            )
        stacked.append(apply(STACK, (list(column), int(np.asarray(d))), {}))
    return filled(results[0], iter(stacked))
