"""One service for all tests of the backend, with its real sandbox.

Programs get less memory than in earnest, as reaching that limit costs what it allows; and more time, as what is tested
is what they do, on a machine that may have much else to do.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backend.app import create_app
from backend.settings import Limits, Settings

LIMITS = Limits(
    memory_bytes=128 * 1024 * 1024, soft_seconds=20.0, hard_seconds=25.0, trace_seconds=60.0, cpu_hard_seconds=30
)
# Every request is run: what these test is what running gives.
SETTINGS = Settings(limits=LIMITS, concurrency=2, cache_bytes=0)
HURRIED_SETTINGS = replace(SETTINGS, limits=replace(LIMITS, soft_seconds=3.0, hard_seconds=4.0, trace_seconds=20.0))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Real processes under real limits of time, beside other work: what fails here gets one more try, told of.

    Tests wait for what must come to pass, but a program that should have ended may be stopped by its limit when the
    machine gives it no time at all. A fault of ours fails twice.
    """
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(SETTINGS)) as client:
        yield client


@pytest.fixture(scope="session")
def hurried_client() -> Iterator[TestClient]:
    """For programs that are to reach the limit of time."""
    with TestClient(create_app(HURRIED_SETTINGS)) as client:
        yield client


@pytest.fixture
def no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spares stay in the order they came in, as none gets ready while it waits."""
    monkeypatch.setattr("backend.sandbox.zygote_client._IDLE_SECONDS", 3600.0)
