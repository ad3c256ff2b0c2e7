"""Write frontend/src/model/checkedNodes.js: the backward nodes whose gradients the tests compare with PyTorch's.

They are read off tests/oracle/facts.json: a row of it with an upstream gradient has the values, the graph, what its
nodes saved and the gradients that PyTorch computed, and `tests/oracle/test_facts.py` compares all of them.
`python scripts/make_checked_nodes.py` writes the file; with `--check` it only says whether the file is current.
"""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FACTS = ROOT / "tests" / "oracle" / "facts.json"
TARGET = ROOT / "frontend" / "src" / "model" / "checkedNodes.js"
_DERIVATIVE = re.compile(r"Backward\d+$|::Copy\w+$")
HEADER = """/** Backward nodes whose gradients are compared with PyTorch's; written by scripts/make_checked_nodes.py. */
export const CHECKED_NODES = new Set(
"""


def names() -> list[str]:
    """Names of nodes, in alphabetical order, those of leaves and of what cannot be differentiated left out."""
    rows = json.loads(FACTS.read_text(encoding="utf-8")).values()
    found = {node["name"] for row in rows if "upstream" in row for node in row["nodes"].values()}
    return sorted(name for name in found if _DERIVATIVE.search(name))


def source() -> str:
    lines, line = [], "  `"
    for name in names():
        if len(line) + len(name) > 118:
            lines.append(line.rstrip())
            line = "  "
        line += f"{name} "
    return HEADER + "\n".join([*lines, line.rstrip()]) + "`.split(/\\s+/),\n);\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        return int(TARGET.read_text(encoding="utf-8") != source())
    TARGET.write_text(source(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
