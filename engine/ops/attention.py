"""Scaled dot-product attention as one operator, with what its backward needs."""

from collections.abc import Sequence
from math import inf, sqrt
from typing import Any, NoReturn

import numpy as np

from engine.op import Grad, Op
from engine.ops.triangle import triangle


def _factor(query: np.ndarray, scale: float | None) -> Any:
    """What the products are scaled by; without features, infinite."""
    if scale is None:
        scale = 1 / sqrt(query.shape[-1]) if query.shape[-1] else inf
    return query.dtype.type(scale)


def _scores(
    query: np.ndarray, key: np.ndarray, is_causal: bool, attn_mask: np.ndarray | None, scale: float | None
) -> np.ndarray:
    """Scaled and masked dot products (batch, head, query, key)."""
    factor = _factor(query, scale)
    s = (query * factor) @ key.swapaxes(-2, -1)
    if is_causal:
        np.copyto(s, -np.inf, where=~triangle(s.shape[-2], s.shape[-1], 0))
    if attn_mask is not None:
        s = np.where(attn_mask, s, -np.inf).astype(s.dtype) if attn_mask.dtype == bool else s + attn_mask
    return s


def _forward(
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    attn_mask: np.ndarray | None = None,
    scale: float | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    s = _scores(query, key, is_causal, attn_mask, scale)
    top = s.max(-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)  # a row with nothing to attend to
    np.exp(s - top, out=s)
    total = s.sum(-1, keepdims=True)
    with np.errstate(divide="ignore"):
        logsumexp = (np.log(total) + top)[..., 0].astype(np.float32 if s.dtype != np.float64 else s.dtype)
    s /= np.where(total == 0, 1, total)
    if value.shape[-1] != query.shape[-1]:
        return s @ value, _queries_outside(logsumexp)
    out = np.empty_like(query)  # ordered in memory as the query is
    np.matmul(s, value, out=out)
    return out, _queries_outside(logsumexp)


def _queries_outside(x: np.ndarray) -> np.ndarray:
    """The same values with heads last in memory, as ATen lays its sums out."""
    return np.ascontiguousarray(x.swapaxes(1, 2)).swapaxes(1, 2)


def _backward(
    grad_out: np.ndarray,
    query: np.ndarray,
    key: np.ndarray,
    value: np.ndarray,
    out: np.ndarray,
    logsumexp: np.ndarray,
    dropout_p: float,
    is_causal: bool,
    attn_mask: np.ndarray | None = None,
    scale: float | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    factor = _factor(query, scale)
    s = _scores(query, key, is_causal, attn_mask, scale)
    finite = np.where(np.isfinite(logsumexp), logsumexp, 0)[..., None]
    p = np.exp(s - finite).astype(query.dtype)
    through = grad_out @ value.swapaxes(-2, -1)
    inner = (grad_out * out).sum(-1, keepdims=True)
    to_scores = p * (through - inner) * factor
    return (
        to_scores @ key,
        to_scores.swapaxes(-2, -1) @ query,
        p.swapaxes(-2, -1) @ grad_out,
    )


def _back(
    grads: Sequence[Any],
    query: Any,
    key: Any,
    value: Any,
    output: Any,
    logsumexp: Any,
    dropout_p: float,
    is_causal: bool,
    attn_mask: Any,
    scale: float | None,
) -> Any:
    return FLASH_BACKWARD(
        grads[0], query, key, value, output, logsumexp, dropout_p, is_causal, attn_mask=attn_mask, scale=scale
    )


def _not_implemented(grads: Any) -> NoReturn:
    raise RuntimeError("derivative for aten::_scaled_dot_product_flash_attention_for_cpu_backward is not implemented")


FLASH = Op(
    "_scaled_dot_product_flash_attention_for_cpu(Tensor query, Tensor key, Tensor value, float dropout_p=0.0, "
    "bool is_causal=False, *, Tensor? attn_mask=None, float? scale=None) -> (Tensor output, Tensor logsumexp)",
    _forward,
    "ScaledDotProductFlashAttentionForCpuBackward0",
    {
        "query, key, value": Grad(
            _back,
            {
                "query": r"P \odot ([[grad]]\, v^{\top} - \delta)\, k / \sqrt d,\; \delta = \sum [[grad]] y",
                "key": r"\tfrac{1}{\sqrt d} \left(P \odot ([[grad]]\, v^{\top} - \delta)\right)^{\top} q",
                "value": r"P^{\top} [[grad]],\; P = \operatorname{softmax}\!\left(\tfrac{q k^{\top}}{\sqrt d}\right)",
            },
        )
    },
    r"\operatorname{softmax}\!\left(\frac{[[query]]\,[[key]]^{\top}}{\sqrt d}\right) [[value]]",
    where=(),
    outputs=("output", "logsumexp"),
    nondiff=(1,),
    samples=lambda rng: [
        {
            "query": rng.normal(size=(1, 2, 3, 4)),
            "key": rng.normal(size=(1, 2, 3, 4)),
            "value": rng.normal(size=(1, 2, 3, 2 if m is None else 4)),
            "is_causal": c,
            "attn_mask": m,
            "scale": s,
        }
        for c, m, s in (
            (False, None, None),
            (True, None, 0.7),
            (False, np.array([[True, False, True], [True, True, True], [False, True, False]]), None),
            (False, np.array([[0.5, 0.0, -1.0]]), None),
        )
    ],
)
FLASH_BACKWARD = Op(
    "_scaled_dot_product_flash_attention_for_cpu_backward(Tensor grad_out, Tensor query, Tensor key, Tensor value, "
    "Tensor out, Tensor logsumexp, float dropout_p, bool is_causal, *, Tensor? attn_mask=None, float? scale=None) "
    "-> (Tensor grad_query, Tensor grad_key, Tensor grad_value)",
    _backward,
    "torch::autograd::NotImplemented",
    {n: Grad(_not_implemented, r"\nexists") for n in ("grad_out", "query", "key", "value", "out", "logsumexp")},
    r"\partial_{q, k, v}\, \operatorname{attention}",
    where=(),
    unchecked="PyTorch does not implement its derivative",
)
