"""Loads into the zygote all that a program may need: a locked child can open no file, so it can import nothing new."""

import functools
import importlib
import sys
from typing import Any

from backend import example_files
from backend.sandbox import frames
from backend.sandbox.serve import encode, run
from backend.settings import Limits
from engine.trace import Options


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# What numpy and the standard library load only when first used, and what teaching programs import.
NUMPY_PARTS = _words("random fft ma polynomial char strings rec testing ctypeslib linalg lib.stride_tricks exceptions")
LOADED_LATE = _words(
    "encodings.cp437 encodings.latin_1 encodings.ascii encodings.idna encodings.utf_16 encodings.utf_32 encodings.gbk "
    "encodings.gb18030 encodings.cp1252 encodings.unicode_escape unicodedata _strptime mmap linecache tokenize"
)
FOR_PROGRAMS = _words(
    "__future__ abc argparse array ast base64 bisect builtins calendar cmath collections collections.abc colorsys "
    "contextlib contextvars copy csv ctypes dataclasses datetime decimal difflib dis enum errno fractions functools gc "
    "graphlib hashlib heapq html inspect io itertools json keyword locale logging math numbers operator os pathlib "
    "pickle platform pprint queue random re reprlib secrets shutil signal socket statistics string struct subprocess "
    "sys tempfile textwrap threading time timeit traceback types typing unicodedata unittest unittest.mock uuid "
    "warnings weakref zlib"
)
LIBRARIES = ("ml_dtypes",)  # what the engine loads when a program first makes a bfloat16 tensor
# Failures that no example shows.
FAILURES = ("import warnings\nwarnings.warn('once')\n1 / 0", "[].appendd", "undefined_name", "x = (")
# A model, an optimizer, a loop, printed text, matrix products, random numbers: after them, nine of ten programs that a
# child runs write to fewer than 200 pages more. A third one would save a quarter of those.
TYPICAL = ("regression-module", "attention")


def load(limits: Limits) -> None:
    """Import everything, and run what teaching programs look like: CPython makes code faster that has run before.

    The recorder starts every run from the same state, so these leave no mark.
    """
    for part in NUMPY_PARTS:
        importlib.import_module(f"numpy.{part}")
    for name in LOADED_LATE + FOR_PROGRAMS + LIBRARIES:
        importlib.import_module(name)
    for program in (*map(example_files.code, example_files.names()), *FAILURES):
        _run(program, limits)
    _typical()  # its text is read while files can be opened


def forget_where_modules_are() -> None:
    """From here on an unknown module is not looked for on disk, where its absence would be told by a refusal."""
    sys.path.clear()
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()


def run_typical(limits: Limits) -> None:
    """Run a few programs, for what running leaves in memory; each is read from a request, as all are."""
    for request in _typical():
        program, seed, options = frames.unpack_request(request)
        _run(program, limits, seed, options)


@functools.cache
def _typical() -> list[bytes]:
    return [frames.pack_request(example_files.code(name), 0, {}).removeprefix(frames.RUN) for name in TYPICAL]


def _run(program: str, limits: Limits, seed: int = 0, options: dict[str, Any] | None = None) -> None:
    encode(run(program, seed, Options.from_plain(options or {}), limits, lambda _text: None), limits)
