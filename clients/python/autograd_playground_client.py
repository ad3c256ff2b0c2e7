"""A client of the Autograd Playground's API in one file, with the standard library alone. Copy it, or import it.

    playground = Playground("http://127.0.0.1:8000")
    run = playground.run("import torch\\nx = torch.tensor(3.0, requires_grad=True)\\n(x * x).backward()\\n")
    run.ok                                      # True
    run.grad("x")                               # 6.0
    playground.run(code, overrides={"x": 5.0}).grad("x")
    playground.render(code, "dot")              # or "mermaid", "text"
    playground.run(code, on_progress=lambda now: print(now["phase"], now["line"]))

What the service refuses is raised as a Refused, with the sentences of its problem document.
"""

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Form = Literal["dot", "mermaid", "text"]
Numbers = Any
"""A number, or nested lists of numbers; "nan", "inf" and "-inf" are strings."""
Progress = dict[str, Any]
"""Where a run stands: `elapsed_ms`, `phase`, `position`, `line`, `steps`, as RunProgress in the OpenAPI description."""

_FORMS: dict[Form, str] = {"dot": "text/vnd.graphviz", "mermaid": "text/vnd.mermaid", "text": "text/plain"}


class Refused(RuntimeError):
    """The service did not do what was asked. `retry_after`: seconds, when it says that later it may."""

    def __init__(self, status: int, title: str, detail: str, retry_after: float | None) -> None:
        super().__init__(f"{status} {title}: {detail}")
        self.status, self.title, self.detail, self.retry_after = status, title, detail, retry_after


@dataclass(frozen=True)
class Run:
    """One run. `trace` is the whole document, as the API's OpenAPI description has it."""

    trace: dict[str, Any]

    @property
    def ok(self) -> bool:
        return self.trace["outcome"]["status"] == "ok"

    @property
    def error(self) -> str | None:
        """What the program raised, "ValueError: …"; None when it raised nothing."""
        error = self.trace["outcome"]["error"]
        return f"{error['type']}: {error['message']}" if error else None

    @property
    def printed(self) -> str:
        return "".join(entry["text"] for entry in self.trace["console"])

    @property
    def nodes(self) -> list[str]:
        """Names of the backward nodes, in the order in which they were made."""
        return [node["name"] for node in self.trace["nodes"]]

    def tensor(self, name: str) -> dict[str, Any]:
        """The last tensor of a variable name. Raises KeyError."""
        for tensor in reversed(self.trace["tensors"]):
            if name in tensor["names"]:
                return tensor
        raise KeyError(name)

    def value(self, name: str) -> Numbers:
        """Its elements at the end; of a large tensor the first ones, flat. Raises KeyError."""
        return self.tensor(name)["value"]["data"]

    def grad(self, name: str) -> Numbers | None:
        """Its gradient's elements at the end, None when it has no gradient. Raises KeyError."""
        grad = self.tensor(name)["grad"]
        return None if grad is None else grad["data"]


class Playground:
    """The service at one address. Every method raises Refused, and OSError when the service cannot be reached."""

    def __init__(self, address: str = "http://127.0.0.1:8000", timeout: float = 30.0) -> None:
        self._api = address.rstrip("/") + "/api/v1"
        self._timeout = timeout

    def run(
        self,
        code: str,
        *,
        seed: int = 0,
        overrides: Mapping[str, Numbers] | None = None,
        until_line: int | None = None,
        until_step: int | None = None,
        values: Literal["none", "preview", "full"] = "full",
        value_elements: int | None = None,
        saved: bool = True,
        steps: Literal["all", "final_graph"] = "all",
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Run:
        """Run a program.

        `overrides`: values for leaf tensors, by variable name. `on_progress`: called about every 300 ms while the run
        goes on; what it raises ends the run and comes out here.
        """
        options = {"values": values, "value_elements": value_elements, "saved": saved, "steps": steps}
        options |= _changes(overrides, until_line, until_step)
        body = {"code": code, "seed": seed, "options": options}
        if on_progress is None:
            return Run(self._json("/runs", body))
        with self._open("/runs", body, "text/event-stream") as response:
            for name, said in _events(response):
                if name == "trace":
                    return Run(said)
                if name == "problem":
                    raise Refused(said["status"], said["title"], said["detail"], said.get("retry_after"))
                on_progress(said)
        raise OSError("The answer broke off.")

    def render(self, code: str, form: Form, *, seed: int = 0, options: Mapping[str, Any] | None = None) -> str:
        """Run a program and get its graph as text, or its backward pass as sentences."""
        body = {"code": code, "seed": seed, "options": dict(options or {})}
        return self._send("/runs", body, _FORMS[form]).decode("utf-8")

    def elements(
        self,
        code: str,
        tensor: str | int,
        index: str = "",
        *,
        of: Literal["value", "grad"] = "value",
        step: int | None = None,
        version: int | None = None,
        seed: int = 0,
        overrides: Mapping[str, Numbers] | None = None,
    ) -> Numbers:
        """Exact elements of one tensor of a run, by name or id: `elements(code, "w", "0, :10")`."""
        wanted = {"tensor": tensor, "index": index, "of": of, "step": step, "version": version}
        body = {"code": code, "seed": seed, "options": _changes(overrides, None, None), **wanted}
        return self._json("/runs/tensor", body)["slice"]["value"]["data"]

    def diff(self, before: str, after: str, *, seed: int = 0) -> dict[str, Any]:
        """What changed in the graph and in the gradients from one program to another."""
        return self._json("/graphs/diff", {which: {"code": code, "seed": seed} for which, code in
                                           (("before", before), ("after", after))})  # fmt: skip

    def ops(self, name: str | None = None) -> list[dict[str, Any]]:
        """The operators, all of them or those of one name."""
        if name is None:
            return self._json("/ops")["ops"]
        return self._json(f"/ops/{urllib.parse.quote(name, safe='')}")["overloads"]

    def examples(self) -> list[dict[str, Any]]:
        """The programs of the examples menu."""
        return self._json("/examples")["examples"]

    def _json(self, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return json.loads(self._send(path, body, "application/json"))

    def _send(self, path: str, body: Mapping[str, Any] | None, accept: str) -> bytes:
        with self._open(path, body, accept) as response:
            return response.read()

    def _open(self, path: str, body: Mapping[str, Any] | None, accept: str) -> http.client.HTTPResponse:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Accept": accept, "Content-Type": "application/json"}
        request = urllib.request.Request(self._api + path, data, headers)
        try:
            return urllib.request.urlopen(request, timeout=self._timeout)
        except urllib.error.HTTPError as error:
            raise _refused(error) from None


def _events(lines: Iterable[bytes]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Server-sent events, each by its name, as they come."""
    name = ""
    for line in lines:
        field, _, value = line.decode("utf-8").rstrip("\n").partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


def _changes(overrides: Mapping[str, Numbers] | None, line: int | None, step: int | None) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if overrides:
        changes["overrides"] = [{"name": name, "value": value} for name, value in overrides.items()]
    if line is not None or step is not None:
        changes["until"] = {"line": line, "step": step}
    return changes


def _refused(error: urllib.error.HTTPError) -> Refused:
    with error:
        try:
            problem = json.loads(error.read())
        except ValueError:
            problem = {}
    after = error.headers.get("Retry-After", "")
    retry = float(after) if after.isdigit() else None
    return Refused(error.code, problem.get("title", error.reason), problem.get("detail", ""), retry)
