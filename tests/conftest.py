"""What holds for all tests: none is timed, as one of a loaded machine would fail for its neighbours' sake; and files
that take long start early, so that at the end no process is left alone with them."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

TESTS = Path(__file__).parent
SLOW_KINDS = {"e2e": 100, "backend": 20}
"""About how much longer a test takes that drives a browser, or a service with its sandbox, than one of the engine."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files in the order in which they are best handed out: a browser's between others, long ones first."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    longest = sorted(files, key=lambda path: (-_weight(path) * len(files[path]), path))
    browsers = [path for path in longest if _kind(path) == "e2e"]
    others = [path for path in longest if _kind(path) != "e2e"]
    both = min(len(browsers), len(others))
    between = [path for pair in zip(browsers[:both], others[:both], strict=True) for path in pair]
    order = [*between, *browsers[both:], *others[both:]]
    items[:] = [item for path in order for item in files[path]]


def _kind(path: Path) -> str:
    return path.relative_to(TESTS).parts[0]


def _weight(path: Path) -> int:
    return SLOW_KINDS.get(_kind(path), 1)
