"""Packing padded sequences: the steps of a batch in one matrix, all first steps first."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.checks import wrap_dim
from engine.ops.kinds import torch_name


def _places(batch_sizes: Any) -> tuple[np.ndarray, np.ndarray]:
    """Time step and sequence number of every packed row."""
    sizes = np.asarray(batch_sizes)
    steps = np.repeat(np.arange(sizes.size), sizes)
    within = np.arange(steps.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return steps, within


def _pack(input: Any, lengths: Any, batch_first: bool) -> tuple[np.ndarray, np.ndarray]:
    if batch_first:
        input = input.swapaxes(0, 1)
    lengths = np.asarray(lengths)
    if lengths.ndim != 1:
        raise RuntimeError(
            f"'lengths' argument should be a 1D CPU int64 tensor, but got {lengths.ndim}D cpu "
            f"{torch_name(lengths)} tensor"
        )
    wrap_dim(1, input.ndim)
    if lengths.size != input.shape[1]:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {lengths.size} (batch_size={input.shape[1]})"
        )
    if np.any(lengths <= 0):
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if np.any(lengths[:-1] < lengths[1:]):
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if "
            "you do not "
            "need ONNX exportability."
        )
    sizes = (lengths[None, :] > np.arange(int(lengths[0]))[:, None]).sum(1)
    return input[_places(sizes)], sizes.astype(np.int64)


def _unpack(grad: Any, input_size: tuple[int, ...], batch_sizes: Any, batch_first: bool) -> np.ndarray:
    out = np.zeros(input_size, grad.dtype)
    (out.swapaxes(0, 1) if batch_first else out)[_places(batch_sizes)] = grad
    return out


def _take(input: Any, batch_sizes: Any, batch_first: bool) -> np.ndarray:
    return (input.swapaxes(0, 1) if batch_first else input)[_places(batch_sizes)]


PACK_ROWS = Op(
    "_pack_rows(Tensor input, Tensor batch_sizes, bool batch_first) -> Tensor",
    _take,
    "PackRowsBackward0",
    {
        "input": Grad(
            lambda grad, input_sym_sizes, batch_sizes, batch_first: PACK_PADDED_SEQUENCE_BACKWARD(
                grad, input_sym_sizes, batch_sizes, batch_first
            ),
            r"\mathrm{unpack}([[grad]])",
        )
    },
    r"\mathrm{pack}([[input]])",
    where=(),
    unchecked="the gradient of a gradient of packing; both directions only move elements",
)
PACK_PADDED_SEQUENCE_BACKWARD = Op(
    "_pack_padded_sequence_backward(Tensor grad, SymInt[] input_size, Tensor batch_sizes, bool batch_first) -> Tensor",
    _unpack,
    "PackPaddedSequenceBackwardBackward0",
    {
        "grad": Grad(
            lambda grad, batch_sizes, batch_first: PACK_ROWS(grad, batch_sizes, batch_first),
            r"\mathrm{pack}([[grad]])",
        )
    },
    r"\mathrm{unpack}([[grad]])",
    where=(),
    unchecked="it only moves elements; the gradient check of packing covers it",
)
PACK_PADDED_SEQUENCE = Op(
    "_pack_padded_sequence(Tensor input, Tensor lengths, bool batch_first) -> (Tensor, Tensor)",
    _pack,
    "PackPaddedSequenceBackward0",
    {
        "input": Grad(
            lambda grad, input_sym_sizes, result1, batch_first: PACK_PADDED_SEQUENCE_BACKWARD(
                grad, input_sym_sizes, result1, batch_first
            ),
            r"\mathrm{unpack}([[grad]])",
        )
    },
    r"\mathrm{pack}([[input]])",
    where=("function",),
    nondiff=(1,),
    unchecked="its second result is a count of sequences; the tests of nn.utils.rnn compare its gradient",
    example="torch._pack_padded_sequence(torch.tensor([[1.0, 2.0], [3.0, 0.0]]), torch.tensor([2, 1]), True)",
)
