"""A PostgreSQL server of one's own, from the packages of the system, for as long as a test takes."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def _programs() -> Path | None:
    """The folder of initdb and pg_ctl."""
    folders = [Path(folder) for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    if (found := shutil.which("initdb")) is not None:
        folders.append(Path(found).resolve().parent)
    return next((folder for folder in folders if (folder / "pg_ctl").exists()), None)


def _user() -> str | None:
    """Whom to run as: PostgreSQL refuses to run as root."""
    return None if os.geteuid() else "postgres"


@contextmanager
def postgres(encoding: str = "UTF8") -> Iterator[str]:
    """The address of an empty database. Skips the test, with the reason, where there can be none."""
    programs, user = _programs(), _user()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (Debian: postgresql)")
    if user is not None and user not in {entry.pw_name for entry in pwd.getpwall()}:
        pytest.skip("root cannot run PostgreSQL, and there is no user named postgres")
    with tempfile.TemporaryDirectory(prefix="pg", dir="/tmp") as folder:
        if user is not None:
            shutil.chown(folder, user)
        data = f"{folder}/data"

        def call(*command: str) -> None:
            done = subprocess.run(command, user=user, cwd="/", capture_output=True, text=True, check=False)
            if done.returncode:
                pytest.skip(f"PostgreSQL cannot be started here: {done.stderr.strip() or done.stdout.strip()}")

        options = f"-k {folder} -c listen_addresses= -c fsync=off -c shared_buffers=8MB"
        language = ("-E", encoding, "--locale", "C")
        call(f"{programs}/initdb", "-D", data, "-A", "trust", "-U", "playground", "--no-sync", *language)
        call(f"{programs}/pg_ctl", "-D", data, "-w", "-t", "300", "-l", f"{folder}/log", "-o", options, "start")
        try:
            yield f"postgresql://playground@/postgres?host={folder}"
        finally:
            subprocess.run([f"{programs}/pg_ctl", "-D", data, "-m", "immediate", "stop"], user=user, cwd="/",
                           capture_output=True, check=True)  # fmt: skip
