"""At a desk and on a phone, in English and in Chinese: the camera, the map, dragging through time, what runs by itself,
a server that takes its time, pictures, and what a frame tells the page around it."""

import struct
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from playwright.sync_api import Download, Locator, Route, expect

from tests.e2e.files import SAVED_WITHIN_MS, saved
from tests.e2e.programs import ACCUMULATE, DESCENT, NEURON
from tests.e2e.visitor import Visitor

pytestmark = pytest.mark.e2e

LESSON = """<!doctype html><script>addEventListener("message", (event) => (window.said = event.data))</script>
<iframe src="%s" width="100%%" height="560"></iframe>"""


def drag(visitor: Visitor, start: tuple[float, float], end: tuple[float, float]) -> None:
    mouse = visitor.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(*end, steps=12)
    mouse.up()


def middle(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# Boxes the step is about that lie under the small map, and whether there is one.
UNDER_THE_MAP = """() => {
  const map = document.querySelector(".g-minimap")?.getBoundingClientRect();
  const under = [...document.querySelectorAll(".g-near .g-box.is-now")].filter((each) => {
    const box = each.getBoundingClientRect();
    return map && box.left < map.right && map.left < box.right && box.top < map.bottom && map.top < box.bottom;
  });
  return [Boolean(map), under.map((each) => each.textContent)];
}"""


def test_the_map_never_lies_over_what_a_step_is_about(visitor: Visitor) -> None:
    visitor.begin(DESCENT)
    visitor.timeline.focus()
    visitor.press("Home")
    for _ in range(24):
        visitor.press("ArrowRight")
        assert visitor.page.evaluate(UNDER_THE_MAP) == [not visitor.phone, []]


def test_the_camera_goes_where_it_is_sent(visitor: Visitor) -> None:
    visitor.begin(DESCENT)
    visitor.press("Home")
    visitor.part("search-open").click()
    visitor.page.get_by_role("combobox", name=visitor.says("Name, op", "变量名")).fill("loss")
    visitor.press("Enter")
    visitor.press("Escape")
    chosen = visitor.graph.locator(".g-box.is-selected")
    visitor.at_rest(chosen)
    expect(chosen).to_be_in_viewport()
    small = visitor.part("minimap")
    if visitor.phone:
        # There the map would cover the graph, which a finger moves itself.
        x, y = middle(visitor.graph)
        drag(visitor, (x - 100, y + 150), (x - 100, y - 150))
        drag(visitor, (x - 100, y + 150), (x - 100, y - 150))
        expect(chosen).not_to_be_in_viewport()
    else:
        box = small.bounding_box()
        assert box is not None
        foot = (box["x"] + box["width"] / 2, box["y"] + box["height"] - 4)
        drag(visitor, (foot[0], foot[1] - 30), foot)
        expect(chosen).not_to_be_in_viewport()
    visitor.button("Zoom to the selection", "放大到所选").click()
    expect(chosen).to_be_in_viewport()
    follow = visitor.graph.get_by_role("button", name=visitor.says("Follow the step", "跟随当前步骤"))
    follow.click()
    still = visitor.at_rest(chosen)
    visitor.press("End")
    visitor.expect_step(visitor.steps())
    assert visitor.at_rest(chosen) == still
    visitor.button("Fit the whole graph", "显示整张图").click()
    expect(small).to_have_count(0)


def test_dragging_through_time_unprints_and_unaccumulates(visitor: Visitor) -> None:
    visitor.begin(ACCUMULATE)
    visitor.press("End")
    visitor.show("code")
    expect(visitor.console).to_contain_text("tensor(18.)")
    expect(visitor.ledger.locator(".running")).to_have_text(["6", "18"])
    last = visitor.steps()
    drag(visitor, visitor.place_of(last), visitor.place_of(2))
    visitor.expect_step(2)
    expect(visitor.console).not_to_contain_text("tensor")
    expect(visitor.console).to_contain_text(visitor.says("2 more lines print later", "还有 2 行稍后打印"))
    expect(visitor.ledger.locator(".running")).to_have_count(0)
    drag(visitor, visitor.place_of(2), visitor.place_of(last))
    expect(visitor.ledger.locator(".running")).to_have_text(["6", "18"])


def test_a_live_program_runs_by_itself_and_a_slow_server_is_waited_for(visitor: Visitor) -> None:
    visitor.begin(NEURON)
    visitor.press("End")
    visitor.show("code")
    live = visitor.page.get_by_label(visitor.says("Live", "实时"))
    live.check()
    visitor.write(NEURON.replace("3.0", "5.0"))
    expect(visitor.console).to_contain_text("tensor(110.) tensor(44.) tensor(22.)")
    live.uncheck()
    visitor.write(NEURON)
    held: list[Route] = []

    def hold(route: Route) -> None:
        """Keep what is to be run; what is only to be read goes on."""
        if "until" in (route.request.post_data or ""):
            route.continue_()
        else:
            held.append(route)

    visitor.page.route("**/api/v1/runs", hold)
    visitor.run_button.click()
    expect(visitor.run_button).to_contain_text(visitor.says("Running", "运行中"))
    visitor.editor.locator(".cm-content").press("ControlOrMeta+End")
    visitor.page.keyboard.type("# mine")
    expect(visitor.console).to_contain_text("tensor(110.)")  # what was shown stays
    with visitor.page.expect_response("**/api/v1/runs"):
        for route in held:
            route.continue_()
    expect(visitor.run_button).to_have_attribute("aria-busy", "false")
    assert visitor.program().endswith("# mine")
    expect(visitor.console).to_contain_text("tensor(42.) tensor(28.) tensor(14.)")


def tall_picture_comes_in_tiles(visitor: Visitor, folder: Path) -> None:
    """No canvas is as tall as this graph."""
    visitor.run_here("import torch\nx = torch.tensor(1.0, requires_grad=True)\n" + "x = x * 1.01\n" * 42)
    width, height = ElementTree.parse(saved(visitor, "svg", folder)).getroot().get("viewBox", "").split()[2:]
    files: list[Download] = []

    def note(file: Download) -> None:
        files.append(file)

    visitor.page.on("download", note)
    visitor.part("share").click()
    with visitor.page.expect_download(
        lambda each: each.suggested_filename.endswith("-2-1.png"), timeout=SAVED_WITHIN_MS
    ):
        visitor.part("save-png").click()
    visitor.page.remove_listener("download", note)
    visitor.press("Escape")
    assert [file.suggested_filename[-8:] for file in files] == ["-1-1.png", "-2-1.png"]
    sizes = [struct.unpack(">II", file.path().read_bytes()[16:24]) for file in files]
    assert {each[0] for each in sizes} == {2 * int(width)}
    assert sum(each[1] for each in sizes) == 2 * int(height)


def test_pictures_are_made_and_a_frame_tells_its_height(visitor: Visitor, tmp_path: Path) -> None:
    visitor.begin("import torch\nx = torch.tensor(3.0, requires_grad=True)\n(x * x).backward()\n")
    head = saved(visitor, "png", tmp_path).read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert min(struct.unpack(">II", head[16:24])) > 200
    moving = saved(visitor, "gif", tmp_path).read_bytes()
    assert moving[:6] == b"GIF89a"
    assert min(struct.unpack("<HH", moving[6:10])) > 100
    page = visitor.page
    tall_picture_comes_in_tiles(visitor, tmp_path)
    link = f"{visitor.address}/?embed=1&hide=editor,console,ledger,queue,inspector&autoplay=1&speed=8#step=3"
    page.route("**/lesson", lambda route: route.fulfill(body=LESSON % link, content_type="text/html"))
    page.goto(f"{visitor.address}/lesson")
    inner = page.frame_locator("iframe")
    line = inner.get_by_test_id("timeline")
    expect(inner.get_by_test_id("graph").locator(".g-box").first).to_be_visible()
    expect(line).to_have_attribute("aria-valuenow", line.get_attribute("aria-valuemax") or "")
    expect(inner.get_by_test_id("open-whole")).to_contain_text(
        visitor.says("Open in the playground", "在 Playground 中打开")
    )
    page.wait_for_function("window.said")
    said = page.evaluate("window.said")
    assert said["type"] == "autograd-playground:resize"
    assert 360 <= said["height"] <= 960
