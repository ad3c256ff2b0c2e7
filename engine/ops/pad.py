"""Borders around a tensor: constant, mirrored, repeated; a negative width cuts instead."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.fill import ZEROS_LIKE
from engine.ops.kinds import check_kind
from engine.ops.layouts import keeps_channels
from engine.ops.positions import listed

Ints = Sequence[int]


def _constant(self: np.ndarray, pad: Ints, value: float = 0) -> np.ndarray:
    if len(pad) % 2:
        raise RuntimeError(f"Length of pad must be even but instead it equals {len(pad)}")
    if len(pad) > 2 * self.ndim:
        raise RuntimeError(
            f"Length of pad should be no more than twice the number of dimensions of the input. Pad length is "
            f"{len(pad)} while the input has {self.ndim} dimensions."
        )
    before, after = [0] * self.ndim, [0] * self.ndim
    for i in range(len(pad) // 2):
        before[-1 - i], after[-1 - i] = pad[2 * i], pad[2 * i + 1]
    shape = tuple(b + n + a for b, n, a in zip(before, self.shape, after, strict=True))
    if any(n + min(b, 0) + min(a, 0) < 0 for b, n, a in zip(before, self.shape, after, strict=True)):
        raise RuntimeError("narrow(): length must be non-negative.")  # PyTorch cuts first
    out = np.full(shape, value, self.dtype) if value else np.zeros(shape, self.dtype)
    into = tuple(slice(max(b, 0), n - max(a, 0)) for b, n, a in zip(before, shape, after, strict=True))
    kept = tuple(slice(max(-b, 0), n - max(-a, 0)) for b, n, a in zip(before, self.shape, after, strict=True))
    out[into] = self[kept]
    return out


def _mirror(length: int, before: int, after: int) -> np.ndarray:
    at = np.arange(-before, length + after)
    at = np.abs(at)
    return np.where(at >= length, 2 * (length - 1) - at, at)


def _repeated(length: int, before: int, after: int) -> np.ndarray:
    return np.clip(np.arange(-before, length + after), 0, length - 1)


def _places(shape: Ints, padding: Ints, dims: int, choose: Any) -> list[np.ndarray]:
    """For each of the last dimensions, which old element every new one copies."""
    return [
        choose(shape[len(shape) - dims + i], padding[2 * (dims - 1 - i)], padding[2 * (dims - 1 - i) + 1])
        for i in range(dims)
    ]


def _check_mirror(x: np.ndarray, padding: Ints, dims: int) -> None:
    for i in range(dims):
        d = x.ndim - 1 - i
        pair = (padding[2 * i], padding[2 * i + 1])
        if max(pair) >= x.shape[d]:
            raise RuntimeError(
                f"Argument #{4 + 2 * i}: Padding size should be less than the corresponding input dimension, but got: "
                f"padding ({pair[0]}, {pair[1]}) at dimension {d} of input {listed(x.shape)}"
            )


def _check_copying(name: str, x: np.ndarray, padding: Ints, dims: int) -> None:
    if x.ndim not in (dims + 1, dims + 2) or 0 in x.shape[x.ndim - dims - 1 :]:
        raise RuntimeError(
            f"Expected {dims + 1}D or {dims + 2}D (batch mode) tensor with possibly 0 batch size and other "
            f"non-zero dimensions for input, but got: {listed(x.shape)}"
        )
    check_kind(name, x, "fciuV")


def _check_room(name: str, x: np.ndarray, padding: Ints, dims: int) -> None:
    """Raise RuntimeError where negative widths leave nothing."""
    given = x.shape[x.ndim - dims :]
    made = tuple(n + padding[-2 * i - 2] + padding[-2 * i - 1] for i, n in enumerate(given))
    if all(n < 1 for n in made):
        sizes = ("W: {}", "H: {}, W: {}", "D: {} H: {}, W: {}")[dims - 1].format(*given)
        left = " ".join(f"{k}: {n}" for k, n in zip("DHW"[3 - dims :], made, strict=True))
        space = " " if name == "replication_pad2d" else ""
        raise RuntimeError(f"input ({sizes}{space}) is too small. Calculated output {left}")
    if any(n < 0 for n in made):
        if name == "reflection_pad2d":
            raise RuntimeError("numel: integer multiplication overflow")
        shape = list(x.shape[: x.ndim - dims]) + list(made)
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(made)}: {shape}")


def _copying_pad(name: str, node: str, dims: int, choose: Any, check: Any) -> tuple[Op, Op]:
    def forward(self: np.ndarray, padding: Ints) -> np.ndarray:
        _check_copying(name, self, padding, dims)
        if check is not None:
            check(self, padding, dims)
        _check_room(name, self, padding, dims)
        for i, at in enumerate(_places(self.shape, padding, dims, choose)):
            self = self.take(at, axis=self.ndim - dims + i)
        return self

    def adjoint(grad_output: np.ndarray, self: np.ndarray, padding: Ints) -> np.ndarray:
        out = grad_output
        for i, at in enumerate(_places(self.shape, padding, dims, choose)):
            axis = out.ndim - dims + i
            moved = np.moveaxis(out, axis, 0)
            summed = np.zeros((self.shape[axis], *moved.shape[1:]), out.dtype)
            for k, row in zip(at.tolist(), moved, strict=True):
                summed[k] += row
            out = np.moveaxis(summed, 0, axis)
        return np.ascontiguousarray(out)

    n = f"SymInt[{2 * dims}]"
    shape = (2, 2, *(3, 4, 3)[:dims])
    widths = (1, 2, 2, 1, 0, 1)[: 2 * dims]
    op = Op(
        f"{name}(Tensor self, {n} padding) -> Tensor",
        keeps_channels(forward),
        f"{node}Backward0",
        {
            "self": Grad(
                lambda grad, self, padding: backward(grad, self, padding), r"\operatorname{pad}^{\top}([[grad]])"
            )
        },
        r"\operatorname{pad}([[self]])",
        where=(),
        samples=lambda rng: [{"self": rng.normal(size=shape), "padding": widths}],
    )
    backward = Op(
        f"{name}_backward(Tensor grad_output, Tensor self, {n} padding) -> Tensor",
        adjoint,
        f"{node}BackwardBackward0",
        {
            "grad_output": Grad(lambda grad, padding: op(grad, padding), r"\operatorname{pad}([[grad]])"),
            "self": Grad(lambda grad, self: ZEROS_LIKE(self), "0"),
        },
        r"\operatorname{pad}^{\top}([[grad_output]])",
        where=(),
        samples=lambda rng: [
            {
                "grad_output": rng.normal(size=forward(np.zeros(shape), widths).shape),
                "self": rng.normal(size=shape),
                "padding": widths,
            }
        ],
    )
    return op, backward


CONSTANT_PAD = Op(
    "constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor",
    keeps_channels(_constant),
    "ConstantPadNdBackward0",
    {
        "self": Grad(
            lambda grad, pad: CONSTANT_PAD(grad, tuple(-p for p in pad), 0), r"\operatorname{crop}([[grad]], [[pad]])"
        )
    },
    r"\operatorname{pad}([[self]], [[pad]], [[value]])",
    where=("function",),
    samples=lambda rng: [
        {"self": rng.normal(size=(3, 4)), "pad": (1, 2), "value": 2.5},
        {"self": rng.normal(size=(3, 4)), "pad": (-1, 1, 1, 0)},
    ],
)
REFLECTION1D, REFLECTION1D_BACKWARD = _copying_pad("reflection_pad1d", "ReflectionPad1D", 1, _mirror, _check_mirror)
REFLECTION2D, REFLECTION2D_BACKWARD = _copying_pad("reflection_pad2d", "ReflectionPad2D", 2, _mirror, _check_mirror)
REFLECTION3D, REFLECTION3D_BACKWARD = _copying_pad("reflection_pad3d", "ReflectionPad3D", 3, _mirror, _check_mirror)
REPLICATION1D, REPLICATION1D_BACKWARD = _copying_pad("replication_pad1d", "ReplicationPad1D", 1, _repeated, None)
REPLICATION2D, REPLICATION2D_BACKWARD = _copying_pad("replication_pad2d", "ReplicationPad2D", 2, _repeated, None)
REPLICATION3D, REPLICATION3D_BACKWARD = _copying_pad("replication_pad3d", "ReplicationPad3D", 3, _repeated, None)
