"""`out=`: which functions take it, and how a result is written into the tensor given."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine import dtypes, errors
from engine.modes import STATE
from engine.overlap import arrays_of, check_operands, check_target
from engine.return_types import written_type
from engine.warning import warn_once

_ONE = """
    _upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d abs absolute acos acosh add.Tensor
    addbmm addcdiv addcmul addmm addmm.dtype addmv addr alias_copy all all.dim all.dims amax amin angle any any.dim
    any.dims arange arange.start_step arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argsort.stable
    as_strided_copy asin asinh atan atan2 atanh avg_pool2d avg_pool3d baddbmm baddbmm.dtype bernoulli bitwise_and.Scalar
    bitwise_and.Tensor bitwise_left_shift.Tensor bitwise_left_shift.Tensor_Scalar bitwise_not bitwise_or.Scalar
    bitwise_or.Tensor bitwise_right_shift.Tensor bitwise_right_shift.Tensor_Scalar bitwise_xor.Scalar bitwise_xor.Tensor
    bmm bmm.dtype bucketize.Tensor cat ceil cholesky cholesky_inverse cholesky_solve clamp clamp.Tensor clamp_max
    clamp_max.Tensor clamp_min clamp_min.Tensor clip clip.Tensor column_stack complex concat concatenate conj_physical
    copysign.Scalar copysign.Tensor cos cosh cross cumprod cumsum deg2rad detach_copy diag diagonal_copy diff digamma
    div.Tensor div.Tensor_mode divide.Tensor divide.Tensor_mode dot dstack empty eq.Scalar eq.Tensor erf erfc erfinv exp
    exp2 expand_copy expm1 eye eye.m fft_fft fft_fft2 fft_fftfreq fft_fftn fft_hfft fft_hfft2 fft_hfftn fft_ifft
    fft_ifft2 fft_ifftn fft_ihfft fft_ihfft2 fft_ihfftn fft_irfft fft_irfft2 fft_irfftn fft_rfft fft_rfft2 fft_rfftfreq
    fft_rfftn fix float_power.Scalar float_power.Tensor_Scalar float_power.Tensor_Tensor floor floor_divide fmax fmin
    fmod.Scalar fmod.Tensor frac frobenius_norm full gather gcd ge.Scalar ge.Tensor gelu geqrf ger greater.Scalar
    greater.Tensor greater_equal.Scalar greater_equal.Tensor gt.Scalar gt.Tensor hardshrink heaviside histc hstack hypot
    i0 igamma igammac index_add index_copy index_select inner inverse isin.Scalar_Tensor isin.Tensor_Scalar
    isin.Tensor_Tensor isneginf isposinf kron lcm ldexp.Tensor le.Scalar le.Tensor lerp.Scalar lerp.Tensor less.Scalar
    less.Tensor less_equal.Scalar less_equal.Tensor lgamma linalg_cholesky linalg_cond linalg_cond.p_str linalg_cross
    linalg_det linalg_eigvals linalg_eigvalsh linalg_householder_product.checked linalg_inv linalg_ldl_solve
    linalg_lu_solve.checked linalg_matmul linalg_matrix_norm linalg_matrix_norm.str_ord linalg_matrix_power
    linalg_matrix_rank linalg_matrix_rank.atol_rtol_float linalg_matrix_rank.atol_rtol_tensor
    linalg_matrix_rank.tol_tensor linalg_multi_dot linalg_norm linalg_norm.ord_str linalg_pinv
    linalg_pinv.atol_rtol_float
    linalg_pinv.atol_rtol_tensor_checked linalg_pinv.rcond_tensor linalg_solve linalg_solve_triangular.checked
    linalg_svdvals linalg_tensorinv linalg_tensorsolve linalg_vecdot linalg_vector_norm.of_any linear
    linspace.Scalar_Scalar linspace.Scalar_Tensor linspace.Tensor_Scalar linspace.Tensor_Tensor log log10 log1p log2
    log_softmax.int logaddexp logaddexp2 logcumsumexp logical_and logical_not logical_or logical_xor logit
    logspace.Scalar_Scalar logspace.Scalar_Tensor logspace.Tensor_Scalar logspace.Tensor_Tensor logsumexp lt.Scalar
    lt.Tensor masked_select matmul matrix_power max max.other maximum mean mean.dim min min.other minimum mm mm.dtype
    msort mul.Tensor multinomial multiply.Tensor mv mvlgamma nan_to_num nanmean nanquantile nanquantile.scalar nansum
    ne.Scalar ne.Tensor neg negative nextafter nonzero.as_tuple normal.Tensor_Tensor normal.Tensor_float
    normal.float_Tensor normal.float_float not_equal.Scalar not_equal.Tensor nuclear_norm nuclear_norm.dim ones orgqr
    ormqr.checked outer permute_copy polar polygamma pow.Scalar pow.Tensor_Scalar pow.Tensor_Tensor prod.dim_int
    quantile quantile.scalar rad2deg rand rand.generator randint randint.generator randint.low
    randint.low_generator randn randn.generator randperm randperm.generator range.step reciprocal remainder.Scalar
    remainder.Tensor renorm round round.decimals row_stack rsqrt scatter.reduce scatter.src scatter.value
    scatter.value_reduce scatter_add
    scatter_reduce.two searchsorted.Scalar searchsorted.Tensor select_copy.int sgn sigmoid sign signbit sin sinc sinh
    slice_copy.Tensor slice_scatter softmax.int softplus softshrink special_airy_ai special_bessel_j0 special_bessel_j1
    special_bessel_y0 special_bessel_y1 special_chebyshev_polynomial_t special_chebyshev_polynomial_t.n_scalar
    special_chebyshev_polynomial_t.x_scalar special_chebyshev_polynomial_u special_chebyshev_polynomial_u.n_scalar
    special_chebyshev_polynomial_u.x_scalar special_chebyshev_polynomial_v special_chebyshev_polynomial_v.n_scalar
    special_chebyshev_polynomial_v.x_scalar special_chebyshev_polynomial_w special_chebyshev_polynomial_w.n_scalar
    special_chebyshev_polynomial_w.x_scalar special_digamma special_entr special_erf special_erfc special_erfcx
    special_erfinv special_exp2 special_expit special_expm1 special_gammainc special_gammaincc special_gammaln
    special_hermite_polynomial_h special_hermite_polynomial_h.n_scalar special_hermite_polynomial_h.x_scalar
    special_hermite_polynomial_he special_hermite_polynomial_he.n_scalar special_hermite_polynomial_he.x_scalar
    special_i0 special_i0e special_i1 special_i1e special_laguerre_polynomial_l special_laguerre_polynomial_l.n_scalar
    special_laguerre_polynomial_l.x_scalar special_legendre_polynomial_p special_legendre_polynomial_p.n_scalar
    special_legendre_polynomial_p.x_scalar special_log1p special_log_ndtr special_logit special_logsumexp
    special_modified_bessel_i0 special_modified_bessel_i1 special_modified_bessel_k0 special_modified_bessel_k1
    special_multigammaln special_ndtr special_ndtri special_polygamma special_psi special_round
    special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1 special_shifted_chebyshev_polynomial_t
    special_shifted_chebyshev_polynomial_t.n_scalar special_shifted_chebyshev_polynomial_t.x_scalar
    special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_u.n_scalar
    special_shifted_chebyshev_polynomial_u.x_scalar special_shifted_chebyshev_polynomial_v
    special_shifted_chebyshev_polynomial_v.n_scalar special_shifted_chebyshev_polynomial_v.x_scalar
    special_shifted_chebyshev_polynomial_w special_shifted_chebyshev_polynomial_w.n_scalar
    special_shifted_chebyshev_polynomial_w.x_scalar special_sinc special_spherical_bessel_j0 special_xlog1py
    special_xlog1py.other_scalar special_xlog1py.self_scalar special_xlogy.Scalar_Other special_xlogy.Scalar_Self
    special_xlogy.Tensor special_zeta special_zeta.other_scalar special_zeta.self_scalar sqrt square squeeze_copy
    squeeze_copy.dim squeeze_copy.dims sspaddmm stack std.by_correction std.dim sub.Tensor subtract.Tensor
    sum.dim_IntList t_copy take take_along_dim tan tanh threshold transpose_copy.int tril triu true_divide.Tensor trunc
    unfold_copy unsqueeze_copy upsample_bicubic2d upsample_bilinear2d upsample_linear1d upsample_nearest1d
    upsample_nearest2d upsample_nearest3d upsample_trilinear3d var.by_correction var.dim vdot view_as_complex_copy
    view_as_real_copy view_copy view_copy.dtype vstack where.self xlogy.Scalar_Other xlogy.Scalar_Self xlogy.Tensor
    zeros
"""
ONE = frozenset(_ONE.split())
"""Overloads that may write their result into a tensor: facts of PyTorch."""
_SEVERAL = """
    aminmax cummax cummin frexp.Tensor histogram.bin_ct histogram.bins_tensor kthvalue linalg_cholesky_ex
    linalg_eig.checked linalg_eigh linalg_inv_ex.checked linalg_ldl_factor linalg_ldl_factor_ex linalg_lstsq linalg_lu
    linalg_lu_factor linalg_lu_factor_ex linalg_qr.checked linalg_slogdet linalg_solve_ex linalg_svd lu_unpack max.dim
    median.dim min.dim mode nanmedian.dim native_batch_norm qr slogdet sort sort.stable svd topk triangular_solve
"""
SEVERAL = frozenset(_SEVERAL.split())
"""Overloads that may write their results into a tuple of tensors."""


_WRITERS = {
    "mul": "ger kron multiply outer", "pow": "square", "cat": "column_stack concat concatenate dstack hstack "
    "row_stack vstack", "div": "divide true_divide", "mm": "chain_matmul linalg_multi_dot", "gather": "take_along_dim",
    "matmul": "linalg_matmul linalg_matrix_power matrix_power", "sum": "linalg_matrix_rank linalg_vecdot",
    "abs": "absolute", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh",
    "atanh": "arctanh", "atan2": "arctan2", "clamp": "clip", "trunc": "fix", "neg": "negative", "sort": "msort",
    "nansum": "nanmean", "sub": "diff subtract",
    "linalg_cross": "cross", "linalg_qr": "qr", "linalg_inv_ex": "inverse linalg_inv",
    "linalg_cholesky_ex": "linalg_cholesky", "_linalg_det": "det linalg_det", "_linalg_eigh": "linalg_eigh "
    "linalg_eigvalsh", "_linalg_slogdet": "slogdet linalg_slogdet", "_linalg_solve_ex": "linalg_solve linalg_solve_ex",
    "_linalg_svd": "linalg_svd linalg_svdvals svd", "linalg_lu_factor_ex": "linalg_lu_factor",
    "_fft_c2r": "fft_irfft fft_hfft fft_irfft2 fft_irfftn",
    "digamma": "special_digamma special_psi", "sigmoid": "special_expit", "igamma": "special_gammainc",
    "igammac": "special_gammaincc", "lgamma": "special_gammaln", "mvlgamma": "special_multigammaln",
    **{n: f"special_{n}" for n in ("erf", "erfc", "erfinv", "exp2", "expm1", "i0", "log1p", "logit", "logsumexp",
                                   "polygamma", "round", "sinc", "xlogy")},
}  # fmt: skip
"""Which operator of PyTorch's writes the result of functions with other names: its messages name that one."""
_WRITER = {name: writer for writer, names in _WRITERS.items() for name in names.split()}
_DETACHING = frozenset(
    ("floor_divide", "softmax", "log_softmax", "quantile", "nanquantile", "diag", "linalg_matrix_norm")
)
"""Functions that with `out=` compute no gradients, instead of refusing inputs that require them."""


_SPECIAL = """
    airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1 modified_bessel_i0 modified_bessel_i1 modified_bessel_k0
    modified_bessel_k1 scaled_modified_bessel_k0 scaled_modified_bessel_k1 spherical_bessel_j0 chebyshev_polynomial_t
    chebyshev_polynomial_u chebyshev_polynomial_v chebyshev_polynomial_w hermite_polynomial_h hermite_polynomial_he
    laguerre_polynomial_l legendre_polynomial_p shifted_chebyshev_polynomial_t shifted_chebyshev_polynomial_u
    shifted_chebyshev_polynomial_v shifted_chebyshev_polynomial_w
"""
_UNKNOWN = frozenset(("conj_physical", "heaviside", "slice_scatter", "sspaddmm", "linalg_ldl_solve"))
"""Besides those that copy, functions that have derivatives only where they write nowhere."""
_COMPARING = """
    eq ne lt le gt ge less less_equal greater greater_equal not_equal logical_and logical_or logical_xor logical_not
"""
_UNRECORDED = frozenset((*_COMPARING.split(), "histc")) | {f"special_{name}" for name in _SPECIAL.split()}
"""Functions that autograd does not look at: they write into any tensor."""

_IN_THE_DTYPE_OF_OUT = frozenset(("sum", "prod", "nansum"))
"""Functions that add up in the dtype of `out`, whatever it is."""


_EXPECTED = "Expected out tensor to have dtype {wanted_cpp}, but got {given_cpp} instead"
_EXACT = """
    mm matmul bmm addmm addmv baddbmm gather scatter scatter_add tril triu index_add index_copy isin argmax argmin
    linalg_inv_ex _linalg_det _linalg_solve_ex linalg_cholesky_ex linalg_vector_norm sort max min topk aminmax
    _linalg_eigh linalg_qr _linalg_svd renorm linalg_cross softmax log_softmax mv diag scatter_reduce slice_scatter isin
    linalg_lu_solve avg_pool2d avg_pool3d alias_copy as_strided_copy detach_copy diagonal_copy expand_copy permute_copy
    select_copy slice_copy squeeze_copy t_copy transpose_copy unfold_copy unsqueeze_copy view_as_real_copy view_copy
"""
_MATCHING: dict[str, Sequence[str]] = {
    _EXPECTED: _EXACT.split(),
    "{name}(): self and result must have the same scalar type": ("index_select", "masked_select"),
    "result dtype {given} does not match input dtype {wanted}": ("dot", "vdot"),
    "take(): self and out expected to have the same dtype, but got self.dtype = {wanted} and out.dtype = {given}": (
        "take",
    ),
    "Expected out type to be {wanted} but got {given}": ("where",),
    "Expected the dtype for input and out to match, but got {wanted} for input's dtype and {given} for out's dtype.": (
        "amax", "amin",
    ),
    "Found dtype {given} but expected {wanted}": (
        "abs", "ceil", "clamp", "clamp_max", "clamp_min", "floor", "frac", "neg", "round", "sgn", "sign", "trunc",
        "bitwise_not", "conj_physical", "gelu", "hardshrink", "softplus", "softshrink",
    ),
    "{name} does not support non-boolean outputs.": ("signbit", "isposinf", "isneginf"),
    "quantile() out tensor must be same dtype as the input tensor": ("quantile", "nanquantile"),
    "Expected object of scalar type {wanted} but got scalar type {given} for argument 'out'": ("complex", "polar"),
    "{name} is not yet implemented for tensors with different dtypes.": ("heaviside",),
    "torch.histogram: input tensor and hist tensor should have the same dtype, but got input {wanted_cpp} and hist "
    "{given_cpp}": ("histc",),
    "multinomial expects Long tensor out, got: {given}": ("multinomial",),
    "nan_to_num: dtype of out: {given} should be same as input: {wanted}": ("nan_to_num",),
    "tensordot: Expected the output tensor to have dtype {wanted}, but got an output tensor with dtype {given}": (
        "tensordot", "inner",
    ),
    "linalg.norm expected out tensor dtype {wanted} but got: {given}": ("linalg_norm",),
    "linalg.matrix_norm expected out tensor dtype {wanted} but got: {given}": ("linalg_matrix_norm",),
    "expected scalar_type {wanted} but found {given}": ("logcumsumexp", "cummax", "cummin"),
}  # fmt: skip
"""What functions say that write into a tensor of their result's dtype only: facts of PyTorch."""
_MISMATCH = {name: text for text, names in _MATCHING.items() for name in names}


def _check_dtype(name: str, function: str, operands: int, wanted: dtypes.dtype, given: dtypes.dtype) -> None:
    """Raise RuntimeError, of `cat` TypeError, where a result of one dtype is not written into a tensor of another.

    `operands`: how many tensors were given.
    """
    text = _MISMATCH.get(name) or _MISMATCH.get(function)
    if text and wanted is not given and not (name.startswith("clamp") and operands > 1):
        kinds = {"wanted": wanted.torch_name, "given": given.torch_name}
        kinds |= {"wanted_cpp": wanted.cpp_name, "given_cpp": given.cpp_name}
        raise RuntimeError(text.format(name=name, **kinds))
    if function in _IN_THE_DTYPE_OF_OUT or dtypes.can_cast(wanted, given):
        return
    if function in ("cat", "stack"):
        raise TypeError(f"torch.cat(): input types can't be cast to the desired output type {given.torch_name}")
    subject = name if name == "ldexp" else f"result type {wanted.torch_name}"
    raise RuntimeError(f"{subject} can't be cast to the desired output type {given.torch_name}")


def kind(name: str) -> str:
    """What an overload takes as `out`: "one" tensor, "several", or nothing, which is an empty string."""
    return "one" if name in ONE else "several" if name in SEVERAL else ""


def filled(function: str, overload: Any, values: list[Any]) -> Any:
    """What a factory makes, written into the tensor given as `out=`, whose dtype it takes.

    Raises RuntimeError when another dtype is named, or when `out` requires grad.
    """
    at, dtype_at = overload.own_out, overload.names.index("dtype")
    out = values[at]
    if values[dtype_at] is not None and values[dtype_at] is not out.dtype:
        named = values[dtype_at].torch_name
        raise RuntimeError(f"dtype {named} does not match dtype of out parameter ({out.dtype.torch_name})")
    if out._needs_grad and STATE.grad_enabled:
        raise RuntimeError(_refusal(f"aten::{function}"))
    made = [None if i == at else out.dtype if i == dtype_at else v for i, v in enumerate(values)]
    written = _written(out, overload.call(made))
    if made[overload.names.index("requires_grad")]:
        written.requires_grad_()
    return written


def into(function: str, out: Any, result: Any, operands: list[Any]) -> Any:
    """Write a result into the tensor(s) given as `out=`.

    Raises RuntimeError when gradients, dtypes, or the memory it shares with `operands` forbid it.
    """
    if isinstance(out, list | tuple):
        if len(out) != len(result):
            raise TypeError(f"expected tuple of {len(result)} elements but got {len(out)}")
        for o, r in zip(out, result, strict=True):
            into(function, o, r, operands)
        return written_type(type(result))(out)
    if function in ("all", "any") and out.dtype not in (dtypes.bool_, dtypes.uint8):
        raise RuntimeError(f"{function} only supports bool tensor for result, got: {out.dtype.torch_name}")
    if function in ("argmax", "argmin"):  # before anything is said of gradients
        _check_dtype(function, function, 1, result.dtype, out.dtype)
    if function.startswith("fft_"):
        _check_spectrum(function, result, out)
    if function == "normal" and out.shape != result.shape and arrays_of(operands):  # it alone does not resize
        raise errors.broadcast(result.shape, out.shape)
    name, function = function, _WRITER.get(function, function)
    if function in ("max", "min"):  # of two tensors: of one, it writes several
        function += "imum"
    tensors = arrays_of(operands)
    unknown = function.endswith("_copy") or function in _UNKNOWN
    if unknown:
        _check_dtype(name, function, len(tensors), result.dtype, out.dtype)
    if name in _UNRECORDED:
        pass
    elif (result._needs_grad and function not in _DETACHING) or (out._needs_grad and STATE.grad_enabled):
        differentiable = result.dtype.is_floating_point or result.dtype.is_complex
        if function in _DETACHING or unknown or not (result._needs_grad or differentiable):
            function = f"aten::{function}"
        raise RuntimeError(_refusal(function))
    _check_dtype(name, function, len(tensors), result.dtype, out.dtype)
    if len(tensors) > 1 or name not in ("max", "min"):  # those of one tensor are reductions
        if out.shape == result.shape:  # one of another shape gets memory of its own
            check_target(name, out._array())
        check_operands(name, out._array(), tensors)
    return _written(out, result)


def _check_spectrum(function: str, result: Any, out: Any) -> None:
    """Raise RuntimeError where a transform is to be written into a tensor of another kind of numbers."""
    shown = re.sub("2$", "n", function.removeprefix("fft_"))
    if result.dtype.is_complex and not out.dtype.is_complex:
        shown = "fftn" if shown == "ifftn" else shown
        raise RuntimeError(f"{shown} expects a complex output tensor, but got {out.dtype.torch_name}")
    if shown in ("irfft", "irfftn", "hfft", "hfftn") and not out.dtype.is_floating_point:
        raise RuntimeError(f"{shown} expects a floating point output tensor, but got {out.dtype.torch_name}")


def refused_first(function: str, out: Any, operands: list[Any]) -> RuntimeError | None:
    """What is said of gradients, where a call with `out=` has failed for another reason: PyTorch asks for them first.

    Functions that PyTorch composes of others fail before they come to the one that writes.
    """
    if function in _WRITER or function in _UNRECORDED or function in _DETACHING or function not in _ASKING:
        return None
    given = [*_tensors(operands), *_tensors([out])]
    if STATE.grad_enabled and any(t._needs_grad for t in given):
        return RuntimeError(_refusal(function))
    return None


_FIRST = """
    addbmm addmm addmv baddbmm bmm mm mv cat stack gather scatter_add scatter_reduce index_select avg_pool2d avg_pool3d
    cholesky_solve lerp ormqr polygamma round threshold tril triu vdot dot bernoulli clamp add sub mul div
"""
_ASKING = frozenset(_FIRST.split())
"""Functions of which it is known that they ask for gradients before they look at anything else."""


def _tensors(values: Sequence[Any]) -> list[Any]:
    flat = [x for v in values for x in (v if isinstance(v, list | tuple) else (v,))]
    return [x for x in flat if hasattr(x, "requires_grad")]


def _refusal(function: str) -> str:
    return (
        f"{function}(): functions with out=... arguments don't support automatic differentiation, but one of the "
        "arguments requires grad."
    )


def _written(out: Any, result: Any) -> Any:
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
        out._storage = out._base = None
    np.copyto(out._array(), result._a, casting="unsafe")
    out._version_counter().n += 1
    return out
