"""F.multi_head_attention_forward: projections, attention of several heads, projection back."""

from math import sqrt
from typing import Any

import numpy as np

from engine import dtypes
from engine.composite import python_function
from engine.composites.attention import scaled_dot_product_attention
from engine.composites.dropout import dropout
from engine.composites.matmul import linear
from engine.composites.padding import pad
from engine.composites.parsed import checked
from engine.ops.join import CAT
from engine.ops.linear import BMM
from engine.ops.softmax import SOFTMAX
from engine.ops.sums_with_products import BADDBMM
from engine.tensor import Tensor
from engine.warning import warn


def _is_batched(query: Any, key: Any, value: Any, key_padding_mask: Any, attn_mask: Any, num_heads: int) -> bool:
    """Whether the inputs have a batch dimension. Raises AssertionError for shapes that do not go together."""
    if query.dim() not in (2, 3):
        raise AssertionError(
            f"query should be unbatched 2D or batched 3D tensor but received {query.dim()}-D query tensor"
        )
    n = query.dim()
    kind = "batched (3-D)" if n == 3 else "unbatched (2-D)"
    if key.dim() != n or value.dim() != n:
        raise AssertionError(
            f"For {kind} `query`, expected `key` and `value` to be {n}-D but found {key.dim()}-D and {value.dim()}-D "
            "tensors respectively"
        )
    if key_padding_mask is not None and key_padding_mask.dim() != n - 1:
        raise AssertionError(
            f"For {kind} `query`, expected `key_padding_mask` to be `None` or {n - 1}-D but found "
            f"{key_padding_mask.dim()}-D tensor instead"
        )
    if attn_mask is not None:
        if attn_mask.dim() not in (2, 3):
            raise AssertionError(
                f"For {kind} `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.dim()}-D "
                "tensor instead"
            )
        wanted = (num_heads, query.shape[0], key.shape[0])
        if n == 2 and attn_mask.dim() == 3 and tuple(attn_mask.shape) != wanted:
            raise AssertionError(f"Expected `attn_mask` shape to be {wanted} but got {attn_mask.shape}")
    return n == 3


def canonical_mask(mask: Any, name: str, other: Any, other_name: str, target: Any, check_other: bool = True) -> Any:
    """A mask as numbers to add; one of bools becomes -inf where it is true."""
    if mask is None:
        return None
    if mask.dtype is not dtypes.bool_ and not mask.dtype.is_floating_point:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    if check_other and other is not None and mask.dtype is not other:
        warn(f"Support for mismatched {name} and {other_name} is deprecated. Use same type for both instead.")
    if mask.dtype.is_floating_point:
        return mask
    zero = target.numpy.type(0)
    return Tensor._wrap(np.where(mask._a, target.numpy.type(-np.inf), zero))


def dtype_or_none(mask: Any) -> Any:
    """The dtype of a mask that may be absent."""
    return None if mask is None else mask.dtype


def _parts(packed: Any, count: int, size: int) -> list[Any]:
    """The projections that one product made, each contiguous: (…, count * size) as `count` tensors."""
    apart = packed.unflatten(-1, (count, size)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()
    return [apart[i] for i in range(count)]


def _project_packed(q: Any, k: Any, v: Any, w: Any, b: Any) -> list[Any]:
    """Query, key and value projections from one weight, in as few products as the inputs allow."""
    size = q.shape[-1]
    if k is v and q is k:
        return _parts(linear(q, w, b), 3, size)
    if k is v:
        w_q, w_kv = w.split([size, size * 2])
        b_q, b_kv = (None, None) if b is None else b.split([size, size * 2])
        first = linear(q, w_q, b_q)
        return [first, *_parts(linear(k, w_kv, b_kv), 2, size)]
    weights = w.chunk(3)
    biases = (None,) * 3 if b is None else b.chunk(3)
    return [linear(x, wx, bx) for x, wx, bx in zip((q, k, v), weights, biases, strict=True)]


def _project_apart(inputs: tuple[Any, ...], weights: tuple[Any, ...], bias: Any) -> list[Any]:
    """Query, key and value projections from three weights."""
    for name, w in zip("qkv", weights, strict=True):
        if w is None:
            raise AssertionError(f"use_separate_proj_weight is True but {name}_proj_weight is None")
    biases = (None,) * 3 if bias is None else bias.chunk(3)
    return [linear(x, w, b) for x, w, b in zip(inputs, weights, biases, strict=True)]


def _checked_mask(attn_mask: Any, batch: int, heads: int, target: int, source: int) -> Any:
    """The attention mask with three dimensions."""
    if attn_mask is None:
        return None
    if attn_mask.dim() == 2:
        if tuple(attn_mask.shape) != (target, source):
            raise RuntimeError(f"The shape of the 2D attn_mask is {attn_mask.shape}, but should be {(target, source)}.")
        return attn_mask.unsqueeze(0)
    if attn_mask.dim() != 3:
        raise RuntimeError(f"attn_mask's dimension {attn_mask.dim()} is not supported")
    wanted = (batch * heads, target, source)
    if tuple(attn_mask.shape) != wanted:
        raise RuntimeError(f"The shape of the 3D attn_mask is {attn_mask.shape}, but should be {wanted}.")
    return attn_mask


def _heads(x: Any, static: Any, name: str, rows: int, size: int) -> Any:
    """(length, batch, features) as (batch * heads, length, features per head); a static one is only checked."""
    if static is None:
        return x.view((x.shape[0], rows, size)).transpose(0, 1)
    for d, wanted in ((0, rows), (2, size)):
        if static.shape[d] != wanted:
            raise AssertionError(f"expecting {name}.size({d}) of {wanted}, but got {static.shape[d]}")
    return static


def _merged(attn_mask: Any, key_padding_mask: Any, batch: int, heads: int, source: int) -> Any:
    """Both masks as one."""
    if key_padding_mask is None:
        return attn_mask
    for d, wanted in ((0, batch), (1, source)):
        if key_padding_mask.shape[d] != wanted:
            raise AssertionError(
                f"Expected key_padded_mask.shape[{d}] to be {wanted}, but got {key_padding_mask.shape[d]}"
            )
    wide = key_padding_mask.view((batch, 1, 1, source)).expand((-1, heads, -1, -1))
    wide = wide.reshape((batch * heads, 1, source))
    return wide if attn_mask is None else attn_mask + wide


def _wider(mask: Any) -> Any:
    """A mask with a column more, that is attended to."""
    return None if mask is None else pad(mask, (0, 1))


@python_function("nn")
def multi_head_attention_forward(
    query: Any,
    key: Any,
    value: Any,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Any,
    in_proj_bias: Any,
    bias_k: Any,
    bias_v: Any,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Any,
    out_proj_bias: Any,
    training: bool = True,
    key_padding_mask: Any = None,
    need_weights: bool = True,
    attn_mask: Any = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Any = None,
    k_proj_weight: Any = None,
    v_proj_weight: Any = None,
    static_k: Any = None,
    static_v: Any = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Any, Any]:
    """Attention of several heads; returns the result and, if wanted, the weights."""
    batched = _is_batched(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query = query.unsqueeze(1)
        key = key.unsqueeze(1)
        value = value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    target, batch, size = query.shape
    key_padding_mask = canonical_mask(
        key_padding_mask, "key_padding_mask", dtype_or_none(attn_mask), "attn_mask", query.dtype
    )
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
            "`generate_square_subsequent_mask` to create this mask."
        )
    if is_causal and key_padding_mask is None and not need_weights:
        attn_mask = None  # the operator masks by itself
    else:
        attn_mask = canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, False)
        if key_padding_mask is not None:
            is_causal = False
    if size != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, but got {size}")
    each = size // num_heads
    if each * num_heads != size:
        raise AssertionError(f"embed_dim {size} not divisible by num_heads {num_heads}")
    if use_separate_proj_weight:
        if key.shape[:2] != value.shape[:2]:
            raise AssertionError(
                f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}"
            )
        weights = (q_proj_weight, k_proj_weight, v_proj_weight)
        q, k, v = _project_apart((query, key, value), weights, in_proj_bias)
    else:
        if key.shape != value.shape:
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        if in_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
        q, k, v = _project_packed(query, key, value, in_proj_weight, in_proj_bias)
    attn_mask = _checked_mask(attn_mask, batch, num_heads, target, key.shape[0])

    if bias_k is not None and bias_v is not None:
        if static_k is not None or static_v is not None:
            raise AssertionError(f"bias cannot be added to static {'key' if static_k is not None else 'value'}.")
        k, v = CAT([k, bias_k.repeat((1, batch, 1))], 0), CAT([v, bias_v.repeat((1, batch, 1))], 0)
        attn_mask, key_padding_mask = _wider(attn_mask), _wider(key_padding_mask)
    elif bias_k is not None:
        raise AssertionError("bias_k is set but bias_v is None")
    elif bias_v is not None:
        raise AssertionError("bias_v is set but bias_k is None")
    rows = batch * num_heads
    q = q.view((target, rows, each)).transpose(0, 1)
    k, v = _heads(k, static_k, "static_k", rows, each), _heads(v, static_v, "static_v", rows, each)
    if add_zero_attn:
        zero = Tensor._wrap(np.zeros((rows, 1, each), k.dtype.numpy))
        k, v = CAT([k, zero], 1), CAT([v, zero], 1)
        attn_mask, key_padding_mask = _wider(attn_mask), _wider(key_padding_mask)
    source = k.shape[1]
    attn_mask = _merged(attn_mask, key_padding_mask, batch, num_heads, source)
    dropout_p = dropout_p if training else 0.0
    if need_weights:
        out, shown = _with_weights(q, k, v, attn_mask, dropout_p, is_causal)
        out = out.transpose(0, 1).reshape((target * batch, size))
    else:
        if attn_mask is not None:
            single = attn_mask.shape[0] == 1 and attn_mask.dim() == 3
            attn_mask = attn_mask.unsqueeze(0) if single else attn_mask.view((batch, num_heads, -1, source))
        q, k, v = (x.view((batch, num_heads, -1, each)) for x in (q, k, v))
        out = scaled_dot_product_attention(q, k, v, attn_mask, dropout_p, is_causal)
        out = out.permute((2, 0, 1, 3)).reshape((batch * target, size))
        shown = None
    out = checked(linear)(out, out_proj_weight, out_proj_bias)
    out = out.view((target, batch, out.shape[1]))
    if shown is not None:
        shown = shown.view((batch, num_heads, target, source))
        shown = shown.mean(dim=1) if average_attn_weights else shown
    if not batched:
        return out.squeeze(1), None if shown is None else shown.squeeze(0)
    return out, shown


def _with_weights(q: Any, k: Any, v: Any, attn_mask: Any, dropout_p: float, is_causal: bool) -> tuple[Any, Any]:
    """Attention step by step, and its weights."""
    scaled = q * sqrt(1.0 / float(q.shape[2]))
    if is_causal and attn_mask is None:
        raise AssertionError("FIXME: is_causal not implemented for need_weights")
    turned = k.transpose(-2, -1)
    scores = BMM(scaled, turned) if attn_mask is None else BADDBMM(attn_mask, scaled, turned)
    weights = SOFTMAX(scores, -1, False)
    if dropout_p > 0.0:
        weights = dropout(weights, p=dropout_p)
    return BMM(weights, v), weights
