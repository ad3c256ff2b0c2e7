"""Rows of a table looked up by number, one by one or pooled in bags."""

from typing import Any, NoReturn

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.index_dim import INDEX_SELECT
from engine.ops.positions import add_rows, check_rows

SUM, MEAN, MAX = range(3)
"""How a bag is pooled, by ATen's numbers."""


def _check_indices(indices: np.ndarray, who: str) -> None:
    if indices.dtype.kind != "i" or indices.itemsize < 4:
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got "
            f"{from_numpy(indices.dtype).class_name} instead (while checking arguments for {who})"
        )


def _embedding(
    weight: np.ndarray,
    indices: np.ndarray,
    padding_idx: int = -1,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> np.ndarray:
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    _check_indices(indices, "embedding")
    check_rows(indices, weight.shape[0])
    return weight.take(indices, axis=0)


def _embedding_dense_backward(
    grad_output: np.ndarray, indices: np.ndarray, num_weights: int, padding_idx: int, scale_grad_by_freq: bool
) -> np.ndarray:
    rows = indices.reshape(-1)
    grad = np.reshape(grad_output, (rows.size, -1)) if rows.size else grad_output.reshape(0, grad_output.shape[-1])
    if padding_idx >= 0:
        kept = rows != padding_idx
        rows, grad = rows[kept], grad[kept]
    if scale_grad_by_freq:
        counts = np.bincount(rows, minlength=num_weights).astype(grad.dtype)
        grad = grad / counts[rows][:, None]
    out = np.zeros((num_weights, grad.shape[-1]), grad.dtype)
    add_rows(out, rows, grad)
    return out


def _double_back(grad: Any, indices: Any, padding_idx: int) -> Any:
    rows = indices.reshape(-1)
    picked = INDEX_SELECT(grad, 0, rows)
    if padding_idx >= 0:
        picked = picked * (rows != padding_idx).reshape(-1, 1)
    return picked.reshape((*indices.shape, grad.shape[-1]))


def _bags(indices: np.ndarray, offsets: np.ndarray, include_last_offset: bool) -> tuple[np.ndarray, int]:
    """The bag each index belongs to, and how many bags there are."""
    if offsets.size and offsets[0] != 0:
        raise RuntimeError(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, "
            f"got {offsets[0]}"
        )
    if offsets.size and offsets[-1] > indices.size:
        raise RuntimeError(
            f"offsets[-1] can not be greater than input's length {indices.size} but got offsets[-1] of {offsets[-1]}"
        )
    count = offsets.size - include_last_offset
    return np.searchsorted(offsets[:count], np.arange(indices.size), side="right") - 1, count


def _embedding_bag(
    weight: np.ndarray,
    indices: np.ndarray,
    offsets: np.ndarray,
    scale_grad_by_freq: bool = False,
    mode: int = SUM,
    sparse: bool = False,
    per_sample_weights: np.ndarray | None = None,
    include_last_offset: bool = False,
    padding_idx: int = -1,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    _check_indices(indices, "embedding_bag")
    rows = weight.shape[0]
    if indices.size and (indices.min() < 0 or indices.max() >= rows):
        at = int(np.flatnonzero((indices < 0) | (indices >= rows))[0])
        bad = int(indices[at])
        if mode != SUM:
            raise RuntimeError(f"Index {at} of input takes value {bad} which is not in the valid range [0, {rows})")
        raise RuntimeError(f"embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {bad}")
    bag_of, count = _bags(indices, offsets, include_last_offset)
    padding_idx = padding_idx + rows if padding_idx < -1 else padding_idx
    kept = indices != padding_idx
    sizes = np.zeros(count, indices.dtype)
    if mode != SUM:
        sizes += np.bincount(bag_of[kept], minlength=count)
    out = np.zeros((count, weight.shape[1]), weight.dtype)
    if mode == MAX:
        best = np.full(out.shape, -1, indices.dtype)
        for i in np.flatnonzero(kept):
            bag, row = bag_of[i], weight[indices[i]]
            better = (best[bag] < 0) | (row > out[bag])
            out[bag][better] = row[better]
            best[bag][better] = indices[i]
        return out, bag_of.astype(indices.dtype), sizes, np.maximum(best, 0)
    values = weight.take(indices, axis=0)
    if per_sample_weights is not None:
        values = values * per_sample_weights[:, None]
    add_rows(out, bag_of[kept], values[kept])
    if mode == MEAN:
        out /= np.maximum(sizes, 1)[:, None].astype(out.dtype)
    if mode == SUM and padding_idx < 0:
        bag_of = bag_of[:0]  # ATen's fast path does without; backward finds the bags again
    return out, bag_of.astype(indices.dtype), sizes, sizes.copy()


def _bag_weight_grad(
    grad: np.ndarray,
    indices: np.ndarray,
    offsets: np.ndarray,
    bag_of: np.ndarray,
    sizes: np.ndarray,
    maximum_indices: np.ndarray,
    num_weights: int,
    scale_grad_by_freq: bool,
    mode: int,
    per_sample_weights: np.ndarray | None,
    padding_idx: int,
) -> np.ndarray:
    out = np.zeros((num_weights, grad.shape[1]), grad.dtype)
    if mode == MAX:
        used = np.flatnonzero(sizes)
        at = maximum_indices[used] * grad.shape[1] + np.arange(grad.shape[1])
        np.add.at(out.reshape(-1), at.reshape(-1), grad[used].reshape(-1))
        return out
    if bag_of.size < indices.size:
        bag_of, _ = _bags(indices, offsets, False)
    kept = indices != padding_idx
    rows, bags = indices[kept], bag_of[kept]
    each = grad[bags]
    if mode == MEAN:
        each = each / sizes[bags][:, None].astype(grad.dtype)
    if per_sample_weights is not None:
        each = each * per_sample_weights[kept][:, None]
    if scale_grad_by_freq:
        each = each / np.bincount(rows, minlength=num_weights)[rows][:, None].astype(grad.dtype)
    add_rows(out, rows, each)
    return out


def _bag_samples_grad(
    grad: np.ndarray, weight: np.ndarray, indices: np.ndarray, offsets: np.ndarray, bag_of: np.ndarray, padding_idx: int
) -> np.ndarray:
    if bag_of.size < indices.size:
        bag_of, _ = _bags(indices, offsets, False)
    each = (weight.take(indices, axis=0) * grad[bag_of]).sum(1)
    return np.where(indices != padding_idx, each, 0).astype(grad.dtype)


def _bag_back(
    grads: list[Any],
    indices: Any,
    offsets: Any,
    result1: Any,
    result2: Any,
    result3: Any,
    weight_sym_argsize_0: int,
    scale_grad_by_freq: bool,
    mode: int,
    per_sample_weights: Any,
    padding_idx: int,
) -> Any:
    return BAG_WEIGHT_GRAD(
        grads[0],
        indices,
        offsets,
        result1,
        result2,
        result3,
        weight_sym_argsize_0,
        scale_grad_by_freq,
        mode,
        per_sample_weights,
        padding_idx,
    )


def _bag_samples_back(
    grads: list[Any], weight: Any, indices: Any, offsets: Any, result1: Any, mode: int, padding_idx: int
) -> Any:
    if mode != SUM:
        raise RuntimeError("embedding_bag_backward: per_sample_weights only supported for mode='sum'")
    return BAG_SAMPLES_GRAD(grads[0], weight, indices, offsets, result1, padding_idx)


def _not_implemented(grad: Any) -> NoReturn:
    raise NotImplementedError("the derivative for '_embedding_bag_backward' is not implemented.")


EMBEDDING = Op(
    "embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) "
    "-> Tensor",
    _embedding,
    "EmbeddingBackward0",
    {
        "weight": Grad(
            lambda grad, indices, weight_sym_argsize_0, padding_idx, scale_grad_by_freq: EMBEDDING_DENSE_BACKWARD(
                grad, indices, weight_sym_argsize_0, padding_idx, scale_grad_by_freq
            ),
            r"\operatorname{index\_add}([[grad]], [[indices]])",
        )
    },
    r"[[weight]]_{[[indices]]}",
    where=("function",),
    save_also=("sparse",),
    samples=lambda rng: [
        {"weight": rng.normal(size=(4, 2)), "indices": np.array([[0, 3], [3, 1]])},
        {"weight": rng.normal(size=(4, 2)), "indices": np.array(2)},
    ],
)
EMBEDDING_DENSE_BACKWARD = Op(
    "embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt padding_idx, "
    "bool scale_grad_by_freq) -> Tensor",
    _embedding_dense_backward,
    "EmbeddingDenseBackwardBackward0",
    {"grad_output": Grad(_double_back, r"[[grad]]_{[[indices]]}")},
    r"\operatorname{index\_add}([[grad_output]], [[indices]])",
    where=(),
    samples=lambda rng: [
        {
            "grad_output": rng.normal(size=(2, 2, 3)),
            "indices": np.array([[0, 3], [3, 1]]),
            "num_weights": 4,
            "padding_idx": p,
            "scale_grad_by_freq": False,
        }
        for p in (-1, 3)
    ],
)
EMBEDDING_BAG = Op(
    "_embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq=False, int mode=0, "
    "bool sparse=False, Tensor? per_sample_weights=None, bool include_last_offset=False, int padding_idx=-1) "
    "-> (Tensor, Tensor, Tensor, Tensor)",
    _embedding_bag,
    "EmbeddingBagBackward0",
    {
        "weight": Grad(_bag_back, r"\operatorname{index\_add}([[grad]], [[indices]])"),
        "per_sample_weights": Grad(_bag_samples_back, r"\langle [[weight]]_{[[indices]]}, [[grad]] \rangle"),
    },
    r"\operatorname{bag}([[weight]]_{[[indices]]})",
    where=(),
    save_also=("sparse",),
    samples=lambda rng: [
        {
            "weight": rng.normal(size=(4, 2)),
            "indices": np.array([0, 3, 3, 1]),
            "offsets": np.array([0, 3]),
            "mode": m,
            "per_sample_weights": rng.normal(size=4) if m == SUM else None,
        }
        for m in (SUM, MEAN, MAX)
    ],
)
BAG_WEIGHT_GRAD = Op(
    "_embedding_bag_weight_grad(Tensor grad, Tensor indices, Tensor offsets, Tensor bag_of, Tensor sizes, "
    "Tensor maximum_indices, int num_weights, bool scale_grad_by_freq, int mode, Tensor? per_sample_weights, "
    "int padding_idx) -> Tensor",
    _bag_weight_grad,
    "EmbeddingBagBackwardBackward0",
    {"grad": Grad(_not_implemented, r"\text{not implemented}")},
    r"\operatorname{index\_add}([[grad]], [[indices]])",
    where=(),
    unchecked="PyTorch does not implement its derivative",
)
BAG_SAMPLES_GRAD = Op(
    "_embedding_bag_samples_grad(Tensor grad, Tensor weight, Tensor indices, Tensor offsets, Tensor bag_of, "
    "int padding_idx) -> Tensor",
    _bag_samples_grad,
    where=(),
)
