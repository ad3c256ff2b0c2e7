"""Small helpers around requests to the service."""

from fastapi.testclient import TestClient

RUNS = "/api/v1/runs"


def run(client: TestClient, code: str, seed: int = 0) -> dict:
    """The trace of a program, which the service must have accepted."""
    response = client.post(RUNS, json={"code": code, "seed": seed})
    assert response.status_code == 200, response.text
    return response.json()


def printed(trace: dict) -> str:
    return "".join(entry["text"] for entry in trace["console"])


def require_healthy(client: TestClient) -> None:
    """The service is ready, and an honest program gets its own clean run."""
    assert client.get("/readyz").status_code == 200
    trace = run(client, "import numpy\nprint(len([1, 2]), numpy.add(1, 2))")
    assert trace["outcome"]["status"] == "ok"
    assert printed(trace) == "2 3\n"
