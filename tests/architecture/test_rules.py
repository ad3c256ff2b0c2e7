"""The rules bite: each is broken on purpose in a small planted checkout, and says so."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.architecture import rules, tidiness
from tests.architecture.code import Code

SOUND = {
    "pyproject.toml": '[project]\nname = "planted"\ndependencies = ["fastapi>=0.1", "numpy"]\n',
    "engine/__init__.py": "from engine.tensor import Tensor\n",
    "engine/errors.py": "",
    "engine/op.py": """\
import numpy
from typing import TYPE_CHECKING

from engine import errors

if TYPE_CHECKING:
    from engine.tensor import Tensor
""",
    "engine/tensor.py": "from .op import x\n\n\ndef later():\n    import json\n",
    "engine/trace/__init__.py": "import engine\n",
    "engine/trace/recorder.py": "from .. import tensor\n",
    "backend/__init__.py": "",
    "backend/schemas.py": "import pydantic\n",
    "backend/app.py": "import fastapi\nfrom backend.schemas import Trace\nfrom engine.trace import recorder\n",
    "frontend/src/main.js": 'import { h } from "preact";\nimport "./view/card.js";\n',
    "frontend/src/view/card.js": """\
import { store } from "../main.js";
new Worker(new URL("./worker.js", import.meta.url));
""",
}

Plant = Callable[[dict[str, str]], Path]


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    """Write the sound checkout with some files added or replaced, and return its root."""

    def write(changed: dict[str, str]) -> Path:
        for name, text in (SOUND | changed).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write


def test_a_sound_checkout_breaks_no_rule(plant: Plant) -> None:
    root = plant({})
    assert [broken for rule in rules.RULES_OF_CODE for broken in rule(Code(root))] == []
    assert [broken for rule in rules.RULES_OF_FILES for broken in rule(root)] == []


@pytest.mark.parametrize(
    ("rule", "name", "text", "words"),
    [
        (rules.rooms, "engine/op.py", "import backend.schemas\n", "engine.op line 1 imports backend.schemas"),
        (rules.rooms, "engine/op.py", "import scipy\n", "engine.op line 1 imports scipy"),
        (rules.rooms, "engine/op.py", "from .trace import recorder\n", "imports engine.trace.recorder"),
        (rules.rooms, "engine/trace/recorder.py", "from backend.schemas import Trace\n", "imports backend.schemas"),
        (rules.rooms, "backend/schemas.py", "from backend import app\n", "imports backend.app"),
        (rules.rooms, "backend/app.py", "import requests\n", "imports requests"),
        (rules.rooms, "backend/app.py", "def f():\n    import tests.helper\n", "imports tests.helper"),
        (rules.engine_order, "engine/op.py", "from engine.tensor import Tensor\n", "stands to its right"),
        (rules.engine_order, "engine/op.py", "from engine import Tensor\n", "stands to its right"),
        (rules.engine_order, "engine/novel.py", "from engine import op\n", "has no place in ENGINE_ORDER"),
        (rules.cycles, "engine/errors.py", "from engine import op\n", "engine.op -> engine.errors -> engine.op"),
        (rules.cycles, "engine/errors.py", "def f():\n    from . import op\n", "engine.errors -> engine.op"),
        (rules.local_imports, "engine/tensor.py", "def f():\n    from engine import op\n", "line 2 imports engine.op"),
        (rules.local_imports, "backend/app.py", "class A:\n    def f(self):\n        import engine\n", "line 3"),
    ],
)
def test_planted_import_is_reported(plant: Plant, rule, name: str, text: str, words: str) -> None:
    assert words in "\n".join(rule(Code(plant({name: text}))))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('import x from "../../backend/schemas.py";\n', "outside frontend/src"),
        ('const x = await import("../../tests/x.js");\n', "outside frontend/src"),
        ('import "https://cdn.example/x.js";\n', "only packages and relative paths"),
    ],
)
def test_planted_page_import_is_reported(plant: Plant, text: str, words: str) -> None:
    assert words in "\n".join(rules.page_imports(plant({"frontend/src/main.js": text})))


def test_a_long_file_is_reported(plant: Plant) -> None:
    root = plant({"engine/op.py": "\n" * (rules.MOST_LINES + 1), "frontend/src/long.css": "\n" * rules.MOST_LINES})
    assert rules.long_files(root) == [f"engine/op.py has {rules.MOST_LINES + 1} lines; the most is {rules.MOST_LINES}"]


@pytest.mark.parametrize("stray", ["cd /home" + "/me/x", "https://pypi" + ".org/simple", "# TO" + "DO: later"])
def test_a_stray_is_reported(plant: Plant, stray: str) -> None:
    root = plant({"notes.md": f"fine\n{stray}\n"})
    broken = tidiness.strays(root, [root / "notes.md"])
    assert len(broken) == 1
    assert broken[0].startswith("notes.md line 2 holds")


@pytest.mark.parametrize("fine", ["the path/work/x", "`/api/v1/runs`", "$(HOME)/work", "XXXL", "todo lists"])
def test_what_only_looks_like_a_stray_is_left_alone(plant: Plant, fine: str) -> None:
    root = plant({"notes.md": fine})
    assert tidiness.strays(root, [root / "notes.md"]) == []


def test_addresses_in_a_lock_are_reported(plant: Plant) -> None:
    locks = {"requirements.lock": "a==1\n", "requirements-dev.lock": "a @ https://x/y\n"}
    root = plant(locks | {"frontend/package-lock.json": '{"resolved": "https://x"}'})
    assert tidiness.addresses_in_locks(root) == [
        "requirements-dev.lock holds addresses of packages",
        "frontend/package-lock.json holds addresses of packages",
    ]
