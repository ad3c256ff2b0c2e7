"""How calls find their operator: PyTorch's argument parser, with its messages.

A builtin such as `torch.sum` has several signatures; the first that accepts the arguments is run. What happens when
none does is worded as PyTorch words it, here, for every operator: https://pytorch.org/docs/stable/notes/extending.func.html
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from engine import out_argument
from engine.device import device
from engine.dtypes import bool_, dtype, float64, int64
from engine.out_argument import into
from engine.random import Generator
from engine.shortcuts import Shortcut, follow, key_of, learn
from engine.signature import REQUIRED, Param, Signature
from engine.tensor import TensorBase

_NUMPY_NAMES = {"dim": "axis", "keepdim": "keepdims", "input": "x", "other": "x2"}
_DISPLAY = {
    "Tensor": "Tensor", "Scalar": "Number", "int": "int", "SymInt": "int", "float": "float", "bool": "bool",
    "str": "str",
    "ScalarType": "torch.dtype", "Layout": "torch.layout", "Device": "torch.device",
    "MemoryFormat": "torch.memory_format",
    "Generator": "torch.Generator", "any": "object",
}  # fmt: skip
_PYTHON_DTYPES = {float: float64, int: int64, bool: bool_}


def type_name(obj: Any) -> str:
    """A value's type as messages have it: "int", "Tensor", "numpy.ndarray"."""
    t = type(obj)
    if t.__module__ == "numpy" and not t.__flags__ & (1 << 9):
        return f"numpy.{t.__name__}"
    return t.__name__


def _is_int(v: Any) -> bool:
    if isinstance(v, bool):
        return False
    if isinstance(v, int | np.integer):
        return True
    return isinstance(v, TensorBase) and v._a.ndim == 0 and v._a.dtype.kind in "iu"


def _is_float(v: Any) -> bool:
    return isinstance(v, float | int | np.floating | np.integer) or (
        isinstance(v, TensorBase) and v._a.size == 1 and v._a.ndim == 0 and not v.requires_grad
    )


def _is_number(v: Any) -> bool:
    if isinstance(v, int | float | complex | np.number | np.bool_):
        return True
    return isinstance(v, TensorBase) and v._a.ndim == 0 and not v.requires_grad


def _int(v: Any) -> int:
    return int(v._a) if isinstance(v, TensorBase) else int(v)


def number(v: Any) -> Any:
    """A plain Python number from a number, numpy scalar or 0-dim tensor."""
    if isinstance(v, TensorBase):
        return v._a.item()
    return v.item() if isinstance(v, np.generic) else v


class Argument:
    """One parameter as Python sees it."""

    __slots__ = ("name", "type", "optional", "default", "keyword_only", "number_ok", "size", "display", "listed")

    def __init__(self, p: Param, name: str, number_ok: bool):
        self.name = name
        self.type = p.type
        self.optional = p.optional
        self.default = p.default
        self.keyword_only = p.keyword_only
        self.number_ok = number_ok
        self.listed = p.type.endswith("]")
        inner = p.type[: p.type.index("[")] if self.listed else ""
        self.size = int(p.type[p.type.index("[") + 1 : -1] or 0) if self.listed else 0
        if self.listed:
            kind = {
                "int": "ints",
                "SymInt": "ints",
                "float": "floats",
                "Tensor": "Tensors",
                "Scalar": "Numbers",
                "bool": "bools",
            }[inner]
            self.display = f"tuple of {kind}"
            self.type = inner + "[]"
        else:
            self.display = _DISPLAY[p.type]

    def check(self, v: Any) -> bool:
        """Whether a value is of the parameter's type."""
        t = self.type
        if t == "Tensor":
            return isinstance(v, TensorBase) or (self.number_ok and _is_number(v))
        if t in ("int[]", "SymInt[]"):
            if isinstance(v, list | tuple):
                return (
                    not v
                    or _is_int(v[0])
                    or (isinstance(v[0], TensorBase) and v[0]._a.size == 1 and v[0]._a.dtype.kind in "iu")
                )
            return self.size > 0 and _is_int(v)
        if t in ("int", "SymInt"):
            return _is_int(v)
        if t == "bool":
            return isinstance(v, bool | np.bool_)
        if t == "Scalar":
            return _is_number(v)
        if t == "float":
            return _is_float(v)
        if t == "ScalarType":
            return isinstance(v, dtype) or v in (float, int, bool)
        if t == "Tensor[]":
            return isinstance(v, list | tuple) and all(isinstance(x, TensorBase) or (x is None) for x in v)
        if t == "str":
            return isinstance(v, str)
        if t == "Generator":
            return isinstance(v, Generator)
        if t == "Device":
            return isinstance(v, device | str | int)
        if t == "float[]":
            return (isinstance(v, list | tuple) and all(_is_float(x) for x in v)) or (self.size > 0 and _is_float(v))
        if t == "Scalar[]":
            return isinstance(v, list | tuple) and all(_is_number(x) for x in v)
        if t == "bool[]":
            return isinstance(v, list | tuple) and all(isinstance(x, bool) for x in v)
        return True

    def convert(self, v: Any, position: int, function: str) -> Any:
        """The value as the operator takes it. Raises TypeError for a list with a wrong element."""
        t = self.type
        if t == "Tensor":
            return v if isinstance(v, TensorBase) else number(v)
        if t in ("int[]", "SymInt[]"):
            if isinstance(v, list | tuple):
                return tuple(self._element(x, i, function) for i, x in enumerate(v))
            return (_int(v),) * self.size
        if t in ("int", "SymInt"):
            return _int(v)
        if t == "Scalar":
            return number(v)
        if t == "float":
            return float(number(v))
        if t == "bool":
            return bool(v)
        if t == "ScalarType":
            return v if isinstance(v, dtype) else _PYTHON_DTYPES[v]
        if t == "Tensor[]":
            return list(v)
        if t == "Device":
            return v if isinstance(v, device) else device(v)
        if t == "float[]":
            return (
                tuple(float(number(x)) for x in v) if isinstance(v, list | tuple) else (float(number(v)),) * self.size
            )
        return v

    def _element(self, x: Any, i: int, function: str) -> int:
        if _is_int(x) or (isinstance(x, TensorBase) and x._a.size == 1 and x._a.dtype.kind in "iu"):
            return _int(x)
        raise TypeError(
            f"{function}(): argument '{self.name}' failed to unpack the object at pos {i + 1} with error "
            f'"type must be tuple of ints,but got {type_name(x)}"'
        )

    def described(self) -> str:
        """The parameter as a signature listing has it: "bool keepdim = False"."""
        text = f"{self.display} {self.name}"
        if self.default is REQUIRED:
            return text
        d = self.default
        if self.listed and d is not None and not isinstance(d, tuple):
            d = (d,)
        return f"{text} = {d}"


class Mismatch(Exception):
    """The arguments do not fit a signature; the message is PyTorch's."""


class Overload:
    """One signature of a builtin, and what to call with the values."""

    __slots__ = ("arguments", "call", "max_positional", "min_args", "max_args", "out", "varargs")

    def __init__(self, signature: Signature, call: Callable[[list[Any]], Any], numbers: tuple[str, ...], method: bool):
        params = signature.params
        self.call = call
        self.arguments = [
            Argument(p, "input" if p.name == "self" and p.type != "Scalar" else p.name, p.name in numbers)
            for p in (params[1:] if method else params)
        ]
        positional = [a for a in self.arguments if not a.keyword_only]
        self.max_positional = len(positional)
        self.out = "" if method else out_argument.described(signature.name)
        self.max_args = len(self.arguments) + bool(self.out)
        self.min_args = sum(a.default is REQUIRED for a in self.arguments)
        self.varargs = len(positional) == 1 and positional[0].type in ("int[]", "SymInt[]")

    def parse(self, function: str, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        """Values in order. Raises Mismatch with the reason when the arguments do not fit."""
        if len(args) > self.max_positional and not self.varargs:
            n = self.max_positional
            raise Mismatch(
                f"{function}() takes {n} positional argument{'s' if n != 1 else ''} but {len(args)} "
                f"{'was' if len(args) == 1 else 'were'} given"
            )
        values: list[Any] = []
        at, used = 0, 0
        for i, a in enumerate(self.arguments):
            named = False
            if at < len(args) and not a.keyword_only:
                given = args[at]
                found = True
            else:
                if at < len(args):
                    n = self.max_positional
                    raise Mismatch(
                        f"{function}() takes {n} positional argument{'s' if n != 1 else ''} but {len(args)} were given"
                    )
                key = a.name if a.name in kwargs else _NUMPY_NAMES.get(a.name, a.name)
                found = named = key in kwargs
                given = kwargs.get(key)
            if not found:
                if a.default is REQUIRED:
                    raise Mismatch(self._missing(function, i, kwargs))
                values.append(
                    a.default
                    if not (a.listed and isinstance(a.default, int) and not isinstance(a.default, bool))
                    else (a.default,) * (a.size or 1)
                )
                continue
            if given is None and (a.optional or a.default is None):
                values.append(None)
            elif a.check(given):
                values.append(a.convert(given, i, function))
            elif self.varargs and at == 0 and not named and _is_int(given):
                values.append(tuple(a._element(x, j, function) for j, x in enumerate(args)))
                at = len(args)
                continue
            else:
                where = "" if named else f" (position {at + 1})"
                raise Mismatch(f"{function}(): argument '{a.name}'{where} must be {a.display}, not {type_name(given)}")
            if named:
                used += 1
            else:
                at += 1
        if at < len(args):
            n = self.max_positional
            raise Mismatch(
                f"{function}() takes {n} positional argument{'s' if n != 1 else ''} but {len(args)} "
                f"{'was' if len(args) == 1 else 'were'} given"
            )
        if used < len(kwargs):
            raise Mismatch(self._unexpected(function, args, kwargs))
        return values

    def _missing(self, function: str, start: int, kwargs: dict[str, Any]) -> str:
        names = [
            f'"{a.name}"'
            for a in self.arguments[start:]
            if a.default is REQUIRED and a.name not in kwargs and not a.keyword_only
        ]
        names = names or [f'"{self.arguments[start].name}"']
        plural = "s" if len(names) == 1 else ""  # as PyTorch has it, the wrong way round
        return f"{function}() missing {len(names)} required positional argument{plural}: {', '.join(names)}"

    def _unexpected(self, function: str, args: Sequence[Any], kwargs: dict[str, Any]) -> str:
        names = [a.name for a in self.arguments]
        for key in kwargs:
            if key not in names and key not in _NUMPY_NAMES.values():
                return f"{function}() got an unexpected keyword argument '{key}'"
        for i, n in enumerate(names):
            if n in kwargs and i < len(args):
                return f"{function}() got multiple values for argument '{n}'"
        return f"{function}() got an unexpected keyword argument"

    def parts(self) -> list[str]:
        """The signature listing, split at its commas."""
        out = []
        star = False
        for a in self.arguments:
            if a.keyword_only and not star:
                out.append("*")
                star = True
            out.append(a.described())
        if self.out:
            out += [self.out] if star else ["*", self.out]
        return out

    def described(self) -> str:
        """The signature listing: "(Tensor input, *, torch.dtype dtype = None)"."""
        return "(" + ", ".join(self.parts()) + ")"


# PyTorch still parses old signatures of these, unlisted, and so words their errors as those of several overloads.
_ONCE_MORE = frozenset(
    ["add", "add_", "sub", "sub_", "addbmm", "addcdiv", "addcmul", "addmm", "addmv", "addr", "baddbmm"]
)


def resolve(
    function: str, overloads: Sequence[Overload], args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[Overload, list[Any]]:
    """The first overload that takes the arguments, with its values. Raises TypeError as PyTorch words it."""
    if len(overloads) == 1 and function not in _ONCE_MORE:
        try:
            return overloads[0], overloads[0].parse(function, args, kwargs)
        except Mismatch as e:
            raise TypeError(str(e)) from None
    for o in overloads:
        try:
            return o, o.parse(function, args, kwargs)
        except Mismatch:
            continue
    count = len(args) + len(kwargs)
    plausible = [o for o in overloads if o.min_args <= count <= o.max_args]
    if len(plausible) == 1:
        try:
            plausible[0].parse(function, args, kwargs)
        except Mismatch as e:
            raise TypeError(str(e)) from None
    raise TypeError(_no_overload(function, overloads, args, kwargs))


def _no_overload(function: str, overloads: Sequence[Overload], args: Sequence[Any], kwargs: dict[str, Any]) -> str:
    got = ", ".join([*map(type_name, args), *(f"{k}={type_name(v)}" for k, v in kwargs.items())])
    if kwargs and not args:
        got += ", "
    text = f"{function}() received an invalid combination of arguments - got ({got}), but expected "
    if len(overloads) == 1:
        return text + overloads[0].described()
    lines = []
    for o in overloads:
        lines.append(f" * {o.described()}\n")
        parts = o.parts()
        if len(parts) != len(args) + len(kwargs):
            continue
        unknown = [k for k in kwargs if k not in [a.name for a in o.arguments]]
        if unknown:
            lines.append(f"      didn't match because some of the keywords were incorrect: {', '.join(unknown)}\n")
        else:
            marks = []
            for a, v in zip(o.arguments, args, strict=False):
                marks.append(type_name(v) if a.check(v) else f"!{type_name(v)}!")
            named = {a.name: a for a in o.arguments}
            for k, v in kwargs.items():
                marks.append(f"{k}={type_name(v)}" if named[k].check(v) else f"!{k}={type_name(v)}!")
            lines.append(f"      didn't match because some of the arguments have invalid types: ({', '.join(marks)})\n")
    return text + "one of:\n" + "".join(lines)


def builtin(name: str, overloads: Sequence[Overload], method: bool, doc: str) -> Callable[..., Any]:
    """A callable that resolves its arguments and runs the overload; calls of the same types skip the search."""
    known: dict[tuple[Any, ...], Shortcut] = {}

    def search(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if method:
            if not args:
                raise TypeError(f"unbound method TensorBase.{name}() needs an argument")
            target, rest = args[:1], args[1:]
        else:
            target, rest = (), args
        named = dict(kwargs)
        out = named.pop("out", None) if not method else None
        overload, values = resolve(name, overloads, rest, named)
        values = [*target, *values]
        if out is None and "out" not in kwargs:
            names = [a.name for a in overload.arguments]
            shortcut = learn(
                args, kwargs, ["self", *names] if method else names, overload.varargs, overload.call, values
            )
            if shortcut is not None:
                known[key_of(args, kwargs)] = shortcut
        result = overload.call(values)
        return result if out is None else into(name, out, result)

    def call(*args: Any, **kwargs: Any) -> Any:
        shortcut = known.get(key_of(args, kwargs))
        if shortcut is not None:
            values = follow(shortcut, args, kwargs)
            if values is not None:
                return shortcut[0](values)
        return search(args, kwargs)

    call.__name__ = name
    call.__qualname__ = f"Tensor.{name}" if method else name
    call.__module__ = "torch"
    call.__doc__ = doc
    return call
