"""Links that bring a program along, the page inside another one, and what is said where a link leads nowhere."""

import json
import re
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.playground import Playground
from tests.e2e.programs import TWICE

pytestmark = pytest.mark.e2e

OUTER = """<!doctype html><title>A lesson</title>
<script>addEventListener("message", (event) => { window.said = event.data; });</script>
<iframe src="%s" width="900" height="640"></iframe>"""


def without_store(page: Playground) -> None:
    """A server that keeps no programs."""
    page.page.route("**/api/v1/snippets", lambda route: route.fulfill(status=404, json={"title": "Not Found"}))


def with_store(page: Playground) -> None:
    """A server that keeps one program."""
    kept: dict[str, object] = {}

    def answer(route: Route) -> None:
        if route.request.method == "POST":
            kept.update(json.loads(route.request.post_data or "{}"))
            route.fulfill(status=201, json={"id": "abc123", **kept})
        elif kept:
            route.fulfill(json={"id": "abc123", **kept})
        else:
            route.fulfill(status=404, json={"title": "Not Found"})

    page.page.route("**/api/v1/snippets**", answer)
    page.page.route("**/api/v1/snippets/*", answer)


def shared(page: Playground, field: str = "link") -> str:
    page.page.get_by_test_id("share").click()
    text = page.page.get_by_test_id(f"share-{field}").input_value()
    page.press("Escape")
    expect(page.page.get_by_test_id("share-dialog")).to_be_hidden()
    return text


def fields_of(link: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(link).fragment).items()}


def test_a_long_link_opens_the_same_program_at_the_same_step(new_page: Callable[..., Playground]) -> None:
    page = new_page()
    without_store(page)
    page.open()
    page.run(TWICE)
    page.player("first").click()
    page.player("next").click()
    page.box("mul").first.click()
    link = shared(page)
    fields = fields_of(link)
    assert (fields["step"], fields["select"]) == ("2", "op:1")
    other = new_page(locale="zh-CN")
    other.page.goto(link)
    other.wait_until_run()
    assert other.program() == TWICE
    other.expect_step(2)
    expect(other.inspector.locator(".inspect-name")).to_contain_text("mul")
    expect(other.run_button).to_contain_text("Run")


def test_a_short_link_where_the_server_keeps_programs(new_page: Callable[..., Playground]) -> None:
    page = new_page()
    with_store(page)
    page.open()
    page.run(TWICE)
    link = shared(page)
    assert fields_of(link)["s"] == "abc123"
    page.page.goto("about:blank")
    page.page.goto(link)
    page.wait_until_run()
    assert page.program() == TWICE


def test_an_example_is_shared_by_its_name(page: Playground) -> None:
    assert fields_of(shared(page))["example"] == page.examples.input_value()


def test_the_address_brings_the_program_along(page: Playground) -> None:
    page.run(TWICE)
    page.page.wait_for_url("**code=*")
    address = page.page.url
    page.page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.page.goto("about:blank")
    page.page.goto(address)
    page.wait_until_run()
    assert page.program() == TWICE


def test_colours_and_view_are_in_the_address(page: Playground) -> None:
    page.page.get_by_test_id("paint").select_option("grad")
    page.page.get_by_role("button", name=re.compile("as badges")).click()
    page.page.wait_for_url("**colour=grad*view=badges*")
    page.page.reload()
    page.wait_until_run()
    expect(page.page.get_by_test_id("paint")).to_have_value("grad")
    expect(page.graph).to_have_attribute("data-mode", "badges")


MIDDLE = """() => {
  const svg = document.querySelector(".g-near");
  const { a, e, f } = svg.querySelector("g").transform.baseVal.consolidate().matrix;
  return [(svg.clientWidth / 2 - e) / a, (svg.clientHeight / 2 - f) / a, a];
}"""


def test_a_link_looks_where_the_camera_looked(new_page: Callable[..., Playground]) -> None:
    page = new_page()
    without_store(page)
    page.open()
    page.graph.locator(".g-stage").hover(position={"x": 200, "y": 250})
    page.page.mouse.wheel(0, -400)
    page.page.wait_for_url("**camera=*")
    looked = page.page.evaluate(MIDDLE)
    assert looked[2] > 1.2
    other = new_page(viewport={"width": 1200, "height": 760})
    other.page.goto(shared(page))
    other.wait_until_run()
    expect(other.graph.locator(".g-box").first).to_be_visible()
    assert other.page.evaluate(MIDDLE) == pytest.approx(looked, abs=1)
    other.page.get_by_role("button", name="Fit").click()
    other.page.wait_for_url(lambda url: "camera=" not in url)


def test_a_link_that_leads_nowhere_says_so_and_loses_nothing(new_page: Callable[..., Playground]) -> None:
    page = new_page()
    with_store(page)
    page.remember(TWICE)
    page.page.goto(f"{page.address}/#s=gone99")
    expect(page.notice).to_contain_text("no longer leads to a program")
    assert page.program() == TWICE
    page.page.goto(f"{page.address}/#code=%%%damaged")
    expect(page.notice).to_contain_text("damaged")
    page.run()
    expect(page.error).to_be_visible()


def test_what_is_copied_is_what_is_shown(new_page: Callable[..., Playground]) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.open()
    page.page.get_by_test_id("share").click()
    dialog = page.page.get_by_test_id("share-dialog")
    dialog.get_by_label("program", exact=True).uncheck()
    dialog.get_by_label("plays by itself").check()
    page.page.get_by_test_id("copy-embed").click()
    expect(page.page.get_by_test_id("copy-embed")).to_have_text("Copied")
    tag = page.page.evaluate("navigator.clipboard.readText()")
    assert tag.startswith("<iframe ")
    assert "?embed=1&amp;hide=editor,console,ledger,queue,inspector&amp;autoplay=1#" in tag


def test_inside_another_page_it_hides_parts_plays_and_tells_its_height(new_page: Callable[..., Playground]) -> None:
    page = new_page(viewport={"width": 1000, "height": 700})
    link = f"{page.address}/?embed=1&hide=editor,console,ledger,queue,inspector&autoplay=1&speed=8#step=3"
    page.page.route("**/lesson", lambda route: route.fulfill(body=OUTER % link, content_type="text/html"))
    page.page.goto(f"{page.address}/lesson")
    inner = page.page.frame_locator("iframe")
    expect(inner.get_by_test_id("graph").locator(".g-box").first).to_be_visible()
    expect(inner.get_by_test_id("editor")).to_have_count(0)
    expect(inner.get_by_test_id("run")).to_have_count(0)
    expect(inner.get_by_test_id("step-card")).to_be_visible()
    last = inner.get_by_test_id("timeline").get_attribute("aria-valuemax") or ""
    expect(inner.get_by_test_id("timeline")).to_have_attribute("aria-valuenow", last)
    page.page.wait_for_function("window.said")
    said = page.page.evaluate("window.said")
    assert said["type"] == "autograd-playground:resize"
    assert 360 <= said["height"] <= 960
    with page.page.expect_popup() as whole:
        inner.get_by_test_id("open-whole").click()
    expect(whole.value.get_by_test_id("editor")).to_be_visible()


def test_an_embedded_page_leaves_the_programs_alone(new_page: Callable[..., Playground]) -> None:
    page = new_page()
    page.remember(TWICE)
    page.page.goto(f"{page.address}/?embed=1")
    expect(page.graph.locator(".g-box").first).to_be_visible()
    page.run("print('run in a frame')")
    expect(page.console).to_contain_text("run in a frame")
    kept = json.loads(page.page.evaluate("localStorage.getItem('autograd-playground.programs')"))
    assert [each["code"] for each in kept["list"]] == [TWICE]
    assert page.program() != TWICE


def test_what_an_example_is_about_stands_under_the_menu(page: Playground) -> None:
    note = page.page.get_by_test_id("example-note")
    before = note.inner_text()
    assert len(before) > 20
    page.language.click()
    expect(note).not_to_have_text(before)
    page.write("import torch\n")
    expect(note).to_have_count(0)
