"""Choosing between two tensors element by element."""

import numpy as np

from engine.choosing import fill_where, where
from engine.dtypes import dtype_of_number, from_numpy, result_type
from engine.errors import broadcast
from engine.op import Grad, Op
from engine.ops.fill import ZEROS_LIKE
from engine.ops.kinds import cpp_name, held
from engine.ops.layouts import by_rows


class _Operand:
    """What torch's promotion rules ask of an array."""

    __slots__ = ("dtype", "ndim")

    def __init__(self, array):
        self.dtype, self.ndim = from_numpy(array.dtype), array.ndim


def _where(condition, self, other):
    if condition.dtype.kind != "b":
        if condition.dtype != np.uint8:
            raise RuntimeError(
                "where expected condition to be a boolean tensor, but got a tensor with dtype "
                + from_numpy(condition.dtype).torch_name
            )
        condition = condition.astype(bool)
    a = getattr(self, "dtype", None)
    if a is not None and a == getattr(other, "dtype", None):
        return where(condition, self, other)
    if a is None and not hasattr(other, "dtype"):
        common = result_type(self, other) if type(self) is not type(other) else dtype_of_number(self)
    else:
        common = result_type(*(_Operand(x) if hasattr(x, "dtype") else x for x in (self, other)))
    return np.where(condition, np.asarray(self, common.numpy), np.asarray(other, common.numpy))


def _masked_fill(self, mask, value):
    if mask.dtype.kind != "b":
        _together(self, mask)
        raise RuntimeError("masked_fill_ only supports boolean masks, but got mask with dtype " + cpp_name(mask))
    if isinstance(value, np.ndarray) and value.ndim:
        _together(self, mask)
        raise RuntimeError(
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s)."
        )
    if not hasattr(value, "dtype") or value.dtype != self.dtype:
        value = held(value, self.dtype)
    try:
        return by_rows(fill_where(mask, value, self))
    except ValueError:
        raise broadcast(mask.shape, self.shape) from None


def _together(self, mask):
    """Both expanded to their common shape. Raises RuntimeError when there is none."""
    try:
        return np.broadcast_arrays(self, mask)
    except ValueError:
        raise broadcast(mask.shape, self.shape) from None


def _masked_select(self, mask):
    if mask.dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    self, mask = _together(self, mask)
    return self[mask]


def _masked_scatter(self, mask, source):
    self, mask = _together(self, mask)
    if self.dtype != source.dtype:
        raise RuntimeError(
            "masked_scatter: expected self and source to have same dtypes but got"
            f"{from_numpy(self.dtype).torch_name} and {from_numpy(source.dtype).torch_name}"
        )
    if mask.dtype.kind != "b":
        raise RuntimeError(
            "masked_scatter_ only supports boolean masks, but got mask with dtype " + from_numpy(mask.dtype).torch_name
        )
    count = int(np.count_nonzero(mask))
    if source.size < count:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    out = self.copy()
    out[mask] = source.reshape(-1)[:count]
    return out


def _masked_scatter_backward(grad_output, mask, sizes):
    out = np.zeros(tuple(sizes), grad_output.dtype)
    taken = _masked_select(grad_output, mask)
    out.reshape(-1)[: taken.size] = taken
    return out


def _choice(rng):
    shapes = (((2, 3), (2, 3)), ((3,), (2, 1)), ((), ()))
    return [
        {"condition": rng.random(size=(2, 3)) > 0.5, "self": rng.normal(size=a), "other": rng.normal(size=b)}
        for a, b in shapes
    ]


def _masked(rng, **more):
    return [
        {"self": rng.normal(size=a), "mask": rng.random(size=b) > 0.5, **more}
        for a, b in (((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (2, 3)))
    ]


WHERE = Op(
    "where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
    _where,
    "WhereBackward0",
    {
        "self": Grad(lambda grad, condition: WHERE(condition, grad, 0), r"[[grad]] \cdot [[condition]]"),
        "other": Grad(lambda grad, condition: WHERE(condition, 0, grad), r"[[grad]] \cdot (1 - [[condition]])"),
    },
    r"[[condition]] \;?\; [[self]] : [[other]]",
    pointwise=True,
    numbers=("self", "other"),
    samples=_choice,
)
_KEPT = Grad(lambda grad, mask: MASKED_FILL(grad, mask, 0), r"[[grad]] \cdot (1 - [[mask]])")
MASKED_FILL = Op(
    "masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
    _masked_fill,
    "MaskedFillBackward0",
    {"self": _KEPT},
    r"[[mask]] \;?\; [[value]] : [[self]]",
    inplace=True,
    samples=lambda rng: _masked(rng, value=2.5),
)
MASKED_FILL_TENSOR = Op(
    "masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
    _masked_fill,
    "MaskedFillBackward1",
    {
        "self": _KEPT,
        # what reaches the masked elements; the engine's reduction to the value's shape sums it
        "value": Grad(lambda grad, mask: WHERE(mask, grad, 0), r"\sum [[grad]] \cdot [[mask]]"),
    },
    r"[[mask]] \;?\; [[value]] : [[self]]",
    inplace=True,
    samples=lambda rng: _masked(rng, value=np.asarray(rng.normal())),
)
MASKED_SELECT = Op(
    "masked_select(Tensor self, Tensor mask) -> Tensor",
    _masked_select,
    "MaskedSelectBackward0",
    {
        "self": Grad(
            lambda grad, self, mask: MASKED_SCATTER(ZEROS_LIKE(self), mask, grad), r"\operatorname{scatter}([[grad]])"
        )
    },
    r"[[self]]_{[[mask]]}",
    samples=_masked,
)
MASKED_SCATTER = Op(
    "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
    _masked_scatter,
    "MaskedScatterBackward0",
    {
        "self": _KEPT,
        "source": Grad(
            lambda grad, mask, source_sym_sizes: MASKED_SCATTER_BACKWARD(grad, mask, source_sym_sizes),
            r"[[grad]]_{[[mask]]}",
        ),
    },
    r"[[self]]_{[[mask]]} \leftarrow [[source]]",
    inplace=True,
    samples=lambda rng: [{**s, "source": rng.normal(size=(2, 4))} for s in _masked(rng)],
)
MASKED_SCATTER_BACKWARD = Op(
    "masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor",
    _masked_scatter_backward,
    "MaskedScatterBackwardBackward0",
    {
        "grad_output": Grad(
            lambda grad, grad_output, mask: MASKED_SCATTER(ZEROS_LIKE(grad_output), mask, grad), r"[[grad]]"
        )
    },
    r"[[grad_output]]_{[[mask]]}",
    where=(),
    samples=lambda rng: [
        {"grad_output": rng.normal(size=(2, 3)), "mask": rng.random(size=(2, 3)) > 0.5, "sizes": (2, 4)}
    ],
)
