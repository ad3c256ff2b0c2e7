"""Interpolation of images: nearest, linear and cubic, in one to three dimensions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.kinds import check_kind, wide_only
from engine.ops.layouts import keeps_channels
from engine.ops.resample import (
    along_each,
    along_each_of_bytes,
    cubic_matrix,
    linear_matrix,
    nearest_matrix,
    nearest_places,
)

Ints = Sequence[int]
_LINEAR, _CUBIC = "compute_indices_weights_linear", "compute_indices_weights_cubic"
_BILINEAR = "upsample_bilinear2d_channels_last"
_SCALES = {1: ("scales",), 2: ("scales_h", "scales_w"), 3: ("scales_d", "scales_h", "scales_w")}


def _by_letter(letters: str, sizes: Ints) -> str:
    return "(" + ", ".join(f"{c}: {v}" for c, v in zip(letters, sizes, strict=True)) + ")"


def _check(x: np.ndarray, size: Ints) -> None:
    n = len(size)
    if x.ndim != n + 2:
        raise RuntimeError(f"It is expected input_size equals to {n + 2}, but got size {x.ndim}")
    if min(*x.shape[2:], *size, 1) < 1:
        letters = "DHW"[-n:]
        old, new = (
            "(" + ", ".join(f"{c}: {v}" for c, v in zip(letters, s, strict=True)) + ")" for s in (x.shape[2:], size)
        )
        joined = "and output" if n == 1 else "output"
        raise RuntimeError(f"Input and output sizes should be greater than 0, but got input {old} {joined} {new}")
    if 0 in x.shape[1:]:
        raise RuntimeError(f"Non-empty {n + 2}D data tensor expected but got a tensor with sizes {list(x.shape)}")


def _scale_text(dims: int) -> str:
    return ", ".join(f"float? {s}=None" for s in _SCALES[dims])


def smooth_ops(name: str, node: str, dims: int, matrix: Any, kernel: str, antialias: bool = False) -> tuple[Op, Op]:
    """Ops that weigh neighbours: their backward is the transposed matrices."""

    def matrices(old: Ints, new: Ints, align_corners: bool, scales: Sequence[Any], dtype: np.dtype) -> list[np.ndarray]:
        return [matrix(o, n, align_corners, s, dtype) for o, n, s in zip(old, new, scales, strict=True)]

    def forward(self: np.ndarray, output_size: Ints, align_corners: bool, *scales: Any) -> np.ndarray:
        _check(self, output_size)
        check_kind(kernel, self, "fV", "B")
        scales = scales or (None,) * dims
        if self.dtype == np.uint8:
            weights = matrices(self.shape[2:], output_size, align_corners, scales, np.dtype(np.float64))
            if dims == 2:
                return along_each_of_bytes(self, weights)
            return np.clip(np.rint(along_each(self.astype(np.float64), weights)), 0, 255).astype(np.uint8)
        return along_each(self, matrices(self.shape[2:], output_size, align_corners, scales, self.dtype))

    def adjoint(
        grad_output: np.ndarray, output_size: Ints, input_size: Ints, align_corners: bool, *scales: Any
    ) -> np.ndarray:
        scales = scales or (None,) * dims
        ms = matrices(input_size[2:], output_size, align_corners, scales, grad_output.dtype)
        return along_each(grad_output, [m.T for m in ms])

    rules: dict[int, tuple[Any, Any]] = {
        1: (
            lambda grad, output_size, self_sym_sizes, align_corners, scales: backward(
                grad, output_size, self_sym_sizes, align_corners, scales
            ),
            lambda grad, output_size, align_corners, scales: op(grad, output_size, align_corners, scales),
        ),
        2: (
            lambda grad, output_size, self_sym_sizes, align_corners, scales_h, scales_w: backward(
                grad, output_size, self_sym_sizes, align_corners, scales_h, scales_w
            ),
            lambda grad, output_size, align_corners, scales_h, scales_w: op(
                grad, output_size, align_corners, scales_h, scales_w
            ),
        ),
        3: (
            lambda grad, output_size, self_sym_sizes, align_corners, scales_d, scales_h, scales_w: backward(
                grad, output_size, self_sym_sizes, align_corners, scales_d, scales_h, scales_w
            ),
            lambda grad, output_size, align_corners, scales_d, scales_h, scales_w: op(
                grad, output_size, align_corners, scales_d, scales_h, scales_w
            ),
        ),
    }
    old, new = (2, 2, *(3, 4, 2)[:dims]), (5, 3, 4)[:dims]
    op = Op(
        f"{name}(Tensor self, SymInt[{dims}] output_size, bool align_corners, {_scale_text(dims)}) -> Tensor",
        wide_only(kernel, keeps_channels(forward)) if antialias else keeps_channels(forward),
        f"{node}Backward0",
        {"self": Grad(rules[dims][0], r"M^{\top} [[grad]]")},
        r"M [[self]]",
        where=(),
        samples=lambda rng: [
            {"self": rng.normal(size=old), "output_size": new, "align_corners": a} for a in (False, True)
        ],
    )
    backward = Op(
        f"{name}_backward(Tensor grad_output, SymInt[{dims}] output_size, SymInt[{dims + 2}] input_size, "
        f"bool align_corners, {_scale_text(dims)}) -> Tensor",
        adjoint,
        f"{node}BackwardBackward0",
        {"grad_output": Grad(rules[dims][1], r"M [[grad]]")},
        r"M^{\top} [[grad_output]]",
        where=(),
        samples=lambda rng: [
            {
                "grad_output": rng.normal(size=(2, 2, *new)),
                "output_size": new,
                "input_size": old,
                "align_corners": False,
            }
        ],
    )
    return op, backward


def _nearest(name: str, node: str, dims: int, exact: bool) -> tuple[Op, Op]:
    """Ops that copy one neighbour."""

    def forward(self: np.ndarray, output_size: Ints, *scales: Any) -> np.ndarray:
        _check(self, output_size)
        check_kind(
            "upsample_nearest2d_channels_last" if dims == 2 else "compute_indices_weights_nearest", self, "fV", "B"
        )
        scales = scales or (None,) * dims
        for i, (n, s) in enumerate(zip(output_size, scales, strict=True)):
            self = self.take(nearest_places(self.shape[2 + i], n, s, exact), axis=2 + i)
        return self

    def adjoint(grad_output: np.ndarray, output_size: Ints, input_size: Ints, *scales: Any) -> np.ndarray:
        scales = scales or (None,) * dims
        triples = zip(input_size[2:], output_size, scales, strict=True)
        return along_each(grad_output, [nearest_matrix(o, n, s, exact, grad_output.dtype).T for o, n, s in triples])

    rules: dict[int, tuple[Any, Any]] = {
        1: (
            lambda grad, output_size, self_sym_sizes, scales: backward(grad, output_size, self_sym_sizes, scales),
            lambda grad, output_size, scales: op(grad, output_size, scales),
        ),
        2: (
            lambda grad, output_size, self_sym_sizes, scales_h, scales_w: backward(
                grad, output_size, self_sym_sizes, scales_h, scales_w
            ),
            lambda grad, output_size, scales_h, scales_w: op(grad, output_size, scales_h, scales_w),
        ),
        3: (
            lambda grad, output_size, self_sym_sizes, scales_d, scales_h, scales_w: backward(
                grad, output_size, self_sym_sizes, scales_d, scales_h, scales_w
            ),
            lambda grad, output_size, scales_d, scales_h, scales_w: op(grad, output_size, scales_d, scales_h, scales_w),
        ),
    }
    old, new = (2, 2, *(3, 4, 2)[:dims]), (5, 3, 4)[:dims]
    op = Op(
        f"{name}(Tensor self, SymInt[{dims}] output_size, {_scale_text(dims)}) -> Tensor",
        keeps_channels(forward),
        f"{node}Backward0",
        {"self": Grad(rules[dims][0], r"\textstyle\sum_{\text{copies}} [[grad]]")},
        r"\operatorname{nearest}([[self]])",
        where=(),
        samples=lambda rng: [{"self": rng.normal(size=old), "output_size": new}],
    )
    backward = Op(
        f"{name}_backward(Tensor grad_output, SymInt[{dims}] output_size, SymInt[{dims + 2}] input_size, "
        f"{_scale_text(dims)}) -> Tensor",
        adjoint,
        f"{node}BackwardBackward0",
        {"grad_output": Grad(rules[dims][1], r"\operatorname{nearest}([[grad]])")},
        r"\textstyle\sum_{\text{copies}} [[grad_output]]",
        where=(),
        samples=lambda rng: [{"grad_output": rng.normal(size=(2, 2, *new)), "output_size": new, "input_size": old}],
    )
    return op, backward


NEAREST1D, NEAREST1D_BACKWARD = _nearest("upsample_nearest1d", "UpsampleNearest1D", 1, False)
NEAREST2D, NEAREST2D_BACKWARD = _nearest("upsample_nearest2d", "UpsampleNearest2D", 2, False)
NEAREST3D, NEAREST3D_BACKWARD = _nearest("upsample_nearest3d", "UpsampleNearest3D", 3, False)
EXACT1D, EXACT1D_BACKWARD = _nearest("_upsample_nearest_exact1d", "UpsampleNearestExact1D", 1, True)
EXACT2D, EXACT2D_BACKWARD = _nearest("_upsample_nearest_exact2d", "UpsampleNearestExact2D", 2, True)
EXACT3D, EXACT3D_BACKWARD = _nearest("_upsample_nearest_exact3d", "UpsampleNearestExact3D", 3, True)
LINEAR1D, LINEAR1D_BACKWARD = smooth_ops("upsample_linear1d", "UpsampleLinear1D", 1, linear_matrix, _LINEAR)
BILINEAR2D, BILINEAR2D_BACKWARD = smooth_ops(
    "upsample_bilinear2d", "UpsampleBilinear2D", 2, linear_matrix, "upsample_bilinear2d_channels_last"
)
TRILINEAR3D, TRILINEAR3D_BACKWARD = smooth_ops("upsample_trilinear3d", "UpsampleTrilinear3D", 3, linear_matrix, _LINEAR)
BICUBIC2D, BICUBIC2D_BACKWARD = smooth_ops(
    "upsample_bicubic2d", "UpsampleBicubic2D", 2, cubic_matrix, "compute_indices_weights_cubic"
)
