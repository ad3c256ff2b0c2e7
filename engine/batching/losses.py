"""Losses: of every element of every sample first, then reduced sample by sample."""

from typing import Any

import numpy as np

from engine.batching.call import Call, Result, padded, with_samples
from engine.dispatch import run
from engine.ops.arithmetic import DIV, SUB
from engine.ops.gather_scatter import GATHER, SCATTER_VALUE
from engine.ops.loss import MEAN, NONE, SUM
from engine.ops.masking import WHERE
from engine.ops.norms import NORM_DIM
from engine.ops.reduction import MEAN_DIM, SUM_DIM
from engine.ops.views import SQUEEZE_DIMS, UNSQUEEZE, VIEW
from engine.tensor import Tensor, TensorBase

REDUCERS = {MEAN: MEAN_DIM, SUM: SUM_DIM}


def elementwise(*, flat: bool = True) -> Any:
    """The rule of a loss of pairs of elements; `flat` ones see each sample in one dimension."""

    def rule(call: Call) -> Result:
        reduction = call["reduction"]
        values = list(call.values)
        shape: Any = None
        for i in call.op.tensors:
            if not isinstance(values[i], TensorBase):
                continue
            of_batch = call.dims[i] is not None
            t = call.to_front(i)
            if flat and of_batch:
                shape = tuple(t.shape)
                t = run(VIEW, [t, (shape[0], -1)]) if t.is_contiguous() else t.reshape((shape[0], -1))
            elif flat:
                t = run(VIEW, [t, (-1,)]) if t.is_contiguous() else t.reshape((-1,))
            elif not of_batch and call.rank(i) == call.rank(0):
                t = with_samples(t, call.size)
            elif of_batch:
                t = padded(t, call.rank(0))
            values[i] = t
        values[call.names.index("reduction")] = NONE
        out = run(call.op, values)
        if reduction == NONE:
            return (run(VIEW, [out, shape]) if flat else out), 0
        dims = (-1,) if flat else tuple(range(1, out.ndim))
        if not flat and not dims:
            return out, 0
        return run(REDUCERS[reduction], [out, dims, False, None]), 0

    return rule


def elementwise_backward(call: Call) -> Result:
    """Its derivative, with the gradient of a reduced loss spread over the elements of its sample."""
    reduction = call["reduction"]
    values = list(call.values)
    rank = max(call.rank(i) for i in call.op.tensors[1:] if isinstance(values[i], TensorBase))
    count = 1
    for i in call.op.tensors:
        if not isinstance(values[i], TensorBase):
            continue
        t = call.to_front(i, always=True)
        values[i] = padded(t, rank)
        if i:
            count = max(count, t.numel() // max(call.size, 1))
    values[call.names.index("reduction")] = NONE
    out = run(call.op, values)
    return (out / count if reduction == MEAN else out), 0


def nll_forward(self: Any, target: Any, weight: Any, reduction: int, ignore_index: int) -> tuple[Any, Any]:
    """nll_loss_forward and its twin for images, of simpler operators."""
    classes = 1 if self.ndim > 1 else 0
    w: Any = None
    if weight is not None:
        shape = [1] * self.ndim
        shape[classes] = weight.shape[0]
        w = weight.view(tuple(shape)) if self.ndim > 1 else weight
        self = self * w
    ignored = target.ne(ignore_index)
    safe = run(WHERE, [ignored, target, target.new_zeros(())])
    index = run(UNSQUEEZE, [safe, classes])
    chosen = run(SQUEEZE_DIMS, [run(GATHER, [self, classes, index, False]), (classes,)])
    result = run(WHERE, [ignored, -chosen, chosen.new_zeros(())])
    if reduction == NONE:
        return result, self.new_zeros(())
    if w is not None:
        spread = w.expand(tuple(self.shape))
        weights = run(SQUEEZE_DIMS, [run(GATHER, [spread, classes, index, False]), (classes,)])
        total = run(WHERE, [ignored, weights, weights.new_zeros(())]).sum()
    else:
        total = ignored.sum().to(self.dtype)
    result = result.sum()
    return (run(DIV, [result, total]) if reduction == MEAN else result), total


def nll_backward(
    grad_output: Any, self: Any, target: Any, weight: Any, reduction: int, ignore_index: int, total_weight: Any
) -> Any:
    """nll_loss_backward and its twin for images, of simpler operators."""
    classes = 1 if self.ndim > 1 else 0
    if reduction == MEAN:
        grad_output = grad_output / total_weight
    target = run(UNSQUEEZE, [target, classes])
    kept = target.ne(ignore_index)
    safe = run(WHERE, [kept, target, target.new_zeros(())])
    spread = run(SCATTER_VALUE, [self.new_zeros(tuple(self.shape)), classes, safe, -1.0])
    if grad_output.ndim and self.ndim > grad_output.ndim:
        grad_output = run(UNSQUEEZE, [grad_output, classes])
    if weight is not None:
        shape = [1] * self.ndim
        shape[classes] = weight.shape[0]
        grad_output = grad_output * weight.reshape(tuple(shape))
    grad_output = run(WHERE, [kept, grad_output, grad_output.new_zeros(())])
    return spread * grad_output


def with_logits(self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    """binary_cross_entropy_with_logits, of simpler operators."""
    low = (-self).clamp_min(0)
    logarithm = ((-low).exp() + (-self - low).exp()).log()
    rest = run(SUB, [Tensor._wrap(np.ones((), target._a.dtype)), target, 1])
    if pos_weight is not None:
        factor = (pos_weight - 1) * target + 1
        loss = rest * self + factor * (logarithm + low)
    else:
        loss = rest * self + low + logarithm
    if weight is not None:
        loss = loss * weight
    return loss if reduction == NONE else loss.mean() if reduction == MEAN else loss.sum()


def distance(call: Call) -> Result:
    """The norm of the difference."""
    a, b = call.to_front(0), call.to_front(1)
    rank = max(call.rank(0), call.rank(1))
    a, b = (padded(t, rank) if call.dims[i] is not None else t for i, t in enumerate((a, b)))
    gap = a - b
    return run(NORM_DIM, [gap, call["p"], tuple(range(1, gap.ndim)), False]), 0
