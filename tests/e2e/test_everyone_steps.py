"""At a desk and on a phone, in English and in Chinese: every step of a run, what it shows and what it may not cover."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.programs import ACCUMULATE, ALL_KINDS, DESCENT, NEURON
from tests.e2e.server import Server
from tests.e2e.visitor import Visitor

pytestmark = pytest.mark.e2e

# What a step shows once the camera has come to rest: its sign, what it tells in the graph, how that lies over the boxes
# it is about, whether it is on the stage and whole, and boxes that anything lies over.
SHOWN = """async () => {
  const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
  const place = () => JSON.stringify(document.querySelector(".g-near > g")?.getAttribute("transform"));
  for (let same = 0, last = ""; same < 3; same = place() === last ? same + 1 : 0) {
    last = place();
    await frame();
  }
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
  const sign = document.querySelector("[data-testid=step-card] .step-sign");
  const deeds = [...document.querySelectorAll("[data-testid=graph] .g-deed text")].map((each) => each.textContent);
  return {
    kind: sign.dataset.kind,
    sign: sign.querySelector("path").getAttribute("d"),
    told: note ? note.innerText : deeds.join(" "),
    wrong: {
      hidden: [...document.querySelectorAll(".g-near .g-box.is-now .g-shape")].filter((shape) => {
        const box = rect(shape);
        return !document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest(".g-stage");
      }).length,
      covered: [...signs, ...notes].filter((each) => about.some((other) => over(each, other))).length,
      whole: whole ? notes.filter((each) => boxes.some((other) => over(each, other))).length : 0,
      outside: notes.filter((each) => !inside(each, stage)).length,
      cut: note ? [...note.querySelectorAll("span")].filter((each) => each.scrollWidth > each.clientWidth).length : 0,
    },
  };
}"""
NOTHING = {"hidden": 0, "covered": 0, "whole": 0, "outside": 0, "cut": 0}


def shown(visitor: Visitor) -> list[dict[str, object]]:
    """What every step shows, from the first to the last."""
    visitor.show("graph")
    visitor.timeline.focus()
    visitor.press("Home")
    found = []
    for step in range(1, visitor.steps() + 1):
        visitor.expect_step(step)
        found.append(visitor.page.evaluate(SHOWN))
        visitor.press("ArrowRight")
    return found


def test_every_kind_of_step_has_its_own_picture_and_covers_no_box_it_speaks_of(visitor: Visitor) -> None:
    visitor.begin(ALL_KINDS)
    steps = shown(visitor)
    assert [each["wrong"] for each in steps] == [NOTHING] * len(steps)
    signs: dict[object, object] = {}
    told: dict[object, str] = {}
    for each in steps:
        signs.setdefault(each["kind"], each["sign"])
        told.setdefault(each["kind"], str(each["told"]))
    assert len(signs) == 15
    assert len(set(signs.values())) == 15
    assert told["inplace"] == "v1"
    assert told["hook"] == "6 → 12"
    assert told["optimizer_step"] == "2 → -4"
    assert told["zero_grad"] == "None"
    assert re.fullmatch(visitor.says("printed", "已打印") + r"\s+w is -10\.0", told["print"])
    assert re.fullmatch(visitor.says("mode on:", "进入模式：") + r"\s+no_grad", told["mode_enter"])
    assert "careful" in told["warning"]


def test_in_a_low_window_too_what_a_step_says_covers_no_box_it_speaks_of(visitor: Visitor) -> None:
    visitor.page.set_viewport_size({"width": 390, "height": 640} if visitor.phone else {"width": 1000, "height": 620})
    visitor.begin(ALL_KINDS)
    steps = shown(visitor)
    assert [each["wrong"] for each in steps] == [NOTHING] * len(steps)


# Boxes that a packet or its label lies over, at every step; whatever is lit by the step is looked at.
UNDER_PACKETS = """async () => {
  const rect = (each) => each.getBoundingClientRect();
  const over = (a, b) =>
    a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  const line = document.querySelector("[data-testid=timeline]");
  const press = (key) => line.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const found = { packets: 0, under: [] };
  press("Home");
  for (let step = 1; step <= line.ariaValueMax; step += 1) {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    const boxes = [...document.querySelectorAll(".g-near .g-box .g-shape")].map((each) => [rect(each), each]);
    for (const part of document.querySelectorAll(".g-packet rect, .g-packet circle:not(.g-halo)")) {
      found.packets += 1;
      for (const [box, each] of boxes)
        if (over(rect(part), box)) found.under.push(`${step} ${each.closest(".g-box").textContent}`);
    }
    press("ArrowRight");
  }
  return found;
}"""


@pytest.mark.parametrize("view", ["badges", "twins"])
def test_packets_lie_over_no_box(visitor: Visitor, view: str) -> None:
    visitor.begin(NEURON, f"#view={view}")
    for program in (NEURON, ACCUMULATE):
        if program != NEURON:
            visitor.run_here(program)
        found = visitor.page.evaluate(UNDER_PACKETS)
        assert found["packets"] > 8
        assert found["under"] == []


NEAR = "([step, most]) => Math.abs(document.querySelector('[data-testid=timeline]').ariaValueNow - step) < most"
LONG = DESCENT.replace("range(4)", "range(60)")


@pytest.fixture(scope="module")
def long_run(server: Server) -> str:
    """A recorded run holds 5,000 steps; a longer one is made of it, as a file from elsewhere may hold."""
    trace = server.run(LONG)
    steps, fields = trace["steps"], ("kind", "line", "scope", "op", "node", "tensor")
    bare = [{name: step.get(name) for name in fields} for step in steps]
    trace["steps"] += [{**bare[at % len(steps)], "index": at} for at in range(len(steps), 20_000)]
    return json.dumps(trace)


def test_twenty_thousand_steps_are_dragged_through_with_few_elements(visitor: Visitor, long_run: str) -> None:
    page = visitor.page
    page.route("**/api/v1/runs", lambda route: route.fulfill(content_type="application/json", body=long_run))
    visitor.begin(LONG)
    expect(visitor.timeline).to_have_attribute("aria-valuemax", "20000")
    counts = []
    box = visitor.timeline.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, box["y"] + 15)
    page.mouse.down()
    for part in (0.1, 0.35, 0.6, 0.8, 0.99):
        page.mouse.move(box["x"] + box["width"] * part, box["y"] + 15, steps=8)
        page.wait_for_function(NEAR, arg=[20_000 * part, max(60, 2 * 20_000 / box["width"])])  # two pixels
        counts.append(page.evaluate("document.getElementsByTagName('*').length"))
    page.mouse.up()
    assert max(counts) < 6_000
    assert visitor.timeline.locator("rect").count() <= box["width"] + 2
