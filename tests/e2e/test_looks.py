"""Themes, small screens, reduced motion, the keyboard alone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.axe import violations
from tests.e2e.playground import PHONE, Playground

pytestmark = pytest.mark.e2e

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def brightness(page: Playground, selector: str) -> float:
    """Of an element's background, 0 to 255."""
    colour = page.page.locator(selector).first.evaluate("each => getComputedStyle(each).backgroundColor")
    numbers = [float(part) for part in re.findall(r"[\d.]+", colour)][:3]
    scale = 255 if "srgb" in colour else 1
    return sum(numbers) / 3 * scale


def test_the_theme_follows_the_system_and_the_button(new_page: Callable[..., Playground]) -> None:
    page = new_page(color_scheme="dark")
    page.open()
    assert brightness(page, ".header") < 60
    page.theme.click()
    expect(page.page.locator("html")).to_have_attribute("data-theme", "light")
    assert brightness(page, ".header") > 200
    page.page.reload()
    page.wait_until_run()
    assert brightness(page, ".header") > 200


def test_a_change_of_theme_reaches_every_text(new_page: Callable[..., Playground]) -> None:
    page = new_page(color_scheme="light", reduced_motion="reduce")
    page.open()
    for theme in ("dark", "light", "dark"):
        page.theme.click()
        expect(page.page.locator("html")).to_have_attribute("data-theme", theme)
        assert violations(page.page) == [], theme


def test_a_phone_shows_one_panel_at_a_time_and_the_player(new_page: Callable[..., Playground]) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    page.open()
    assert page.page.evaluate(OVERFLOW) <= 0
    expect(page.graph).to_be_visible()
    expect(page.editor).not_to_be_visible()
    page.player("backward").tap()
    page.player("next").tap()
    page.tab("step").tap()
    expect(page.title).to_contain_text("Backward0 runs")
    expect(page.inspector).not_to_be_visible()
    page.tab("inspect").tap()
    expect(page.inspector).to_contain_text("Backward0")
    page.tab("code").tap()
    expect(page.console).to_be_visible()
    page.run("import torch\nx = torch.tensor(4.0, requires_grad=True)\n(x * x).backward()\nprint(x.grad)\n")
    expect(page.console).to_contain_text("tensor(8.)")
    for tab in ("code", "graph", "step", "inspect"):
        page.tab(tab).tap()
        assert page.page.evaluate(OVERFLOW) <= 0
    # Every control of the player lies within the screen and is large enough for a finger.
    for name in ("first", "prev", "play", "next", "last", "backward"):
        box = page.player(name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
        assert min(box["width"], box["height"]) >= 30


def test_reduced_motion_shows_each_step_at_once(new_page: Callable[..., Playground]) -> None:
    page = new_page(reduced_motion="reduce")
    page.open()
    page.player("backward").click()
    page.player("next").click()
    page.player("next").click()
    place = "all => all.map((each) => each.getAttribute('transform'))"
    packets = page.graph.locator(".g-packet")
    expect(packets.first).to_be_visible()
    at_once = packets.evaluate_all(place)
    page.page.evaluate("() => new Promise((done) => setTimeout(done, 500))")
    assert packets.evaluate_all(place) == at_once


def test_the_keyboard_alone_does_everything(page: Playground) -> None:
    page.press("Home")
    page.expect_step(1)
    page.press("ArrowRight")
    page.expect_step(2)
    page.press("ArrowLeft")
    page.expect_step(1)
    page.press("End")
    page.expect_step(page.steps())
    page.press("Home")
    page.press(" ")
    expect(page.player("play")).to_have_attribute("aria-label", "Pause")
    page.press(" ")
    expect(page.player("play")).to_have_attribute("aria-label", "Play")
    page.go_to_title("mul makes")
    forward = page.step()
    page.press("ArrowDown")
    expect(page.title).to_have_text("MulBackward0 runs")
    page.press("ArrowUp")
    page.expect_step(forward)


def test_tab_reaches_every_part_and_the_outline_reads_the_graph(page: Playground) -> None:
    seen = set()
    for _ in range(80):
        page.press("Tab")
        seen.add(
            page.page.evaluate(
                "() => { const at = document.activeElement;"
                " return at?.dataset?.testid || at?.getAttribute('role') || at?.tagName }"
            )
        )
        if page.page.evaluate("() => document.activeElement?.matches('.editor')"):
            page.press("Escape")  # Escape, then Tab, leaves the editor
    assert {"examples", "run", "language", "theme", "editor", "console", "tree", "player-play", "timeline"} <= seen
    outline = page.page.get_by_role("tree", name="Outline of the graph")
    outline.focus()
    for _ in range(4):
        page.press("ArrowDown")
    expect(outline.locator("[aria-selected=true]")).to_have_count(1)
    expect(page.graph.locator(".g-box.is-selected").first).to_be_visible()


def test_typing_in_the_editor_moves_no_step(page: Playground) -> None:
    page.go_to(3)
    page.editor.locator(".cm-content").click()
    page.press("Control+End")
    page.page.keyboard.type("# one two")
    page.expect_step(3)
    assert page.program().rstrip().endswith("# one two")
