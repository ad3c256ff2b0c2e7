"""Take the pictures of docs/images: the real page, served and driven, in the states of page_states.py.

`python -m scripts.screenshot [NAME ...] [--to FOLDER]` takes all of them, or those that are named. The page must be
built; `make screenshot` sees to that. The server started here is ended again.
"""

import argparse
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from socket import socket

from playwright.sync_api import sync_playwright

from scripts.page_states import STATES

ROOT = Path(__file__).resolve().parent.parent
SECONDS_TO_START = 90
LOCALES = {"en": "en-US", "zh": "zh-CN"}


def free_port() -> int:
    with closing(socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def served() -> Iterator[str]:
    """A server of this checkout, ready to answer; its address."""
    address = f"http://127.0.0.1:{free_port()}"
    port = address.rpartition(":")[2]
    server = subprocess.Popen([sys.executable, "-m", "backend", "--host", "127.0.0.1", "--port", port], cwd=ROOT)
    try:
        deadline = time.monotonic() + SECONDS_TO_START
        while not answers(f"{address}/readyz"):
            if server.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("screenshot: the server did not start")
            time.sleep(0.1)
        yield address
    finally:
        server.terminate()
        server.wait(10)


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as reply:
            return reply.status == 200
    except (urllib.error.URLError, ConnectionError, TimeoutError):
        return False


def browser_path() -> str:
    """The Chromium that scripts/browser.py finds or installs. Raises CalledProcessError when it can do neither."""
    command = [sys.executable, str(ROOT / "scripts" / "browser.py")]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(state.name for state in STATES))
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "images", metavar="FOLDER")
    options = parser.parse_args()
    path = browser_path()
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        options.to.mkdir(parents=True, exist_ok=True)
        for state in STATES:
            if options.names and state.name not in options.names:
                continue
            size = {"width": state.size[0], "height": state.size[1]}
            page = browser.new_page(viewport=size, locale=LOCALES[state.language], color_scheme=state.theme)
            state.open(page, address)
            page.screenshot(path=options.to / f"{state.name}.png")
            print(f"screenshot: {options.to / state.name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
