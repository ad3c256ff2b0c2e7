"""The largest element of each window, its place, and the gradient that goes there."""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.fill import ZEROS_LIKE
from engine.ops.gather_scatter import GATHER
from engine.ops.kinds import check_kind
from engine.ops.layouts import keeps_channels
from engine.ops.pool_kernels import Pooling, adaptive_maxima, check_not_empty, maxima, spread

Ints = Sequence[int]


def _gather_places(grad: Any, indices: Any, dims: int) -> Any:
    """The gradient of a gradient: what stands where each window had its maximum."""
    lead = tuple(indices.shape[: len(indices.shape) - dims])
    of_grad, of_indices = ((*lead, prod(x.shape[len(lead) :])) for x in (grad, indices))
    flat = GATHER(grad.reshape(of_grad), -1, indices.reshape(of_indices))
    return flat.reshape(tuple(indices.shape))


def gathered(dims: int) -> Grad:
    """The derivative of what scatters over so many dimensions."""
    return Grad(
        lambda grad, indices: _gather_places(grad, indices, dims), r"\operatorname{gather}([[grad]], [[indices]])"
    )


def derivatives_of_scatter(dims: int) -> dict[str, Grad]:
    """Those of the backward of any pooling of maxima: its input tells only where they were."""
    return {"grad_output": gathered(dims), "self": Grad(lambda grad, self: ZEROS_LIKE(self), "0")}


def _image(rng: np.random.Generator, dims: int) -> np.ndarray:
    """Elements that differ by far more than the step of the gradient check."""
    shape = (2, 2, *(5, 4, 3)[:dims])
    return rng.permutation(prod(shape)).reshape(shape) / 10.0


def _max_pool(dims: int) -> tuple[Op, Op]:
    def forward(
        self: np.ndarray,
        kernel_size: Ints,
        stride: Ints = (),
        padding: Ints = (0,) * dims,
        dilation: Ints = (1,) * dims,
        ceil_mode: bool = False,
    ) -> tuple[np.ndarray, np.ndarray]:
        who = f"max_pool{dims}d_with_indices_out_cpu_template"
        pool = Pooling(who, self, kernel_size, stride, padding, dilation, ceil_mode)
        check_kind(f"max_pool{dims}d", self, "fiuV")
        return maxima(self, pool)

    def back(
        grads: Sequence[Any],
        self: Any,
        kernel_size: Ints,
        stride: Ints,
        padding: Ints,
        dilation: Ints,
        ceil_mode: bool,
        result1: Any,
    ) -> Any:
        return backward(grads[0], self, kernel_size, stride, padding, dilation, ceil_mode, result1)

    def backward_kernel(
        grad_output: np.ndarray,
        self: np.ndarray,
        kernel_size: Ints,
        stride: Ints,
        padding: Ints,
        dilation: Ints,
        ceil_mode: bool,
        indices: np.ndarray,
    ) -> np.ndarray:
        return spread(grad_output, indices, self.shape, dims)

    def samples(rng: np.random.Generator) -> list[dict[str, Any]]:
        ways: list[dict[str, Any]] = [
            {"kernel_size": (2,) * dims, "padding": (0,) * dims, "dilation": (1,) * dims},
            {"kernel_size": (3,) * dims, "stride": (2,) * dims, "padding": (1,) * dims, "dilation": (1,) * dims},
            {
                "kernel_size": (2,) * dims,
                "stride": (2,) * dims,
                "padding": (0,) * dims,
                "dilation": (1,) * dims,
                "ceil_mode": True,
            },
        ]
        return [{"self": _image(rng, dims), **w} for w in ways]

    def backward_samples(rng: np.random.Generator) -> list[dict[str, Any]]:
        out = []
        for s in samples(rng):
            s = {"stride": (), "ceil_mode": False, **s}
            values, places = forward(**s)
            out.append({**s, "grad_output": rng.normal(size=values.shape), "indices": places})
        return out

    n = f"int[{dims}]"
    op = Op(
        f"max_pool{dims}d_with_indices(Tensor self, {n} kernel_size, {n} stride=[], {n} padding=0, {n} dilation=1, "
        "bool ceil_mode=False) -> (Tensor, Tensor)",
        keeps_channels(forward),
        f"MaxPool{dims}DWithIndicesBackward0",
        {"self": Grad(back, r"\operatorname{scatter}([[grad]], \arg\max)")},
        r"\max_{\text{window}} [[self]]",
        where=(),
        nondiff=(1,),
        samples=samples,
    )
    backward = Op(
        f"max_pool{dims}d_with_indices_backward(Tensor grad_output, Tensor self, {n} kernel_size, {n} stride, "
        f"{n} padding, {n} dilation, bool ceil_mode, Tensor indices) -> Tensor",
        backward_kernel,
        f"MaxPool{dims}DWithIndicesBackwardBackward0",
        derivatives_of_scatter(dims),
        r"\operatorname{scatter}([[grad_output]], [[indices]])",
        where=(),
        samples=backward_samples,
    )
    return op, backward


def _adaptive_max_pool(dims: int) -> tuple[Op, Op]:
    def forward(self: np.ndarray, output_size: Ints) -> tuple[np.ndarray, np.ndarray]:
        if self.ndim not in (dims + 1, dims + 2):
            raise RuntimeError(
                f"adaptive_max_pool{dims}d(): Expected {dims + 1}D or {dims + 2}D tensor, but got: {list(self.shape)}"
            )
        check_not_empty(f"adaptive_max_pool{dims}d", self)
        if len(output_size) != dims:
            raise RuntimeError(f"adaptive_max_pool{dims}d(): internal error: output_size.size() must be {dims}")
        if min(output_size) < 0:
            bad = next(n for n in output_size if n < 0)
            sizes = [*self.shape[: self.ndim - dims], *output_size]
            raise RuntimeError(f"Trying to create tensor with negative dimension {bad}: {sizes}")
        check_kind("adaptive_max_pool2d" if dims == 2 else "adaptive_max_pool3d_cpu", self, "fV")
        return adaptive_maxima(self, output_size)

    def backward_kernel(grad_output: np.ndarray, self: np.ndarray, indices: np.ndarray) -> np.ndarray:
        check_not_empty(f"adaptive_max_pool{dims}d_backward", grad_output, what="grad_output")
        return spread(grad_output, indices, self.shape, dims)

    n = f"int[{dims}]"
    size = (2, 3, 2)[:dims]
    op = Op(
        f"adaptive_max_pool{dims}d(Tensor self, {n} output_size) -> (Tensor, Tensor)",
        keeps_channels(forward),
        f"AdaptiveMaxPool{dims}DBackward0",
        {
            "self": Grad(
                lambda grads, self, result1: backward(grads[0], self, result1),
                r"\operatorname{scatter}([[grad]], \arg\max)",
            )
        },
        r"\max_{\text{window}} [[self]]",
        where=(),
        nondiff=(1,),
        samples=lambda rng: [{"self": _image(rng, dims), "output_size": size}],
    )
    backward = Op(
        f"adaptive_max_pool{dims}d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor",
        backward_kernel,
        f"AdaptiveMaxPool{dims}DBackwardBackward0",
        derivatives_of_scatter(dims),
        r"\operatorname{scatter}([[grad_output]], [[indices]])",
        where=(),
        samples=lambda rng: [
            {
                "grad_output": rng.normal(size=(2, 2, *size)),
                "self": (image := _image(rng, dims)),
                "indices": adaptive_maxima(image, size)[1],
            }
        ],
    )
    return op, backward


MAX_POOL2D, MAX_POOL2D_BACKWARD = _max_pool(2)
MAX_POOL3D, MAX_POOL3D_BACKWARD = _max_pool(3)
ADAPTIVE_MAX_POOL2D, ADAPTIVE_MAX_POOL2D_BACKWARD = _adaptive_max_pool(2)
ADAPTIVE_MAX_POOL3D, ADAPTIVE_MAX_POOL3D_BACKWARD = _adaptive_max_pool(3)


def _max_unpool(dims: int) -> Op:
    """Values put back at the places where pooling found them."""

    def forward(self: np.ndarray, indices: np.ndarray, output_size: Ints, *how: Any) -> np.ndarray:
        if indices.dtype != np.int64:
            got = "" if dims == 3 else f" but got: {from_numpy(indices.dtype).torch_name}"
            raise RuntimeError("elements in indices should be type int64" + got)
        if self.ndim not in (dims + 1, dims + 2):
            raise RuntimeError(
                f"Input to max_unpooling{dims}d should be a {dims + 1}d or {dims + 2}d Tensor, but got a tensor with "
                f"{self.ndim} dimensions."
            )
        if self.shape != indices.shape:
            raise RuntimeError(
                f"Expected shape of indices to be same as that of the input tensor ({list(self.shape)}) but got "
                f"indices tensor with shape: {list(indices.shape)}"
            )
        for d in range(1, self.ndim):
            if not self.shape[d]:
                raise RuntimeError(
                    f"max_unpooling{dims}d_forward_out_cpu(): Expected input to have non-zero size for non-batch "
                    f"dimensions, but got {list(self.shape)} with dimension {d} being empty."
                )
        shape = (*self.shape[: self.ndim - dims], *output_size)
        size = prod(output_size)
        planes = prod(shape[: len(shape) - dims])
        check_kind(f"max_unpool{dims}d", self, "f")
        out = np.zeros((planes, size), self.dtype)
        at = indices.reshape(planes, prod(self.shape[self.ndim - dims :]))
        if at.size and (at.min() < 0 or at.max() >= size):
            bad = at[(at < 0) | (at >= size)][-1]
            raise RuntimeError(
                f"Found an invalid max index: {bad} (output volumes are of size {'x'.join(str(n) for n in output_size)}"
                + ")"
            )
        np.put_along_axis(out, at, self.reshape(at.shape), 1)
        return out.reshape(shape)

    more = "" if dims == 2 else ", int[3] stride, int[3] padding"
    given = {} if dims == 2 else {"stride": (2, 2, 2), "padding": (0, 0, 0)}
    return Op(
        f"max_unpool{dims}d(Tensor self, Tensor indices, SymInt[{dims}] output_size{more}) -> Tensor",
        keeps_channels(forward),
        f"MaxUnpool{dims}DBackward0",
        {"self": gathered(dims)},
        r"\operatorname{scatter}([[self]], [[indices]])",
        where=(),
        samples=lambda rng: [
            {
                "self": rng.normal(size=(1, 2, *(2,) * dims)),
                "indices": np.stack([rng.permutation(4**dims)[: 2**dims] for _ in range(2)]).reshape(
                    1, 2, *(2,) * dims
                ),
                "output_size": (4,) * dims,
                **given,
            }
        ],
    )


MAX_UNPOOL2D, MAX_UNPOOL3D = _max_unpool(2), _max_unpool(3)
