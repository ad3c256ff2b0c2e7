"""Reading and writing element by element along one dimension: gather and the scatter family."""

from typing import Any

import numpy as np

from engine.op import Grad, Op
from engine.ops.checks import wrap_dim
from engine.ops.combining import COMBINE, combined, reduced_gradients
from engine.ops.copy import NEW_ZEROS
from engine.ops.layouts import by_rows
from engine.ops.positions import add_at, check_range, listed, mesh
from engine.ops.undifferentiable import NODE, REASON, no_derivative
from engine.warning import warn_once


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
    return by_rows(source[mesh(at, d)]).reshape(index.shape)


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
    if part is not None and src is not None and 0 < src.ndim < at.ndim:
        wrap_dim(src.ndim, src.ndim)
    if part is not None and part.ndim != at.ndim:
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
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


def _scatter_combined(self: np.ndarray, dim: int, index: np.ndarray, src: Any, reduce: str) -> np.ndarray:
    if hasattr(src, "dtype"):
        warn_once(
            "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future "
            "PyTorch release. Use torch.scatter_reduce instead for more reduction options."
        )
    if reduce not in ("add", "multiply"):
        raise RuntimeError("reduce argument must be either add or multiply.")
    out, where, part = _target(self, dim, index, src if isinstance(src, np.ndarray) else None)
    (np.add if reduce == "add" else np.multiply).at(out, where, src if part is None else part)
    return out.reshape(self.shape)


def _scatter_reduce(
    self: np.ndarray, dim: int, index: np.ndarray, src: np.ndarray, reduce: str, include_self: bool = True
) -> np.ndarray:
    reduce = {"max": "amax", "min": "amin"}.get(reduce, reduce)  # names that ATen's kernel takes too
    if reduce not in COMBINE:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    out, where, part = _target(self, dim, index, src)
    return combined(out, where, part, reduce, include_self).reshape(self.shape)


def _scatter_reduce_back(
    grad: Any, self: Any, dim: int, index: Any, src: Any, reduce: str, include_self: bool, result: Any
) -> tuple[Any, Any]:
    """Both gradients; what the scattered values replaced gets none. Raises RuntimeError for the kernel's own names."""
    if reduce not in COMBINE:
        raise RuntimeError(f"Expected 'reduce' to be one of 'sum', 'prod', 'mean', 'amax', 'amin' but got {reduce}.")
    return reduced_gradients(
        grad, self, src, reduce, include_self, result,
        pick=lambda x: GATHER(x, dim, index),
        add=lambda x, y: SCATTER_ADD(x, dim, index, y),
        clear=lambda x: SCATTER_VALUE(x, dim, index, 0),
    )  # fmt: skip


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
SCATTER_SRC_COMBINED, SCATTER_VALUE_COMBINED = (
    Op(
        f"scatter.{overload}(Tensor self, int dim, Tensor index, {kind}, *, str reduce) -> Tensor",
        _scatter_combined,
        NODE,
        {n: no_derivative("scatter") for n in inputs},
        latex=r"\operatorname{scatter}_{[[reduce]]}([[self]], [[index]])",
        inplace=True,
        unchecked=REASON,
        example=f"torch.zeros(3).scatter(0, torch.tensor([1, 1]), {given}, reduce='add')",
    )
    for overload, kind, inputs, given in (
        ("reduce", "Tensor src", ("self", "src"), "torch.ones(2)"),
        ("value_reduce", "Scalar value", ("self",), "2.0"),
    )
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
