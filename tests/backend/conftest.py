"""One service for all tests of the backend, with its real sandbox.

Programs get less time and memory than in earnest, as reaching a limit costs what it allows; traces get more time, as
what is tested is their content.
"""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from backend.app import create_app
from backend.settings import Limits, Settings

LIMITS = Limits(
    memory_bytes=128 * 1024 * 1024, soft_seconds=3.0, hard_seconds=4.0, trace_seconds=20.0, cpu_hard_seconds=30
)
# Every request is run: what these test is what running gives.
SETTINGS = Settings(limits=LIMITS, concurrency=2, cache_bytes=0)


PATIENT_SETTINGS = Settings(limits=replace(LIMITS, soft_seconds=20.0, hard_seconds=25.0), concurrency=1, cache_bytes=0)


@pytest.fixture(scope="session")
def patient_client() -> Iterator[TestClient]:
    """For programs that end by themselves, or by another limit than that of time."""
    with TestClient(create_app(PATIENT_SETTINGS)) as client:
        yield client


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    with TestClient(create_app(SETTINGS)) as client:
        yield client


@pytest.fixture
def no_warm_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spares stay in the order they came in, as none gets ready while it waits."""
    monkeypatch.setattr("backend.sandbox.zygote_client._IDLE_SECONDS", 3600.0)
