"""Record what PyTorch does with the programs of the examples menu, into tests/oracle/examples.json.

`PYTHON scripts/record_examples.py`, with a PYTHON that has the PyTorch release this project follows; nothing else of
the project is needed. Each program runs in a process of its own, forked after the import, with seed 0.
"""

import contextlib
import io
import json
import multiprocessing
import re
import warnings
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent
FACTS = ROOT / "tests" / "oracle" / "examples.json"
SUFFIX = ".py.txt"
PLACE_IN_PYTORCH = re.compile(r"\s*\(Triggered internally at .*", re.DOTALL)


def record(path: Path) -> dict:
    """What a program prints, raises and warns of; of a warning its first line."""
    torch.manual_seed(0)
    printed, error = io.StringIO(), None
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed):
        warnings.simplefilter("default")
        try:
            exec(compile(path.read_text(encoding="utf-8"), "<program>", "exec"), {"__name__": "__main__"})
        except Exception as e:  # noqa: BLE001  whatever a program raises is what is recorded
            error = {"type": type(e).__name__, "message": str(e)}
    said = [f"{each.category.__name__}: {PLACE_IN_PYTORCH.sub('', str(each.message))}" for each in caught]
    return {"stdout": printed.getvalue(), "error": error, "warnings": [text.partition("\n")[0] for text in said]}


def main() -> None:
    """Record all examples."""
    paths = sorted((ROOT / "backend" / "examples").glob("*" + SUFFIX))
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        rows = pool.map(record, paths, chunksize=1)
    programs = {path.name.removesuffix(SUFFIX): row for path, row in zip(paths, rows, strict=True)}
    facts = {"torch": torch.__version__.partition("+")[0], "programs": programs}
    FACTS.write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{len(programs)} examples, PyTorch {facts['torch']}: {FACTS.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
