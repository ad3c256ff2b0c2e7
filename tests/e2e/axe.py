"""axe-core on the page as it is now."""

import pytest
from playwright.sync_api import Page

from tests.e2e.server import ROOT

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"

RUN = "async () => (await axe.run(document, { resultTypes: ['violations'] })).violations"


def violations(page: Page) -> list[str]:
    """What axe finds, one line each: the rule and the elements. Skips the test where axe-core is not installed."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: `npm ci` in frontend installs it")
    if not page.evaluate("typeof axe !== 'undefined'"):
        # Through the debugger, since the page's own policy rightly refuses scripts from elsewhere.
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return [f"{rule['id']}: {[node['html'][:120] for node in rule['nodes']]}" for rule in page.evaluate(RUN)]
