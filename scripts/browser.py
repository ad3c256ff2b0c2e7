"""Find the Chromium that the page's tests drive, or install one; print its path.

In order: the path in $CHROMIUM, a browser of the system, Debian's package (as root), Playwright's own download. The one
without windows comes first: it is the same engine, starts sooner and leaves more of the processor to the page.
Also sees to a font with Chinese glyphs, without which screenshots show boxes. `--find` installs nothing.
Everything but the path goes to standard error.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = ("/Applications/Chromium.app/Contents/MacOS/Chromium",)
PLACES += ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",)
PACKAGES = ("chromium-headless-shell", "chromium")
FONT = "fonts-wqy-microhei"


def say(text: str) -> None:
    print(f"browser: {text}", file=sys.stderr, flush=True)


def starts(path: str) -> bool:
    """Whether this is a browser that can at least say its version (a snap stub, for one, cannot)."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=30, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def candidates() -> Iterator[str]:
    """Paths worth trying, best first."""
    named = os.environ.get("CHROMIUM")
    if named:
        yield named
    yield from filter(None, map(shutil.which, NAMES))
    yield from filter(os.path.exists, PLACES)
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    if Path(own).exists():
        yield own


def find() -> str | None:
    return next(filter(starts, candidates()), None)


def can_use_apt() -> bool:
    return shutil.which("apt-get") is not None and hasattr(os, "geteuid") and os.geteuid() == 0


def apt_install(*packages: str) -> bool:
    """Install Debian packages, refreshing the package list only when that turns out to be needed."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    for command in (install, ["apt-get", "update", "-qq"], install):
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
        if done.returncode == 0 and command is install:
            return True
    return False


def has_chinese_font() -> bool:
    """True also where fontconfig is absent, as on macOS, which brings such fonts."""
    lister = shutil.which("fc-list")
    if lister is None:
        return not can_use_apt()
    return bool(subprocess.run([lister, ":lang=zh"], capture_output=True, check=False).stdout.strip())


def install_browser() -> str | None:
    if can_use_apt():
        for package in PACKAGES:
            say(f"installing Debian's {package}")
            if apt_install(package) and (path := find()):
                return path
    say("downloading Playwright's own Chromium")
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    subprocess.run(command, stdout=sys.stderr, check=False)
    return find()


def see_to_font() -> None:
    if has_chinese_font():
        return
    if can_use_apt():
        say(f"installing {FONT}, a font with Chinese glyphs")
        if apt_install("fontconfig", FONT):
            return
    say(f"no font with Chinese glyphs: screenshots will show boxes (on Debian: {FONT})")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--find", action="store_true", help="install nothing")
    only_find = parser.parse_args().find
    path = find() or (None if only_find else install_browser())
    if path is None:
        say("no Chromium could be found or installed: install one, or name it by CHROMIUM=/path/to/it.")
        return 1
    if not only_find:
        see_to_font()
    print(path)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
