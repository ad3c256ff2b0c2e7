"""Sums of products written as letters: `einsum("ij,jk->ik", a, b)`, composed as ATen composes it."""

from collections.abc import Iterator
from math import prod
from typing import Any

from engine.arguments import check_tensors
from engine.composite import python_function
from engine.composites.matmul import contract
from engine.ops.linear import BMM
from engine.ops.reduction import SUM_DIM
from engine.ops.slicing import DIAGONAL
from engine.ops.views import PERMUTE, UNSQUEEZE
from engine.tensor import TensorBase
from engine.type_names import type_name

_ELLIPSIS = "..."


def _labels(text: str, start: int, end: int, again: str, alone: str) -> Iterator[str]:
    """The subscripts of a part of the equation, without spaces.

    Raises RuntimeError in the words `again` for a second ellipsis in an operand, and `alone` for other dots.
    """
    ellipsis = False
    i = start
    while i < end:
        c = text[i]
        if c == ".":
            if ellipsis or text[i : min(i + 3, end)] != _ELLIPSIS:
                raise RuntimeError(f"einsum(): found '.' for {again if ellipsis else alone}")
            ellipsis, i = True, i + 2
            yield _ELLIPSIS
        elif c != " ":
            if not (c.isascii() and c.isalpha()):
                raise RuntimeError(
                    f"einsum(): invalid subscript given at index {i} in the equation string, subscripts must be in "
                    "[a-zA-Z]"
                )
            yield c
        i += 1


def _parse(equation: str, operands: list[Any]) -> tuple[list[list[str]], list[str], int]:
    """Subscripts per operand, those of the result, and how many dimensions an ellipsis stands for."""
    left, arrow, _ = equation.partition("->")
    terms: list[list[str]] = []
    start = 0
    for i, part in enumerate(left.split(",")):
        if i == len(operands):
            raise RuntimeError("einsum(): fewer operands were provided than specified in the equation")
        what = f"operand {i}"
        again, alone = f"{what} for which an ellipsis was already found", f"{what} that is not part of any ellipsis"
        terms.append(list(_labels(equation, start, start + len(part), again, alone)))
        start += len(part) + 1
    if len(terms) < len(operands):
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    hidden = 0
    sizes: dict[str, int] = {}
    for i, (labels, x) in enumerate(zip(terms, operands, strict=True)):
        named = [c for c in labels if c != _ELLIPSIS]
        rest = x.ndim - len(named)
        if rest < 0 or (rest and _ELLIPSIS not in labels):
            wrong, why = "does not match", " and no ellipsis was given"
            if _ELLIPSIS in labels:
                wrong, why = "is more than", ""
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({len(named)}) {wrong} the number of dimensions "
                f"({x.ndim}) for operand {i}{why}"
            )
        hidden = max(hidden, rest)
        _check_sizes(labels, x, rest, sizes, i)
    if arrow:
        out: list[str] = []
        known = {c for t in terms for c in t}
        for c in _labels(
            equation,
            len(left) + 2,
            len(equation),
            "output but an ellipsis (...) was already found",
            "output that is not part of any ellipsis (...)",
        ):
            if c in out:
                raise RuntimeError(f"einsum(): output subscript {c} appears more than once in the output")
            if c not in known and c != _ELLIPSIS:
                raise RuntimeError(
                    f"einsum(): output subscript {c} does not appear in the equation for any input operand"
                )
            out.append(c)
    else:
        every = [c for t in terms for c in t if c != _ELLIPSIS]
        out = [_ELLIPSIS] * any(_ELLIPSIS in t for t in terms) + sorted(c for c in set(every) if every.count(c) == 1)
    return terms, out, hidden


def _check_sizes(labels: list[str], x: Any, rest: int, sizes: dict[str, int], i: int) -> None:
    d = 0
    mine: dict[str, int] = {}
    for c in labels:
        if c == _ELLIPSIS:
            d += rest
            continue
        n = x.shape[d]
        if c in mine and mine[c] != n:
            raise RuntimeError(
                f"einsum(): subscript {c} is repeated for operand {i} but the sizes don't match, {n} != {mine[c]}"
            )
        mine[c] = n
        if n != 1:
            if sizes.get(c, n) != n:
                raise RuntimeError(
                    f"einsum(): subscript {c} has size {n} for operand {i} which does not broadcast with previously "
                    f"seen size {sizes[c]}"
                )
            sizes[c] = n
        d += 1


def _aligned(x: Any, labels: list[str], place: dict[str, int], first_hidden: int, hidden: int, total: int) -> Any:
    """An operand with one dimension per subscript of the whole equation, in the equation's order."""
    order = [-1] * total
    d = 0
    rest = x.ndim - sum(c != _ELLIPSIS for c in labels)
    for c in labels:
        if c == _ELLIPSIS:
            for k in range(hidden - rest, hidden):
                order[first_hidden + k] = d
                d += 1
        elif order[place[c]] == -1:
            order[place[c]] = d
            d += 1
        else:
            x = _moved_back(DIAGONAL(x, 0, order[place[c]], d), order[place[c]])
    for i, o in enumerate(order):
        if o == -1:
            x = UNSQUEEZE(x, d)
            order[i] = d
            d += 1
    return PERMUTE(x, tuple(order))


def _moved_back(x: Any, dim: int) -> Any:
    """The last dimension moved to `dim`."""
    order = list(range(x.ndim - 1))
    order.insert(dim, x.ndim - 1)
    return PERMUTE(x, tuple(order))


def _product(a: Any, b: Any, summed: list[int]) -> Any:
    """Product of two aligned operands, summed over dimensions that both have, as one batched matrix product."""
    if not summed:
        return a * b
    both: list[int] = []
    of_a: list[int] = []
    of_b: list[int] = []
    for d in range(a.ndim):
        if d in summed:
            continue
        left, right = a.shape[d] != 1, b.shape[d] != 1
        (both if left and right else of_a if left else of_b).append(d)
    batch, rows = prod(a.shape[d] for d in both), prod(a.shape[d] for d in of_a)
    inner, columns = prod(a.shape[d] for d in summed), prod(b.shape[d] for d in of_b)
    left = PERMUTE(a, (*both, *of_a, *summed, *of_b)).reshape((batch, rows, inner))
    right = PERMUTE(b, (*both, *summed, *of_b, *of_a)).reshape((batch, inner, columns))
    shape = (*(a.shape[d] for d in (*both, *of_a)), *(1 for _ in summed), *(b.shape[d] for d in of_b))
    back = [0] * a.ndim
    for i, d in enumerate((*both, *of_a, *summed, *of_b)):
        back[d] = i
    return PERMUTE(BMM(left, right).view(shape), tuple(back))


def contract_letters(equation: str, operands: list[Any]) -> Any:
    """Align all operands, multiply them from left to right, and sum what the result lacks."""
    if not operands:
        raise RuntimeError("einsum(): must provide at least one operand")
    terms, out, hidden = _parse(equation, operands)
    place: dict[str, int] = {}
    at, first_hidden = 0, 0
    for c in out:
        if c == _ELLIPSIS:
            first_hidden = at
            at += hidden
        else:
            place[c] = at
            at += 1
    kept = at
    if hidden and _ELLIPSIS not in out:
        first_hidden = at
        at += hidden
    for c in sorted({c for t in terms for c in t if c != _ELLIPSIS} - set(place)):
        place[c] = at
        at += 1
    ops = [_aligned(x, t, place, first_hidden, hidden, at) for x, t in zip(operands, terms, strict=True)]
    if len(ops) == 1:
        return SUM_DIM(ops[0], tuple(range(kept, at))) if at > kept else ops[0]
    holders = [sum(x.shape[d] != 1 for x in ops) for d in range(at)]
    result = ops[0]
    for b in ops[1:]:
        result = _pair(result, b, kept, at, holders)
    return result.view(tuple(result.shape[:kept])) if at > kept else result


def _pair(a: Any, b: Any, kept: int, total: int, holders: list[int]) -> Any:
    """Multiply two operands; sum the dimensions that no later operand has. `holders` counts who still has which."""
    shared, only_a, only_b = [], [], []
    for d in range(kept, total):
        in_a, in_b = a.shape[d] != 1, b.shape[d] != 1
        if in_a and in_b:
            holders[d] -= 1
            if holders[d] == 1:
                shared.append(d)
                holders[d] = 0
        elif holders[d] == 1 and (in_a or in_b):
            (only_a if in_a else only_b).append(d)
            holders[d] = 0
    a = SUM_DIM(a, tuple(only_a), True) if only_a else a
    b = SUM_DIM(b, tuple(only_b), True) if only_b else b
    return _product(a, b, shared)


@python_function("function")
def einsum(*args: Any) -> Any:
    """Sum of products by letters, or by lists of numbers that stand for letters."""
    if len(args) < 2:
        raise ValueError(
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its "
            "subscripts list"
        )
    if isinstance(args[0], str):
        operands = args[1:]
        if len(operands) == 1 and isinstance(operands[0], list | tuple):
            operands = operands[0]
        check_tensors(operands, 1)
        return contract_letters(args[0], list(operands))
    if not isinstance(args[0], TensorBase) or isinstance(args[1], TensorBase):
        raise TypeError(f"einsum(): argument 'equation' (position 1) must be str, not {type_name(args[0])}")
    operands, lists = list(args[: len(args) // 2 * 2 : 2]), args[1::2]
    equation = ",".join(_letters(s) for s in lists)
    if len(args) % 2:
        equation += "->" + _letters(args[-1])
    return contract_letters(equation, operands)


def _letters(numbers: Any) -> str:
    letters = []
    for n in numbers:
        if n is Ellipsis:
            letters.append(_ELLIPSIS)
        elif n >= 0 and n < 52:
            letters.append(chr(ord("A") + n) if n < 26 else chr(ord("a") + n - 26))
        else:
            raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
    return "".join(letters)


@python_function("function")
def tensordot(a: Any, b: Any, dims: Any = 2, out: Any = None) -> Any:
    """Sum of products over the last `dims` dimensions of one and the first of the other, or over lists of them."""
    if isinstance(dims, list | tuple):
        dims_a, dims_b = (list(d) if isinstance(d, list | tuple) else [d] for d in dims)
    elif hasattr(dims, "numel") and dims.numel() > 1:
        dims_a, dims_b = dims[0].tolist(), dims[1].tolist()
    else:
        n = int(dims)
        if n < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if n > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims_a, dims_b = list(range(-n, 0)), list(range(n))
    return contract(a, b, tuple(dims_a), tuple(dims_b))
