"""Take the pictures of the front pages: the real page, served and driven, in the middle of a backward pass.

`python scripts/screenshot.py [--lang en|zh] [--theme light|dark] [--width W] [--height H] [--to FOLDER]` writes
docs/images/page.png (English) and page.zh.png (Chinese), or one of them. The page must be built; `make screenshot`
sees to that. The server started here is ended again.
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

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
SECONDS_TO_START = 30
# The node at which the picture is taken, in the default example, and how far it may be from the start of backward.
NODE = "MulBackward0"
MOST_STEPS = 20
LOCALES = {"en": "en-US", "zh": "zh-CN"}
FILES = {"en": "page.png", "zh": "page.zh.png"}


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


def show_backward(page: Page, address: str) -> None:
    """Open the page on its default example and step into the backward pass."""
    page.goto(address)
    page.get_by_test_id("graph").wait_for()
    page.get_by_test_id("player-backward").click()
    title = page.get_by_test_id("step-card").get_by_role("heading").first
    for _ in range(MOST_STEPS):
        if NODE in title.inner_text():
            page.wait_for_timeout(600)  # the packet arrives
            return
        page.get_by_test_id("player-next").click()
    raise SystemExit(f"screenshot: {NODE} did not come within {MOST_STEPS} steps")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "images", metavar="FOLDER")
    parser.add_argument("--lang", choices=tuple(LOCALES), help="only the picture in this language")
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--width", type=int, default=1440)
    parser.add_argument("--height", type=int, default=900)
    options = parser.parse_args()
    command = [sys.executable, str(ROOT / "scripts" / "browser.py")]
    browser_path = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        options.to.mkdir(parents=True, exist_ok=True)
        size = {"width": options.width, "height": options.height}
        for language in [options.lang] if options.lang else LOCALES:
            page = browser.new_page(viewport=size, locale=LOCALES[language], color_scheme=options.theme)
            show_backward(page, address)
            page.screenshot(path=options.to / FILES[language])
            print(f"screenshot: {options.to / FILES[language]}")
        browser.close()


if __name__ == "__main__":
    main()
