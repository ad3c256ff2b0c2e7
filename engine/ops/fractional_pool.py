"""The largest element of each of so many windows, which begin at steps drawn at random."""

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.kinds import check_kind
from engine.ops.max_pool import derivatives_of_scatter
from engine.ops.pool_kernels import spread

Ints = Sequence[int]
_AXES = {2: ("height", "width"), 3: ("time", "height", "width")}
_WHO = {2: "fractional_max_pool2d", 3: "fractional_max_pool3d_out"}
_MANY = {2: "tuple of Ints", 3: "tuple of three Ints"}


def _check(dims: int, self: np.ndarray, kernel_size: Ints, output_size: Ints, random_samples: np.ndarray) -> None:
    """Raise RuntimeError or NotImplementedError for arguments that do not fit each other."""
    name = f"fractional_max_pool{dims}d"
    for what, given in (("kernel_size", kernel_size), ("output_size", output_size)):
        if len(given) != dims:
            raise RuntimeError(f"{name}: {what} must either be a single Int or {_MANY[dims]}")
    if self.ndim not in (dims + 1, dims + 2):
        raise RuntimeError(f"{_WHO[dims]}(): Expected {dims + 1}D or {dims + 2}D tensor, but got: {list(self.shape)}")
    for d in range(self.ndim - dims - 1, self.ndim):
        if not self.shape[d]:
            raise RuntimeError(
                f"{_WHO[dims]}(): Expected input to have non-zero size for non-batch dimensions, but got"
                f"{list(self.shape)} with dimension {d} being empty."
            )
    for axis, length, count, kernel in zip(_AXES[dims], self.shape[-dims:], output_size, kernel_size, strict=True):
        if count + kernel - 1 >= length + (dims == 2):
            raise RuntimeError(f"{_WHO[dims]}(): pool {axis} {kernel} too large relative to input {axis} {length}")
    if min(output_size) < 0:
        bad = next(n for n in output_size if n < 0)
        shape = [*self.shape[: self.ndim - dims], *output_size]
        raise RuntimeError(f"Trying to create tensor with negative dimension {bad}: {shape}")
    _check_samples(dims, self, random_samples)
    check_kind(f"{name}_out_frame", self, "fV")


def _check_samples(dims: int, self: np.ndarray, random_samples: np.ndarray) -> None:
    """Raise RuntimeError for samples that are not one number per image, channel and dimension."""
    if self.dtype != random_samples.dtype:
        raise RuntimeError("Expect _random_samples to have the same dtype as input")
    if random_samples.ndim != 3:
        raise RuntimeError(f"Expect _random_samples to have 3 dimensions, got {random_samples.ndim}")
    images, channels, count = random_samples.shape
    if images < (1 if self.ndim == dims + 1 else self.shape[0]):
        raise RuntimeError("Expect _random_samples.size(0) no less then input batch size.")
    if channels != self.shape[-dims - 1]:
        raise RuntimeError("Expect _random_samples.size(1) equals to input channel size.")
    if count != dims:
        raise RuntimeError(f"Expect _random_samples.size(2) equals to {dims}; got {count}.")


def _starts(samples: np.ndarray, length: int, count: int, kernel: int) -> np.ndarray:
    """Where the windows of one dimension begin, a row for each sample."""
    starts = np.zeros((len(samples), count), np.int64)
    if count > 1:
        step = samples.dtype.type(length - kernel) / samples.dtype.type(count - 1)
        along = np.arange(count - 1).astype(samples.dtype)
        first = (samples * step).astype(np.int64)
        starts[:, :-1] = ((along + samples[:, None]) * step).astype(np.int64) - first[:, None]
    starts[:, -1:] = length - kernel
    return starts


def _maxima(
    dims: int, self: np.ndarray, kernel_size: Ints, output_size: Ints, random_samples: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The largest element of each window (NaN beats all) and its place in the flattened image."""
    sizes = self.shape[-dims:]
    lead = self.shape[: self.ndim - dims]
    flat = self.reshape(prod(lead), prod(sizes))
    samples = random_samples.reshape(-1, dims)[: len(flat)]
    if dims == 2:  # the first of two numbers is for the width
        samples = samples[:, ::-1]
    base = np.zeros((len(flat), *(1,) * dims), np.int64)
    for i, (length, count, kernel) in enumerate(zip(sizes, output_size, kernel_size, strict=True)):
        starts = _starts(samples[:, i], length, count, kernel) * prod(sizes[i + 1 :])
        base = base + starts.reshape(len(flat), *(1,) * i, count, *(1,) * (dims - 1 - i))
    base = base.reshape(len(flat), prod(output_size))
    best, at = np.full(base.shape, -np.inf, self.dtype), base.copy()
    for place in product(*map(range, kernel_size)):
        where = base + sum(p * prod(sizes[i + 1 :]) for i, p in enumerate(place))
        candidate = np.take_along_axis(flat, where, 1)
        better = (candidate > best) | np.isnan(candidate)
        best, at = np.where(better, candidate, best), np.where(better, where, at)
    shape = (*lead, *output_size)
    return best.reshape(shape), at.reshape(shape)


def _fractional_max_pool(dims: int) -> tuple[Op, Op]:
    def forward(
        self: np.ndarray, kernel_size: Ints, output_size: Ints, random_samples: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        _check(dims, self, kernel_size, output_size, random_samples)
        return _maxima(dims, self, kernel_size, output_size, random_samples)

    def samples(rng: np.random.Generator) -> list[dict[str, Any]]:
        shape = (2, 2, *(6, 5, 4)[:dims])
        image = rng.permutation(prod(shape)).reshape(shape) / 10.0
        drawn = rng.uniform(size=(2, 2, dims))
        return [
            {"self": image, "kernel_size": (2,) * dims, "output_size": (3, 2, 2)[:dims], "random_samples": drawn},
            {"self": image[0], "kernel_size": (1,) * dims, "output_size": (1,) * dims, "random_samples": drawn},
        ]

    def backward_samples(rng: np.random.Generator) -> list[dict[str, Any]]:
        out = []
        for s in samples(rng):
            values, places = forward(**s)
            del s["random_samples"]
            out.append({**s, "grad_output": rng.normal(size=values.shape), "indices": places})
        return out

    n = f"int[{dims}]"
    op = Op(
        f"fractional_max_pool{dims}d(Tensor self, {n} kernel_size, {n} output_size, Tensor random_samples) "
        "-> (Tensor, Tensor)",
        forward,
        f"FractionalMaxPool{dims}DBackward0",
        {
            "self": Grad(
                lambda grads, self, kernel_size, output_size, result1: backward(
                    grads[0], self, kernel_size, output_size, result1
                ),
                r"\operatorname{scatter}([[grad]], \arg\max)",
            )
        },
        r"\max_{\text{window}} [[self]]",
        where=(),
        nondiff=(1,),
        constants=("random_samples",),
        samples=samples,
    )
    backward = Op(
        f"fractional_max_pool{dims}d_backward(Tensor grad_output, Tensor self, {n} kernel_size, {n} output_size, "
        "Tensor indices) -> Tensor",
        lambda grad_output, self, kernel_size, output_size, indices: spread(grad_output, indices, self.shape, dims),
        f"FractionalMaxPool{dims}DBackwardBackward0",
        derivatives_of_scatter(dims),
        r"\operatorname{scatter}([[grad_output]], [[indices]])",
        where=(),
        samples=backward_samples,
    )
    return op, backward


FRACTIONAL_MAX_POOL2D, FRACTIONAL_MAX_POOL2D_BACKWARD = _fractional_max_pool(2)
FRACTIONAL_MAX_POOL3D, FRACTIONAL_MAX_POOL3D_BACKWARD = _fractional_max_pool(3)
