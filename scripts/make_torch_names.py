"""Writes the names that the page's editor completes, from what programs can import here.

`python -m scripts.make_torch_names` writes frontend/src/editor/torchNames.js; `--check` fails when it is not current.
"""

import argparse
import inspect
import json
import sys
from pathlib import Path

from engine.install import assemble

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "frontend" / "src" / "editor" / "torchNames.js"
CLASSES = {"torch.Tensor": ("torch", "Tensor"), "torch.nn.Module": ("torch.nn", "Module")}
MODULES = (
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.optim",
    "torch.optim.lr_scheduler", "torch.autograd", "torch.autograd.functional", "torch.linalg", "torch.special",
    "torch.func", "torch.utils.data", "torch.distributions",
)  # fmt: skip
BORROWED = {"typing", "collections.abc", "abc"}
HEAD = """// Generated from the engine by scripts/make_torch_names.py. Change the engine, not this file.

/** Public names by the module or class they belong to, each list one text. @type {Record<string, string>} */
export const TORCH_NAMES = """


def names_of(owner: object, modules: frozenset[str]) -> list[str]:
    """Its public names, without modules that are no part of it and what its source borrows for annotations."""
    path = getattr(owner, "__name__", "")
    found = []
    for name in dir(owner):
        if not hasattr(owner, name):
            continue  # PyTorch's, and marked as absent here
        value = getattr(owner, name, None)
        if inspect.ismodule(value) and f"{path}.{name}" not in modules:
            continue
        if name.startswith("_") or name == "TensorBase" or getattr(value, "__module__", "") in BORROWED:
            continue
        found.append(name)
    return sorted(found)


def torch_names() -> str:
    """The text of the generated file."""
    found = assemble()
    modules = frozenset(found)
    table = {name: " ".join(names_of(found[name], modules)) for name in MODULES if name in found}
    for name, (module, attribute) in CLASSES.items():
        table[name] = " ".join(names_of(getattr(found[module], attribute), modules))
    return HEAD + json.dumps(table, indent=2) + ";\n"


def main() -> int:
    """Write the file, or compare it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the file is not current")
    if not parser.parse_args().check:
        TARGET.write_text(torch_names(), encoding="utf-8")
        return 0
    if TARGET.exists() and TARGET.read_text(encoding="utf-8") == torch_names():
        return 0
    print(f"{TARGET.relative_to(ROOT)} is not current: run python -m scripts.make_torch_names", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
