"""The player: a picture for each kind of step, moves through modules and to lines, a looped range, long runs."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import PHONE, Playground
from tests.e2e.programs import ALL_KINDS, DESCENT, MODULES

pytestmark = pytest.mark.e2e

NEAR = "(step) => Math.abs(document.querySelector('[data-testid=timeline]').ariaValueNow - step) < 60"


def test_every_kind_of_step_has_its_own_picture(page: Playground) -> None:
    page.run(ALL_KINDS)
    page.player("first").click()
    signs: dict[str, str] = {}
    told: dict[str, str] = {}
    for step in range(1, page.steps() + 1):
        page.expect_step(step)
        sign = page.card.locator(".step-sign")
        kind = str(sign.get_attribute("data-kind"))
        signs.setdefault(kind, str(sign.locator("path").get_attribute("d")))
        deeds = page.graph.locator(".g-deed text").all_text_contents()
        above = page.page.get_by_test_id("deed")
        told.setdefault(kind, above.inner_text() if above.count() else " ".join(deeds))
        page.press("ArrowRight")
    assert len(signs) == 15
    assert len(set(signs.values())) == 15
    assert told["inplace"] == "v1"
    assert told["hook"] == "6 → 12"
    assert told["optimizer_step"] == "2 → -4"
    assert told["zero_grad"] == "None"
    assert re.fullmatch(r"printed\s+w is -10\.0", told["print"])
    assert re.fullmatch(r"mode on:\s+no_grad", told["mode_enter"])
    assert "careful" in told["warning"]


# How what a step says lies over the boxes it is about, and whether it is on the stage and whole.
SAID = """async () => {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const rect = (each) => each.getBoundingClientRect();
  const all = (selector) => [...document.querySelectorAll(selector)].map(rect);
  const over = (a, b) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const inside = (a, b) => a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom;
  const stage = rect(document.querySelector(".g-stage"));
  const [boxes, about] = [all(".g-near .g-box .g-shape"), all(".g-near .g-box.is-now .g-shape")];
  const note = document.querySelector("[data-testid=deed]");
  const [notes, signs] = [note ? [rect(note)] : [], all(".g-deed > rect")];
  // Where the whole graph is on screen a note lies over none of it.
  const whole = boxes.every((each) => inside(each, stage));
  return {
    covered: [...signs, ...notes].filter((each) => about.some((other) => over(each, other))).length,
    whole: whole ? notes.filter((each) => boxes.some((other) => over(each, other))).length : 0,
    outside: notes.filter((each) => !inside(each, stage)).length,
    cut: note ? [...note.querySelectorAll("span")].filter((each) => each.scrollWidth > each.clientWidth).length : 0,
  };
}"""


@pytest.mark.parametrize("size", [{"width": 1440, "height": 900}, {"width": 1000, "height": 620}, PHONE])
def test_what_a_step_says_covers_no_box_it_speaks_of_and_is_not_cut(
    new_page: Callable[..., Playground], size: dict[str, int]
) -> None:
    page = new_page(viewport=size, reduced_motion="reduce")
    page.remember(ALL_KINDS)
    page.page.goto(page.address)
    page.wait_until_run()
    expect(page.graph.locator(".g-box").first).to_be_visible()
    page.press("Home")
    for step in range(1, page.steps() + 1):
        page.expect_step(step)
        found = page.page.evaluate(SAID)
        assert found == {"covered": 0, "whole": 0, "outside": 0, "cut": 0}, step
        page.press("ArrowRight")


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


def test_twenty_thousand_steps_are_dragged_through_with_few_elements(page: Playground) -> None:
    """A recorded run holds 5,000 steps; a longer one is made of it, as a file from elsewhere may hold."""
    program = DESCENT.replace("range(4)", "range(60)")
    reply = page.page.request.post(f"{page.address}/api/v1/runs", data={"code": program})
    trace = reply.json()
    steps, fields = trace["steps"], ("kind", "line", "scope", "op", "node", "tensor")
    bare = [{name: step.get(name) for name in fields} for step in steps]
    trace["steps"] += [{**bare[at % len(steps)], "index": at} for at in range(len(steps), 20_000)]
    body = json.dumps(trace)
    page.page.route("**/api/v1/runs", lambda route: route.fulfill(content_type="application/json", body=body))
    page.write(program)
    page.run_button.click()
    expect(page.timeline).to_have_attribute("aria-valuemax", "20000", timeout=90_000)
    counts = []
    mouse = page.page.mouse
    box = page.timeline.bounding_box()
    assert box is not None
    mouse.move(box["x"] + 2, box["y"] + 15)
    mouse.down()
    for part in (0.1, 0.35, 0.6, 0.8, 0.99):
        mouse.move(box["x"] + box["width"] * part, box["y"] + 15, steps=8)
        page.page.wait_for_function(NEAR, arg=20_000 * part)
        counts.append(page.page.evaluate("document.getElementsByTagName('*').length"))
    mouse.up()
    assert max(counts) < 6_000
    assert page.timeline.locator("rect").count() <= box["width"] + 2
