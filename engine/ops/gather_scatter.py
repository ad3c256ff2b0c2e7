"""Reading and writing element by element along one dimension: gather and the scatter family."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.checks import wrap_dim
from engine.ops.copy import NEW_ZEROS
from engine.ops.positions import add_at, check_range, listed, mesh


def _index_of_same_rank(self: np.ndarray, index: np.ndarray, who: str, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Input and index with at least one dimension. Raises RuntimeError for a wrong type or number of dimensions."""
    if index.size and (index.dtype.kind != "i" or index.itemsize < 4):
        raise RuntimeError(f"{who}(): Expected dtype int32/int64 for index")
    if index.size and max(index.ndim, 1) != max(self.ndim, 1):
        raise RuntimeError(f"Index tensor must have the same number of dimensions as {what} tensor")
    return np.atleast_1d(self), np.atleast_1d(index)


def _gather(self: np.ndarray, dim: int, index: np.ndarray, sparse_grad: bool = False) -> np.ndarray:
    d = wrap_dim(dim, self.ndim)
    source, at = _index_of_same_rank(self, index, "gather", "input")
    if index.size == 0:
        return np.empty(index.shape, self.dtype)
    for k, (n, m) in enumerate(zip(at.shape, source.shape, strict=True)):
        if n > m and k != d:
            raise RuntimeError(
                f"Size does not match at dimension {k} expected index {listed(index.shape)} to be no larger than self "
                f"{listed(self.shape)} apart from dimension {d}"
            )
    check_range(at, source.shape[d], d)
    return source[mesh(at, d)].reshape(index.shape)


def _target(
    self: np.ndarray, dim: int, index: np.ndarray, src: np.ndarray | None
) -> tuple[np.ndarray, tuple[np.ndarray, ...], np.ndarray | None]:
    """A copy to write into, where to write, and the part of `src` that is written."""
    d = wrap_dim(dim, self.ndim)
    if src is not None and src.dtype != self.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    out, at = _index_of_same_rank(self, index, "scatter", "self")
    out = out.copy("C")
    if index.size == 0:
        return out, tuple(np.empty(0, np.int64) for _ in out.shape), None if src is None else src.reshape(-1)[:0]
    part = None if src is None else np.atleast_1d(src)
    if any(
        (n > m and k != d) or (part is not None and n > part.shape[k])
        for k, (n, m) in enumerate(zip(at.shape, out.shape, strict=True))
    ):
        more = "" if src is None else f" and to be no larger size than src {listed(src.shape)}"
        raise RuntimeError(
            f"Expected index {listed(index.shape)} to be no larger than self {listed(self.shape)} apart from dimension "
            f"{d}{more}"
        )
    check_range(at, out.shape[d], d)
    return out, mesh(at, d), None if part is None else part[tuple(slice(n) for n in at.shape)]


def _scatter(self: np.ndarray, dim: int, index: np.ndarray, src: np.ndarray) -> np.ndarray:
    out, where, part = _target(self, dim, index, src)
    out[where] = part
    return out.reshape(self.shape)


def _scatter_value(self: np.ndarray, dim: int, index: np.ndarray, value: float) -> np.ndarray:
    out, where, _ = _target(self, dim, index, None)
    out[where] = value
    return out.reshape(self.shape)


def _scatter_add(self: np.ndarray, dim: int, index: np.ndarray, src: np.ndarray) -> np.ndarray:
    out, where, part = _target(self, dim, index, src)
    add_at(out, where, np.asarray(part))
    return out.reshape(self.shape)


_COMBINE = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


def _scatter_reduce(
    self: np.ndarray, dim: int, index: np.ndarray, src: np.ndarray, reduce: str, include_self: bool = True
) -> np.ndarray:
    combine = _COMBINE.get(reduce)
    if combine is None:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    out, where, part = _target(self, dim, index, src)
    if not include_self:
        out[where] = _neutral(reduce, out.dtype)
    combine.at(out, where, part)
    if reduce == "mean":
        count = np.full(out.shape, int(include_self))
        np.add.at(count, where, 1)
        count = np.maximum(count, 1)
        out = out // count if out.dtype.kind in "iu" else out / count.astype(out.dtype)
    return out.reshape(self.shape)


def _neutral(reduce: str, dtype: np.dtype) -> Any:
    """What changes nothing when it is combined."""
    if reduce in ("sum", "mean", "prod"):
        return int(reduce == "prod")
    sign = -1 if reduce == "amax" else 1
    if dtype.kind == "f":
        return sign * np.inf
    info = np.iinfo(dtype)
    return info.min if sign < 0 else info.max


def _scatter_reduce_back(
    grad: Any, self: Any, dim: int, index: Any, src: Any, reduce: str, include_self: bool, result: Any
) -> tuple[Any, Any]:
    """Both gradients; what the scattered values replaced gets none."""
    if reduce == "sum":
        ours, theirs = grad, GATHER(grad, dim, index)
    elif reduce == "mean":
        count = NEW_ZEROS(grad, self.shape) + int(include_self)
        count = SCATTER_ADD(count, dim, index, NEW_ZEROS(grad, src.shape) + 1)
        count = count + (count == 0)
        ours, theirs = grad / count, GATHER(grad, dim, index) / GATHER(count, dim, index)
    elif reduce == "prod":
        ours = grad * result / self
        theirs = GATHER(grad * result, dim, index) / src
    else:
        ones = NEW_ZEROS(grad, src.shape) + 1
        self_wins = (self == result) * (NEW_ZEROS(grad, self.shape) + 1)
        src_wins = (src == GATHER(result, dim, index)) * ones
        if not include_self:
            self_wins = SCATTER_VALUE(self_wins, dim, index, 0)
        shared = grad / SCATTER_ADD(self_wins, dim, index, src_wins)
        ours, theirs = self_wins * shared, src_wins * GATHER(shared, dim, index)
    return ours if include_self else SCATTER_VALUE(ours, dim, index, 0), theirs


def _places(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Each place at most once: which of several values wins is not defined."""
    return [
        {"self": rng.normal(size=(2, 3)), "dim": 1, "index": np.array([[0, 2], [2, 1]])},
        {"self": rng.normal(size=(3, 2)), "dim": -2, "index": np.array([[2, 0]])},
        {"self": rng.normal(size=4), "dim": 0, "index": np.array([3, 1])},
    ]


def _with_src(rng: np.random.Generator, extra: int = 0) -> list[dict[str, Any]]:
    return [{**s, "src": rng.normal(size=[n + extra for n in s["index"].shape])} for s in _places(rng)]


def _reductions(rng: np.random.Generator) -> list[dict[str, Any]]:
    base = {"self": rng.normal(size=(2, 3)), "dim": 1, "index": np.array([[0, 2, 0], [1, 1, 1]])}
    src = rng.uniform(0.5, 2, size=(2, 3))
    return [
        {**base, "src": src, "reduce": r, "include_self": i}
        for r in ("sum", "mean", "prod", "amax", "amin")
        for i in (True, False)
    ]


GATHER = Op(
    "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
    _gather,
    "GatherBackward0",
    {
        "self": Grad(
            lambda grad, self, dim, index, sparse_grad: SCATTER_ADD(NEW_ZEROS(grad, self.shape), dim, index, grad),
            r"\operatorname{scatter\_add}([[grad]], [[index]])",
        )
    },
    r"\operatorname{gather}([[self]], [[index]])",
    samples=lambda rng: [
        {"self": rng.normal(size=(2, 3)), "dim": 1, "index": np.array([[0, 2, 2, 1]])},
        {"self": rng.normal(size=(2, 3)), "dim": -2, "index": np.array([[0, 1, 1], [1, 1, 1]])},
        {"self": rng.normal(size=()), "dim": 0, "index": np.array([0])},
    ],
)
SCATTER = Op(
    "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
    _scatter,
    "ScatterBackward0",
    {
        "self": Grad(lambda grad, dim, index: SCATTER_VALUE(grad, dim, index, 0), r"[[grad]]_{\text{elsewhere}}"),
        "src": Grad(lambda grad, dim, index: GATHER(grad, dim, index), r"\operatorname{gather}([[grad]], [[index]])"),
    },
    r"\operatorname{scatter}([[self]], [[index]], [[src]])",
    inplace=True,
    samples=_with_src,
)
SCATTER_VALUE = Op(
    "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
    _scatter_value,
    "ScatterBackward1",
    {"self": Grad(lambda grad, dim, index: SCATTER_VALUE(grad, dim, index, 0), r"[[grad]]_{\text{elsewhere}}")},
    r"\operatorname{scatter}([[self]], [[index]], [[value]])",
    inplace=True,
    samples=lambda rng: [{**s, "value": 2.5} for s in _places(rng)],
)
SCATTER_ADD = Op(
    "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
    _scatter_add,
    "ScatterAddBackward0",
    {
        "self": Grad(lambda grad: grad, r"[[grad]]"),
        "src": Grad(lambda grad, dim, index: GATHER(grad, dim, index), r"\operatorname{gather}([[grad]], [[index]])"),
    },
    r"\operatorname{scatter\_add}([[self]], [[index]], [[src]])",
    inplace=True,
    samples=lambda rng: [
        *_with_src(rng),
        {"self": rng.normal(size=3), "dim": 0, "index": np.array([1, 1, 0]), "src": rng.normal(size=3)},
    ],
)
SCATTER_REDUCE = Op(
    "scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool include_self=True) "
    "-> Tensor",
    _scatter_reduce,
    "ScatterReduceBackward0",
    {
        "self, src": Grad(
            _scatter_reduce_back,
            {
                "self": r"[[grad]] \cdot \tfrac{\partial y}{\partial [[self]]}",
                "src": (
                    r"\operatorname{gather}\!\left([[grad]] \cdot \tfrac{\partial y}{\partial [[src]]},"
                    r" [[index]]\right)"
                ),
            },
        )
    },
    r"\operatorname{scatter}_{[[reduce]]}([[self]], [[index]], [[src]])",
    inplace=True,
    samples=_reductions,
)
