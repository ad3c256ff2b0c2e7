"""The first visit: y = w*x + b, loss = y**2 with w = 3, x = 2, b = 1. PyTorch gives the gradients 42, 28 and 14."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import Playground

pytestmark = pytest.mark.e2e


def test_it_runs_by_itself_and_asks_before_a_gradient_arrives(page: Playground) -> None:
    assert "torch.tensor(2.0, requires_grad=True)" in page.program()
    assert 1 < page.step() < page.steps()
    question = page.page.get_by_test_id("predict")
    expect(question).to_contain_text(re.compile(r"what will \w\.grad be\?"))
    name = re.search(r"(\w)\.grad", question.inner_text())
    assert name is not None
    question.get_by_role("textbox").fill({"x": "42", "w": "28", "b": "14"}[name[1]])
    question.get_by_role("button", name="Check").click()
    expect(question.get_by_role("status")).to_contain_text("Right")


def test_a_wrong_guess_and_no_guess_are_answered(page: Playground) -> None:
    question = page.page.get_by_test_id("predict")
    question.get_by_role("textbox").fill("-3")
    question.get_by_role("button", name="Check").click()
    expect(question.get_by_role("status")).to_contain_text("Not quite")
    question.get_by_role("textbox").fill("many")
    question.get_by_role("button", name="Check").click()
    expect(question.get_by_role("status")).to_contain_text("Type a number")


def test_playing_moves_the_gradient_up_the_graph(page: Playground) -> None:
    page.player("backward").click()
    start = page.step()
    page.player("play").click()
    expect(page.timeline).not_to_have_attribute("aria-valuenow", str(start))
    expect(page.graph.locator(".g-packet-gradient").first).to_be_visible()
    page.player("play").click()
    expect(page.player("play")).to_have_attribute("aria-label", "Play")


def test_playing_runs_to_the_end_and_stops(page: Playground) -> None:
    page.page.get_by_label("Speed").select_option("8")
    page.player("first").click()
    page.player("play").click()
    page.expect_step(page.steps())
    expect(page.player("play")).to_have_attribute("aria-label", "Play")


def test_the_card_shows_the_chain_rule_with_the_numbers_of_the_program(page: Playground) -> None:
    page.player("backward").click()
    page.go_to_title("PowBackward0 runs")
    assert any(text.endswith("=14") for text in page.formulas())
    page.go_to_title("MulBackward0 runs")
    formulas = page.formulas()
    assert any("14⋅2=28" in text for text in formulas), formulas
    assert any("14⋅3=42" in text for text in formulas), formulas
    # A gradient is a symbol under a bar, never the bare symbol of the value.
    assert all(page.card.locator(".equation").nth(at).locator(".mover, .accent, .overline").count() for at in range(3))


def test_the_gradients_are_those_of_pytorch(page: Playground) -> None:
    page.player("last").click()
    expect(page.console).to_contain_text("tensor(42.) tensor(28.) tensor(14.)")
    for name, gradient in (("x", "42"), ("w", "28"), ("b", "14")):
        expect(page.box(f"{name}.grad = {gradient}")).to_be_visible()
        page.ledger.get_by_label("Tensor").select_option(label=f"{name}.grad")
        expect(page.ledger.locator(".running")).to_have_text(gradient)


def test_every_node_is_drawn_at_the_height_of_its_op(page: Playground) -> None:
    for node, op in (("MulBackward0", "mul"), ("AddBackward0", "add"), ("PowBackward0", "pow")):
        pill = page.box(node).bounding_box()
        twin = page.graph.locator(".g-op").filter(has_text=op).bounding_box()
        assert pill is not None
        assert twin is not None
        assert pill["x"] > twin["x"] + twin["width"]
        assert abs(pill["y"] + pill["height"] / 2 - twin["y"] - twin["height"] / 2) < 3


def test_the_queue_shows_what_is_ready_and_what_waits(page: Playground) -> None:
    page.player("first").click()
    expect(page.queue).to_contain_text("The engine works during backward() only.")
    page.player("backward").click()
    page.go_to_title("AddBackward0 runs")
    ready, waiting, done = (page.queue.locator("dd").nth(at) for at in range(3))
    expect(ready).to_contain_text("Acc(b)")
    expect(ready).to_contain_text("Mul")
    expect(waiting).to_contain_text("Acc(w) 1")
    expect(done).to_contain_text("Pow")
