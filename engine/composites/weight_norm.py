"""Weight normalisation: a weight as a length times a direction."""

from typing import Any

from engine.composite import composite
from engine.dispatch import run
from engine.ops.weight_norm import WEIGHT_NORM_INTERFACE


@composite("norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor", where=("function",))
def norm_except_dim(v: Any, pow: int, dim: int) -> Any:
    """The norm over all dimensions but one; over all of them for dim -1."""
    if dim == -1:
        return v.norm(pow)
    if dim == 0:
        return v.contiguous().view(v.size(0), -1).norm(pow, 1).view(v.size(0), *(1,) * (v.dim() - 1))
    if dim == v.dim() - 1:
        return v.contiguous().view(-1, v.size(dim)).norm(pow, 0).view(*(1,) * (v.dim() - 1), v.size(dim))
    return norm_except_dim.function(v.transpose(0, dim), pow, 0).transpose(0, dim)


@composite("_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor", where=("function",))
def weight_norm(v: Any, g: Any, dim: int) -> Any:
    """v scaled to the norm g, over all dimensions but one."""
    if dim in (0, v.dim() - 1):
        return run(WEIGHT_NORM_INTERFACE, [v, g, dim])[0]
    return v * (g / norm_except_dim.function(v, 2, dim))
