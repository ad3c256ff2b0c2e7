"""Write requirements.lock and requirements-dev.lock: the exact versions that the ranges in pyproject.toml resolve to.

`python scripts/lock.py` asks pip for the newest versions in range. The development lock is resolved first, and the
runtime lock within it, so that a package has one version in both. Neither holds addresses or hashes; a package that
pyproject.toml needs on some systems only keeps its marker.
"""

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RUNTIME = ROOT / "requirements.lock"
DEVELOPMENT = ROOT / "requirements-dev.lock"
HEADER = "# Written by `make lock` from pyproject.toml: {what}.\n"


def normal(name: str) -> str:
    """A package name as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(extras: tuple[str, ...]) -> list[str]:
    """The requirements of pyproject.toml with these extras; an extra that names the project itself is unfolded."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = re.compile(re.escape(project["name"]) + r"\[([\w,-]+)\]")
    found = list(project["dependencies"])
    pending = list(extras)
    while pending:
        for requirement in project["optional-dependencies"][pending.pop()]:
            nested = own.fullmatch(requirement)
            if nested:
                pending.extend(nested.group(1).split(","))
            else:
                found.append(requirement)
    return found


def resolve(wanted: list[str], within: Path | None = None) -> dict[str, str]:
    """Name to version of everything that `wanted` installs; `within` is a lock whose versions are kept."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed"]
        command += ["--report", str(report), *wanted]
        if within:
            command += ["--constraint", str(within)]
        subprocess.run(command, check=True)
        installed = json.loads(report.read_text(encoding="utf-8"))["install"]
    return {normal(entry["metadata"]["name"]): entry["metadata"]["version"] for entry in installed}


def write(path: Path, what: str, versions: dict[str, str], markers: dict[str, str]) -> None:
    """Write one lock, a package a line, in order of name."""
    lines = [
        f"{name}=={version}" + (f" ; {markers[name]}" if name in markers else "")
        for name, version in sorted(versions.items())
    ]
    path.write_text(HEADER.format(what=what) + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    wanted = requirements(("dev",))
    split = (requirement.partition(";") for requirement in wanted)
    markers = {normal(re.split(r"[^\w.-]", name)[0]): marker.strip() for name, _, marker in split if marker}
    write(DEVELOPMENT, "what `make test` runs on", resolve(wanted), markers)
    write(RUNTIME, "what the server runs on", resolve(requirements(()), DEVELOPMENT), markers)


if __name__ == "__main__":
    main()
