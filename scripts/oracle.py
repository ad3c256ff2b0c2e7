"""Run the slow comparisons of the engine with recordings of PyTorch.

`python scripts/oracle.py DIRECTORY [NAME ...]` runs all of SWEEPS, or those named, on the recordings and the checkers
in DIRECTORY, and ends with one line per sweep. The recordings are not part of the repository; the facts that every
test run checks lie in tests/oracle.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHIM = "from engine import install_as_torch\n\ninstall_as_torch()\n"

# The commands of a sweep, run in DIRECTORY; {out} is an empty folder, {shim} holds a `torch` that is the engine.
SWEEPS: dict[str, list[str]] = {
    "seeds": [
        "record.py --pythonpath {shim} --out {out} seeds/*.py",
        "compare.py seeds {out}",
    ],
    "probes": [
        "record.py --pythonpath {shim} --out {out} probes/*.py",
        "compare.py probes {out}",
    ],
    "programs": [
        "record.py --pythonpath {shim} --out {out} programs/*.py",
        "compare.py programs {out} --rtol 1e-4 --atol 1e-5 --stdout-rtol 1e-4",
    ],
    "errors": ["check_errors.py errors.json --quiet"],
    "op_errors": ["check_errors.py op_errors.json --quiet"],
    "facts": ["facts_check.py"],
    "modules": ["check.py modules"],
    "optim": ["check.py optim"],
    "data": ["check.py data"],
    "opinfo64": ["opinfo_load.py opinfo/float64 --engine {shim}"],
    # torch.testing's own tolerance for single precision: PyTorch itself misses the script's default, from run to run
    "opinfo32": ["opinfo_load.py opinfo/float32 --engine {shim} --rtol 1.3e-6 --atol 1e-5"],
}


def arguments(command: str, directory: Path, out: str, shim: str) -> list[str]:
    """The words of one command, patterns replaced by the files they stand for."""
    words: list[str] = []
    for word in command.format(out=out, shim=shim).split():
        words += sorted(map(str, directory.glob(word))) if "*" in word else [word]
    return [sys.executable, *words]


def passes(name: str, directory: Path, shim: str) -> bool:
    """Run one sweep to its end, its output shown as it comes."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((shim, str(ROOT))), "OMP_NUM_THREADS": "1"}
    environment |= {"OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    with tempfile.TemporaryDirectory() as out:
        for command in SWEEPS[name]:
            print(f"oracle: {name}: {command}", flush=True)
            words = arguments(command, directory, out, shim)
            if subprocess.run(words, cwd=directory, env=environment, check=False).returncode != 0:
                return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(SWEEPS)}; all when none is given")
    options = parser.parse_args()
    unknown = set(options.names) - set(SWEEPS)
    if unknown:
        parser.error(f"no sweep is called {', '.join(sorted(unknown))}")
    directory = options.directory.resolve()
    if not (directory / "record.py").is_file():
        print(f"oracle: there are no recordings in {directory}: nothing compared.")
        return 0
    with tempfile.TemporaryDirectory() as shim:
        package = Path(shim) / "torch"
        package.mkdir()
        (package / "__init__.py").write_text(SHIM, encoding="utf-8")
        results = {name: passes(name, directory, shim) for name in options.names or SWEEPS}
    for name, passed in results.items():
        print(f"oracle: {name}: {'agrees' if passed else 'DIFFERS'}")
    return 0 if all(results.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
