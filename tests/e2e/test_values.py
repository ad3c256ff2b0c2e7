"""Values as numbers, heat map and histogram, the gradient beside them, and the memory they lie in."""

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import Playground
from tests.e2e.programs import VIEWS

pytestmark = pytest.mark.e2e

ODD = """import torch
x = torch.tensor([[1.0, -2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [float("nan"), 1.0, 1.0, 1.0, 1.0, 1.0, -8.0]])
y = x * 2
"""


def test_a_value_is_numbers_squares_and_bars_with_its_gradient_beside_it(page: Playground) -> None:
    page.run(VIEWS)
    page.line(2).click()
    inspector = page.inspector
    squares = inspector.get_by_test_id("heatmap")
    expect(squares).to_have_count(2)
    expect(squares.first.locator("rect")).to_have_count(56)
    expect(squares.first.locator("rect.cold")).to_have_count(28)
    expect(inspector.locator("pre").first).to_contain_text("-3.0000")
    expect(inspector.locator(".histogram").first.locator("rect").first).to_be_attached()
    grad = inspector.get_by_test_id("beside-grad")
    expect(grad).to_contain_text(".grad")
    expect(grad.locator("pre")).to_contain_text("-6.0000")


def test_a_result_shows_the_gradient_that_passed(page: Playground) -> None:
    page.run(VIEWS)
    page.line(4).click()
    expect(page.inspector.locator(".inspect-name")).to_have_text("h Tensor")
    expect(page.inspector.get_by_test_id("beside-grad")).to_contain_text("gradient that passed")
    expect(page.inspector.get_by_test_id("beside-grad").locator("pre")).to_contain_text("-6.0000")
    page.player("first").click()
    page.go_to_title("mul makes h")
    expect(page.inspector.get_by_test_id("beside-grad")).to_have_count(0)


def test_strides_offset_and_shared_storage_are_told(page: Playground) -> None:
    page.run(VIEWS)
    page.line(3).click()
    rows = page.inspector.locator("dl.rows")
    expect(rows.locator("dt", has_text="stride()").locator("+ dd")).to_have_text("(1, 7)")
    expect(rows.locator("dt", has_text="storage_offset()").locator("+ dd")).to_have_text("1")
    expect(rows.locator("dt", has_text="shares memory with").locator("+ dd")).to_contain_text("w")


def test_what_is_no_number_is_crossed_out(page: Playground) -> None:
    page.run(ODD)
    page.line(2).click()
    squares = page.inspector.get_by_test_id("heatmap")
    expect(squares.locator("path.odd")).to_have_count(1)
    expect(squares.locator("rect.cold")).to_have_count(2)
