"""Program, graph, card and inspector point at each other."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import Playground
from tests.e2e.programs import BROADCAST

pytestmark = pytest.mark.e2e

LINKED = re.compile("line-linked")


def line_of(page: Playground, text: str) -> int:
    return 1 + next(at for at, line in enumerate(page.program().split("\n")) if text in line)


def test_a_node_lights_its_line_and_is_inspected(page: Playground) -> None:
    page.box("MulBackward0").click()
    expect(page.line(line_of(page, "w * x + b"))).to_have_class(LINKED)
    expect(page.inspector).to_contain_text("MulBackward0")
    for fact in ("next_functions", "_saved_self", "_saved_other", "AccumulateGrad(w)", "AccumulateGrad(x)"):
        expect(page.inspector).to_contain_text(fact)
    page.press("Escape")
    expect(page.inspector).to_contain_text("follows the current step")


def test_a_line_selects_what_it_made(page: Playground) -> None:
    page.line(line_of(page, "loss = ")).click()
    expect(page.inspector.locator(".inspect-name")).to_have_text("loss Tensor")
    expect(page.graph.locator(".g-box.is-selected")).to_contain_text("loss")


def test_pointing_at_a_box_lights_its_line_and_back(page: Playground) -> None:
    page.box("PowBackward0").hover()
    expect(page.line(line_of(page, "loss = "))).to_have_class(LINKED)
    page.line(line_of(page, "w * x + b")).hover()
    expect(page.graph.locator(".g-box.is-lit").filter(has_text="MulBackward0")).to_be_visible()


def test_the_line_of_the_step_is_lit(page: Playground) -> None:
    page.player("backward").click()
    expect(page.line(line_of(page, "loss.backward()"))).to_have_class(re.compile("line-current"))


def test_a_leaf_says_why_it_has_no_gradient_yet(page: Playground) -> None:
    page.go_to(3)
    page.graph.locator(".g-leaf").filter(has_text="w").click()
    expect(page.inspector).to_contain_text("The gradient arrives at step")
    page.inspector.get_by_role("button", name=re.compile("arrives at step")).click()
    expect(page.title).to_have_text("w.grad receives a gradient")


def test_a_broadcast_gradient_is_said_to_be_summed_back(page: Playground) -> None:
    page.run(BROADCAST)
    page.player("first").click()
    page.go_to_title("AddBackward0 runs")
    expect(page.card).to_contain_text("summed")
    page.player("last").click()
    expect(page.console).to_contain_text("tensor([2., 2., 2.])")
