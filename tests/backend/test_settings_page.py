"""docs/settings.md says what backend/settings.py does."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_page_of_settings_is_current() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "make_settings_page.py"), "--check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
