"""`out=`: which functions take it, and how a result is written into the tensor given."""

from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.warning import warn_once

_ONE = """
    abs absolute acos acosh add.Tensor addbmm addcdiv addcmul addmm addmm.dtype addmv addr affine_grid_generator all
    all.dim all.dims amax amin angle any any.dim any.dims arccos arccosh arcsin arcsinh arctan arctan2 arctanh
    argmax argmin asin asinh atan atan2 atanh avg_pool2d avg_pool3d baddbmm bernoulli bernoulli.p
    binary_cross_entropy_with_logits bincount bitwise_and.Scalar bitwise_and.Scalar_Tensor bitwise_and.Tensor
    bitwise_left_shift.Scalar_Tensor bitwise_left_shift.Tensor bitwise_left_shift.Tensor_Scalar bitwise_not
    bitwise_or.Scalar bitwise_or.Scalar_Tensor bitwise_or.Tensor bitwise_right_shift.Scalar_Tensor
    bitwise_right_shift.Tensor bitwise_right_shift.Tensor_Scalar bitwise_xor.Scalar bitwise_xor.Scalar_Tensor
    bitwise_xor.Tensor bmm bmm.dtype bucketize.Scalar bucketize.Tensor cat ceil celu channel_shuffle cholesky
    cholesky_inverse cholesky_solve clamp clamp.Tensor clamp_max clamp_max.Tensor clamp_min clamp_min.Tensor clip
    clip.Tensor clone complex constant_pad_nd convolution copysign.Scalar copysign.Tensor cos cosh count_nonzero
    count_nonzero.dim_IntList cumprod cumsum deg2rad diag diag_embed diagonal_copy diagonal_scatter digamma dist
    div.Tensor div.Tensor_mode divide.Tensor divide.Tensor_mode dot embedding eq.Scalar eq.Tensor erf erfc erfinv
    exp exp2 expm1 fill.Scalar fill.Tensor fix flip floor floor_divide fmax fmin fmod.Scalar fmod.Tensor frac gather
    gcd ge.Scalar ge.Tensor gelu greater.Scalar greater.Tensor greater_equal.Scalar greater_equal.Tensor
    grid_sampler_2d gt.Scalar gt.Tensor hardshrink heaviside histc hypot i0 igamma igammac index_add index_copy
    index_fill.int_Scalar index_fill.int_Tensor index_put index_select isinf isnan isneginf isposinf lcm
    ldexp.Tensor le.Scalar le.Tensor lerp.Scalar lerp.Tensor less.Scalar less.Tensor less_equal.Scalar
    less_equal.Tensor lgamma linalg_cross linalg_eigvals linalg_lu_solve linalg_matrix_exp linear log log10 log1p
    log2 logaddexp logaddexp2 logcumsumexp logical_and logical_not logical_or logical_xor logit logsumexp lt.Scalar
    lt.Tensor masked_fill.Scalar masked_fill.Tensor masked_scatter masked_select matmul max max.other maximum mean
    mean.dim median min min.other minimum mm mm.dtype mul.Tensor multinomial multiply.Tensor mv mvlgamma nan_to_num
    nanmedian nansum ne.Scalar ne.Tensor neg negative nextafter normal.Tensor_Tensor normal.Tensor_float
    normal.float_Tensor not_equal.Scalar not_equal.Tensor pixel_shuffle pixel_unshuffle poisson polar polygamma
    pow.Scalar pow.Tensor_Scalar pow.Tensor_Tensor prod prod.dim_int rad2deg reciprocal relu remainder.Scalar
    remainder.Scalar_Tensor remainder.Tensor renorm repeat_interleave.Tensor roll rot90 round round.decimals rsqrt
    rsub.Scalar rsub.Tensor scatter.src scatter.value scatter_add scatter_reduce.two searchsorted.Scalar
    searchsorted.Tensor select_scatter sgn sigmoid sign signbit sin sinc sinh slice_scatter softplus softshrink
    special_entr special_erfcx special_i0e special_i1 special_i1e special_log_ndtr special_ndtr special_ndtri
    special_xlog1py special_zeta sqrt square stack std.dim sub.Tensor subtract.Tensor sum sum.dim_IntList take tan
    tanh threshold trace tril triu true_divide.Tensor trunc unsafe_split.Tensor var.dim vdot where.self
    xlogy.Scalar_Other xlogy.Scalar_Self xlogy.Tensor
"""
ONE = frozenset(_ONE.split())
"""Overloads that may write their result into a tensor: facts of PyTorch."""
_SEVERAL = """
    _pack_padded_sequence _weight_norm_interface aminmax cummax cummin frexp.Tensor kthvalue linalg_cholesky_ex
    linalg_eig linalg_lu linalg_lu_factor_ex lu_unpack max.dim median.dim min.dim mode nanmedian.dim
    native_batch_norm native_group_norm native_layer_norm sort sort.stable svd topk
"""
SEVERAL = frozenset(_SEVERAL.split())
"""Overloads that may write their results into a tuple of tensors."""


def described(name: str) -> str:
    """How a signature listing shows the parameter; empty for an overload without one."""
    return "Tensor out = None" if name in ONE else "tuple of Tensors out = None" if name in SEVERAL else ""


def into(function: str, out: Any, result: Any) -> Any:
    """Write a result into the tensor(s) given as `out=`. Raises RuntimeError when gradients or dtypes forbid it."""
    if isinstance(out, list | tuple):
        for o, r in zip(out, result, strict=True):
            into(function, o, r)
        return result
    if result.requires_grad or out.requires_grad:
        raise RuntimeError(
            f"{function}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad."
        )
    if not dtypes.can_cast(result.dtype, out.dtype):
        raise RuntimeError(
            f"result type {result.dtype.torch_name} can't be cast to the desired output type {out.dtype.torch_name}"
        )
    if out._a.shape != result._a.shape:
        if out._a.size:
            warn_once(
                "An output with one or more elements was resized since it had shape "
                f"{errors.sizes(out._a.shape)}, which "
                f"does not match the required output shape {errors.sizes(result._a.shape)}. This behavior is "
                "deprecated, "
                "and in a future PyTorch release outputs will not be resized unless they have zero elements. You can "
                "explicitly reuse an out tensor t by resizing it, inplace, to zero elements with t.resize_(0)."
            )
        out._a = np.empty(result._a.shape, out._a.dtype)
        out._storage = None
    np.copyto(out._array(), result._a, casting="unsafe")
    out._version_counter().n += 1
    return out
