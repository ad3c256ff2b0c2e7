"""`torch.histogramdd`: histograms of points."""

from collections.abc import Sequence
from typing import Any

from engine.composite import composite
from engine.ops.histogram import POINTS_EDGES, POINTS_HISTOGRAM
from engine.return_types import return_type

_RESULT = return_type("histogramdd", ("hist", "bin_edges"))
_REST = "float[]? range=None, Tensor? weight=None, bool density=False"


def _of_edges(self: Any, edges: Sequence[Any], weight: Any, density: bool) -> Any:
    return _RESULT((POINTS_HISTOGRAM(self, list(edges), weight, density), tuple(edges)))


@composite(f"histogramdd(Tensor self, int[] bins, {_REST}) -> (Tensor hist, Tensor[] bin_edges)", where=("function",))
def histogramdd(self: Any, bins: Any, range: Any = None, weight: Any = None, density: bool = False) -> Any:
    """How many points lie in each cell of a grid with so many cells in each dimension."""
    edges = POINTS_EDGES(self, bins, range)
    return _of_edges(self, [e.detach() for e in edges], weight, density)


@composite(
    f"histogramdd.int_bins(Tensor self, int bins, {_REST}) -> (Tensor hist, Tensor[] bin_edges)", where=("function",)
)
def histogramdd_of_count(self: Any, bins: int, range: Any = None, weight: Any = None, density: bool = False) -> Any:
    """The same, with equally many cells in every dimension."""
    return histogramdd(self, (bins,) * self.shape[-1], range, weight, density)


@composite(
    f"histogramdd.TensorList_bins(Tensor self, Tensor[] bins, {_REST}) -> (Tensor hist, Tensor[] bin_edges)",
    where=("function",),
)
def histogramdd_of_edges(self: Any, bins: Any, range: Any = None, weight: Any = None, density: bool = False) -> Any:
    """The same, with the edges of the cells given."""
    return _of_edges(self, bins, weight, density)
