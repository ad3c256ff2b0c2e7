"""Sequences of unequal length as one tensor."""

from typing import Any

from engine.composite import composite
from engine.composites.factories import full


@composite(
    "pad_sequence(Tensor[] sequences, bool batch_first=False, float padding_value=0.0, str padding_side='right')"
    " -> Tensor",
    where=(),
)
def PAD_SEQUENCE(sequences: Any, batch_first: bool, padding_value: float, padding_side: str) -> Any:
    """The sequences side by side, the shorter ones padded."""
    if not sequences:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    longest = max(s.size(0) for s in sequences)
    first = sequences[0]
    shape = (len(sequences), longest) if batch_first else (longest, len(sequences))
    output = full((*shape, *first.shape[1:]), padding_value, None, first.dtype, None, None, False, False)
    output._version_counter().n += 1  # PyTorch fills it where writing counts
    for i, s in enumerate(sequences):
        n = s.size(0)
        start = 0 if padding_side == "right" else longest - n
        place = output.select(0, i).narrow(0, start, n) if batch_first else output.narrow(0, start, n).select(1, i)
        place.copy_(s)
    return output
