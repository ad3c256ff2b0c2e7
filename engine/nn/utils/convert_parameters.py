"""All parameters as one vector, and back."""

from collections.abc import Iterable
from typing import Any

from engine.legacy import typename
from engine.nn.functional import VF
from engine.tensor import TensorBase


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    """The parameters, flattened one after the other."""
    return VF.cat([p.view(-1) for p in parameters])


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """Make slices of a vector the parameters' data. Raises TypeError unless `vec` is a tensor."""
    if not isinstance(vec, TensorBase):
        raise TypeError(f"expected torch.Tensor, but got: {typename(vec)}")
    start = 0
    for p in parameters:
        p.device  # noqa: B018  what PyTorch asks of a parameter first, and a wrong one has not
        n = p.numel()
        p.data = vec[start : start + n].view_as(p).data
        start += n


__all__ = ["parameters_to_vector", "vector_to_parameters"]
