"""The training view: losses and parameters over iterations, the way back to a graph, the path over the loss."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.playground import Playground
from tests.e2e.programs import DESCENT, NEURON, TRAINING

pytestmark = pytest.mark.e2e


def training(page: Playground) -> Locator:
    page.page.get_by_test_id("training-open").click()
    view = page.page.get_by_test_id("training")
    expect(view.locator(".chart-plot canvas").first).to_be_visible()
    return view


def test_there_is_no_training_view_without_a_loop(page: Playground) -> None:
    page.run(NEURON)
    expect(page.box("loss").first).to_be_visible()
    expect(page.page.get_by_test_id("training-open")).to_have_count(0)


def test_losses_and_parameters_are_told_and_a_point_opens_its_graph(page: Playground) -> None:
    page.run(DESCENT)
    view = training(page)
    expect(view.locator("header")).to_contain_text("4 iterations")
    chart = page.page.get_by_test_id("training-losses")
    reading = page.page.get_by_test_id("training-losses-reading")
    expect(reading).to_have_text("iteration 4 · loss 1.068")
    box = chart.bounding_box()
    assert box is not None
    page.page.mouse.move(box["x"] + 54 + (box["width"] - 54) * 0.38, box["y"] + 60)
    expect(reading).to_have_text("iteration 2 · loss 4.2")
    page.page.mouse.down()
    page.page.mouse.up()
    expect(view).to_have_count(0)
    expect(page.title).to_have_text(re.compile("loss|mean"))
    expect(page.graph.locator(".g-tensor.is-now, .g-tensor").filter(has_text="4.2").first).to_be_in_viewport()


def test_iterations_are_chosen_by_keyboard_and_told_by_a_table(page: Playground) -> None:
    page.run(DESCENT)
    view = training(page)
    chart = page.page.get_by_test_id("training-parameters")
    chart.focus()
    for key in ("Home", "ArrowRight", "ArrowRight"):
        chart.press(key)
    expect(chart).to_have_attribute("aria-valuetext", re.compile(r"iteration 3 · a 2 · c -0\.6"))
    view.get_by_text("All numbers as a table").click()
    rows = page.page.get_by_test_id("training-table").locator("tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0).locator("td").first).to_have_text("11.5")
    expect(rows.nth(3).locator("td").nth(1)).to_have_text("2.32")
    view.get_by_role("button", name="c", exact=True).click()
    expect(page.page.get_by_test_id("training-table").locator("thead th")).to_have_text(
        ["iteration", "loss", "a", "‖a.grad‖", "‖c.grad‖"]
    )
    chart.focus()
    chart.press("Home")
    chart.press("Enter")
    expect(view).to_have_count(0)
    expect(page.card).to_contain_text("line 9")
    page.page.get_by_test_id("training-open").click()
    page.press("Escape")
    expect(page.page.get_by_test_id("training")).to_have_count(0)
    expect(page.page.get_by_test_id("training-open")).to_be_focused()


def test_the_path_lies_over_a_measured_surface(page: Playground) -> None:
    page.run(DESCENT)
    view = training(page)
    surface = page.page.get_by_test_id("surface")
    expect(surface.locator(".relief-point")).to_have_count(4)
    asked = []
    page.page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/runs") else None)
    page.page.get_by_test_id("surface-measure").click()
    expect(surface).to_contain_text("81 runs so far", timeout=60_000)
    assert len(asked) == 81
    assert (
        surface.locator(".relief-line").evaluate_all("all => all.filter((each) => each.getAttribute('d')).length") > 5
    )
    # Given up, it asks no more, and keeps what it has.
    page.page.get_by_test_id("surface-measure").click()
    expect(surface).not_to_contain_text("81 runs so far")
    page.page.get_by_test_id("surface-stop").click()
    expect(page.page.get_by_test_id("surface-measure")).to_be_visible()
    count = len(asked)
    # Whatever was still to be asked would have been asked before the answer to this.
    for _ in range(3):
        page.page.evaluate("async () => { await fetch('readyz'); await new Promise(requestAnimationFrame); }")
    assert len(asked) == count < 81 + 208
    path = page.page.get_by_test_id("surface-path")
    path.press("Home")
    expect(path).to_have_attribute("aria-valuetext", "iteration 1 · a 0 · c 0 · loss 11.5")
    path.press("Enter")
    expect(view).to_have_count(0)


def test_a_network_draws_norms_and_the_view_is_in_the_address(page: Playground) -> None:
    page.run(TRAINING)
    view = training(page)
    expect(page.page.get_by_test_id("training-losses-reading")).to_have_text("iteration 3 · loss 4.093")
    expect(view.get_by_role("button", name="‖model.0.weight‖", exact=True)).to_be_visible()
    expect(page.page.get_by_test_id("surface-none")).to_contain_text("parameters with at most 4 elements")
    page.page.wait_for_url("**show=training*")
    page.page.reload()
    page.wait_until_run()
    expect(page.page.get_by_test_id("training")).to_be_visible()
