"""Pooling as torch and torch.nn.functional have it; in one dimension through the operator of two."""

from collections.abc import Callable, Sequence
from typing import Any

from engine.composite import composite, python_function
from engine.composites.parsed import parsed
from engine.ops.avg_pool import ADAPTIVE_AVG_POOL2D, ADAPTIVE_AVG_POOL3D, AVG_POOL2D
from engine.ops.max_pool import ADAPTIVE_MAX_POOL2D, ADAPTIVE_MAX_POOL3D, MAX_POOL2D, MAX_POOL3D
from engine.ops.pool_kernels import check_not_empty
from engine.ops.reduction import MEAN_DIM
from engine.ops.views import SQUEEZE_DIM, UNSQUEEZE

Ints = Sequence[int]
_WORDS = {1: "one", 2: "two", 3: "three"}


def _values(given: Ints, dims: int, message: str) -> tuple[int, ...]:
    if len(given) == 1:
        return tuple(given) * dims
    if len(given) != dims:
        raise RuntimeError(message)
    return tuple(given)


def _max_args(
    dims: int, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool
) -> tuple[Any, ...]:
    """One value per dimension of everything."""
    name, many = f"max_pool{dims}d", f"a single int, or a tuple of {_WORDS[dims]} ints"
    return (
        _values(kernel_size, dims, f"{name}: kernel_size must either be {many}"),
        _values(stride, dims, f"{name}: stride must either be omitted, {many}") if stride else (),
        _values(padding, dims, f"{name}: padding must either be {many}"),
        _values(dilation, dims, f"{name}: dilation must be either {many}"),
        ceil_mode,
    )


def _signature(name: str, dims: int) -> str:
    n = f"int[{dims}]"
    returns = "(Tensor, Tensor)" if "indices" in name else "Tensor"
    return (
        f"{name}(Tensor self, {n} kernel_size, {n} stride=[], {n} padding=0, {n} dilation=1, bool ceil_mode=False) "
        f"-> {returns}"
    )


@composite(_signature("max_pool2d", 2), where=("function",))
def max_pool2d(self: Any, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool) -> Any:
    """The largest element of each window."""
    return MAX_POOL2D(self, *_max_args(2, kernel_size, stride, padding, dilation, ceil_mode))[0]


@composite(_signature("max_pool3d", 3), where=("function",))
def max_pool3d(self: Any, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool) -> Any:
    """The largest element of each window."""
    return MAX_POOL3D(self, *_max_args(3, kernel_size, stride, padding, dilation, ceil_mode))[0]


@composite(_signature("max_pool1d_with_indices", 1), where=("function",))
def max_pool1d_with_indices(
    self: Any, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool
) -> tuple[Any, Any]:
    """The largest element of each window and its place."""
    if self.ndim not in (2, 3) or 0 in self.shape[-2:]:
        raise RuntimeError(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:"
            f"{list(self.shape)}"
        )
    wide = UNSQUEEZE(self, -2)
    stride = stride or kernel_size
    length = (
        self.shape[-1] + 2 * padding[0] - dilation[0] * (kernel_size[0] - 1) - 1 + (stride[0] - 1 if ceil_mode else 0)
    ) // stride[0] + 1
    if length < 1:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {length}")
    values, places = MAX_POOL2D(wide, (1, *kernel_size), (1, *stride), (0, *padding), (1, *dilation), ceil_mode)
    return SQUEEZE_DIM(values, -2), SQUEEZE_DIM(places, -2)


@composite(_signature("max_pool1d", 1), where=("function",))
def max_pool1d(self: Any, kernel_size: Ints, stride: Ints, padding: Ints, dilation: Ints, ceil_mode: bool) -> Any:
    """The largest element of each window."""
    if self.ndim in (2, 3) and not (self._needs_grad or self.dtype.is_floating_point):  # the way without indices
        raise NotImplementedError(f"\"max_pool1d_impl\" not implemented for '{self.dtype.torch_name}'")
    return max_pool1d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode)[0]


def _functional_max(plain: Callable[..., Any], indexed: Callable[..., Any]) -> Callable[..., Any]:
    """What torch.nn.functional offers: with `return_indices` the places too."""

    def pool(
        input: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:
        stride = () if stride is None else stride
        return (indexed if return_indices else plain)(input, kernel_size, stride, padding, dilation, ceil_mode)

    return pool


_MAX = {
    1: (parsed(max_pool1d), parsed(max_pool1d_with_indices)),
    2: (parsed(max_pool2d), parsed(MAX_POOL2D)),
    3: (parsed(max_pool3d), parsed(MAX_POOL3D)),
}


def _offered(function: Callable[..., Any], name: str, doc: str, inner: bool = False) -> Any:
    """A function of torch.nn.functional; PyTorch's messages have the name of an `inner` one with an underscore."""
    function.__name__, function.__qualname__ = name, f"_{name}" if inner else name
    function.__doc__ = doc
    return python_function("nn")(function)


F_MAX_POOL1D = _offered(_functional_max(*_MAX[1]), "max_pool1d", "The largest element of each window.", True)
F_MAX_POOL2D = _offered(_functional_max(*_MAX[2]), "max_pool2d", "The largest element of each window.", True)
F_MAX_POOL3D = _offered(_functional_max(*_MAX[3]), "max_pool3d", "The largest element of each window.", True)


def _with_indices(indexed: Callable[..., Any]) -> Callable[..., Any]:
    """The same with the places always."""
    return _functional_max(indexed, indexed)


_PLACES = "The largest element of each window and its place."
F_MAX_POOL1D_INDICES = _offered(_with_indices(_MAX[1][1]), "max_pool1d_with_indices", _PLACES)
F_MAX_POOL2D_INDICES = _offered(_with_indices(_MAX[2][1]), "max_pool2d_with_indices", _PLACES)
F_MAX_POOL3D_INDICES = _offered(_with_indices(_MAX[3][1]), "max_pool3d_with_indices", _PLACES)


@composite(
    "avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool ceil_mode=False, "
    "bool count_include_pad=True) -> Tensor",
    where=("function", "nn"),
)
def avg_pool1d(
    self: Any, kernel_size: Ints, stride: Ints, padding: Ints, ceil_mode: bool, count_include_pad: bool
) -> Any:
    """The mean of each window."""
    _check_one(self, "avg_pool1d")
    stride = stride or kernel_size
    wide = AVG_POOL2D(
        UNSQUEEZE(self, -2), (1, *kernel_size), (1, *stride), (0, *padding), ceil_mode, count_include_pad, None
    )
    return SQUEEZE_DIM(wide, -2)


def _check_one(x: Any, name: str) -> None:
    if x.ndim not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {x.ndim}-dimensional tensor for argument #1 'self' (while checking "
            f"arguments for {name})"
        )


@composite("adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", where=("function", "nn"))
def adaptive_avg_pool1d(self: Any, output_size: Ints) -> Any:
    """The means of so many windows."""
    _check_one(self, "adaptive_avg_pool1d")
    if len(output_size) != 1:
        raise RuntimeError(
            f"adaptive_avg_pool1d() argument 'output_size' should contain one int (got {len(output_size)})"
        )
    return SQUEEZE_DIM(adaptive_avg_pool2d(UNSQUEEZE(self, -2), (1, *output_size)), -2)


@composite("adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", where=())
def adaptive_avg_pool2d(self: Any, output_size: Ints) -> Any:
    """The means of so many windows; a single window is the mean."""
    if len(output_size) != 2:
        raise RuntimeError("adaptive_avg_pool2d: output_size must be 2")
    if tuple(output_size) == (1, 1):
        return MEAN_DIM(self, (-1, -2), True)
    return ADAPTIVE_AVG_POOL2D(self, output_size)


@composite("adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", where=())
def adaptive_avg_pool3d(self: Any, output_size: Ints) -> Any:
    """The means of so many windows; a single window is the mean."""
    if tuple(output_size) == (1, 1, 1):
        return MEAN_DIM(self, (-1, -2, -3), True)
    return ADAPTIVE_AVG_POOL3D(self, output_size)


@composite("adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)", where=("function",))
def adaptive_max_pool1d(self: Any, output_size: Ints) -> tuple[Any, Any]:
    """The largest elements of so many windows, and their places."""
    if self.ndim not in (2, 3):
        _check_one(self, "adaptive_max_pool1d")
    check_not_empty("adaptive_max_pool1d", self)
    values, places = ADAPTIVE_MAX_POOL2D(UNSQUEEZE(self, -2), (1, *output_size))
    return SQUEEZE_DIM(values, -2), SQUEEZE_DIM(places, -2)


def _full_size(input: Any, output_size: Any, dims: int) -> Any:
    """A size with None filled in from the input."""
    whole = input.size()
    if isinstance(output_size, int):
        return output_size
    if not isinstance(output_size, list | tuple):  # a tensor, or what the argument parser refuses
        return output_size
    if len(whole) <= len(output_size):
        raise ValueError(f"Input dimension should be at least {len(output_size) + 1}")
    if not output_size:
        return output_size
    return tuple(n if n is not None else m for n, m in zip(output_size, whole[-len(output_size) :], strict=True))


_adaptive_avg = {2: parsed(adaptive_avg_pool2d), 3: parsed(adaptive_avg_pool3d)}


def _adaptive_mean(dims: int) -> Callable[..., Any]:
    def pool(input: Any, output_size: Any) -> Any:
        return _adaptive_avg[dims](input, _full_size(input, output_size, dims))

    return pool


F_ADAPTIVE_AVG_POOL2D = _offered(_adaptive_mean(2), "adaptive_avg_pool2d", "The means of so many windows.")
F_ADAPTIVE_AVG_POOL3D = _offered(_adaptive_mean(3), "adaptive_avg_pool3d", "The means of so many windows.")

_adaptive_max = {1: parsed(adaptive_max_pool1d), 2: parsed(ADAPTIVE_MAX_POOL2D), 3: parsed(ADAPTIVE_MAX_POOL3D)}


def _adaptive_largest(dims: int) -> Callable[..., Any]:
    def pool(input: Any, output_size: Any, return_indices: bool = False) -> Any:
        size = output_size if dims == 1 else _full_size(input, output_size, dims)
        both = _adaptive_max[dims](input, size)
        return both if return_indices else both[0]

    return pool


def _adaptive_both(dims: int) -> Callable[..., Any]:
    def pool(input: Any, output_size: Any, return_indices: bool = False) -> tuple[Any, Any]:
        return _adaptive_max[dims](input, output_size if dims == 1 else _full_size(input, output_size, dims))

    return pool


F_ADAPTIVE_MAX_POOL1D_BOTH, F_ADAPTIVE_MAX_POOL2D_BOTH, F_ADAPTIVE_MAX_POOL3D_BOTH = (
    _offered(_adaptive_both(d), f"adaptive_max_pool{d}d_with_indices", "The maxima of windows, and their places.")
    for d in (1, 2, 3)
)
F_ADAPTIVE_MAX_POOL1D = _offered(_adaptive_largest(1), "adaptive_max_pool1d", "The maxima of so many windows.", True)
F_ADAPTIVE_MAX_POOL2D = _offered(_adaptive_largest(2), "adaptive_max_pool2d", "The maxima of so many windows.", True)
F_ADAPTIVE_MAX_POOL3D = _offered(_adaptive_largest(3), "adaptive_max_pool3d", "The maxima of so many windows.", True)
