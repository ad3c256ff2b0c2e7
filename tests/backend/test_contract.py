"""The API against its own description: whatever is sent, the answer is one that the description allows."""

from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from backend.app import create_app
from tests.backend.conftest import SETTINGS

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
]
SCHEMA = schemathesis.openapi.from_dict(create_app(SETTINGS).openapi())
OPERATIONS = {operation.label: operation for operation in (result.ok() for result in SCHEMA.get_all_operations())}
CASES = [
    (label, mode)
    for label, operation in OPERATIONS.items()
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or operation.body  # nothing to send is nothing to send wrongly
]


def test_every_operation_is_described() -> None:
    assert {"POST /api/v1/runs", "POST /api/v1/runs/tensor", "POST /api/v1/graphs/diff"} <= OPERATIONS.keys()
    assert {"GET /api/v1/ops", "GET /api/v1/ops/{name}", "GET /api/v1/examples", "GET /healthz"} <= OPERATIONS.keys()


@pytest.mark.parametrize(("label", "mode"), CASES, ids=lambda case: getattr(case, "value", case))
def test_answers_are_as_described(client: TestClient, label: str, mode: GenerationMode) -> None:
    @given(case=OPERATIONS[label].as_strategy(generation_mode=mode))
    @settings(max_examples=8, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
    def send(case: Any) -> None:
        case.validate_response(client.request(**sendable(case)), checks=CHECKS)

    send()


def sendable(case: Any) -> dict[str, Any]:
    """A case in the words of this test's client."""
    words = case.as_transport_kwargs(base_url="http://testserver")
    if "data" in words:
        words["content"] = words.pop("data")
    return {name: value for name, value in words.items() if value is not None and name != "cookies"}
