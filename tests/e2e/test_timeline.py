"""Everything shown is a function of the step."""

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import Playground
from tests.e2e.programs import ACCUMULATE

pytestmark = pytest.mark.e2e


def test_the_ledger_adds_two_backward_passes(page: Playground) -> None:
    page.run(ACCUMULATE)
    rows = page.ledger.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_contain_text("backward #1")
    expect(rows.nth(1)).to_contain_text("backward #2")
    expect(rows.nth(1).locator(".amount").first).to_contain_text("12")
    expect(page.ledger).to_contain_text("A second backward() added to the first")
    rows.nth(1).get_by_role("button").click()
    expect(page.title).to_have_text("x.grad receives a gradient")
    assert any("6+12=18" in text for text in page.formulas())


def test_a_saved_tensor_is_bridged_and_its_slot_emptied(page: Playground) -> None:
    page.player("backward").click()
    pow_node = page.box("PowBackward0")
    expect(pow_node.locator(".g-socket")).to_have_class("g-socket is-held")
    expect(page.graph.locator(".g-line-saved, .g-saved-line, [class*=saved]").first).to_be_attached()
    page.go_to_title("AddBackward0 runs")
    expect(pow_node.locator(".g-socket")).to_have_class("g-socket is-freed")
    pow_node.click()
    expect(page.inspector).to_contain_text("freed at step")
    page.player("first").click()
    page.player("backward").click()
    expect(page.inspector).not_to_contain_text("freed at step")
    expect(page.inspector).to_contain_text("_saved_self")


def test_bytes_saved_for_backward_rise_and_fall(page: Playground) -> None:
    label = page.page.locator(".bytes-label")
    page.player("first").click()
    expect(label).to_contain_text("0 B now")
    page.player("backward").click()
    expect(label).not_to_contain_text("· 0 B now")
    page.player("last").click()
    expect(label).to_contain_text("· 0 B now")


def test_a_step_can_be_shared_as_an_address(page: Playground) -> None:
    page.go_to(4)
    page.page.wait_for_url("**step=4*")
    page.page.reload()
    page.wait_until_run()
    page.expect_step(4)
