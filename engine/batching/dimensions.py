"""Operators that name dimensions: the samples go first, and every dimension counts one more."""

from typing import Any

from engine.batching.call import Call, Result, flattened, in_front
from engine.dispatch import run
from engine.op import Op
from engine.ops.checks import wrap_dim, wrap_dims
from engine.ops.views import SQUEEZE_DIM, UNSQUEEZE, VIEW
from engine.tensor import TensorBase

_DIMS = {"dim", "dims", "dim0", "dim1", "dim2", "dimension"}
_SIZES = {"input_sizes", "sizes"}


def shifted(call: Call) -> Result | list[Result]:
    """Of tensors of one rank, with `dim` arguments counted in it: reductions, softmax, sorting, slices, views."""
    rank = call.rank(call.op.tensors[0])
    values = _in_front(call)
    number = rank == 0 and not call.inplace and call.op.signature.base not in ("unsqueeze", "squeeze")
    if number and any(n in _DIMS for n in call.names) and call["input_sizes"] is None:
        return _of_numbers(call, values)
    shift(call, values, rank)
    return in_front(call.run(values))


def _in_front(call: Call) -> list[Any]:
    """The arguments with the samples of tensors in front; of several tensors each has them."""
    given = [i for i in call.op.tensors if isinstance(call.values[i], TensorBase)]
    values = list(call.values)
    for i in given:
        values[i] = call.to_front(i, always=len(given) > 1)
    return values


def shift(call: Call, values: list[Any], rank: int) -> None:
    """Count the dimensions and sizes among `values` for a tensor with one more dimension in front."""
    if call["input_sizes"] is not None:
        rank = len(call["input_sizes"])
    for i, name in enumerate(call.names):
        v = values[i]
        if name in _SIZES and v is not None:
            values[i] = (call.size, *v)
        if name not in _DIMS:
            continue
        if isinstance(v, tuple | list):
            values[i] = tuple(d + 1 for d in wrap_dims(v, rank))
            if not v and "keepdim" in call.names:
                values[i] = tuple(range(1, rank + 1))
        elif v is None and ("keepdim" in call.names or "correction" in call.names):
            if call.op.signature.params[i].type != "int":
                values[i] = tuple(range(1, rank + 1))
        elif v is not None:
            values[i] = wrap_dim(v, rank + (call.op.signature.base in ("unsqueeze", "diag_embed"))) + 1


def _of_numbers(call: Call, values: list[Any]) -> Result | list[Result]:
    """Samples without dimensions have one of size 1 meanwhile."""
    for i in call.op.tensors:
        if isinstance(values[i], TensorBase):
            values[i] = run(UNSQUEEZE, [values[i], -1])
    shift(call, values, 1)
    out = call.run(values)
    outs = out if isinstance(out, tuple) else (out,)
    outs = tuple(run(SQUEEZE_DIM, [t, -1]) if t.ndim > 1 else t for t in outs)
    return [(t, 0) for t in outs] if isinstance(out, tuple) else (outs[0], 0)


def all_elements(by_dims: Op, *, flat: bool = False) -> Any:
    """The rule of an operator over all elements, by the one that names its dimensions; `flat` ones take only one."""

    def rule(call: Call) -> Result:
        x = call.to_front(0)
        if flat:
            x = flattened(x)
            dims: Any = 1
        else:
            if x.ndim == 1:
                x = run(UNSQUEEZE, [x, -1])
            dims = tuple(range(1, x.ndim))
        given: dict[str, Any] = {"self": x, "dim": dims}
        if "dtype" in call.names:
            given["dtype"] = call["dtype"]
        if "p" in call.names:
            given["p"] = call["p"]
        values = [given.get(p.name, False if p.name == "keepdim" else p.default) for p in by_dims.signature.params]
        out = run(by_dims, values)
        return (out[0] if isinstance(out, tuple) else out), 0

    return rule


def extreme_place(call: Call) -> Result:
    """argmax and argmin: of all elements, or along a dimension."""
    if call["dim"] is not None:
        return shifted(call)  # type: ignore[return-value]
    x = call.to_front(0).reshape((call.size, -1))
    out = run(call.op, [x, 1, False])
    if call["keepdim"]:
        out = run(VIEW, [out, (call.size, *(1,) * call.rank(0))])
    return out, 0


def both_extremes(call: Call) -> Result | list[Result]:
    """aminmax: of all elements, or along a dimension."""
    if call["dim"] is not None:
        return shifted(call)
    out = run(call.op, [flattened(call.to_front(0)), 1, False])
    if call["keepdim"]:
        out = tuple(run(VIEW, [t, (call.size, *(1,) * call.rank(0))]) for t in out)
    return [(t, 0) for t in out]


def trailing(call: Call) -> Result | list[Result]:
    """Of the last dimensions only, whatever lies in front: matrices, padding."""
    values = _in_front(call)
    for i, name in enumerate(call.names):
        if name in _SIZES and values[i] is not None:
            values[i] = (call.size, *values[i])
    return in_front(call.run(values))


def picked(call: Call) -> Result:
    """gather and scatter: tensors of one rank, each expanded to the batch."""
    values = list(call.values)
    number = call.rank(2) == 0
    for i in call.op.tensors:
        if isinstance(values[i], TensorBase):
            values[i] = call.to_front(i, always=True)
            if call.rank(i) == 0:
                values[i] = run(UNSQUEEZE, [values[i], -1])
    values[1] = wrap_dim(values[1], call.rank(0)) + 1
    out = call.run(values)
    return (run(SQUEEZE_DIM, [out, -1]) if number and out.ndim > 1 else out), 0
