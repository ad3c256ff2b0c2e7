"""scaled_dot_product_attention, by one operator where PyTorch uses it, else step by step."""

from collections.abc import Sequence
from math import inf, sqrt
from typing import Any

import numpy as np

from engine import dtypes
from engine.attention_backends import ALLOWED, NONE_LEFT
from engine.composite import composite
from engine.composites.dropout import dropout_function
from engine.ops.arithmetic import MUL_SCALAR
from engine.ops.attention import FLASH
from engine.ops.batched import matmul
from engine.ops.checks import wrap_real_dim
from engine.ops.reduction import SUM
from engine.ops.softmax import SAFE_SOFTMAX
from engine.ops.views import TRANSPOSE
from engine.tensor import Tensor


def _check(query: Any, key: Any, value: Any, attn_mask: Any) -> None:
    if not (query.dtype is key.dtype is value.dtype):
        names = [t.dtype.cpp_name for t in (query, key, value)]
        raise RuntimeError(
            f"Expected query, key, and value to have the same dtype, but got query.dtype: {names[0]} key.dtype: "
            f"{names[1]} and value.dtype: {names[2]} instead."
        )
    if min(query.ndim, key.ndim, value.ndim) < 2:
        raise RuntimeError(
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{query.ndim} key.dim: {key.ndim} and value.dim: {value.ndim} instead."
        )
    if attn_mask is not None and attn_mask.dtype not in (dtypes.bool_, dtypes.float32, query.dtype):
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
            f"{attn_mask.dtype.cpp_name} and  query.dtype: {query.dtype.cpp_name} instead."
        )


def _additive(attn_mask: Any, dtype: Any) -> Any:
    """A mask of bools as numbers to add: 0 where attention may go, -inf elsewhere."""
    if attn_mask is None or attn_mask.dtype is not dtypes.bool_:
        return attn_mask
    zero, low = dtype.numpy.type(0), dtype.numpy.type(-np.inf)
    return Tensor._wrap(np.where(attn_mask._a, zero, low))


def _fused_fits(query: Any, key: Any, value: Any, attn_mask: Any, dropout_p: float, is_causal: bool) -> bool:
    """Whether PyTorch would take the fused operator."""
    if not ALLOWED["flash"] or dropout_p > 0 or not query.ndim == key.ndim == value.ndim == 4:
        return False
    if not query.shape[:2] == key.shape[:2] == value.shape[:2] or key.shape[2] != value.shape[2]:
        return False
    if not query.shape[3] == key.shape[3] == value.shape[3] or 0 in (query.shape[2], key.shape[2], query.shape[3]):
        return False
    if attn_mask is not None:
        if not attn_mask._needs_grad:
            wrap_real_dim(-2, attn_mask.ndim)
        wide = (1,) * (4 - attn_mask.ndim) + tuple(attn_mask.shape)
        wanted = (query.shape[0], query.shape[1], query.shape[2], key.shape[2])
        if attn_mask._needs_grad or attn_mask.ndim not in (2, 4):
            return False
        if any(n not in (1, m) for n, m in zip(wide, wanted, strict=True)):
            return False
    return all(t._a.strides[-1] == t._a.itemsize for t in (query, key, value))


def math_attention(
    query: Any, key: Any, value: Any, attn_mask: Any, dropout_p: float, is_causal: bool, scale: float | None
) -> tuple[Any, Any]:
    """Attention step by step; returns the result and the weights."""
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError(
                "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True"
            )
        visible = np.tri(query.shape[-2], key.shape[-2], dtype=bool)
        attn_mask = _additive(Tensor._wrap(visible), query.dtype)
    if scale is None:
        scale = 1 / sqrt(query.shape[-1]) if query.shape[-1] else inf
    factor = sqrt(scale)
    q = MUL_SCALAR(query, factor)
    k = MUL_SCALAR(TRANSPOSE(key, -2, -1), factor)
    scores = matmul(q, k)
    if attn_mask is not None:
        scores = scores + attn_mask
    weights = SAFE_SOFTMAX(scores, -1)
    if dropout_p > 0:
        weights = dropout_function(weights, dropout_p, True)
    return matmul(weights, value), weights


def _repeated(query: Any, tensors: Sequence[Any]) -> list[Any]:
    """Keys and values for all heads, when several query heads share one."""
    heads = query.shape[-3]
    return [t.repeat_interleave(heads // t.shape[-3], -3) for t in tensors]


@composite(
    "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, "
    "bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor",
    where=("nn",),
)
def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """softmax(query @ key^T * scale + mask) @ value."""
    _check(query, key, value, attn_mask)
    size = (*query.shape[:-1], value.shape[-1])
    if 0 in size or not key.shape[-2]:
        nothing = Tensor._wrap(np.zeros(size, query._a.dtype))
        return nothing + MUL_SCALAR(SUM(query) + SUM(key) + SUM(value), 0)
    mask = _additive(attn_mask, query.dtype)
    if enable_gqa and query.ndim >= 3:
        key, value = _repeated(query, (key, value))
    if _fused_fits(query, key, value, mask, dropout_p, is_causal):
        return FLASH(query, key, value, dropout_p, is_causal, attn_mask=mask, scale=scale)[0]
    if not ALLOWED["math"]:
        raise RuntimeError(NONE_LEFT)
    return math_attention(query, key, value, mask, dropout_p, is_causal, scale)[0]
