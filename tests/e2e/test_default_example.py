"""The first visit, and the neuron y = w*x + b, loss = y**2 with w = 3, x = 2, b = 1: PyTorch gives 42, 28 and 14."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import Playground

pytestmark = pytest.mark.e2e


def test_the_first_example_runs_by_itself_and_stops_before_a_gradient_arrives(page: Playground) -> None:
    expect(page.examples).to_have_value("one-neuron")
    assert "requires_grad=True" in page.program()
    assert 1 < page.step() < page.steps()
    expect(page.page.get_by_test_id("predict")).to_contain_text(re.compile(r"what will \w\.grad be\?"))


def test_a_right_guess_is_known(neuron: Playground) -> None:
    question = neuron.page.get_by_test_id("predict")
    name = re.search(r"(\w)\.grad", question.inner_text())
    assert name is not None
    question.get_by_role("textbox").fill({"x": "42", "w": "28", "b": "14"}[name[1]])
    question.get_by_role("button", name="Check").click()
    expect(question.get_by_role("status")).to_contain_text("Right")


def test_a_wrong_guess_and_no_guess_are_answered(neuron: Playground) -> None:
    question = neuron.page.get_by_test_id("predict")
    question.get_by_role("textbox").fill("-3")
    question.get_by_role("button", name="Check").click()
    expect(question.get_by_role("status")).to_contain_text("Not quite")
    question.get_by_role("textbox").fill("many")
    question.get_by_role("button", name="Check").click()
    expect(question.get_by_role("status")).to_contain_text("Type a number")


def test_playing_moves_the_gradient_up_the_graph(neuron: Playground) -> None:
    neuron.player("backward").click()
    start = neuron.step()
    neuron.player("play").click()
    expect(neuron.timeline).not_to_have_attribute("aria-valuenow", str(start))
    expect(neuron.graph.locator(".g-packet-gradient").first).to_be_visible()
    neuron.player("play").click()
    expect(neuron.player("play")).to_have_attribute("aria-label", "Play")


def test_playing_runs_to_the_end_and_stops(neuron: Playground) -> None:
    neuron.page.get_by_label("Speed").first.select_option("8")
    neuron.player("first").click()
    neuron.player("play").click()
    neuron.expect_step(neuron.steps())
    expect(neuron.player("play")).to_have_attribute("aria-label", "Play")


def test_the_card_shows_the_chain_rule_with_the_numbers_of_the_program(neuron: Playground) -> None:
    neuron.player("backward").click()
    neuron.go_to_title("PowBackward0 runs")
    assert any(text.endswith("=14") for text in neuron.formulas())
    neuron.go_to_title("MulBackward0 runs")
    formulas = neuron.formulas()
    assert any("14⋅2=28" in text for text in formulas), formulas
    assert any("14⋅3=42" in text for text in formulas), formulas
    # A gradient is a symbol under a bar, never the bare symbol of the value.
    equations = neuron.card.locator(".equation")
    expect(equations).to_have_count(3)
    expect(equations.filter(has=neuron.page.locator(".accent, .overline"))).to_have_count(3)


def test_the_gradients_are_those_of_pytorch(neuron: Playground) -> None:
    neuron.player("last").click()
    expect(neuron.console).to_contain_text("tensor(42.) tensor(28.) tensor(14.)")
    for name, gradient in (("x", "42"), ("w", "28"), ("b", "14")):
        expect(neuron.box(f"{name}.grad = {gradient}")).to_be_visible()
        neuron.ledger.get_by_label("Tensor").select_option(label=f"{name}.grad")
        expect(neuron.ledger.locator(".running")).to_have_text(gradient)


def test_every_node_is_drawn_at_the_height_of_its_op(neuron: Playground) -> None:
    for node, op in (("MulBackward0", "mul"), ("AddBackward0", "add"), ("PowBackward0", "pow")):
        pill = neuron.at_rest(neuron.box(node))
        twin = neuron.at_rest(neuron.graph.locator(".g-op").filter(has_text=op))
        assert pill[0] > twin[0] + twin[2]
        assert abs(pill[1] + pill[3] / 2 - twin[1] - twin[3] / 2) < 3


def test_the_queue_shows_what_is_ready_and_what_waits(neuron: Playground) -> None:
    neuron.player("first").click()
    expect(neuron.queue).to_contain_text("The engine works during backward() only.")
    neuron.player("backward").click()
    neuron.go_to_title("AddBackward0 runs")
    ready, waiting, done = (neuron.queue.locator("dd").nth(at) for at in range(3))
    expect(ready).to_contain_text("Acc(b)")
    expect(ready).to_contain_text("Mul")
    expect(waiting).to_contain_text("Acc(w) 1")
    expect(done).to_contain_text("Pow")
