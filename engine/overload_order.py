"""In which order a function's overloads are tried and listed: PyTorch's, which its messages show.

By the text of the signatures first, then so that an overload comes before those that take less than it: one for a
tensor before the same one for a number, one for a single int before the same one for a list.
"""

import re
from collections.abc import Sequence

from engine.signature import REQUIRED, Param, Signature

_WORDS = {
    "int": "int64_t", "SymInt": "SymInt", "float": "double", "str": "std::string", "int[]": "IntArrayRef",
    "Tensor[]": "TensorList",
}  # fmt: skip
_LESS = {
    ("Scalar", "Tensor"),
    ("Scalar?", "Tensor?"),
    ("int[]", "int"),
    ("int[]", "int?"),
    ("SymInt[]", "int[]"),
    ("int", "Tensor"),
    ("SymInt", "Tensor"),
}


def in_pytorch_order(signatures: Sequence[Signature]) -> list[int]:
    """Positions of the overloads in the order PyTorch gives them."""
    by_text = sorted(range(len(signatures)), key=lambda i: text(signatures[i]))
    larger = {i: {j for j in by_text if _smaller(signatures[i], signatures[j])} for i in by_text}
    order = [i for i in by_text if not larger[i]]
    for i in order:  # grows while it is walked: whatever only waited for `i` follows
        for j in by_text:
            if i in larger[j]:
                larger[j].discard(i)
                if not larger[j]:
                    order.append(j)
    return order


def text(signature: Signature) -> str:
    """A signature as PyTorch's argument parser spells it."""
    parts, keyword_only = [], False
    for p in signature.params:
        if p.keyword_only and not keyword_only:
            parts.append("*")
            keyword_only = True
        type_ = _bare(p)
        name = "input" if p.name == "self" and p.type == "Tensor" else p.name
        default = "" if p.default is REQUIRED else f"={p.default}"
        length = p.type[len(type_) - 1 : -1] if type_ != p.type else ""
        word = f"{_WORDS.get(type_, type_)}[{length}]" if length else _WORDS.get(type_, type_)
        parts.append(f"{word}{'?' if p.optional else ''} {name}{default}")
    return f"{signature.base}({', '.join(parts)})"


def _bare(p: Param) -> str:
    """A parameter's type without the length of a list."""
    return re.sub(r"\[\d+\]", "[]", p.type)


def _smaller(a: Signature, b: Signature) -> bool:
    """Whether `a` takes less than `b`, parameter by parameter."""
    if len(a.params) != len(b.params):
        return False
    less = False
    for p, q in zip(a.params, b.params, strict=True):
        s, t = _bare(p) + "?" * p.optional, _bare(q) + "?" * q.optional
        if s == t:
            continue
        if (s, t) in _LESS or (s == "Tensor[]" and "[]" in t):
            less = True
        else:
            return False
    return less
