"""Products of matrices and vectors, as the one product that takes any number of dimensions."""

from typing import Any

from engine.batching.call import Call, Result, front, moved, padded
from engine.dispatch import run
from engine.ops.arithmetic import ADD, MUL_SCALAR
from engine.ops.batched import matmul
from engine.ops.reduction import SUM_DIM
from engine.ops.views import SQUEEZE_DIM, UNSQUEEZE, VIEW, T


def product(first: str, second: str) -> Any:
    """The rule of mm and bmm."""

    def rule(call: Call) -> Result:
        i, j = call.names.index(first), call.names.index(second)
        _check(call, i, j)
        return matmul(call.to_front(i), call.to_front(j)), 0

    return rule


def matrix_vector(first: str, second: str) -> Any:
    """The rule of mv: vectors of all samples are the columns of one matrix where they share theirs."""

    def rule(call: Call) -> Result:
        i, j = call.names.index(first), call.names.index(second)
        matrix, vector = call.values[i], call.values[j]
        if call.dims[j] is None:
            return matmul(call.to_front(i), vector), 0
        if call.dims[i] is None:
            return matmul(matrix, moved(vector, call.dims[j], 1)), 1
        columns = run(UNSQUEEZE, [call.to_front(j), -1])
        return run(SQUEEZE_DIM, [matmul(moved(matrix, call.dims[i], 0), columns), -1]), 0

    return rule


def dot(call: Call) -> Result:
    """The rule of dot."""
    _check(call, 0, 1)
    a, b = call.to_front(0), call.to_front(1)
    if call.dims[0] is None or call.dims[1] is None:
        return matmul(a, run(T, [b])), 0
    out = matmul(run(UNSQUEEZE, [a, -2]), run(UNSQUEEZE, [b, -1]))
    return run(SQUEEZE_DIM, [run(SQUEEZE_DIM, [out, -1]), -1]), 0


def _check(call: Call, i: int, j: int) -> None:
    a, b = (_shape(call, k) for k in (i, j))
    base = call.op.signature.base
    if base == "mm" and (len(a) != 2 or len(b) != 2 or a[1] != b[0]):
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({'x'.join(map(str, a))} and {'x'.join(map(str, b))})"
        )
    if base in ("dot", "vdot") and a != b:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{a[0]}] and src [{b[0]}] to have the same number of elements, "
            f"but got {a[0]} and {b[0]} elements respectively"
        )


def _shape(call: Call, i: int) -> tuple[int, ...]:
    shape, d = list(call.values[i].shape), call.dims[i]
    if d is not None:
        del shape[d]
    return tuple(shape)


def added(first: str, second: str, of: Any = product) -> Any:
    """The rule of addmm and its kin: `beta self + alpha (first @ second)`."""
    multiplied = of(first, second)

    def rule(call: Call) -> Result:
        out, at = multiplied(call)
        out = front(out, at)
        if call.op.signature.base == "addbmm":
            out = run(SUM_DIM, [out, (1,) if out.ndim == 4 else (0,), False, None])
        i = call.names.index("self")
        rank = out.ndim - (call.dim(first) is not None or call.dim(second) is not None)
        total = run(MUL_SCALAR, [call.values[i], call["beta"]])
        if call.dims[i] is not None:
            total = padded(front(total, call.dims[i]), rank)
        return run(ADD, [total, out, call["alpha"]]), 0

    return rule


def outer(call: Call) -> Result:
    """addr: beta self + alpha outer(vec1, vec2)."""
    a = call.to_front(call.names.index("vec1"), always=True)
    b = call.to_front(call.names.index("vec2"), always=True)
    square = run(VIEW, [a, (*a.shape, 1)]) * run(VIEW, [b, (b.shape[0], 1, b.shape[1])])
    total = padded(call.to_front(0, always=True), 2)
    return run(ADD, [run(MUL_SCALAR, [total, call["beta"]]), square, call["alpha"]]), 0
