"""axe-core finds nothing wrong on the dialogs, the search, other colours, lecture mode and an embedded page."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import Playground
from tests.e2e.test_accessibility import AXE, violations
from tests.e2e.test_words import left_in_english

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module", autouse=True)
def _axe() -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: `npm ci` in frontend installs it")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_tools_have_no_violation(new_page: Callable[..., Playground], theme: str) -> None:
    page = new_page(color_scheme=theme, reduced_motion="reduce")
    page.open()
    page.press("ControlOrMeta+f")
    page.page.get_by_role("combobox", name="Name, op, shape or line").fill("w")
    expect(page.page.get_by_role("option").filter(has_text="MulBackward0")).to_be_visible()
    assert violations(page) == []
    page.press("Enter")
    page.press("Escape")
    page.page.get_by_test_id("paint").select_option("grad")
    assert violations(page) == []
    page.page.get_by_test_id("share").click()
    expect(page.page.get_by_test_id("share-link")).to_be_visible()
    assert violations(page) == []
    page.press("Escape")
    page.page.get_by_test_id("keys").click()
    assert violations(page) == []
    page.press("Escape")
    page.page.get_by_test_id("lecture").click()
    assert violations(page) == []
    page.page.goto(f"{page.address}/?embed=1&hide=console,ledger")
    expect(page.graph.locator(".g-box").first).to_be_visible()
    assert violations(page) == []


def test_no_english_is_left_in_the_tools(new_page: Callable[..., Playground]) -> None:
    page = new_page(locale="zh-CN")
    page.open()
    page.box("mul").first.click()
    page.page.get_by_test_id("paint").select_option("requires")
    assert left_in_english(page) == set()
