"""Make the virtual environment `make` works in, or say in one sentence why that is not possible.

Usage: `python create_venv.py DIRECTORY`. Standard library only, and no syntax newer than Python 3.5: it must be
able to start in an old Python in order to say that it is too old.
"""

import os
import subprocess
import sys

OLDEST = (3, 11)


def refuse(sentence):
    """End with one sentence on standard error and status 1."""
    sys.stderr.write("setup: " + sentence + "\n")
    raise SystemExit(1)


def check_python():
    """Refuse a Python that is too old, or one that Debian ships without its venv package."""
    found = sys.version_info[:2]
    if found < OLDEST:
        refuse(
            "Python %d.%d or newer is needed, this is %d.%d (%s): install one and run `make PYTHON=python%d.%d ...`."
            % (OLDEST + found + (sys.executable,) + OLDEST)
        )
    try:
        import ensurepip  # noqa: F401, PLC0415
        import venv  # noqa: F401, PLC0415
    except ImportError:
        refuse(
            "this Python (%s) cannot make virtual environments: on Debian and Ubuntu, "
            "`sudo apt install python3-venv` adds what is missing." % sys.executable
        )


def create(directory):
    """Make the environment anew in `directory`, whatever is there already."""
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", directory],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if made.returncode != 0:
        lines = made.stdout.decode(errors="replace").strip().splitlines() or ["no reason given"]
        refuse("could not make the virtual environment %s: %s" % (os.path.abspath(directory), lines[-1]))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        refuse("usage: python create_venv.py DIRECTORY")
    check_python()
    create(sys.argv[1])
