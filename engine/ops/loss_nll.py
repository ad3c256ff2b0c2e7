"""The negative log-likelihood of classes, for one prediction per row and for one per pixel."""

from math import prod
from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.fill import ZEROS_LIKE
from engine.ops.kinds import check_kind, torch_name
from engine.ops.loss import MEAN, NONE, SUM
from engine.ops.reducers import largest, smallest


def _weights_of(flat, weight, classes, ignore_index, dtype):
    """Per prediction: the class with ignored ones as 0, and the weight, 0 where ignored. None if all weigh one."""
    inside = flat.size and smallest(flat) >= 0 and largest(flat) < classes
    if inside and weight is None and not 0 <= ignore_index < classes:
        return flat, None
    kept = flat != ignore_index
    wrong = kept & ((flat < 0) | (flat >= classes))
    if wrong.any():
        raise IndexError(f"Target {int(flat[wrong][0])} is out of bounds.")
    chosen = np.where(kept, flat, 0)
    return chosen, (kept if weight is None else np.where(kept, weight.reshape(-1)[chosen], 0)).astype(dtype)


def _check_target(target):
    if target.dtype not in (np.int64, np.uint8):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {torch_name(target)}")


def _check_weight(scores, weight, classes):
    if weight is None:
        return
    if scores.ndim == 4:
        if weight.size != classes:
            raise RuntimeError("weight tensor should be defined either for all or no classes")
    elif weight.shape != (classes,):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but got weight tensor of "
            f"shape: {list(weight.shape)}"
        )
    if weight.dtype != scores.dtype:
        raise RuntimeError(f"expected scalar type {torch_name(scores)} but found {torch_name(weight)}")


def _forward(rows, target, weight, reduction, ignore_index):
    """The loss of rows (N, C) with targets (N,): the reduced value and the total weight."""
    chosen, w = _weights_of(target, weight, rows.shape[1], ignore_index, rows.dtype)
    picked = -rows[np.arange(len(rows)), chosen] if rows.size else np.zeros(len(rows), rows.dtype)
    if w is not None:
        picked = np.where(w == 0, np.zeros((), rows.dtype), picked * w)
    if reduction == NONE:
        return picked, np.zeros((), rows.dtype)
    total = rows.dtype.type(len(rows)) if w is None else w.sum(dtype=rows.dtype)
    value = picked.sum(dtype=rows.dtype)
    return (value / total if reduction == MEAN else value), total


def _nll(self, target, weight, reduction, ignore_index):
    check_kind("nll_loss_out_frame", self, "fV")
    if self.ndim == 0 or self.ndim > 2:
        raise RuntimeError("input tensor should be 1D or 2D")
    if target.ndim > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if self.ndim == 1 and target.ndim == 1 and target.shape[0] != 1:
        raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {target.shape[0]}")
    if self.ndim == 2 and target.shape != self.shape[:1]:
        raise RuntimeError(f"size mismatch (got input: {list(self.shape)}, target: {list(target.shape)})")
    _check_target(target)
    _check_weight(self, weight, self.shape[-1])
    rows, flat = self.reshape(self.shape[0] if self.ndim == 2 else 1, self.shape[-1]), np.asarray(target).reshape(-1)
    value, total = _forward(rows, flat, weight, reduction, ignore_index)
    return (value.reshape(target.shape) if reduction == NONE else value), total


def _nll_backward(grad_output, self, target, weight, reduction, ignore_index, total_weight):
    classes = self.shape[-1]
    flat = np.asarray(target).reshape(-1)
    chosen, w = _weights_of(flat, weight, classes, ignore_index, self.dtype)
    out = np.zeros((flat.size, classes), self.dtype)
    g = np.asarray(grad_output) / total_weight if reduction == MEAN else np.asarray(grad_output)
    each = g.reshape(-1) if g.ndim else g
    out[np.arange(flat.size), chosen] = -each if w is None else np.where(w == 0, 0, -w * each)
    return out.reshape(self.shape)


def _to_rows(images):
    """(N, C, H, W) as (N H W, C)."""
    by_pixel = np.moveaxis(images, 1, -1)
    return by_pixel.reshape(prod(by_pixel.shape[:-1]), images.shape[1])


def _nll2d(self, target, weight, reduction, ignore_index):
    if target.ndim != 3:
        raise RuntimeError(
            "only batches of spatial targets supported (3D tensors) but got targets of dimension: " + str(target.ndim)
        )
    if self.ndim != 4:
        raise RuntimeError(
            f"only batches of spatial inputs supported (4D tensors), but got input of dimension: {self.ndim}"
        )
    if self.shape[0] != target.shape[0] or self.shape[2:] != target.shape[1:]:
        raise RuntimeError(f"size mismatch (got input: {list(self.shape)} , target: {list(target.shape)}")
    _check_target(target)
    _check_weight(self, weight, self.shape[1])
    value, total = _forward(_to_rows(self), target.reshape(-1), weight, reduction, ignore_index)
    return (value.reshape(target.shape) if reduction == NONE else value), total


def _nll2d_backward(grad_output, self, target, weight, reduction, ignore_index, total_weight):
    rows = _nll_backward(
        np.reshape(grad_output, -1) if reduction == NONE else grad_output,
        _to_rows(self),
        target.reshape(-1),
        weight,
        reduction,
        ignore_index,
        total_weight,
    )
    n, c, h, w = self.shape
    return np.ascontiguousarray(np.moveaxis(rows.reshape(n, h, w, c), -1, 1))


def _samples(rng: np.random.Generator) -> list[dict[str, Any]]:
    return [
        {"self": rng.normal(size=(3, 4)), "target": np.array([1, 3, 0]), "weight": w, "reduction": r, "ignore_index": 3}
        for w in (None, rng.uniform(0.5, 1, size=4))
        for r in (NONE, MEAN, SUM)
    ]


def _samples_2d(rng: np.random.Generator) -> list[dict[str, Any]]:
    return [
        {
            "self": rng.normal(size=(2, 3, 2, 2)),
            "target": rng.integers(0, 3, size=(2, 2, 2)),
            "weight": w,
            "reduction": r,
            "ignore_index": -100,
        }
        for w in (None, rng.uniform(0.5, 1, size=3))
        for r in (NONE, MEAN, SUM)
    ]


def _backward_samples(forward: Op, make: Any) -> Any:
    """Samples of a backward operator from those of its forward: the total weight must be the true one."""

    def samples(rng):
        out = []
        for s in make(rng):
            value, total = forward.forward(**s)
            out.append({"grad_output": rng.normal(size=np.shape(value)), **s, "total_weight": total})
        return out

    return samples


_PICKED = r"-w_t\, [[self]]_t,\; t = [[target]]"
_SPREAD = r"-[[grad]]\, w_t / \Sigma w \text{ at } t = [[target]]"


def _forward_and_backward(name: str, node: str, kernels: tuple[Any, Any], samples: Any) -> tuple[Op, Op]:
    """The records of a loss and of its derivative, each of which is the other's derivative but for constants."""
    forward = Op(
        f"{name}_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index)"
        " -> (Tensor output, Tensor total_weight)",
        kernels[0],
        f"{node}Backward0",
        {
            "self": Grad(
                lambda grad, self, target, weight, reduction, ignore_index, total_weight: backward(
                    grad, self, target, weight, reduction, ignore_index, total_weight
                ),
                _SPREAD,
            )
        },
        _PICKED,
        where=(),
        outputs=("output", "total_weight"),
        nondiff=(1,),
        samples=samples,
        constants=("weight",),
    )
    backward = Op(
        f"{name}_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, "
        "SymInt ignore_index, Tensor total_weight) -> Tensor",
        kernels[1],
        f"{node}BackwardBackward0",
        {
            "grad_output": Grad(
                lambda grad, target, weight, reduction, ignore_index: forward(
                    grad, target, weight, reduction, ignore_index
                )[0],
                r"-w_t\, [[grad]]_t,\; t = [[target]]",
            ),
            "self": Grad(lambda grad: ZEROS_LIKE(grad), "0"),
        },
        _SPREAD.replace("[[grad]]", "[[grad_output]]"),
        where=(),
        samples=_backward_samples(forward, samples),
    )
    return forward, backward


NLL_LOSS_FORWARD, NLL_LOSS_BACKWARD = _forward_and_backward("nll_loss", "NllLoss", (_nll, _nll_backward), _samples)
NLL_LOSS2D_FORWARD, NLL_LOSS2D_BACKWARD = _forward_and_backward(
    "nll_loss2d", "NllLoss2D", (_nll2d, _nll2d_backward), _samples_2d
)
