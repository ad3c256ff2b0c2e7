"""The player: what a step tells, packets, moves through modules and to lines, a looped range."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import Playground
from tests.e2e.programs import ALL_KINDS, MODULES

pytestmark = pytest.mark.e2e


def test_a_hook_tells_what_it_made_of_the_gradient(page: Playground) -> None:
    page.run(ALL_KINDS)
    page.player("first").click()
    page.go_to_title("Hook")
    assert page.formulas() == ["wˉ=6→12"]


def test_packets_are_as_large_as_what_they_carry(page: Playground) -> None:
    page.run("import torch\nx = torch.tensor(2.0, requires_grad=True)\n(x * 1e-3 * 1e5).backward()\n")
    page.player("backward").click()
    sizes = []
    for _ in range(page.steps() - page.step()):
        page.player("next").click()
        packet = page.graph.locator(".g-packet")
        if packet.count():
            sizes.append(float(packet.first.locator("circle").last.get_attribute("r") or 0))
    # 1, then 100000, then 100.
    assert sizes[0] < sizes[-1] < max(sizes)


def test_moves_lead_over_modules_to_lines_and_to_the_selection(page: Playground) -> None:
    page.run(MODULES)
    page.player("first").click()
    menu = page.page.get_by_test_id("moves")
    menu.locator("summary").click()
    line = page.page.get_by_test_id("move-line")
    line.fill("6")
    line.press("Enter")
    expect(page.card).to_contain_text("line 6")
    expect(page.title).to_have_text(re.compile("sum"))
    line.fill("2")
    line.press("Enter")
    expect(menu).to_contain_text("Nothing happens there.")
    page.press("Escape")
    expect(page.page.get_by_test_id("move-line")).not_to_be_visible()
    page.player("backward").click()
    page.press("o")
    page.press("o")
    after = page.step()
    page.press("u")
    assert page.step() > after
    page.press("b")
    expect(page.title).to_contain_text("backward() starts")
    page.graph.get_by_role("button", name="Fit the whole graph").click()
    page.page.keyboard.press("ControlOrMeta+f")
    page.page.locator(".search input").fill("relu")
    page.page.get_by_role("option").filter(has_text="ReluBackward0").first.click()
    page.player("play").focus()
    page.press("s")
    expect(page.title).to_have_text("ReluBackward0 runs")


def test_a_range_is_looped_until_told_otherwise(page: Playground) -> None:
    page.go_to(4)
    page.press("[")
    page.go_to(5)
    page.press("]")
    looped = page.page.get_by_test_id("looped")
    expect(looped).to_have_count(1)
    page.page.get_by_label("Speed").first.select_option("8")
    page.player("play").click()
    seen = page.page.evaluate(
        """() => new Promise((done) => {
          const bar = document.querySelector('[data-testid=timeline]');
          const seen = [];
          const watch = new MutationObserver(() => {
            seen.push(Number(bar.getAttribute('aria-valuenow')));
            if (seen.length === 6) { watch.disconnect(); done(seen); }
          });
          watch.observe(bar, { attributeFilter: ['aria-valuenow'] });
        })"""
    )
    assert set(seen) == {4, 5}
    page.player("play").click()
    page.press("\\")
    expect(looped).to_have_count(0)
