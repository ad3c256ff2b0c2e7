"""The lock files agree with pyproject.toml and with each other."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def locked(name: str) -> dict[str, str]:
    """Package to version. Fails on a line that is not exact."""
    versions = {}
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        requirement = Requirement(line)
        (specifier,) = requirement.specifier
        assert specifier.operator == "==", line
        versions[normal(requirement.name)] = specifier.version
    return versions


@pytest.mark.parametrize(
    ("lock", "ranges"),
    [
        ("requirements.lock", PROJECT["dependencies"]),
        ("requirements-dev.lock", PROJECT["dependencies"] + EXTRAS["page"] + EXTRAS["dev"]),
    ],
)
def test_every_range_is_locked_within_itself(lock: str, ranges: list[str]) -> None:
    versions = locked(lock)
    for requirement in map(Requirement, ranges):
        if requirement.name != PROJECT["name"]:
            assert requirement.specifier.contains(versions[normal(requirement.name)]), requirement


def test_the_runtime_lock_is_part_of_the_development_lock() -> None:
    assert locked("requirements.lock").items() <= locked("requirements-dev.lock").items()
