"""How a call finds its operator: PyTorch's argument parser, with its messages.

A builtin such as `torch.sum` has several signatures; the first that accepts the arguments is run. What happens when
none does is worded as PyTorch words it, here, for every operator.
"""

from collections.abc import Callable, Sequence
from typing import Any

from engine import out_argument
from engine.arguments import Argument
from engine.hash_order import in_table
from engine.signature import REQUIRED, Param, Signature
from engine.type_names import type_name
from engine.warning import warn_once

_NUMPY_NAMES = {"dim": ("axis",), "keepdim": ("keepdims",), "input": ("x", "a", "x1"), "other": ("x2",)}
ONLY_ONCE = "This overload of "
"""How the notices of all hidden overloads begin; PyTorch warns of the first one called only."""
_ONE_OUT = Param("out", "Tensor", True, None, True)
_OUTS = Param("out", "Tensor[]", True, None, True)


class Mismatch(Exception):
    """The arguments do not fit a signature; the message is PyTorch's."""


class Overload:
    """One signature of a builtin, and what to call with the values.

    Attributes:
        arguments: its parameters as Python sees them, with `out`.
        names: the same without `out`.
        out_at: where `out` stands, or None.
        own_out: where it stands among the operator's values, of a factory that takes its dtype from it, or None.
        self_at: where a method's own tensor stands among the operator's values.
        varargs: `view(2, 3)` is taken for `view((2, 3))`.
        notice: the warning that it is an old one, or empty; those with one are hidden: tried last and never listed.
    """

    __slots__ = (
        "arguments", "call", "max_positional", "min_args", "max_args", "out_at", "own_out", "names", "self_at",
        "varargs", "notice",
    )  # fmt: skip

    def __init__(
        self,
        signature: Signature,
        call: Callable[[list[Any]], Any],
        numbers: tuple[str, ...],
        method: bool,
        takes_out: bool = True,
    ):
        params = signature.params
        self.call = call
        self.notice = ""
        self.self_at = next((i for i, p in enumerate(params) if p.name == "self"), 0)
        arguments = [
            Argument(p, "input" if p.name == "self" and p.type != "Scalar" else p.name, p.name in numbers)
            for i, p in enumerate(params)
            if not method or i != self.self_at
        ]
        self.names = [a.name for a in arguments]
        self.own_out = self.names.index("out") if "out" in self.names else None
        out = "" if method or not takes_out or "out" in self.names else out_argument.kind(signature.name)
        self.out_at: int | None = None
        if out:
            # PyTorch has it before the keywords that all factories share
            self.out_at = self.names.index("dtype") if "layout" in self.names else len(arguments)
            arguments.insert(self.out_at, Argument(_OUTS if out == "several" else _ONE_OUT, "out", False))
        self.arguments = arguments
        positional = [a for a in arguments if not a.keyword_only]
        self.max_positional = len(positional)
        self.max_args = len(arguments)
        self.min_args = sum(a.default is REQUIRED for a in arguments)
        self.varargs = len(positional) == 1 and positional[0].type in ("int[]", "SymInt[]")

    def parse(self, function: str, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        """Values in order. Raises Mismatch with the reason when the arguments do not fit."""
        if len(args) > self.max_positional and not self.varargs:
            raise Mismatch(self._too_many(function, len(args)))
        values: list[Any] = []
        taken: list[int] = []
        at, used = 0, 0
        for i, a in enumerate(self.arguments):
            named = at >= len(args)
            if not named and a.keyword_only:
                raise Mismatch(self._too_many(function, len(args)))
            key = next((k for k in (a.name, *_NUMPY_NAMES.get(a.name, ())) if k in kwargs), None) if named else None
            if named and key is None:
                if a.default is REQUIRED:
                    raise Mismatch(self._missing(function, i))
                values.append(a.value_when_absent())
                continue
            given = args[at] if key is None else kwargs[key]
            if given is None and a.takes_none:
                values.append(a.none)
            elif a.check(given, i):
                taken.append(i)
                values.append(given)
            elif self.varargs and at == 0 and not named and self.arguments[0].check(args):
                taken.append(i)
                values.append(tuple(args))
                at = len(args)
                continue
            elif not named and len(args) > self.max_positional:
                raise Mismatch(self._too_many(function, len(args)))
            else:
                where = "" if named else f" (position {at + 1})"
                wrong = "" if named else a.wrong_element(given)
                raise Mismatch(
                    f"{function}(): argument '{a.name}'{where} must be {a.display}"
                    + (wrong or f", not {type_name(given)}")
                )
            used += named
            at += not named
        if at < len(args):
            raise Mismatch(self._too_many(function, len(args)))
        if used < len(kwargs):
            raise Mismatch(self._unexpected(function, len(args), kwargs))
        for i in taken:  # what lists hold is looked at last
            values[i] = self.arguments[i].convert(values[i], i, function)
        return values

    def _too_many(self, function: str, given: int) -> str:
        least, most = self.min_args, self.max_positional
        if least != most:
            return f"{function}() takes from {least} to {most} positional arguments but {given} were given"
        return (
            f"{function}() takes {most} positional argument{'' if most == 1 else 's'} but {given} "
            f"{'was' if given == 1 else 'were'} given"
        )

    def _missing(self, function: str, start: int) -> str:
        names = [f'"{a.name}"' for a in self.arguments[start:] if a.default is REQUIRED]
        plural = "s" if len(names) == 1 else ""  # as PyTorch has it, the wrong way round
        return f"{function}() missing {len(names)} required positional argument{plural}: {', '.join(names)}"

    def _unexpected(self, function: str, given: int, kwargs: dict[str, Any]) -> str:
        names = [a.name for a in self.arguments]
        for key in kwargs:
            if key not in names:
                return f"{function}() got an unexpected keyword argument '{key}'"
            if names.index(key) < given:
                return f"{function}() got multiple values for argument '{key}'"
        return "invalid keyword arguments"

    def parts(self) -> list[str]:
        """The signature listing, split at its commas."""
        shown = list(self.arguments)
        if "layout" in self.names and "memory_format" in self.names:  # what factories share comes last
            moved = shown.pop(self.names.index("memory_format"))
            shown.insert(self.names.index("dtype"), moved)
        out = []
        star = False
        for a in shown:
            if a.keyword_only and not star:
                out.append("*")
                star = True
            out.append(a.described())
        return out

    def described(self) -> str:
        """The signature listing: "(Tensor input, *, torch.dtype dtype = None)"."""
        return "(" + ", ".join(self.parts()) + ")"


def resolve(
    function: str, overloads: Sequence[Overload], args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[Overload, list[Any]]:
    """The first overload that takes the arguments, with its values. Raises TypeError as PyTorch words it."""
    if len(overloads) == 1:
        try:
            return overloads[0], overloads[0].parse(function, args, kwargs)
        except Mismatch as e:
            raise TypeError(str(e)) from None
    for o in overloads:
        try:
            values = o.parse(function, args, kwargs)
        except Mismatch:
            continue
        if o.notice:
            warn_once(o.notice, key=ONLY_ONCE)
        return o, values
    overloads = [o for o in overloads if not o.notice]
    count = len(args) + len(kwargs)
    plausible = [o for o in overloads if o.min_args <= count <= o.max_args]
    if len(plausible) == 1:
        try:
            plausible[0].parse(function, args, kwargs)
        except Mismatch as e:
            raise TypeError(str(e)) from None
    raise TypeError(_no_overload(function, overloads, args, kwargs))


def _no_overload(function: str, overloads: Sequence[Overload], args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    kwargs = {name: kwargs[name] for name in in_table(kwargs)}
    text = f"{function}() received an invalid combination of arguments - got "
    got = ", ".join([*map(type_name, args), *(f"{k}={type_name(v)}" for k, v in kwargs.items())])
    if kwargs and not args:
        got += ", "
    if len(overloads) == 1:
        parts = overloads[0].parts() or [""]
        unknown = _unknown(parts, kwargs)
        if unknown:
            return f"{text.removesuffix('got ')}got unrecognized keyword arguments: {', '.join(unknown)}"
        shown = _marked(parts, args, kwargs) if len(parts) == len(args) + len(kwargs) else f"({got})"
        return f"{text}{shown}, but expected {overloads[0].described()}"
    lines = []
    for o in overloads:
        lines.append(f" * {o.described()}\n")
        parts = o.parts() or [""]  # as PyTorch splits an empty listing
        if len(parts) != len(args) + len(kwargs):
            continue
        unknown = _unknown(parts, kwargs)
        if unknown:
            lines.append(f"      didn't match because some of the keywords were incorrect: {', '.join(unknown)}\n")
        else:
            marks = _marked(parts, args, kwargs)
            lines.append(f"      didn't match because some of the arguments have invalid types: {marks}\n")
    return f"{text}({got}), but expected one of:\n" + "".join(lines)


def _unknown(parts: Sequence[str], kwargs: dict[str, Any]) -> list[str]:
    """The keywords that none of as many last words of a listing are; one with a default is none."""
    last = [p.rsplit(" ", 1)[-1] for p in parts[max(len(parts) - len(kwargs), 0) :]]
    return [k for k in kwargs if k not in last]


def _marked(parts: Sequence[str], args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    """The types of the arguments, with marks at those that a signature listing does not name literally.

    The parameters are read from the listing's text, as PyTorch does: one with a default matches nothing.
    """
    marks = []
    for i, v in enumerate([*args, *kwargs.values()]):
        type_, _, name = parts[i].rpartition(" ") if i < len(parts) else ("", "", "")
        if i >= len(args):
            v = kwargs.get(name, v)
        fits = type_name(v) in {"float": ("float", "int")}.get(type_, (type_,))
        shown = f"{name}=" * (i >= len(args)) + _with_elements(v)
        marks.append(shown if fits else f"!{shown}!")
    return "(" + ", ".join(marks) + ("" if args or not kwargs else ", ") + ")"


def _with_elements(v: Any) -> str:
    """A type, for a list or tuple with those of its elements: "list of [int, str]"."""
    if not isinstance(v, list | tuple):
        return type_name(v)
    inner = ", ".join(map(type_name, v))
    if isinstance(v, list):
        return f"{type_name(v)} of [{inner}]"
    return f"{type_name(v)} of ({inner}{',' if len(v) == 1 else ''})"
