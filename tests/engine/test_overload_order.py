"""Overloads come in PyTorch's order, whatever the order they were written in."""

from itertools import permutations

import pytest

from engine.overload_order import in_pytorch_order
from engine.signature import parse


@pytest.mark.parametrize(
    "wanted",
    [
        (
            "max(Tensor self) -> Tensor",
            "max.other(Tensor self, Tensor other) -> Tensor",
            "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
        ),
        (
            "pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
            "pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
            "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
        ),
        (
            "clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
            "clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
        ),
        (
            "squeeze(Tensor self) -> Tensor",
            "squeeze.dim(Tensor self, int dim) -> Tensor",
            "squeeze.dims(Tensor self, int[] dim) -> Tensor",
        ),
        (
            "std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
            "std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
            "std(Tensor self, bool unbiased=True) -> Tensor",
        ),
    ],
)
def test_order(wanted):
    for written in permutations(wanted):
        order = in_pytorch_order([parse(s) for s in written])
        assert tuple(written[i] for i in order) == wanted
