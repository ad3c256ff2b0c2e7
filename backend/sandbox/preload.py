"""Loads into the zygote all that a program may need: a locked child can open no file, so it can import nothing new."""

import importlib
import sys
import traceback
import warnings


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


def load() -> None:
    """Import everything, and walk once through the paths of success and failure."""
    for part in NUMPY_PARTS:
        importlib.import_module(f"numpy.{part}")
    for name in LOADED_LATE + FOR_PROGRAMS:
        importlib.import_module(name)
    _walk_error_paths()


def forget_where_modules_are() -> None:
    """From here on an unknown module is not looked for on disk, where its absence would be told by a refusal."""
    sys.path.clear()
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()


def _walk_error_paths() -> None:
    """Formatting an error imports and caches; here rather than in every child."""
    for program in ("1 / 0", "x = (", "undefined_name", "[].appendd"):
        try:
            exec(compile(program, "<warm-up>", "exec"), {})
        except (ArithmeticError, AttributeError, NameError, SyntaxError) as error:
            traceback.format_exception(error)
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        warnings.warn("warm-up", UserWarning, stacklevel=1)
