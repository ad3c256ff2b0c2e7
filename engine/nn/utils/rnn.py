"""Sequences of unequal length: padded to one tensor, or packed time step by time step."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from engine.composites.parsed import checked
from engine.composites.sequences import PAD_SEQUENCE
from engine.creation import as_tensor
from engine.dtypes import int64
from engine.ops.packing import PACK_PADDED_SEQUENCE
from engine.tensor import Tensor, TensorBase


class PackedSequence_(NamedTuple):
    data: Any
    batch_sizes: Any
    sorted_indices: Any
    unsorted_indices: Any


class PackedSequence(PackedSequence_):
    """The steps of several sequences, all first steps first; `batch_sizes` counts the sequences alive at each step."""

    __slots__ = ()

    def __new__(
        cls, data: Any, batch_sizes: Any = None, sorted_indices: Any = None, unsorted_indices: Any = None
    ) -> Any:
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None and isinstance(data, list | tuple):
            data, batch_sizes = data
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> "PackedSequence":
        """The same with its data cast."""
        return type(self)(self.data.to(*args, **kwargs), self.batch_sizes, self.sorted_indices, self.unsorted_indices)

    def cpu(self) -> "PackedSequence":
        """Itself: it is on the CPU."""
        return self

    @property
    def is_cuda(self) -> bool:
        """Never."""
        return False


def invert_permutation(permutation: Any) -> Any:
    """The permutation that undoes another."""
    if permutation is None:
        return None
    order = permutation._array()
    inverse = np.empty_like(order)
    inverse[order] = np.arange(order.size)
    made = Tensor._wrap(inverse)
    made._version_counter().n += 1  # PyTorch scatters into it
    return made


def pack_padded_sequence(
    input: Any, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack a padded batch. Raises RuntimeError for lengths that are not sorted, not positive or of another count."""
    if not isinstance(lengths, TensorBase):
        lengths = as_tensor(lengths, dtype=int64)
    order = None
    if not enforce_sorted:
        lengths, order = lengths.sort(descending=True)
        input = input.index_select(0 if batch_first else 1, order)
    data, batch_sizes = checked(PACK_PADDED_SEQUENCE)(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, order, None)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Any, Any]:
    """The padded batch of a packed one, and the lengths. Raises ValueError when `total_length` is too short."""
    sizes = sequence.batch_sizes.tolist()
    longest = len(sizes)
    if total_length is not None and total_length < longest:
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {longest}"
        )
    data = sequence.data
    shape = (longest if total_length is None else total_length, sizes[0], *data.shape[1:])
    output = data.new_full(shape, padding_value)
    lengths: list[int] = []
    start, row = 0, 0
    for step in range(1, longest + 1):
        alive = sizes[step] if step < longest else 0
        if alive == sizes[start]:
            continue
        count = sizes[start] * (step - start)
        part = data[row : row + count].view(step - start, sizes[start], *data.shape[1:])
        output[start:step, : sizes[start]].copy_(part)
        lengths[:0] = [step] * (sizes[start] - alive)
        start, row = step, row + count
    if batch_first:
        output = output.transpose(0, 1)
    counted = Tensor._wrap(np.array(lengths, np.int64))
    if sequence.unsorted_indices is None:
        return output, counted
    return (
        output.index_select(0 if batch_first else 1, sequence.unsorted_indices),
        counted[sequence.unsorted_indices],
    )


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Any:
    """Sequences as one tensor, the shorter ones padded. Raises RuntimeError for what is not iterable."""
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}"
        )
    held = sequences.unbind(0) if isinstance(sequences, TensorBase) else tuple(sequences)
    return checked(PAD_SEQUENCE)(held, batch_first, padding_value, padding_side)


def unpad_sequence(padded_sequences: Any, lengths: Any, batch_first: bool = False) -> list[Any]:
    """The sequences of a padded batch, without the padding."""
    lengths.device  # noqa: B018  a list of lengths is refused as PyTorch refuses it
    if not batch_first:
        padded_sequences = padded_sequences.transpose(0, 1)
    return [s[: int(n)] for s, n in zip(padded_sequences, lengths, strict=True)]


def pack_sequence(sequences: Any, enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences of unequal length."""
    lengths = [s.size(0) for s in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Any]:
    """The sequences of a packed batch."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)


__all__ = [
    "PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence", "unpad_sequence",
]  # fmt: skip
