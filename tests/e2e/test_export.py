"""Files that are saved and opened again."""

import json
import re
import struct
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from backend.schemas import Trace
from tests.e2e.files import drop, saved
from tests.e2e.playground import Playground

pytestmark = pytest.mark.e2e

SVG = "{http://www.w3.org/2000/svg}"


def test_the_svg_holds_the_whole_graph_by_itself(page: Playground, tmp_path: Path) -> None:
    page.player("last").click()
    path = saved(page, "svg", tmp_path)
    root = ElementTree.parse(path).getroot()
    assert root.tag == f"{SVG}svg"
    texts = [each.text for each in root.iter(f"{SVG}text")]
    for name in ("x", "w", "b", "y", "loss", "MulBackward0", "w.grad = 12"):
        assert name in texts
    boxes = [each for each in root.iter(f"{SVG}rect") if each.get("stroke", "none") != "none"]
    assert len(boxes) > 12
    assert all(each.get("class") is None for each in root.iter())


def test_the_png_is_of_twice_the_size(page: Playground, tmp_path: Path) -> None:
    width, height = ElementTree.parse(saved(page, "svg", tmp_path)).getroot().get("viewBox", "").split()[2:]
    head = saved(page, "png", tmp_path).read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", head[16:24]) == (2 * int(width), 2 * int(height))


def pictures_of(gif: bytes) -> tuple[tuple[int, int], list[int]]:
    """Width and height of a GIF, and how long each of its pictures stays, in hundredths of a second."""
    assert gif[:6] == b"GIF89a"
    delays, at = [], 13 + 3 * 256
    while gif[at] != 0x3B:
        if gif[at] == 0x21 and gif[at + 1] == 0xF9:
            delays.append(struct.unpack("<H", gif[at + 4 : at + 6])[0])
        at += 2 if gif[at] == 0x21 else 11
        while gif[at]:
            at += gif[at] + 1
        at += 1
    return struct.unpack("<HH", gif[6:10]), delays


def test_the_animation_shows_every_step_and_opens_as_a_picture(neuron: Playground, tmp_path: Path) -> None:
    width, height = ElementTree.parse(saved(neuron, "svg", tmp_path)).getroot().get("viewBox", "").split()[2:]
    workers: list[str] = []
    neuron.page.on("worker", lambda worker: workers.append(worker.url))
    path = saved(neuron, "gif", tmp_path)
    assert any("gifWorker" in url for url in workers)
    size, delays = pictures_of(path.read_bytes())
    assert size == (int(width), int(height) + 44)
    # One picture a step that stays, and four of each motion into it.
    stays = [delay for delay in delays if delay >= 70]
    assert len(stays) == neuron.steps()
    assert delays.count(7) % 4 == 0
    assert delays.count(7) >= 4
    neuron.page.context.new_page().goto(path.as_uri())
    shown = (
        neuron.page.context.pages[-1].locator("img").evaluate("(image) => [image.naturalWidth, image.naturalHeight]")
    )
    assert shown == list(size)


def test_the_animation_of_a_long_run_says_which_steps_it_shows(page: Playground) -> None:
    page.run("import torch\nx = torch.tensor(1.0, requires_grad=True)\nfor _ in range(330):\n    y = x * 2\n")
    page.player("first").click()
    page.page.get_by_test_id("share").click()
    said = page.page.get_by_test_id("gif-steps")
    expect(said).to_contain_text(re.compile(rf"steps 1 to \d+ of {page.steps()}, from the current one on"))
    most = int(re.findall(r"shows (\d+) steps", said.inner_text())[0])
    assert 60 <= most < page.steps()
    page.press("Escape")
    page.player("last").click()
    page.page.get_by_test_id("share").click()
    expect(said).to_contain_text(f"steps {page.steps() - most + 1} to {page.steps()} of {page.steps()}")
    page.press("Escape")
    page.language.click()
    page.page.get_by_test_id("share").click()
    expect(said).to_contain_text(f"共 {page.steps()} 步")


def test_dot_and_mermaid_come_from_the_server(page: Playground, tmp_path: Path) -> None:
    dot = saved(page, "dot", tmp_path).read_text(encoding="utf-8")
    assert dot.startswith("digraph")
    mermaid = saved(page, "mermaid", tmp_path).read_text(encoding="utf-8")
    assert mermaid.startswith("flowchart")
    for text in (dot, mermaid):
        assert "MulBackward0" in text
        assert "loss" in text
    page.page.route("**/api/v1/runs", lambda route: route.fulfill(status=429, json={}))
    page.page.get_by_test_id("share").click()
    page.page.get_by_test_id("save-dot").click()
    expect(page.page.get_by_test_id("share-dialog")).to_contain_text("Many programs are running right now.")


def test_a_saved_trace_is_dropped_and_shown_without_a_run(
    page: Playground, new_page: Callable[..., Playground], tmp_path: Path
) -> None:
    page.run("import torch\na = torch.tensor(3.0, requires_grad=True)\n(a * a).backward()\nprint(a.grad)\n")
    program = page.program()
    text = saved(page, "json", tmp_path).read_text(encoding="utf-8")
    assert Trace.model_validate_json(text, strict=True).program == program
    other = new_page()
    other.open()
    other.page.route("**/api/v1/runs", lambda route: route.abort())
    drop(other.page, text)
    expect(other.console).to_contain_text("tensor(6.)")
    assert other.program() == program
    other.player("first").click()
    expect(other.title).to_have_text("a is created")


def circle(nodes: list[dict[str, object]]) -> list[dict[str, object]]:
    """The nodes, the first of which sends its gradient to itself."""
    return [{**nodes[0], "next_functions": [[nodes[0]["id"], 0]]}, *nodes[1:]]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda trace: "{", "is not JSON"),
        (lambda trace: json.dumps({"a": 1}), "holds no trace"),
        (lambda trace: json.dumps({**trace, "schema_version": "9.0"}), "another version"),
        (lambda trace: json.dumps({**trace, "ops": [{"id": 0}]}), "trace.ops[0].name"),
        (lambda trace: json.dumps({**trace, "torch_version": "x" * 10_000_000}), "too large"),
        (lambda trace: json.dumps({**trace, "nodes": circle(trace["nodes"])}), "leads back to itself"),
        (lambda trace: '{"a":' * 100_000, "is not JSON"),
    ],
)
def test_other_files_are_refused_with_the_reason(
    page: Playground, tmp_path: Path, change: Callable[[dict[str, object]], str], said: str
) -> None:
    trace = json.loads(saved(page, "json", tmp_path).read_text(encoding="utf-8"))
    before = page.program()
    drop(page.page, change(trace))
    notice = page.page.get_by_test_id("file-notice")
    expect(notice).to_contain_text(said)
    assert page.program() == before
    notice.get_by_role("button").click()
    expect(notice).to_have_count(0)


def test_markup_in_a_trace_stays_text(page: Playground, tmp_path: Path) -> None:
    trace = json.loads(saved(page, "json", tmp_path).read_text(encoding="utf-8"))
    evil = "<img src=x onerror=document.title='taken'>"
    trace["tensors"][0]["names"] = [evil]
    trace["console"][0]["text"] = evil
    drop(page.page, json.dumps(trace))
    expect(page.console).to_contain_text(evil)
    page.player("first").click()
    expect(page.title).to_contain_text(evil)
    assert page.page.title() != "taken"
    assert page.page.locator("img").count() == 0


def test_the_offline_page_plays_from_disk(
    page: Playground, new_page: Callable[..., Playground], tmp_path: Path
) -> None:
    page.player("backward").click()
    path = saved(page, "html", tmp_path)
    other = new_page(offline=True)
    other.page.goto(path.as_uri())
    expect(other.graph.locator(".g-box").first).to_be_visible()
    other.expect_step(page.step())
    other.player("next").click()
    expect(other.title).to_have_text("PowBackward0 runs")
    first, second = other.formulas()
    assert first == "loss=1"
    assert second.endswith("=8")
    expect(other.page.get_by_test_id("listing").locator("li.line-current")).to_contain_text("loss.backward()")
    other.press("End")
    expect(other.console).to_contain_text("tensor(12.)")
    other.language.click()
    expect(other.page.get_by_text("梯度账本")).to_be_visible()
    other.page.get_by_test_id("listing").locator("li").filter(has_text=re.compile("^loss = ")).click()
    expect(other.inspector.locator(".inspect-name")).to_contain_text("loss")


def test_traces_of_the_examples_are_accepted(page: Playground) -> None:
    ids = page.examples.locator("optgroup option").evaluate_all("all => all.map((each) => each.value)")
    for name in ids[::6]:
        code = page.page.evaluate(
            """async (id) => (await (await fetch("api/v1/examples")).json()).examples.find((e) => e.id === id).code""",
            name,
        )
        reply = page.page.request.post(f"{page.address}/api/v1/runs", data={"code": code, "seed": 0})
        drop(page.page, reply.text())
        expect(page.timeline).to_have_attribute("aria-valuemax", str(len(reply.json()["steps"])))
        expect(page.page.get_by_test_id("file-notice")).to_have_count(0)
