"""Large graphs: equal blocks in one, turns and backward calls as frames, the map in the corner, the camera."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import Playground
from tests.e2e.programs import DESCENT, TOWER, TWO_CALLS

pytestmark = pytest.mark.e2e


def test_equal_blocks_are_one_box_that_opens_where_it_was(page: Playground) -> None:
    page.page.set_viewport_size({"width": 1440, "height": 1500})
    page.run(TOWER)
    page.page.get_by_role("button", name="Fit the whole graph").click()
    expect(page.graph).to_have_attribute("data-detail", re.compile("near|middle"))
    folded = page.box("Block × 12").first
    expect(folded).to_be_visible()
    expect(folded).to_contain_text("1 … 12")
    before = page.at_rest(folded.locator(".g-shape"))
    folded.click()
    frame = page.graph.locator(".g-heading").filter(has_text="Block × 12")
    expect(frame).to_have_count(1)
    expect(page.graph.locator(".g-group").first).to_be_visible()
    after = page.at_rest(frame.locator(".g-hit"))
    assert abs(before[0] - after[0]) < 2
    assert abs(before[1] - after[1]) < 2
    frame.locator(".g-handle").click()
    expect(page.box("Block × 12").first).to_be_visible()
    # The gradient passes through the folded blocks: it goes in below and comes out above.
    page.player("backward").click()
    for _ in range(12):
        page.player("next").click()
    expect(page.graph.locator(".g-group.is-now, .g-box.is-now").first).to_be_visible()


def test_turns_of_a_loop_are_frames(page: Playground) -> None:
    page.run(DESCENT)
    page.player("first").click()
    frame = page.page.get_by_test_id("frame")
    expect(frame).to_have_text("Turn 1 of 4")
    page.player("backward").click()
    expect(page.title).to_have_text("backward() starts at loss")
    page.page.get_by_test_id("frame-next").click()
    expect(frame).to_have_text("Turn 2 of 4")
    expect(page.title).to_have_text("backward() starts at loss")
    page.page.get_by_test_id("frame-next").click()
    expect(frame).to_have_text("Turn 3 of 4")
    loss = page.graph.locator(".g-tensor.is-now").filter(has_text="2.06")
    expect(loss).to_be_in_viewport()
    page.page.get_by_test_id("frame-previous").click()
    expect(page.graph.locator(".g-tensor.is-now").filter(has_text="4.2")).to_be_in_viewport()
    page.player("first").click()
    expect(page.page.get_by_test_id("frame-previous")).to_have_attribute("aria-disabled", "true")


def test_two_backward_calls_are_frames_of_one_graph(page: Playground) -> None:
    page.run(TWO_CALLS)
    frame = page.page.get_by_test_id("frame")
    expect(frame).to_have_text("Backward 2 of 2")
    page.player("first").click()
    page.go_to_title("x.grad receives a gradient")
    expect(page.box("x.grad").first).to_contain_text("6")
    expect(frame).to_have_text("Backward 1 of 2")
    page.page.get_by_test_id("frame-next").click()
    expect(page.title).to_have_text("x.grad receives a gradient")
    expect(page.box("x.grad").first).to_contain_text("12")


def test_the_camera_zooms_to_the_selection_and_follows_or_not(page: Playground) -> None:
    page.run(TOWER)
    page.page.get_by_role("button", name="Fit the whole graph").click()
    page.page.keyboard.press("ControlOrMeta+f")
    page.page.locator(".search input").fill("0.weight")
    page.press("Enter")
    page.press("Escape")
    chosen = page.graph.locator(".g-tensor.is-selected, .g-leaf.is-selected").first
    page.page.get_by_role("button", name="Zoom out", exact=True).click()
    page.page.get_by_role("button", name="Zoom to the selection").click()
    expect(page.graph).to_have_attribute("data-detail", "near")
    expect(chosen).to_be_in_viewport()
    box = page.at_rest(chosen)
    assert box[2] > 120
    follow = page.graph.get_by_role("button", name="Follow the step")
    follow.click()
    expect(follow).to_have_attribute("aria-pressed", "false")
    page.player("first").click()
    page.expect_step(1)
    assert page.at_rest(chosen) == box
    follow.click()
    page.player("backward").click()
    expect(page.graph.locator(".g-box.is-now").first).to_be_in_viewport()
