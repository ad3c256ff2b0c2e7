"""Which rule runs which operator on a batch. Operators are named in full, or by what all their overloads share.

What works element by element follows from the record: an operator that promotes its operands does, except those named
here. What is named nowhere runs one sample after the other.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from engine.batching import dimensions, elementwise, layers, losses, places, products, views
from engine.batching.call import Call
from engine.op import Op
from engine.ops.extremes import MAX_DIM, MIN_DIM
from engine.ops.norms import NORM_DIM
from engine.ops.products import PROD_DIM
from engine.ops.reduction import ALL_DIMS, ANY_DIMS, COUNT_NONZERO_DIMS, MEAN_DIM, SUM_DIM
from engine.ops.sorting import MEDIAN_DIM, NANMEDIAN_DIM

Rule = Callable[[Call], Any]

_POINTWISE = """
    zeros_like fill fill_ zero_ _to_copy detach copy_ alias view.dtype isnan isinf isposinf isneginf isreal isfinite
    isclose logical_and logical_or logical_xor logical_not bitwise_not where.self masked_fill sigmoid_backward _conj
    _real _imag complex polar relu threshold threshold_ threshold_backward leaky_relu leaky_relu_
    leaky_relu_backward hardtanh hardtanh_backward hardsigmoid hardsigmoid_backward hardswish hardswish_backward
    hardshrink hardshrink_backward softshrink softshrink_backward tanh_backward elu elu_ celu celu_ elu_backward
    gelu gelu_backward silu mish softplus softplus_backward log_sigmoid_backward lerp nan_to_num frexp heaviside
    signbit bernoulli normal poisson uniform_ normal_ bernoulli_ exponential_ random_ cauchy_ log_normal_ geometric_
    eq_ ne_ lt_ le_ gt_ ge_ _standard_gamma _standard_gamma_grad _dirichlet_grad binomial
"""
_NOT_POINTWISE = {
    "cat", "stack", "dist", "logsumexp", "logcumsumexp", "linalg_cross", "mse_loss", "smooth_l1_loss", "huber_loss",
    "soft_margin_loss", "mvlgamma", "polygamma", "block_diag",
}  # fmt: skip
_SHIFTED = """
    select.int select_backward slice.Tensor slice_backward diagonal diagonal_backward unfold unfold_backward
    transpose.int sum.dim_IntList mean.dim nansum count_nonzero.dim_IntList all.dim all.dims any.dim any.dims
    logsumexp logcumsumexp linalg_vector_norm norm.ScalarOpt_dim var.correction std.correction var_mean.correction
    std_mean.correction cumsum cumprod cummax cummin prod.dim_int max.dim min.dim amax amin sort sort.stable argsort
    argsort.stable topk kthvalue median.dim nanmedian.dim mode glu glu_backward _softmax _log_softmax _safe_softmax
    _softmax_backward_data _log_softmax_backward_data slice_scatter select_scatter diagonal_scatter rot90
    linalg_cross
"""
_TRAILING = """
    tril triu linalg_inv_ex linalg_cholesky_ex linalg_qr _linalg_svd _linalg_eigh linalg_eig cholesky_inverse
    cholesky _linalg_det _linalg_slogdet linalg_lu linalg_lu_factor_ex linalg_matrix_exp view_as_real
    view_as_complex multinomial constant_pad_nd _cdist_forward _cdist_backward polygamma mvlgamma _linalg_solve_ex
    linalg_solve_triangular cholesky_solve _sample_dirichlet
"""
_IMAGES = """
    max_pool2d_with_indices max_pool2d_with_indices_backward avg_pool2d avg_pool2d_backward
    _adaptive_avg_pool2d_backward adaptive_max_pool2d adaptive_max_pool2d_backward reflection_pad2d
    reflection_pad2d_backward replication_pad2d replication_pad2d_backward im2col pixel_shuffle pixel_unshuffle
    upsample_nearest2d upsample_nearest2d_backward _upsample_nearest_exact2d _upsample_nearest_exact2d_backward
    upsample_bilinear2d upsample_bilinear2d_backward upsample_bicubic2d upsample_bicubic2d_backward max_unpool2d
    grid_sampler_2d
"""
_LINES = """
    col2im reflection_pad1d reflection_pad1d_backward replication_pad1d replication_pad1d_backward
    upsample_nearest1d upsample_nearest1d_backward _upsample_nearest_exact1d _upsample_nearest_exact1d_backward
    upsample_linear1d upsample_linear1d_backward
"""
_VOLUMES = """
    max_pool3d_with_indices max_pool3d_with_indices_backward avg_pool3d avg_pool3d_backward
    _adaptive_avg_pool3d_backward adaptive_max_pool3d adaptive_max_pool3d_backward reflection_pad3d
    reflection_pad3d_backward replication_pad3d replication_pad3d_backward upsample_nearest3d
    upsample_nearest3d_backward upsample_trilinear3d upsample_trilinear3d_backward _upsample_nearest_exact3d
    _upsample_nearest_exact3d_backward
"""


_RULES: dict[str, Rule] = {
    **dict.fromkeys(_POINTWISE.split(), elementwise.pointwise),
    **dict.fromkeys(_SHIFTED.split(), dimensions.shifted),
    **dict.fromkeys(_TRAILING.split(), dimensions.trailing),
    **dict.fromkeys(_IMAGES.split(), layers.merged(4)),
    **dict.fromkeys(_LINES.split(), layers.merged(3)),
    **dict.fromkeys(_VOLUMES.split(), layers.merged(5)),
    **dict.fromkeys(("gather", "scatter.src", "scatter.value", "scatter_add", "scatter_reduce.two"), dimensions.picked),
    "sum": dimensions.all_elements(SUM_DIM),
    "mean": dimensions.all_elements(MEAN_DIM),
    "all": dimensions.all_elements(ALL_DIMS),
    "any": dimensions.all_elements(ANY_DIMS),
    "count_nonzero": dimensions.all_elements(COUNT_NONZERO_DIMS),
    "prod": dimensions.all_elements(PROD_DIM, flat=True),
    "max": dimensions.all_elements(MAX_DIM, flat=True),
    "min": dimensions.all_elements(MIN_DIM, flat=True),
    "median": dimensions.all_elements(MEDIAN_DIM, flat=True),
    "nanmedian": dimensions.all_elements(NANMEDIAN_DIM, flat=True),
    "norm.Scalar": dimensions.all_elements(NORM_DIM),
    "aminmax": dimensions.both_extremes,
    "index_fill.int_Scalar": places.index_fill,
    "masked_select": places.masked_select,
    "argmax": dimensions.extreme_place,
    "argmin": dimensions.extreme_place,
    "clone": views.clone,
    "diagonal_copy": views.diagonal_copy,
    "log_sigmoid_forward": dimensions.trailing,
    "_zeros_of": views.zeros_of,
    "view": views.view,
    "_unsafe_view": views.view,
    "_reshape_alias": views.reshape_alias,
    "expand": views.expand,
    "permute": views.permute,
    "t": views.transposed,
    "squeeze": views.squeeze,
    "squeeze.dim": views.squeeze_dim,
    "squeeze.dims": views.squeeze_dim,
    "unsqueeze": views.unsqueeze,
    "diag_embed": views.diag_embed,
    "as_strided": views.as_strided,
    "trace": views.trace,
    "repeat": views.repeat,
    "flip": views.flip_or_roll,
    "roll": views.flip_or_roll,
    "cat": views.cat,
    "stack": views.stack,
    **dict.fromkeys(("split.Tensor", "split_with_sizes", "unbind.int", "unsafe_split.Tensor"), views.pieces),
    "mm": products.product("self", "mat2"),
    "bmm": products.product("self", "mat2"),
    "mv": products.matrix_vector("self", "vec"),
    "dot": products.dot,
    "addmm": products.added("mat1", "mat2"),
    "addmv": products.added("mat", "vec", products.matrix_vector),
    "baddbmm": products.added("batch1", "batch2"),
    "addbmm": products.added("batch1", "batch2"),
    "addr": products.outer,
    "dist": losses.distance,
    "mse_loss": losses.elementwise(),
    "smooth_l1_loss": losses.elementwise(),
    "huber_loss": losses.elementwise(),
    "soft_margin_loss": losses.elementwise(),
    "binary_cross_entropy": losses.elementwise(flat=False),
    "mse_loss_backward": losses.elementwise_backward,
    "smooth_l1_loss_backward": losses.elementwise_backward,
    "huber_loss_backward": losses.elementwise_backward,
    "soft_margin_loss_backward": losses.elementwise_backward,
    "binary_cross_entropy_backward": losses.elementwise_backward,
    "index.Tensor": places.index,
    "index_put": places.index_put,
    "_index_put_impl": places.index_put,
    "index_select": places.index_select,
    "index_add": places.index_add,
    "embedding": places.embedding,
    "convolution": layers.convolution,
    "_adaptive_avg_pool2d": layers.adaptive_average,
    "_adaptive_avg_pool3d": layers.adaptive_average,
    "native_layer_norm": layers.layer_norm,
    "native_group_norm": layers.group_norm,
    "native_batch_norm": layers.batch_norm,
}

DECOMPOSED: dict[str, Callable[..., Any]] = {
    "nll_loss_forward": losses.nll_forward,
    "nll_loss2d_forward": losses.nll_forward,
    "nll_loss_backward": losses.nll_backward,
    "nll_loss2d_backward": losses.nll_backward,
    "binary_cross_entropy_with_logits": losses.with_logits,
    "masked_fill.Tensor": elementwise.masked_filled,
    "fill.Tensor": elementwise.filled,
}
"""Operators that are run as simpler ones, which have rules."""


@cache
def rule_of(op: Op) -> Rule | None:
    """The rule of an operator; None if there is none."""
    rule = _RULES.get(op.name) or _RULES.get(op.signature.base)
    if rule is None and op.promote is not None and op.signature.base not in _NOT_POINTWISE:
        return elementwise.pointwise
    return rule
