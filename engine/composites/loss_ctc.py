"""The CTC loss, reduced over the batch."""

from typing import Any

import numpy as np

from engine.composite import composite, python_function
from engine.composites.parsed import parsed
from engine.composites.reduction_words import number_of, reduced
from engine.dispatch import run
from engine.ops.loss import MEAN
from engine.ops.loss_ctc import CTC_LOSS
from engine.ops.masking import WHERE
from engine.tensor import Tensor, TensorBase


def _lengths(given: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in (given._a.reshape(-1) if isinstance(given, TensorBase) else np.atleast_1d(given)))


def _of_lengths(
    log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any, blank: int, reduction: int,
    zero_infinity: bool,
) -> Any:  # fmt: skip
    batched = log_probs.dim() == 3
    if not batched:
        log_probs = log_probs.unsqueeze(1)
    for name, given in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if isinstance(given, TensorBase) and given._a.dtype.kind not in "iu":
            raise RuntimeError(f"{name} must be integral")
    inputs, labels = _lengths(input_lengths), _lengths(target_lengths)
    losses = run(CTC_LOSS, [log_probs, targets, inputs, labels, blank, zero_infinity])[0]
    if zero_infinity:
        losses = run(WHERE, [losses == float("inf"), 0.0, losses])
    if reduction == MEAN:
        counts = Tensor._wrap(np.maximum(np.array(labels, log_probs._a.dtype), 1))
        return (losses / counts).mean()
    if not batched:
        losses = losses.squeeze(0)
    return reduced(losses, reduction)


CTC_LOSSES = tuple(
    composite(
        f"ctc_loss.{name}(Tensor log_probs, Tensor targets, {kind} input_lengths, {kind} target_lengths, int blank=0,"
        " int reduction=0, bool zero_infinity=False) -> Tensor",
        where=("function",),
    )(_of_lengths)
    for name, kind in (("IntList", "int[]"), ("Tensor", "Tensor"))
)
_parsed = parsed(*CTC_LOSSES)


@python_function("nn")
def ctc_loss(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Any:
    """How unlikely the target labels are, over all alignments; the mean is per label first."""
    word = number_of(reduction)
    return _parsed(log_probs, targets, input_lengths, target_lengths, blank, word, zero_infinity)
