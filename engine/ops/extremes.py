"""Largest and smallest elements, and where they are."""

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.batched import varies
from engine.ops.checks import wrap_dim
from engine.ops.copy import NEW_ZEROS
from engine.ops.gather_scatter import SCATTER
from engine.ops.kinds import only, refusing
from engine.ops.layouts import contiguous_results
from engine.ops.logical import LOGICAL_AND, LOGICAL_OR
from engine.ops.masking import MASKED_FILL_TENSOR
from engine.ops.reduced import axes, restore
from engine.ops.reducers import largest, smallest
from engine.ops.reduction import SUM, SUM_DIM
from engine.ops.samples import reduced_dim, reductions, singles
from engine.ops.views import UNSQUEEZE


def _one_axis(self: Any, dim: int, name: str) -> int | None:
    """numpy's axis for one dimension, which must have elements. Raises IndexError."""
    d = wrap_dim(dim, self.ndim)
    if not self.ndim:
        return None
    if not self.shape[d]:
        raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")
    return d


def _not_empty(self: Any, name: str) -> None:
    if not self.size:
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
            "with the 'dim' argument."
        )


def select_backward(grad: Any, dim: int, indices: Any, sizes: Any, keepdim: bool) -> Any:
    """Gradient of a reduction that picks elements: all of it goes to where they came from."""
    if not keepdim and sizes:
        grad, indices = UNSQUEEZE(grad, dim), UNSQUEEZE(indices, dim)
    return SCATTER(NEW_ZEROS(grad, sizes), dim, indices, grad)


def share_equally(grad: Any, self: Any, result: Any) -> Any:
    """Gradient of a full reduction that picks a value: elements that tie share it."""
    if varies(result) or varies(grad):  # each sample may have its nan
        at = LOGICAL_OR(self == result, LOGICAL_AND(self != self, result != result))
        return (grad / SUM(at)) * at
    at = (self != self) if bool((result != result).item()) else (self == result)
    return MASKED_FILL_TENSOR(NEW_ZEROS(grad, self.shape), at, grad / SUM(at))


def _share_over(grad: Any, self: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    """The same over some dimensions."""
    at = restore(result, dim, keepdim, self.ndim) == self
    grad = restore(grad, dim, keepdim, self.ndim)
    return (grad * at) / (SUM_DIM(at, dim, True) if self.ndim else SUM(at))


def _reduce_all(ufunc: Any, name: str) -> Callable[[Any], Any]:
    def forward(self: Any) -> Any:
        _not_empty(self, name)
        return ufunc.reduce(self, None)

    return forward


def _reduce_dim(ufunc: Any, arg: Any, name: str) -> Callable[..., tuple[Any, Any]]:
    @contiguous_results
    def forward(self: Any, dim: int, keepdim: bool = False) -> tuple[Any, Any]:
        axis = _one_axis(self, dim, name)
        if axis is None:
            return self.copy(), np.int64(0)
        return ufunc.reduce(self, axis, None, None, keepdim), arg(self, axis, keepdims=keepdim)

    return forward


def _reduce_dims(ufunc: Any, name: str) -> Callable[..., Any]:
    @contiguous_results
    def forward(self: Any, dim: Any = (), keepdim: bool = False) -> Any:
        axis = axes(dim, self.ndim)
        if axis is None:
            _not_empty(self, name)
        for d in (axis,) if isinstance(axis, int) else axis or ():
            _one_axis(self, d, name)
        return ufunc.reduce(self, axis, None, None, keepdim)

    return forward


def no_complex_input(name: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel; complex numbers have no order."""
    return refusing("c", RuntimeError, f"{name}(): does not support complex input", kernel)


def _arg(pick: Any, name: str) -> Callable[..., Any]:
    @contiguous_results
    def forward(self: Any, dim: int | None = None, keepdim: bool = False) -> Any:
        if self.dtype.kind == "b":
            raise RuntimeError(f"{name}(): does not support bool input")
        if dim is None:
            if not self.size:
                raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
            index = pick(self)
            return np.reshape(index, (1,) * self.ndim) if keepdim else index
        axis = _one_axis(self, dim, name)
        return np.int64(0) if axis is None else pick(self, axis, keepdims=keepdim)

    return forward


_SHARED = Grad(
    lambda grad, self, result: share_equally(grad, self, result),
    r"[[grad]] \cdot \mathbf{1}[[[self]] = [[result]]] / k",
)
_PICKED = Grad(
    lambda grad, dim, indices, self_sym_sizes, keepdim: select_backward(grad, dim, indices, self_sym_sizes, keepdim),
    r"\operatorname{scatter}([[grad]], [[indices]])",
)
_SHARED_DIMS = Grad(
    lambda grad, self, result, dim, keepdim: _share_over(grad, self, result, dim, keepdim),
    r"[[grad]] \cdot \mathbf{1}[[[self]] = [[result]]] / k",
)


def _full(rng: np.random.Generator) -> list[dict[str, Any]]:
    return [s for s in singles(rng) if s["self"].size]


MAX = Op(
    "max(Tensor self) -> Tensor",
    only("fiubV", "max_all", _reduce_all(np.maximum, "max")),
    "MaxBackward1",
    {"self": _SHARED},
    r"\max [[self]]",
    samples=_full,
)
MIN = Op(
    "min(Tensor self) -> Tensor",
    only("fiubV", "min_all", _reduce_all(np.minimum, "min")),
    "MinBackward1",
    {"self": _SHARED},
    r"\min [[self]]",
    samples=_full,
)
MAX_DIM = Op(
    "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    no_complex_input("max", _reduce_dim(np.maximum, np.argmax, "max")),
    "MaxBackward0",
    {"self": _PICKED},
    r"\max_{[[dim]]} [[self]]",
    outputs=("values", "indices"),
    names=("values", "indices"),
    samples=reduced_dim,
)
MIN_DIM = Op(
    "min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    no_complex_input("min", _reduce_dim(np.minimum, np.argmin, "min")),
    "MinBackward0",
    {"self": _PICKED},
    r"\min_{[[dim]]} [[self]]",
    outputs=("values", "indices"),
    names=("values", "indices"),
    samples=reduced_dim,
)
AMAX = Op(
    "amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
    only("fiubV", "max_values_cpu", _reduce_dims(np.maximum, "amax")),
    "AmaxBackward0",
    {"self": _SHARED_DIMS},
    r"\max_{[[dim]]} [[self]]",
    samples=reductions,
)
AMIN = Op(
    "amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
    only("fiubV", "min_values_cpu", _reduce_dims(np.minimum, "amin")),
    "AminBackward0",
    {"self": _SHARED_DIMS},
    r"\min_{[[dim]]} [[self]]",
    samples=reductions,
)


@contiguous_results
def _aminmax(self: Any, dim: int | None = None, keepdim: bool = False) -> tuple[Any, Any]:
    axis = None
    if dim is not None:
        d = wrap_dim(dim, self.ndim)
        axis = d if self.ndim else None
        if self.ndim and not self.shape[d]:
            raise IndexError(f"aminmax: Expected reduction dim {d} to have non-zero size.")
    if axis is None and not self.size:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    return smallest(self, axis, None, None, keepdim), largest(self, axis, None, None, keepdim)


def _aminmax_backward(grads: Any, self: Any, dim: int | None, keepdim: bool, min: Any, max: Any) -> Any:
    dims = () if dim is None else (dim,)
    parts = [
        _share_over(g, self, result, dims, keepdim)
        for g, result in zip(grads, (min, max), strict=True)
        if g is not None
    ]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


AMINMAX = Op(
    "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
    only("fiubV", "aminmax_cpu", _aminmax),
    "AminmaxBackward0",
    {
        "self": Grad(
            _aminmax_backward,
            r"[[grad]]_{\min} \cdot \mathbf{1}[[[self]] = \min] + [[grad]]_{\max} \cdot \mathbf{1}[[[self]] = \max]",
        )
    },
    r"(\min [[self]], \max [[self]])",
    outputs=("min", "max"),
    names=("min", "max"),
    samples=lambda rng: [{"self": rng.normal(size=(2, 3))}, *reduced_dim(rng)],
)
ARGMAX = Op(
    "argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
    no_complex_input("argmax", _arg(np.argmax, "argmax")),
    latex=r"\operatorname{argmax}_{[[dim]]} [[self]]",
    example="torch.argmax(torch.tensor([[0.0, 1.0], [2.0, 3.0]]), 1)",
)
ARGMIN = Op(
    "argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
    no_complex_input("argmin", _arg(np.argmin, "argmin")),
    latex=r"\operatorname{argmin}_{[[dim]]} [[self]]",
    example="torch.argmin(torch.tensor([[0.0, 1.0], [2.0, 3.0]]), 1)",
)
