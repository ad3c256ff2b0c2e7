"""Elements counted through the whole tensor: take, put; and the places of nonzero elements."""

import numpy as np

from engine.dtypes import from_numpy
from engine.op import Grad, Op
from engine.ops.copy import NEW_ZEROS
from engine.ops.positions import check_elements


def _take(self: np.ndarray, index: np.ndarray) -> np.ndarray:
    if index.dtype != np.int64:
        raise RuntimeError("take(): Expected a long tensor for index, but got " + from_numpy(index.dtype).torch_name)
    check_elements(index, self.size, "take(): tried to take from an empty tensor")
    return np.reshape(self, -1)[index]


def _put(self: np.ndarray, index: np.ndarray, source: np.ndarray, accumulate: bool = False) -> np.ndarray:
    if index.dtype != np.int64:
        raise RuntimeError("put_(): Expected a long tensor for index, but got " + from_numpy(index.dtype).torch_name)
    if self.dtype != source.dtype:
        raise RuntimeError(
            "put_(): self and source expected to have the same dtype, but got self.dtype = "
            f"{from_numpy(self.dtype).torch_name} and source.dtype = {from_numpy(source.dtype).torch_name}"
        )
    if index.size != source.size:
        raise IndexError(
            "put_(): Expected source and index to have the same number of elements, but got source.numel() = "
            f"{source.size}, index.numel() = {index.size}"
        )
    check_elements(index, self.size, "put_(): Tried to put elements into an empty tensor")
    flat = np.array(self, order="C").reshape(-1)
    if accumulate:
        np.add.at(flat, index.reshape(-1), source.reshape(-1))
    else:
        flat[index.reshape(-1)] = source.reshape(-1)
    return flat.reshape(self.shape)


def _nonzero(self: np.ndarray) -> np.ndarray:
    if not self.ndim:
        return np.empty((int(bool(self)), 0), np.int64)
    return np.array(np.nonzero(self)).T


TAKE = Op(
    "take(Tensor self, Tensor index) -> Tensor",
    _take,
    "TakeBackward0",
    {
        "self": Grad(
            lambda grad, self, index: PUT(NEW_ZEROS(grad, self.shape), index, grad, True),
            r"\operatorname{put}([[grad]], [[index]])",
        )
    },
    r"[[self]]_{[[index]]}",
    samples=lambda rng: [{"self": rng.normal(size=(2, 3)), "index": np.array([[0, -1], [0, 4]])}],
)
PUT = Op(
    "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
    _put,
    "PutBackward0",
    {
        "self": Grad(
            lambda grad, index, accumulate: (
                grad if accumulate else PUT(grad, index, NEW_ZEROS(grad, index.shape), False)
            ),
            r"[[grad]]_{\text{elsewhere}}",
        ),
        "source": Grad(
            lambda grad, index, source_sym_sizes: TAKE(grad, index).reshape(source_sym_sizes), r"[[grad]]_{[[index]]}"
        ),
    },
    r"[[self]]_{[[index]]} \leftarrow [[source]]",
    inplace=True,
    samples=lambda rng: (
        [
            {
                "self": rng.normal(size=(2, 3)),
                "index": np.array([5, 0]),
                "source": rng.normal(size=(2, 1)),
                "accumulate": a,
            }
            for a in (False, True)
        ]
        + [{"self": rng.normal(size=4), "index": np.array([1, 1]), "source": rng.normal(size=2), "accumulate": True}]
    ),
)


def _nonzero_static(self: np.ndarray, size: int, fill_value: int = -1) -> np.ndarray:
    """The first `size` of them, `fill_value` in the place of those that are missing."""
    if size < 0:
        raise RuntimeError("nonzero_static: 'size' must be an non-negative integer")
    places = _nonzero(self)[:size]
    out = np.full((size, places.shape[1]), fill_value, np.int64)
    out[: len(places)] = places
    return out


NONZERO = Op("nonzero(Tensor self) -> Tensor", _nonzero, where=(), latex=r"\{i : [[self]]_i \neq 0\}")
NONZERO_STATIC = Op(
    "nonzero_static(Tensor self, *, SymInt size, int fill_value=-1) -> Tensor",
    _nonzero_static,
    latex=r"\{i : [[self]]_i \neq 0\}_{k < [[size]]}",
    example="torch.nonzero_static(torch.tensor([0.0, 1.0, 2.0]), size=3)",
)
ARGWHERE = Op(
    "argwhere(Tensor self) -> Tensor",
    _nonzero,
    latex=r"\{i : [[self]]_i \neq 0\}",
    example="torch.argwhere(torch.tensor([[0.0, 1.0], [2.0, 3.0]]))",
)
