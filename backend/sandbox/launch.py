"""How the interpreters of the sandbox are started: with the project on the path, and nothing else of this process."""

import os
import sys

from backend.settings import PROJECT_ROOT

# Not `-I -m`: a checkout is not installed, so its place has to be said, and `-I` would ignore the hash seed, without
# which the order of a set differs from run to run. `-P -s` and an environment of our own isolate as well.
_START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from {module} import main; main(*sys.argv[1:])"

# One thread: a second thread of OpenBLAS does not survive a fork, and a locked child could not start another.
_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "LANG": "C.UTF-8",
    "PYTHONUTF8": "1",
}
_KEPT_ON_WINDOWS = ("SYSTEMROOT", "TEMP")


def command(module: str, *arguments: str) -> list[str]:
    """The command line that calls `main(*arguments)` of a module of this project."""
    return [sys.executable, "-P", "-s", "-c", _START.format(module=module), str(PROJECT_ROOT), *arguments]


def environment() -> dict[str, str]:
    """A scrubbed environment: nothing of the service's own reaches a program."""
    kept = {name: os.environ[name] for name in _KEPT_ON_WINDOWS if sys.platform == "win32" and name in os.environ}
    return {**_ENVIRONMENT, **kept}
