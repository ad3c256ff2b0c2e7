"""The program that a command was given."""

import sys
from pathlib import Path

from backend.sandbox.verdict import size_in_words
from backend.settings import Limits


def read_source(file: str, limits: Limits) -> str:
    """The text of a file, or of standard input for "-". Raises OSError, ValueError."""
    data = sys.stdin.buffer.read(limits.code_bytes + 1) if file == "-" else Path(file).read_bytes()
    if len(data) > limits.code_bytes:
        raise ValueError(f"{file} is longer than {size_in_words(limits.code_bytes)}.")
    return data.decode("utf-8")
