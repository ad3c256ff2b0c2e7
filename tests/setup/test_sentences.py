"""Set-up answers what a newcomer runs into with one sentence, not with a traceback."""

import os
import subprocess
import sys
from pathlib import Path
from socket import socket

import pytest

from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]


def script(name: str, *arguments: str, **environment: str) -> tuple[int, str]:
    """Exit status and standard error of one of the scripts."""
    command = [sys.executable, str(ROOT / "scripts" / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    return done.returncode, done.stderr


def test_a_busy_port_is_named_and_another_offered() -> None:
    with socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        status, said = script("serve.py", "--check", "--port", str(port))
    assert status == 1
    assert (
        said
        == f"run: port {port} is in use: stop what listens there, or choose another by `make run PORT={port + 1}`.\n"
    )


def test_a_free_port_passes() -> None:
    assert script("serve.py", "--check", "--port", str(free_port())) == (0, "")


@pytest.mark.parametrize("port", ["0", "65536"])
def test_an_impossible_port_is_refused(port: str) -> None:
    status, said = script("serve.py", "--check", "--port", port)
    assert status == 1
    assert said.startswith(f"run: {port} is not a port number")


def test_a_host_that_is_not_here_is_refused() -> None:
    status, said = script("serve.py", "--check", "--host", "192.0.2.1", "--port", "8000")
    assert status == 1
    assert said.startswith("run: cannot listen on 192.0.2.1 port 8000: ")
    assert said.count("\n") == 1


def test_a_python_without_venv_is_told_which_package_to_add(tmp_path: Path) -> None:
    (tmp_path / "ensurepip.py").write_text("raise ImportError\n")
    status, said = script("create_venv.py", str(tmp_path / "venv"), PYTHONPATH=str(tmp_path))
    assert status == 1
    assert "sudo apt install python3-venv" in said
    assert said.count("\n") == 1


def test_a_place_where_no_environment_can_be_made_is_named(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("in the way")
    status, said = script("create_venv.py", str(place))
    assert status == 1
    assert said.startswith(f"setup: could not make the virtual environment {place}: ")
    assert said.count("\n") == 1


def test_an_old_python_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text('import sys\nsys.version_info = (3, 9, 1, "final", 0)\n')
    status, said = script("create_venv.py", str(tmp_path / "venv"), PYTHONPATH=str(tmp_path))
    assert status == 1
    assert said.startswith("setup: Python 3.11 or newer is needed, this is 3.9 (")
    assert said.count("\n") == 1
