"""Loads into the zygote all that a program may need: a locked child can open no file, so it can import nothing new."""

import importlib
import sys

from engine.trace import trace_program


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
# Success, and each kind of failure. The recorder starts every run from the same state, so these leave no mark.
WARM_UPS = (
    "import torch\nx = torch.ones(2, requires_grad=True)\n(x * x + 1).sum().backward()\nprint(x.grad)",
    "import torch\ntorch.ones(2, requires_grad=True).backward()",
    "import warnings\nwarnings.warn('once')\n1 / 0",
    "[].appendd",
    "undefined_name",
    "x = (",
)


def load() -> None:
    """Import everything, and run once through success and failure."""
    for part in NUMPY_PARTS:
        importlib.import_module(f"numpy.{part}")
    for name in LOADED_LATE + FOR_PROGRAMS + LIBRARIES:
        importlib.import_module(name)
    for program in WARM_UPS:
        trace_program(program, 0)


def forget_where_modules_are() -> None:
    """From here on an unknown module is not looked for on disk, where its absence would be told by a refusal."""
    sys.path.clear()
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()


def run_once() -> None:
    """Run the first of the warm-ups."""
    trace_program(WARM_UPS[0], 0)
