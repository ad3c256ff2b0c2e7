"""The service as `make run` starts it, on a port of its own."""

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "frontend" / "dist" / "index.html"
# A loaded machine may be slow to fork and lock the first children.
SECONDS_TO_START = 60


class Server:
    """One server process; it can be stopped and started again at the same address."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Return once it answers /readyz. Raises RuntimeError when it ends instead, or takes too long."""
        command = [sys.executable, "-m", "backend", "--host", "127.0.0.1", "--port", str(self.port)]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + SECONDS_TO_START
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError("the server did not become ready; its own words are above")
            time.sleep(0.1)

    def run(self, code: str) -> dict[str, Any]:
        """The trace of a program."""
        body = json.dumps({"code": code}).encode()
        headers = {"content-type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(f"{self.address}/api/v1/runs", body, headers)) as reply:
            return json.load(reply)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(15)
            self._process = None

    def _is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/readyz", timeout=2) as reply:
                return reply.status == 200
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            return False
