"""Signatures of operators in PyTorch's own notation, parsed once: `mul.Tensor(Tensor self, Tensor other) -> Tensor`.

The notation is ATen's: https://github.com/pytorch/pytorch/tree/main/aten/src/ATen/native#func
A signature says what an operator accepts; the argument parser, the error texts and the catalogue read it.
"""

import ast
import re
from dataclasses import dataclass

REQUIRED = object()
_HEAD = re.compile(r"^(?P<name>\w+)(?:\.(?P<overload>\w+))?\((?P<params>.*?)\)(?: -> (?P<returns>.*))?$", re.S)
_PARAM = re.compile(r"^(?P<type>[A-Za-z]+\??(?:\[\d*\])?\??)\s+(?P<name>\w+)(?:\s*=\s*(?P<default>.+))?$")


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter: `type` is ATen's ("Tensor", "int[1]", "Scalar", "ScalarType?"), without the question mark."""

    name: str
    type: str
    optional: bool
    default: object
    keyword_only: bool

    @property
    def required(self) -> bool:
        """Whether a call must give it."""
        return self.default is REQUIRED


@dataclass(frozen=True, slots=True)
class Signature:
    """`base` is the name a program calls ("add"), `overload` tells its variants apart ("Tensor")."""

    base: str
    overload: str
    params: tuple[Param, ...]
    returns: int
    returns_list: bool = False

    @property
    def name(self) -> str:
        """The full name, "add.Tensor"."""
        return f"{self.base}.{self.overload}" if self.overload else self.base

    def index(self, name: str) -> int:
        """Position of a parameter. Raises KeyError for an unknown name."""
        for i, p in enumerate(self.params):
            if p.name == name:
                return i
        raise KeyError(name)


def parse(text: str) -> Signature:
    """Parse one signature. Raises ValueError with the part that is not understood."""
    m = _HEAD.match(text)
    if not m:
        raise ValueError(f"not a signature: {text}")
    params, keyword_only = [], False
    for part in _split(m["params"]):
        if part == "*":
            keyword_only = True
            continue
        p = _PARAM.match(part)
        if not p:
            raise ValueError(f"not a parameter: {part!r} in {text}")
        type_ = p["type"]
        # The tensors of a Tensor[] may be absent, one by one, where the forward allows it.
        optional, type_ = type_.endswith("?"), type_.rstrip("?").replace("?[", "[")
        default = REQUIRED if p["default"] is None else _default(p["default"])
        params.append(Param(p["name"], type_, optional, default, keyword_only))
    returns = m["returns"] or "()"
    count = len(_split(returns[1:-1])) if returns.startswith("(") else 1
    return Signature(m["name"], m["overload"] or "", tuple(params), count, returns.endswith("[]"))


def _split(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "[(") - (c in "])")
        if c == "," and not depth:
            parts.append(text[start:i].strip())
            start = i + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def _default(text: str) -> object:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text  # a word that names something: Mean, contiguous_format
    return tuple(value) if isinstance(value, list) else value
