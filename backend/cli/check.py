"""`python -m backend check FILE`: say which of torch's names a program uses are there, without running it."""

import argparse
import sys
from collections.abc import Sequence

from backend.cli.source import read_source
from backend.inspection.names import NameUse, check
from backend.sandbox.verdict import visible
from backend.settings import Settings, SettingsError

_WORDS = {
    "supported": "supported",
    "not_yet": "PyTorch has it, the playground does not yet",
    "unknown": "not known to the playground as a name of PyTorch",
}


def main(arguments: Sequence[str]) -> int:
    """0 when every name is supported, 1 when one is not, 2 when the file cannot be read as a program."""
    parser = argparse.ArgumentParser(prog="python -m backend check", description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("file", help="the program; - reads standard input")
    asked = parser.parse_args(arguments)
    try:
        uses = check(read_source(asked.file, Settings.from_environment().limits))
    except SyntaxError as error:
        print(f"check: line {error.lineno}: {error.msg}", file=sys.stderr)
        return 2
    except (OSError, ValueError, RecursionError, SettingsError) as error:
        print(f"check: {error}", file=sys.stderr)
        return 2
    for use in uses:
        print(visible(_line(use)))
    supported = sum(use.verdict == "supported" for use in uses)
    print(f"{supported} of {len(uses)} names are supported.")
    return 0 if supported == len(uses) else 1


def _line(use: NameUse) -> str:
    lines = ", ".join(map(str, use.lines[:5])) + (", …" if len(use.lines) > 5 else "")
    torch = use.name == "torch" or use.name.startswith("torch.")
    said = _WORDS[use.verdict] if torch or use.verdict == "supported" else "not available in the playground"
    near = f"; the nearest is {use.nearest}" if use.nearest else ""
    return f"{use.name}  (line {lines}): {said}{near}"
