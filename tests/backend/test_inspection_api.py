"""The endpoints for inspection: options, forms of an answer, one tensor, two graphs, operators; and their manners."""

import dataclasses
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from backend.api.negotiation import choose
from backend.api.runs import FORMS, RENDERERS
from backend.app import create_app
from backend.inspection.wire import GraphDiff, OpCatalogue, TensorReply
from backend.schemas import Trace
from tests.backend.conftest import LIMITS, SETTINGS
from tests.backend.service import RUNS, printed
from tests.backend.traces import HOSTILE_PROGRAM, SQUARE

TENSOR, DIFF, OPS = "/api/v1/runs/tensor", "/api/v1/graphs/diff", "/api/v1/ops"
CACHED = ["/api/v1/examples", OPS, f"{OPS}/mul", "/api/v1/openapi.json"]


def run(client: TestClient, code: str, **options: Any) -> dict:
    response = client.post(RUNS, json={"code": code, "options": options})
    assert response.status_code == 200, response.text
    Trace.model_validate_json(response.content)
    return response.json()


def refusal(response: Any) -> str:
    """The detail of a problem document."""
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["status"] == response.status_code
    return response.json()["detail"]


# ---- options -------------------------------------------------------------------------------------
def test_options_reach_the_run(client: TestClient) -> None:
    trace = run(client, SQUARE, overrides=[{"name": "x", "value": 5}], saved=False, values="preview")
    assert printed(trace) == "tensor(10.)\n"
    assert trace["overrides"][0]["tensor"] == 0
    assert all(node["saved"] == [] for node in trace["nodes"])
    assert run(client, SQUARE, until={"line": 4})["outcome"]["message"] == "Stopped before line 4, as asked."
    assert len(run(client, SQUARE, until={"step": 2})["steps"]) == 3
    assert run(client, SQUARE, steps="final_graph")["steps"] == []


def test_options_of_one_run_are_not_those_of_the_next(client: TestClient) -> None:
    run(client, SQUARE, overrides=[{"name": "x", "value": 5}], until={"line": 4})
    assert printed(run(client, SQUARE)) == "tensor(6.)\n"


def test_a_large_final_graph_is_cut_to_the_limit_of_a_reply(client: TestClient) -> None:
    code = "import torch\nxs = [torch.randn(10000) for _ in range(60)]\nprint('done')\n"
    response = client.post(RUNS, json={"code": code, "options": {"steps": "final_graph", "value_elements": 100_000}})
    trace = Trace.model_validate_json(response.content)
    assert trace.outcome.status == "too_large"
    assert 0 < len(trace.tensors) < 60
    assert len(response.content) < 1.5 * LIMITS.reply_bytes


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"values": "all"}, "`options.values`"),
        ({"value_elements": 0}, "`options.value_elements`"),
        ({"saved": 1}, "`options.saved`"),
        ({"until": {}}, "either a line or a step"),
        ({"until": {"line": 1, "step": 1}}, "either a line or a step"),
        ({"until": {"line": 0}}, "`options.until.line`"),
        ({"overrides": [{"value": 1}]}, "either a name or a line"),
        ({"overrides": [{"name": "x"}]}, "`options.overrides.0.value`"),
        ({"overrides": [{"name": "x", "value": 1}] * 101}, "`options.overrides`"),
        ({"probe": {"tensor": 0}}, "`options.probe`"),
    ],
)
def test_options_that_mean_nothing_are_refused(client: TestClient, options: dict, says: str) -> None:
    response = client.post(RUNS, json={"code": "", "options": options})
    assert response.status_code == 422
    assert says in refusal(response)


# ---- forms ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("form", "starts"),
    [("text/vnd.graphviz", "digraph autograd {"), ("text/vnd.mermaid", "flowchart TB"), ("text/plain", "Outcome: ")],
)
@pytest.mark.parametrize("code", [SQUARE, HOSTILE_PROGRAM, "x = (", "import os\nos._exit(1)"])
def test_a_run_in_another_form(client: TestClient, form: str, starts: str, code: str) -> None:
    response = client.post(RUNS, json={"code": code}, headers={"accept": form})
    assert response.status_code == 200
    assert response.headers["content-type"] == f"{form}; charset=utf-8"
    assert response.headers["vary"].lower().startswith("accept")
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.text.startswith(starts)


def test_a_form_that_is_not_on_offer(client: TestClient) -> None:
    response = client.post(RUNS, json={"code": ""}, headers={"accept": "image/png"})
    assert response.status_code == 406
    assert "text/vnd.mermaid" in refusal(response)


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "application/json"),
        ("", "application/json"),
        ("*/*", "application/json"),
        ("text/*", "text/vnd.graphviz"),
        ("text/plain, */*;q=0.1", "text/plain"),
        ("application/json;q=0.2, text/vnd.mermaid;q=0.9", "text/vnd.mermaid"),
        ("text/*, text/vnd.graphviz;q=0", "text/vnd.mermaid"),
        ("TEXT/PLAIN; charset=utf-8", "text/plain"),
        ("text/html,application/xhtml+xml,*/*;q=0.8", "application/json"),
        ("text/plain;q=nonsense, text/vnd.mermaid", "text/vnd.mermaid"),
    ],
)
def test_the_client_chooses_the_form(accept: str | None, chosen: str) -> None:
    assert choose(accept, FORMS) == chosen


# ---- one tensor ----------------------------------------------------------------------------------
def test_elements_of_one_tensor(client: TestClient) -> None:
    code = "import torch\nw = torch.arange(1e6).reshape(1000, 1000).requires_grad_()\n(w * w).sum().backward()\n"
    response = client.post(TENSOR, json={"code": code, "tensor": "w", "of": "grad", "index": "999, -2:"})
    reply = TensorReply.model_validate_json(response.content)
    assert reply.outcome.status == "ok"
    assert reply.slice.value is not None
    assert reply.slice.value.data == [1999996.0, 1999998.0]
    assert reply.slice.shape == [1000, 1000]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"tensor": "q"}, "No tensor of this run is called `q`."),
        ({"tensor": "x", "index": "3"}, "does not fit the shape []"),
        ({"tensor": "x", "index": "a"}, "is not an index"),
        ({"tensor": "x", "step": 0, "of": "grad"}, "has no gradient at step 0"),
        ({"tensor": "x", "version": 0, "of": "grad"}, "a gradient has no version"),
        ({}, "`tensor"),
        ({"tensor": -1}, "`tensor"),
    ],
)
def test_elements_that_are_not_there_are_refused(client: TestClient, asked: dict, says: str) -> None:
    response = client.post(TENSOR, json={"code": SQUARE, **asked})
    assert response.status_code == 422
    assert says in refusal(response)


def test_a_run_that_ended_early_says_so(client: TestClient) -> None:
    response = client.post(TENSOR, json={"code": "import os\nos._exit(1)", "tensor": 0})
    assert response.status_code == 422
    assert "The run ended with the status error." in refusal(response)


# ---- two graphs ----------------------------------------------------------------------------------
def test_two_programs_are_compared(client: TestClient) -> None:
    asked = {"before": {"code": SQUARE}, "after": {"code": SQUARE.replace("x * x", "x + x")}}
    found = GraphDiff.model_validate_json(client.post(DIFF, json=asked).content)
    assert [(one.before.name, one.after.name) for one in found.nodes.changed] == [("MulBackward0", "AddBackward0")]
    assert [one.max_difference for one in found.gradients.changed] == [4.0]


def test_the_longest_programs_are_compared(client: TestClient) -> None:
    code = "#" * LIMITS.code_bytes
    assert client.post(DIFF, json={"before": {"code": code}, "after": {"code": code}}).json()["same"]
    response = client.post(DIFF, json={"before": {"code": code + "#"}, "after": {"code": ""}})
    assert response.status_code == 413
    assert "longer than 64 KB" in refusal(response)


# ---- operators -----------------------------------------------------------------------------------
def test_operators_are_listed_with_their_derivatives(client: TestClient) -> None:
    listed = OpCatalogue.model_validate_json(client.get(OPS).content)
    by_overload = {op.overload: op for op in listed.ops}
    assert by_overload["mul.Tensor"].grad_fn == "MulBackward0"
    assert by_overload["mul.Tensor"].found_at == ["torch.mul", "torch.Tensor.mul"]
    assert by_overload["t"].is_view
    one = client.get(f"{OPS}/mul.Tensor").json()["overloads"]
    assert one == [json.loads(by_overload["mul.Tensor"].model_dump_json())]
    assert len(client.get(f"{OPS}/mul").json()["overloads"]) > 1


def test_an_operator_that_is_not_there(client: TestClient) -> None:
    response = client.get(f"{OPS}/sigmod")
    assert response.status_code == 404
    assert "The nearest is `sigmoid`." in refusal(response)


# ---- manners -------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", CACHED)
def test_what_a_client_has_is_not_sent_again(client: TestClient, path: str) -> None:
    first = client.get(path)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    again = client.get(path, headers={"if-none-match": f'"other", {tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert client.get(path, headers={"if-none-match": '"other"'}).status_code == 200


@pytest.mark.parametrize("path", CACHED[:2])
def test_documents_are_compressed_for_those_who_accept_it(client: TestClient, path: str) -> None:
    packed = client.get(path, headers={"accept-encoding": "gzip"})
    plain = client.get(path, headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.content == plain.content


def test_pages_of_other_sites_may_use_the_api_when_a_setting_says_so(client: TestClient) -> None:
    site = "https://course.example"
    assert "access-control-allow-origin" not in client.get("/healthz", headers={"origin": site}).headers
    allowing = TestClient(create_app(dataclasses.replace(SETTINGS, cors_origins=f"https://a.example, {site}")))
    assert allowing.get("/healthz", headers={"origin": site}).headers["access-control-allow-origin"] == site
    preflight = {
        "origin": site, "access-control-request-method": "POST", "access-control-request-headers": "content-type",
    }  # fmt: skip
    assert allowing.options(RUNS, headers=preflight).status_code == 200
    foreign = allowing.options(RUNS, headers={**preflight, "origin": "https://b.example"})
    assert "access-control-allow-origin" not in foreign.headers


def test_the_examples_of_the_description_are_true(client: TestClient) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    for path in (RUNS, TENSOR, DIFF):
        for example in paths[path]["post"]["requestBody"]["content"]["application/json"]["examples"].values():
            assert client.post(path, json=example["value"]).status_code == 200
    answers = paths[RUNS]["post"]["responses"]["200"]["content"]
    square = paths[RUNS]["post"]["requestBody"]["content"]["application/json"]["examples"]["square"]["value"]
    for form in RENDERERS:  # JSON and events hold times
        assert client.post(RUNS, json=square, headers={"accept": form}).text == answers[form]["example"]
