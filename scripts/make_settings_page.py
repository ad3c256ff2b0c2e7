"""Write docs/settings.md from backend/settings.py: every setting with its variable, default and meaning.

`python scripts/make_settings_page.py` writes it; with `--check` it only says whether it is current.
"""

import ast
import inspect
import itertools
import sys
from dataclasses import fields
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from backend.settings import PREFIX, PROJECT_ROOT, Limits, Settings  # noqa: E402 - the checkout is not installed

PAGE = ROOT / "docs" / "settings.md"
_HEAD = """# Settings
Every number and switch of the service is an environment variable. A value that is none is refused at the start, in one
sentence. This page is written from `backend/settings.py` by `python scripts/make_settings_page.py`.
"""
_LIMITS = """
## Limits of one run
Reaching one ends the run, keeps its trace up to there where there is one, and is answered with a message of its own.

"""
_SERVICE = """
## The service around the runs

"""
_MESSAGES = """
## What a user reads when a limit is hit
| limit | `outcome.status` | message |
|---|---|---|
| soft wall time | `timeout` | Stopped after 2 s, still running line 3. Is there an infinite loop? |
| processor time | `timeout` | Stopped after 2 s of processor time, still running line 3. Is there an infinite loop? |
| hard wall time | `timeout` | Stopped after 2.5 s, still running line 3. Is there an infinite loop? |
| memory | `memory` | Line 2 asked for 74.5 GiB; a run may use 512 MB. Try a smaller shape. |
| printed text | `output` | Output cut at 64 KB. Print less, or only every hundredth time. |
| steps recorded | `too_large` | This run took 200,008 steps; the first 5,000 are shown. … |
| size of the trace | `too_large` | The recording of this run is larger than 4 MB: its first 1,372 steps are shown. … |
| length of the program | 413 | The program is longer than 64 KB. Shorten it to run it. |
| queue | 429, Retry-After | All runners are busy, retry in 2 s. |
| rate | 429, Retry-After | More than 1,200 runs in one minute are too many. Retry in 31 s. |
"""


def meanings(kind: type) -> dict[str, str]:
    """Field name to the string that follows the field in the source of its class."""
    body = ast.parse(inspect.getsource(kind)).body[0].body  # type: ignore[attr-defined]
    found = {}
    for field, after in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            found[field.target.id] = " ".join(after.value.value.split())  # type: ignore[union-attr]
    return found


def table(kind: type) -> str:
    """The settings of a class, a row each."""
    explained = meanings(kind)
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    for field in fields(kind):
        if field.name != "limits":
            default = field.default if field.default != "" else "(empty)"
            shown = str(default).replace(str(PROJECT_ROOT), ".")
            rows.append(f"| `{PREFIX}{field.name.upper()}` | `{shown}` | {explained[field.name]} |")
    return "\n".join(rows) + "\n"


def page() -> str:
    """The whole page."""
    return _HEAD + _LIMITS + table(Limits) + _SERVICE + table(Settings) + _MESSAGES


def main() -> int:
    """Returns 1 when the page is to be checked and is not current."""
    if "--check" not in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page():
        print("docs/settings.md is not current: run python scripts/make_settings_page.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
