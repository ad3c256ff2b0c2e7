"""Fractional pooling as torch.nn.functional has it: the steps between windows are drawn anew by each call."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.composite import python_function
from engine.composites.parsed import parsed
from engine.composites.random_factories import rand
from engine.ops.fractional_pool import FRACTIONAL_MAX_POOL2D, FRACTIONAL_MAX_POOL3D

_RAND = parsed(rand)
_POOL = {2: parsed(FRACTIONAL_MAX_POOL2D), 3: parsed(FRACTIONAL_MAX_POOL3D)}


def _with_indices(
    dims: int, input: Any, kernel_size: Any, output_size: Any, output_ratio: Any, random_samples: Any
) -> Any:
    name = f"fractional_max_pool{dims}d"
    if output_size is None and output_ratio is None:
        raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
    if output_size is None:
        if dims == 2 and len(output_ratio) > 2:
            raise ValueError(f"{name} requires output_ratio to either be a single Int or tuple of Ints.")
        ratios = output_ratio if isinstance(output_ratio, Sequence) else (output_ratio,) * dims
        if len(ratios) < dims:
            raise IndexError("tuple index out of range")
        output_size = [int(input.size(d - dims) * ratios[d]) for d in range(dims)]
    if random_samples is None:
        images = 1 if input.dim() == dims + 1 else input.size(0)
        random_samples = _RAND((images, input.size(-dims - 1), dims), dtype=input.dtype)
    return _POOL[dims](input, kernel_size, output_size, random_samples)


def _functions(dims: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The function for so many dimensions, and the one that gives the places always."""

    def indexed(
        input: Any,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> Any:
        return _with_indices(dims, input, kernel_size, output_size, output_ratio, _random_samples)

    def plain(
        input: Any,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> Any:
        both = _with_indices(dims, input, kernel_size, output_size, output_ratio, _random_samples)
        return both if return_indices else both[0]

    name = f"fractional_max_pool{dims}d"
    plain.__name__, plain.__qualname__ = name, f"_{name}"
    indexed.__name__ = indexed.__qualname__ = f"{name}_with_indices"
    plain.__doc__ = "The largest element of each of so many windows, at steps drawn at random."
    indexed.__doc__ = "The largest elements of windows at random steps, and their places."
    return plain, indexed


_TWO, _THREE = _functions(2), _functions(3)
F_FRACTIONAL_MAX_POOL2D = python_function("nn")(_TWO[0])
F_FRACTIONAL_MAX_POOL2D_INDICES = python_function("nn")(_TWO[1])
F_FRACTIONAL_MAX_POOL3D = python_function("nn")(_THREE[0])
F_FRACTIONAL_MAX_POOL3D_INDICES = python_function("nn")(_THREE[1])
