"""Connectionist temporal classification: the likelihood of a label sequence over all its alignments.

The labels are read with blanks between them; `log_alpha[b, t, s]` is the likelihood of being at place s of that reading
after step t, `log_beta` that of going on from there to the end (Graves et al., 2006).
"""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.kinds import check_kind
from engine.ops.undifferentiable import NODE, REASON, no_derivative


def _labels(targets: Any, lengths: tuple[int, ...], blank: int) -> list[np.ndarray]:
    """Each sample's labels with blanks before, between and after them."""
    rows, start = [], 0
    for i, n in enumerate(lengths):
        if targets.ndim == 2:
            own = targets[i, :n]
        else:
            own, start = targets[start : start + n], start + n
        spread = np.full(2 * n + 1, blank, np.int64)
        spread[1::2] = own
        rows.append(spread)
    return rows


def _added(*terms: np.ndarray) -> np.ndarray:
    """log of the sum of exp, -inf where all terms are."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.logaddexp.reduce(np.stack(terms))


def _skips(labels: np.ndarray, blank: int) -> np.ndarray:
    """Places that may be reached from two places before: labels that differ from the label before them."""
    return np.concatenate([[False, False], (labels[2:] != blank) & (labels[2:] != labels[:-2])])


def _shifted(row: np.ndarray, by: int) -> np.ndarray:
    out = np.full_like(row, -np.inf)
    out[by:] = row[: row.size - by]
    return out


def _paths(steps: np.ndarray, labels: np.ndarray, blank: int) -> np.ndarray:
    """Likelihoods of all beginnings; `steps` holds one sample's log probabilities."""
    alpha = np.full((steps.shape[0], labels.size), -np.inf, steps.dtype)
    if steps.shape[0] == 0:
        return alpha
    alpha[0, :2] = steps[0, labels[:2]]
    skips = _skips(labels, blank)
    for t in range(1, steps.shape[0]):
        before = alpha[t - 1]
        jump = np.where(skips, _shifted(before, 2), -np.inf) if labels.size > 2 else np.full_like(before, -np.inf)
        alpha[t] = _added(before, _shifted(before, 1), jump) + steps[t, labels]
    return alpha


_CHECKING = " (while checking arguments for ctc_loss_allocate_outputs)"


def _check_targets(targets: Any, lengths: Any, batch: int) -> None:
    """Raise RuntimeError for targets that cannot be as long as `lengths` says."""
    for n in lengths:
        if n < 0:
            raise RuntimeError(f"Expected target_lengths to have value at least 0, but got value {n}" + _CHECKING)
    where = " for argument #2 'targets'" + _CHECKING
    if targets.ndim not in (1, 2):
        raise RuntimeError(f"Expected 1 to 2 dimensions, but got {targets.ndim}-dimensional tensor{where}")
    first = sum(lengths) if targets.ndim == 1 else batch
    if targets.shape[0] != first:
        size = targets.shape[0]
        raise RuntimeError(f"Expected tensor to have size {first} at dimension 0, but got size {size}{where}")
    widest = max(lengths, default=0)
    if targets.ndim == 2 and targets.shape[1] < widest:
        size = targets.shape[1]
        raise RuntimeError(f"Expected tensor to have size at least {widest} at dimension 1, but got size {size}{where}")


def _forward(
    log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int, zero_infinity: bool
) -> tuple[np.ndarray, np.ndarray]:
    if not log_probs.size:
        raise RuntimeError("log_probs tensor must not be empty")
    check_kind("ctc_loss_cpu", log_probs, "", "fd")
    if log_probs.ndim != 3:
        shown = (
            f"Expected 3-dimensional tensor, but got {log_probs.ndim}-dimensional tensor for argument #1 'log_probs'"
        )
        raise RuntimeError(shown + _CHECKING)
    time, batch, classes = log_probs.shape
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    if len(input_lengths) != batch:
        raise RuntimeError("input_lengths must be of size batch_size")
    if len(target_lengths) != batch:
        raise RuntimeError("target_lengths must be of size batch_size")
    _check_targets(targets, target_lengths, batch)
    for n in input_lengths:
        if not 0 <= n <= time:
            edge = f"at most {time}" if n > time else "at least 0"
            raise RuntimeError(f"Expected input_lengths to have value {edge}, but got value {n}" + _CHECKING)
    widest = targets.shape[1] if targets.ndim == 2 else max(target_lengths, default=0)
    log_alpha = np.zeros((batch, time, 2 * widest + 1), log_probs.dtype)
    log_alpha[:, :1] = -np.inf
    losses = np.zeros(batch, log_probs.dtype)
    for b, labels in enumerate(_labels(np.asarray(targets), target_lengths, blank)):
        alpha = _paths(log_probs[: input_lengths[b], b], labels, blank)
        log_alpha[b, : alpha.shape[0], : labels.size] = alpha
        if alpha.shape[0]:
            losses[b] = -_added(*alpha[-1, -2:])
        else:
            losses[b] = 0.0 if labels.size == 1 else np.inf
    return losses, log_alpha


def _backward(
    grad: Any,
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    neg_log_likelihood: Any,
    log_alpha: Any,
    blank: int,
    zero_infinity: bool,
) -> np.ndarray:
    out = np.zeros_like(log_probs)
    for b, labels in enumerate(_labels(np.asarray(targets), target_lengths, blank)):
        n, loss = input_lengths[b], neg_log_likelihood[b]
        if (zero_infinity and np.isinf(loss)) or n == 0:
            continue
        steps = log_probs[:n, b]
        # Going on from a place is beginning at the end: the same paths, read backwards.
        beta = _paths(steps[::-1], labels[::-1], blank)[::-1, ::-1]
        both = log_alpha[b, :n, : labels.size] + beta
        together = np.full_like(steps, -np.inf)
        for s, label in enumerate(labels):
            together[:, label] = np.logaddexp(together[:, label], both[:, s])
        out[:n, b] = (np.exp(steps) - np.exp(together + loss - steps)) * grad[b]
    return out


CTC_LOSS_BACKWARD = Op(
    "_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, "
    "Tensor neg_log_likelihood, Tensor log_alpha, int blank, bool zero_infinity=False) -> Tensor",
    _backward,
    NODE,
    {n: no_derivative("_ctc_loss_backward") for n in ("grad", "log_probs", "neg_log_likelihood", "log_alpha")},
    latex=r"\bar\ell \left(e^{x} - e^{\alpha\beta + \ell - x}\right)",
    where=(),
    unchecked=REASON,
)
CTC_LOSS = Op(
    "_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, int blank=0, "
    "bool zero_infinity=False) -> (Tensor, Tensor)",
    _forward,
    "CtcLossBackward0",
    {
        "log_probs": Grad(
            lambda grad, log_probs, targets, input_lengths, target_lengths, result0, result1, blank, zero_infinity: (
                CTC_LOSS_BACKWARD(
                    grad, log_probs, targets, input_lengths, target_lengths, result0, result1, blank, zero_infinity
                )
            ),
            r"[[grad]] \left(e^{[[log_probs]]} - \frac{\sum \alpha\beta}{P e^{[[log_probs]]}}\right)",
        )
    },
    r"-\ln \sum_{\pi} \prod_t e^{[[log_probs]]_{t,\pi_t}}",
    where=("function",),
    nondiff=(1,),
    unchecked="its second output is unfinished work; the recorded losses and gradients of PyTorch are the test",
    example="torch._ctc_loss(torch.randn(4, 1, 3).log_softmax(2), torch.tensor([[1, 2]]), (4,), (2,))",
)
