"""The mean of each window, of fixed size or as many windows as wanted, and its adjoint."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.checks import wrap_dim
from engine.ops.fill import ZEROS_LIKE
from engine.ops.kinds import check_kind
from engine.ops.layouts import keeps_channels
from engine.ops.pool_kernels import Pooling, check_not_empty, regions, spread_sums, sums
from engine.ops.resample import along_each

Ints = Sequence[int]
_KERNELS = {2: "avg_pool2d", 3: "avg_pool3d_out_frame"}
_ADAPTIVE_KERNELS = {2: "adaptive_avg_pool2d", 3: "adaptive_avg_pool3d_cpu"}


def _divisor(pool: Pooling, count_include_pad: bool, divisor_override: int | None, dtype: np.dtype) -> Any:
    if divisor_override is not None:
        if divisor_override == 0:
            raise RuntimeError("divisor must be not zero")
        return dtype.type(divisor_override)
    factors = pool.divisors(count_include_pad)
    if all((f == f[0]).all() for f in factors):
        return dtype.type(np.prod([f[0] for f in factors]))
    out: Any = 1
    for i, f in enumerate(factors):
        out = out * f.reshape((-1,) + (1,) * (len(factors) - i - 1))
    return out.astype(dtype)


def _avg_pool(dims: int) -> tuple[Op, Op]:
    def forward(
        self: np.ndarray,
        kernel_size: Ints,
        stride: Ints = (),
        padding: Ints = (0,) * dims,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> np.ndarray:
        if dims == 2:
            wrap_dim(-3, self.ndim)
            if self.ndim > 4:
                raise RuntimeError(
                    "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but "
                    f"got:{list(self.shape)}"
                )
        kernel_size, stride, padding = (tuple(v) * dims if len(v) == 1 else v for v in (kernel_size, stride, padding))
        pool = Pooling(f"avg_pool{dims}d", self, kernel_size, stride, padding, (1,) * dims, ceil_mode)
        check_kind(_KERNELS[dims], self, "fV", "l")
        total, divisor = sums(self, pool), _divisor(pool, count_include_pad, divisor_override, self.dtype)
        if self.dtype != np.int64:
            return total / divisor
        return np.sign(total) * (np.abs(total) // divisor)  # rounded towards zero

    def backward_kernel(
        grad_output: np.ndarray,
        self: np.ndarray,
        kernel_size: Ints,
        stride: Ints,
        padding: Ints,
        ceil_mode: bool,
        count_include_pad: bool,
        divisor_override: int | None,
    ) -> np.ndarray:
        pool = Pooling(f"avg_pool{dims}d_backward", self, kernel_size, stride, padding, (1,) * dims, ceil_mode)
        share = grad_output / _divisor(pool, count_include_pad, divisor_override, grad_output.dtype)
        return spread_sums(share, pool, self.shape)

    def back(
        grad: Any,
        self: Any,
        kernel_size: Ints,
        stride: Ints,
        padding: Ints,
        ceil_mode: bool,
        count_include_pad: bool,
        divisor_override: int | None,
    ) -> Any:
        return backward(grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    def double_back(
        grad: Any,
        kernel_size: Ints,
        stride: Ints,
        padding: Ints,
        ceil_mode: bool,
        count_include_pad: bool,
        divisor_override: int | None,
    ) -> Any:
        return op(grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    def samples(rng: np.random.Generator) -> list[dict[str, Any]]:
        image = rng.normal(size=(2, 2, *(5, 4, 3)[:dims]))
        base = {
            "self": image,
            "kernel_size": (2,) * dims,
            "stride": (),
            "padding": (0,) * dims,
            "ceil_mode": False,
            "count_include_pad": True,
            "divisor_override": None,
        }
        border = {"kernel_size": (3,) * dims, "stride": (2,) * dims, "padding": (1,) * dims}
        return [
            base,
            {**base, **border},
            {**base, **border, "count_include_pad": False, "ceil_mode": True},
            {**base, "divisor_override": 3},
        ]

    n = f"int[{dims}]"
    op = Op(
        f"avg_pool{dims}d(Tensor self, {n} kernel_size, {n} stride=[], {n} padding=0, bool ceil_mode=False, "
        "bool count_include_pad=True, int? divisor_override=None) -> Tensor",
        keeps_channels(forward),
        f"AvgPool{dims}DBackward0",
        {"self": Grad(back, r"\operatorname{spread}([[grad]])")},
        r"\operatorname{mean}_{\text{window}} [[self]]",
        where=("nn",),
        samples=samples,
    )
    backward = Op(
        f"avg_pool{dims}d_backward(Tensor grad_output, Tensor self, {n} kernel_size, {n} stride, {n} padding, "
        "bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor",
        backward_kernel,
        f"AvgPool{dims}DBackwardBackward0",
        {
            "grad_output": Grad(double_back, r"\operatorname{mean}_{\text{window}} [[grad]]"),
            "self": Grad(lambda grad, self: ZEROS_LIKE(self), "0"),
        },
        r"\operatorname{spread}([[grad_output]])",
        where=(),
        samples=lambda rng: [{**s, "grad_output": rng.normal(size=forward(**s).shape)} for s in samples(rng)],
    )
    return op, backward


def _averaging(length: int, count: int, dtype: np.dtype) -> np.ndarray:
    """The matrix (count, length) that averages the windows of adaptive pooling."""
    m = np.zeros((count, length), dtype)
    for i, (start, end) in enumerate(regions(length, count)):
        m[i, start:end] = 1 / (end - start)
    return m


def _adaptive_avg_pool(dims: int) -> tuple[Op, Op]:
    def forward(self: np.ndarray, output_size: Ints) -> np.ndarray:
        if self.ndim not in (dims + 1, dims + 2):
            raise RuntimeError(
                f"adaptive_avg_pool{dims}d(): Expected {dims + 1}D or {dims + 2}D tensor, but got {list(self.shape)}"
            )
        check_not_empty(f"adaptive_avg_pool{dims}d", self, 1 if dims == 3 else self.ndim - dims)
        if len(output_size) != dims:
            raise RuntimeError(f"adaptive_avg_pool{dims}d: output_size must be {dims}")
        if min(output_size) < 0:
            sizes = ", ".join(map(str, output_size))
            raise RuntimeError(
                f"adaptive_avg_pool{dims}d: elements of output_size must be greater than or equal to 0 but received "
                f"{{{sizes}}}"
            )
        check_kind(_ADAPTIVE_KERNELS[dims], self, "fV")
        lengths = self.shape[-dims:]
        return along_each(self, [_averaging(m, c, self.dtype) for m, c in zip(lengths, output_size, strict=True)])

    def backward_kernel(grad_output: np.ndarray, self: np.ndarray) -> np.ndarray:
        check_not_empty(f"adaptive_avg_pool{dims}d_backward", grad_output, what="grad_output")
        lengths, counts = self.shape[-dims:], grad_output.shape[-dims:]
        matrices = [_averaging(m, c, grad_output.dtype).T for m, c in zip(lengths, counts, strict=True)]
        return along_each(grad_output, matrices)

    n = f"int[{dims}]"
    size = (2, 3, 2)[:dims]
    op = Op(
        f"_adaptive_avg_pool{dims}d(Tensor self, {n} output_size) -> Tensor",
        keeps_channels(forward),
        f"AdaptiveAvgPool{dims}DBackward0",
        {"self": Grad(lambda grad, self: backward(grad, self), r"\operatorname{spread}([[grad]])")},
        r"\operatorname{mean}_{\text{window}} [[self]]",
        where=(),
        samples=lambda rng: [{"self": rng.normal(size=(2, 2, *(5, 4, 3)[:dims])), "output_size": size}],
    )
    backward = Op(
        f"_adaptive_avg_pool{dims}d_backward(Tensor grad_output, Tensor self) -> Tensor",
        backward_kernel,
        f"AdaptiveAvgPool{dims}DBackwardBackward0",
        {
            "grad_output": Grad(
                lambda grad, grad_output_sym_sizes: op(grad, tuple(grad_output_sym_sizes[-dims:])),
                r"\operatorname{mean}_{\text{window}} [[grad]]",
            ),
            "self": Grad(lambda grad, self: ZEROS_LIKE(self), "0"),
        },
        r"\operatorname{spread}([[grad_output]])",
        where=(),
        samples=lambda rng: [
            {"grad_output": rng.normal(size=(2, 2, *size)), "self": rng.normal(size=(2, 2, *(5, 4, 3)[:dims]))}
        ],
    )
    return op, backward


AVG_POOL2D, AVG_POOL2D_BACKWARD = _avg_pool(2)
AVG_POOL3D, AVG_POOL3D_BACKWARD = _avg_pool(3)
ADAPTIVE_AVG_POOL2D, ADAPTIVE_AVG_POOL2D_BACKWARD = _adaptive_avg_pool(2)
ADAPTIVE_AVG_POOL3D, ADAPTIVE_AVG_POOL3D_BACKWARD = _adaptive_avg_pool(3)
