"""What no tracked file may hold: paths of one machine, addresses of registries, marks of unfinished work."""

import re
import subprocess
from pathlib import Path

# Written in pieces, so that this file does not break its own rule.
REGISTRIES = ("pypi" + r"\.org", "pythonhosted" + r"\.org", "registry" + r"\.npmjs", "deb" + r"\.debian\.org")
FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.~$}/-])/(?:work|root|home|Users|opt)/[\w.-]+"),
    "the address of a registry": re.compile("|".join(REGISTRIES)),
    "a mark of unfinished work": re.compile(r"\b(?:" + "TO" + "DO|FIX" + "ME|X" + "XX" + r")\b"),
}
# PyTorch's own words, which the engine repeats.
QUOTED = ("FIX" + "ME: is_causal not implemented for need_weights",)
LOCKS = ("requirements.lock", "requirements-dev.lock", "frontend/package-lock.json")
BINARY = {".png", ".ico", ".woff", ".woff2", ".ttf", ".npz", ".gz"}


def tracked(root: Path) -> list[Path]:
    """The files git tracks under `root` that are still there, links and binaries left out."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True, text=True).stdout
    paths = (root / name for name in listed.split("\0") if name)
    return [path for path in paths if path.is_file() and not path.is_symlink() and path.suffix not in BINARY]


def strays(root: Path, files: list[Path]) -> list[str]:
    """Every forbidden thing in these files, with its line."""
    broken = []
    for path in files:
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            own = line
            for words in QUOTED:
                own = own.replace(words, "")
            for what, pattern in FORBIDDEN.items():
                hit = pattern.search(own)
                if hit:
                    broken.append(f"{path.relative_to(root)} line {number} holds {what}: {hit.group()}")
    return broken


def addresses_in_locks(root: Path) -> list[str]:
    """Lock files name versions; where a package comes from is the business of each machine's own set-up."""
    broken = []
    for name in LOCKS:
        text = (root / name).read_text(encoding="utf-8")
        if '"resolved"' in text or (name.endswith(".lock") and "://" in text):
            broken.append(f"{name} holds addresses of packages")
    return broken
