"""axe-core finds nothing wrong on the main views, in both themes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import PHONE, Playground
from tests.e2e.programs import TRAINING, TWICE
from tests.e2e.server import ROOT

pytestmark = pytest.mark.e2e

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Playground) -> list[str]:
    """What axe finds, one line each: the rule and the elements."""
    if not page.page.evaluate("typeof axe !== 'undefined'"):
        # Through the debugger, since the page's own policy rightly refuses scripts from elsewhere.
        page.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.page.evaluate("async () => (await axe.run(document, { resultTypes: ['violations'] })).violations")
    return [f"{rule['id']}: {[node['html'][:120] for node in rule['nodes']]}" for rule in found]


@pytest.fixture(scope="module", autouse=True)
def _axe() -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: `npm ci` in frontend installs it")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_main_views_have_no_violation(new_page: Callable[..., Playground], theme: str) -> None:
    page = new_page(color_scheme=theme, reduced_motion="reduce")
    page.open()
    page.player("backward").click()
    page.go_to_title("MulBackward0 runs")
    page.box("PowBackward0").click()
    assert violations(page) == []
    page.run(TWICE)
    expect(page.error).to_be_visible()
    assert violations(page) == []
    page.run(TRAINING)
    assert violations(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_phone_has_no_violation(new_page: Callable[..., Playground], theme: str) -> None:
    page = new_page(color_scheme=theme, reduced_motion="reduce", viewport=PHONE, locale="zh-CN")
    page.open()
    for tab in ("code", "graph", "step", "inspect"):
        page.tab(tab).click()
        assert violations(page) == [], tab
