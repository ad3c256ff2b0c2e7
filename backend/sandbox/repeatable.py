"""Whether a program would do the same again, as far as its text and what came out tell. In doubt it would not.

A program starts from its seed, with no files, no network and a fixed order of texts in sets. What is left to make two
of its runs differ: clocks, the system's source of random numbers, memory nobody has written to, and addresses, which
`id`, `hash`, the order of a set of objects and the default text of an object go by. It is judged by words, those in
comments and texts too, as a stranger's program is not to be parsed in this process. Who hides such a word gains an old
answer of that very program, and nobody else asks for it.
"""

import re
import unicodedata


def _any_of(text: str) -> str:
    return rf"(?:{'|'.join(text.split())})"


# What may be imported: nothing of it knows a clock, an address or another source of random numbers but by a word below.
_MODULE = (
    _any_of(
        "torch numpy math cmath random __future__ abc array bisect collections contextlib copy csv dataclasses decimal "
        "difflib enum fractions functools heapq itertools json keyword numbers operator re statistics string struct "
        "textwrap types typing unicodedata warnings"
    )
    + r"(?:\.\w+)*(?: +as +\w+)?"
)
_FAIR_IMPORT = re.compile(
    rf"[ \t]*(?:import +{_MODULE}(?: *, *{_MODULE})*[ \t]*(?:#.*)?|from +{_MODULE} +import\b[^;]*)"
)
_IMPORT = re.compile(r"^[^#]*\bimport\b")
_OTHER_SOURCES = re.compile(
    r"\b"
    + _any_of(
        "__import__ __builtins__ __loader__ __spec__ __hash__ modules ctypes SystemRandom urandom entropy datetime64 "
        "empty empty_like empty_strided empty_permuted new_empty new_empty_strided resize_ resize_as_ ndarray "
        "data_ptr storage untyped_storage __array_interface__ profile profiler benchmark Event"
    )
    + r"\b"
)
# As an attribute the word is something else's, as in `model.eval()`.
_BUILTINS = re.compile(
    r"(?<![.\w])"
    + _any_of("id hash set frozenset exec eval compile open breakpoint memoryview")
    + r"\s*(?:[(,)\]:]|$)",
    re.MULTILINE,
)
# Without an argument, or with None, they ask the system.
_GENERATORS = _any_of(
    "seed(?=\\s*\\() default_rng RandomState SeedSequence Random PCG64 PCG64DXSM MT19937 Philox SFC64"
)
_UNSEEDED = re.compile(rf"(?:\.\s*seed\b|\b{_GENERATORS}\b)(?!\s*\(\s*(?!None\b)[\w\[])")
# Nothing is tried again once it has matched: a stranger's text must not make this take longer than its length.
_SET_OF_OBJECTS = re.compile(r"\{\s*+[^\W\d][\w.]*+(?:\s*+,\s*+[^\W\d][\w.]*+)++\s*+,?\s*+\}|\{[^{}:]*\bfor\b")
_DOUBTS = (_OTHER_SOURCES, _BUILTINS, _UNSEEDED, _SET_OF_OBJECTS)
_ADDRESS = re.compile(rb"\b0x[0-9a-f]{8,}")


def is_repeatable(code: str) -> bool:
    """Whether nothing in the text of a program speaks against it."""
    if not code.isascii():
        code = unicodedata.normalize("NFKC", code)  # as Python reads names
    imports = [line for line in code.splitlines() if "import" in line and _IMPORT.match(line)]
    if imports and ("\\\n" in code or not all(_FAIR_IMPORT.fullmatch(line) for line in imports)):
        return False
    return not any(doubt.search(code) for doubt in _DOUBTS)


def shows_an_address(answer: bytes) -> bool:
    """Whether a trace holds what looks like one."""
    return _ADDRESS.search(answer) is not None
