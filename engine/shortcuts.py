"""Calls whose arguments have been resolved once need no search again: what follows from the types alone is remembered.

A shortcut is the overload's caller, the values of the parameters nobody gave, and a move per given argument.
"""

from collections.abc import Callable, Sequence
from typing import Any

from engine.dtypes import dtype
from engine.tensor import TensorBase

AS_IS, AN_INT, IN_A_TUPLE, INTS, TENSORS, ALL_THE_REST = range(6)
_WIDEST = 2**63 - 1
"""The parser has its own words for larger numbers, so they are looked at."""
_PLAIN = (int, float, bool, complex, type(None), str, dtype)

Move = tuple[int, int, int]  # (parameter, which of the given arguments, how)
Shortcut = tuple[Callable[[list[Any]], Any], list[Any], tuple[Move, ...]]


def key_of(args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """What a shortcut is remembered under: the types, and the names of those given by name."""
    if not kwargs:
        return tuple([type(a) for a in args])
    return (*[type(a) for a in args], *kwargs, *[type(a) for a in kwargs.values()])


def learn(
    args: Sequence[Any], kwargs: dict[str, Any], names: Sequence[str], varargs: bool, call: Any, values: list[Any]
) -> Shortcut | None:
    """The shortcut for calls of these types, or None where the values decide more than the types do.

    Args:
        names: the overload's parameters in order, as Python sees them, the tensor of a method first.
        varargs: the overload takes `view(2, 3)` for `view((2, 3))`.
        values: what the search made of this call.
    """
    if "pin_memory" in kwargs:  # there is none to pin: what its value decides
        return None
    given = [*args, *kwargs.values()]
    places = [*range(len(args)), *(names.index(k) if k in names else -1 for k in kwargs)]
    if varargs and len(args) > len(names) - 1 and type(args[len(names) - 1]) is int and not kwargs:
        first = len(names) - 1
        if any(type(a) is not int for a in args[first:]):
            return None
        given, places = [*args[:first], tuple(args[first:])], [*range(first), first]
        moves: list[Move] = [(first, first, ALL_THE_REST)]
        pairs = list(zip(places[:first], range(first), given[:first], strict=True))
    else:
        if len(args) > len(values):
            return None
        moves = []
        pairs = list(zip(places, range(len(given)), given, strict=True))
    for place, source, a in pairs:
        how = _how(a, values[place]) if place >= 0 else None
        if how is None:
            return None
        moves.append((place, source, how))
    return call, list(values), tuple(moves)


def _how(a: Any, v: Any) -> int | None:
    """How an argument became a value, if every argument of its type becomes one the same way."""
    kind = type(a)
    if isinstance(a, TensorBase) or kind in _PLAIN:
        if v is a or (type(v) is kind and v == a):
            return AN_INT if kind is int else AS_IS
        return IN_A_TUPLE if kind is int and v == (a,) else None
    if kind in (tuple, list):
        if type(v) is tuple and v == tuple(a) and all(type(x) is int for x in a):
            return INTS
        if type(v) is list and all(isinstance(x, TensorBase) for x in a):
            return TENSORS
    return None


def follow(shortcut: Shortcut, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any] | None:
    """The values of a call, or None when a list holds something, or a number is so large, that it must be looked at."""
    values = list(shortcut[1])
    given = [*args, *kwargs.values()] if kwargs else args
    for place, source, how in shortcut[2]:
        a = given[source]
        if how == AS_IS:
            values[place] = a
        elif how == AN_INT:
            if not -_WIDEST <= a <= _WIDEST:
                return None
            values[place] = a
        elif how == IN_A_TUPLE:
            if not -_WIDEST <= a <= _WIDEST:
                return None
            values[place] = (a,)
        elif how == ALL_THE_REST:
            rest = tuple(args[source:])
            if max(rest) > _WIDEST or min(rest) < -_WIDEST:
                return None
            values[place] = rest
        elif how == INTS:
            for x in a:
                if type(x) is not int or not -_WIDEST <= x <= _WIDEST:
                    return None
            values[place] = tuple(a)
        else:
            for x in a:
                if not isinstance(x, TensorBase):
                    return None
            values[place] = list(a)
    return values
