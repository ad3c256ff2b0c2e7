"""The rules of docs/ARCHITECTURE.md hold in this checkout."""

import shutil
from pathlib import Path

import pytest

from tests.architecture import rules, tidiness
from tests.architecture.code import Code

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def code() -> Code:
    return Code(ROOT)


def test_the_walk_sees_the_project(code: Code) -> None:
    assert {"engine", "engine.op", "backend", "backend.schemas"} <= set(code.modules)
    assert any(found.importer == "backend.schemas" and found.target == "pydantic" for found in code.imports)


@pytest.mark.parametrize("rule", rules.RULES_OF_CODE, ids=lambda rule: rule.__name__)
def test_code_keeps(rule, code: Code) -> None:
    assert rule(code) == []


@pytest.mark.parametrize("rule", rules.RULES_OF_FILES, ids=lambda rule: rule.__name__)
def test_files_keep(rule) -> None:
    assert rule(ROOT) == []


@pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="not a git checkout")
def test_no_tracked_file_holds_what_belongs_to_one_machine_or_is_unfinished() -> None:
    files = tidiness.tracked(ROOT)
    assert ROOT / "pyproject.toml" in files
    assert tidiness.strays(ROOT, files) == []


def test_locks_hold_no_addresses() -> None:
    assert tidiness.addresses_in_locks(ROOT) == []
