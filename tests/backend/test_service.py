"""The rest of the API: examples, health, OpenAPI, headers, the page."""

import dataclasses
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backend import example_store
from backend.app import create_app
from backend.schemas import ExampleList, ServiceInfo
from tests.backend.conftest import SETTINGS
from tests.backend.service import RUNS, run


def test_health(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "alive"}
    assert client.get("/readyz").json() == {"status": "ready", "sandbox": "full"}


def test_the_service_describes_itself(client: TestClient) -> None:
    about = ServiceInfo.model_validate_json(client.get("/api/v1/service").content)
    assert about.sandbox == "full"
    assert about.limits.memory_bytes == SETTINGS.limits.memory_bytes
    assert about.torch_version.startswith("2.")


def test_every_example_runs(client: TestClient) -> None:
    listed = ExampleList.model_validate_json(client.get("/api/v1/examples").content)
    assert listed.examples
    for example in listed.examples:
        assert run(client, example.code)["outcome"]["status"] in ("ok", "error"), example.id


@pytest.mark.parametrize(
    ("index", "says"),
    [
        ("{", "cannot be read"),
        ('{"chapters": {}, "examples": [{"id": "a"}]}', "cannot be read"),
        ('{"chapters": {}, "examples": []}', "not in index.json: a"),
    ],
)
def test_a_folder_of_examples_that_contradicts_itself_is_refused(tmp_path: Path, index: str, says: str) -> None:
    (tmp_path / "index.json").write_text(index)
    (tmp_path / "a.py.txt").write_text("print(1)")
    with pytest.raises(example_store.ExamplesError, match=says):
        example_store.load(tmp_path)


def test_openapi_describes_requests_replies_and_refusals(client: TestClient) -> None:
    document = client.get("/api/v1/openapi.json").json()
    post = document["paths"][RUNS]["post"]
    body = post["requestBody"]["content"]["application/json"]
    assert body["schema"] == {"$ref": "#/components/schemas/RunRequest"}
    assert {"200", "413", "415", "422", "429", "503"} <= set(post["responses"])
    assert {"Trace", "RunRequest", "Problem", "ExampleList"} <= set(document["components"]["schemas"])
    reply = post["responses"]["200"]["content"]["application/json"]["example"]
    assert "".join(entry["text"] for entry in reply["console"]) == "tensor(6.)\n"
    for example in body["examples"].values():
        assert client.post(RUNS, json=example["value"]).status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/api/v1/examples", "/api/v1/nothing", "/"])
def test_every_answer_says_what_a_browser_may_not_do(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "script-src 'self';" in policy
    assert "frame-ancestors 'self'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"


@pytest.mark.parametrize(("method", "path", "status"), [("GET", "/api/v1/nothing", 404), ("GET", RUNS, 405)])
def test_wrong_addresses_are_problems(client: TestClient, method: str, path: str, status: int) -> None:
    response = client.request(method, path)
    assert response.status_code == response.json()["status"] == status
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/api/v1/examples", "/api/v1/ops/mul", "/api/v1/nothing"])
def test_head_is_answered_as_get_without_a_body(client: TestClient, path: str) -> None:
    got, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (got.status_code, b"")
    for name in ("content-type", "content-length", "etag"):
        assert head.headers.get(name) == got.headers.get(name)


def test_a_wrong_method_is_told_the_right_one(client: TestClient) -> None:
    refused = client.get(RUNS)
    assert refused.headers["allow"] == "POST"
    assert "answers POST" in refused.json()["detail"]


def _page(folder: Path) -> TestClient:
    return TestClient(create_app(dataclasses.replace(SETTINGS, frontend_dir=str(folder))))


def test_the_page_is_cached_as_its_names_allow(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>page</title>")
    (tmp_path / "assets" / "index-abc123.js").write_text("export {};")
    page = _page(tmp_path)
    assert page.get("/").headers["cache-control"] == "no-cache"
    assert "immutable" in page.get("/assets/index-abc123.js").headers["cache-control"]
    assert page.get("/assets/missing.js").status_code == 404
    assert page.get("/../index.html").status_code in (200, 404)
    again = page.get("/", headers={"if-none-match": page.get("/").headers["etag"]})
    assert again.status_code == 304


def test_a_page_that_is_not_built_says_so(tmp_path: Path) -> None:
    page = _page(tmp_path / "absent")
    assert page.get("/").status_code == 503
    assert "make run" in page.get("/").text
    assert page.get("/assets/x.js").status_code == 404
