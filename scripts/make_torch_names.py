"""Writes the names that the page's editor completes, from what programs can import here.

`python -m scripts.make_torch_names` writes frontend/src/editor/torchNames.js; `--check` fails when it is not current.
"""

import argparse
import json
import sys
from pathlib import Path

from engine.install import assemble
from engine.pytorch_names import NAMES

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "frontend" / "src" / "editor" / "torchNames.js"
CLASSES = {"torch.Tensor": ("torch", "Tensor"), "torch.nn.Module": ("torch.nn", "Module")}
MODULES = (
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.utils", "torch.optim",
    "torch.optim.lr_scheduler", "torch.autograd", "torch.autograd.functional", "torch.linalg", "torch.special",
    "torch.func", "torch.utils.data", "torch.distributions",
)  # fmt: skip
HEAD = """// Generated from the engine by scripts/make_torch_names.py. Change the engine, not this file.

/** Public names by the module or class they belong to, each list one text. @type {Record<string, string>} */
export const TORCH_NAMES = """


def names_of(path: str, owner: object) -> list[str]:
    """The public names PyTorch has there, as far as they exist here; what divides the engine alone is none of them."""
    pytorch = set(NAMES.get(path, "").split()) or set(dir(owner))
    return sorted(name for name in dir(owner) if name in pytorch and not name.startswith("_") and hasattr(owner, name))


def torch_names() -> str:
    """The text of the generated file."""
    found = assemble()
    owners: dict[str, object] = {name: found[name] for name in MODULES}
    owners |= {name: getattr(found[module], attribute) for name, (module, attribute) in CLASSES.items()}
    table = {name: " ".join(names_of(name, owner)) for name, owner in owners.items()}
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
