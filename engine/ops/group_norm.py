"""Group normalisation."""

from typing import Any

import numpy as np

from engine.narrow import with_wide_parameters
from engine.op import Grad, Op
from engine.ops.arithmetic import MUL_SCALAR
from engine.ops.batched import is_array
from engine.ops.kinds import check_kind
from engine.ops.layouts import contiguous_results, keeps_channels
from engine.ops.mixed_dtypes import check_mixed
from engine.ops.reduction import SUM_DIM
from engine.ops.standardise import sums


@with_wide_parameters
@keeps_channels
@contiguous_results
def _group_norm(
    input: Any, weight: Any, bias: Any, N: int, C: int, HxW: int, group: int, eps: float
) -> tuple[Any, Any, Any]:
    """Output, and mean and reciprocal standard deviation of every group of every sample."""
    for x, name in ((weight, "weight"), (bias, "bias")):
        if x is not None and x.shape != (C,):
            shown = x if weight is None else weight  # whichever is wrong
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of "
                f"shape {list(shown.shape)} and input of shape {list(input.shape)}"
            )
    if input.size != N * C * HxW:
        raise RuntimeError(
            "Expected X.numel() == N * C * HxW to be true, but got false.  (Could this error message be improved?  "
            "If so, please report an enhancement request to PyTorch.)"
        )
    check_mixed(input, weight, bias)
    check_kind("GroupNormKernelImpl", input, "f")
    x = input.reshape(N, group, C // group * HxW)
    n = max(x.shape[2], 1)
    mean = sums(x, 2) / n
    off = x - mean[..., None]
    rstd = 1 / np.sqrt(sums(off * off, 2) / n + eps)
    out = (off * rstd[..., None]).reshape(N, C, HxW)
    if weight is not None:
        out = out * weight.reshape(1, C, 1)
    if bias is not None:
        out = out + bias.reshape(1, C, 1)
    return out.reshape(input.shape), mean, rstd


def _with_dim(x: Any, dim: int) -> Any:
    """A dimension of size 1 put into a sum nobody else has seen."""
    return np.expand_dims(x, dim) if is_array(x) else x.unsqueeze_(dim)


def _backward(
    grads: Any, input: Any, result1: Any, result2: Any, weight: Any, N: int, C: int, HxW: int, group: int, mask: Any
) -> tuple[Any, Any, Any]:
    """Composed of plain operators, so that it can be differentiated any number of times."""
    of_out, of_mean, of_rstd = grads
    each = C // group
    split = (N, group, each, HxW)
    x = input.reshape(split)
    mean, rstd = result1.reshape((N, group, 1, 1)), result2.reshape((N, group, 1, 1))
    share = 1.0 / max(each * HxW, 1)
    back_input = back_weight = back_bias = None
    if of_out is not None:
        g = of_out.reshape(split)
        of_scale, of_shift = _with_dim(SUM_DIM(g * x, (3,)), -1), _with_dim(SUM_DIM(g, (3,)), -1)
        if mask[0]:
            scale, shift, factor = of_scale, of_shift, rstd
            if weight is not None:
                gamma = weight.reshape((1, group, each, 1))
                factor, scale, shift = rstd * gamma, of_scale * gamma, of_shift * gamma
            scale, shift = _with_dim(SUM_DIM(scale, (2,)), -2), _with_dim(SUM_DIM(shift, (2,)), -2)
            b = MUL_SCALAR((shift * mean - scale) * (rstd * rstd * rstd), share)
            c = -b * mean - MUL_SCALAR(shift * rstd, share)
            back_input = factor * g + b * x + c
        if mask[1]:
            back_weight = SUM_DIM((of_scale - of_shift * mean) * rstd, (0,)).reshape((C,))
        if mask[2]:
            back_bias = SUM_DIM(of_shift, (0,)).reshape((C,))
    if mask[0] and of_mean is not None:
        part = MUL_SCALAR(of_mean.reshape((N, group, 1, 1)), share)
        back_input = part if back_input is None else back_input + part
    if mask[0] and of_rstd is not None:
        part = MUL_SCALAR(of_rstd.reshape((N, group, 1, 1)) * (rstd * rstd * rstd) * (x - mean), -share)
        back_input = part if back_input is None else back_input + part
    if back_input is not None:
        back_input = (back_input + MUL_SCALAR(x, 0) if of_out is None else back_input).reshape(input.shape)
    return back_input, back_weight, back_bias


def _samples(rng: np.random.Generator) -> list[dict[str, Any]]:
    plain = {"weight": None, "bias": None, "N": 2, "C": 4, "HxW": 3, "group": 2, "eps": 1e-5}
    x = rng.normal(size=(2, 4, 3))
    return [{"input": x, **plain}, {"input": x, **plain, "weight": rng.normal(size=4), "bias": rng.normal(size=4)}]


GROUP_NORM = Op(
    "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group,"
    " float eps) -> (Tensor, Tensor, Tensor)",
    keeps_channels(_group_norm),
    "NativeGroupNormBackward0",
    {
        "input, weight, bias": Grad(
            lambda grads, input, result1, result2, weight, N, C, HxW, group, mask: _backward(
                grads, input, result1, result2, weight, N, C, HxW, group, mask
            ),
            {
                "input": (
                    r"\sigma^{-1}\left(g - \overline{g} - n\, \overline{g\, n}\right),\; g = [[grad]] \odot [[weight]]"
                    r",\; n = ([[input]] - \mu) / \sigma"
                ),
                "weight": r"\textstyle\sum [[grad]] \odot n,\; n = ([[input]] - \mu) / \sigma",
                "bias": r"\textstyle\sum [[grad]]",
            },
        )
    },
    r"\frac{[[input]] - \mu}{\sqrt{\sigma^2 + [[eps]]}} \cdot [[weight]] + [[bias]]",
    where=("function",),
    save_also=("eps",),
    samples=_samples,
)
