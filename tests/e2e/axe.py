"""axe-core on the page as it is now."""

import pytest
from playwright.sync_api import Page

from tests.e2e.server import ROOT

AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"

RUN = """async ([within, only]) => {
  const options = { resultTypes: ["violations"], ...(only ? { runOnly: only } : {}) };
  return (await axe.run(within ? { include: within.split(', ').map((each) => [each]) } : document, options)).violations;
}"""


def violations(page: Page, within: str | None = None, only: list[str] | None = None) -> list[str]:
    """What axe finds, one line each: the rule and the elements. Skips the test where axe-core is not installed.

    `within`, selectors, leaves out the rest of the page; `only` names rules.
    """
    if not AXE.exists():
        pytest.skip("axe-core is not installed: `npm ci` in frontend installs it")
    if not page.evaluate("typeof axe !== 'undefined'"):
        # Through the debugger, since the page's own policy rightly refuses scripts from elsewhere.
        page.evaluate(AXE.read_text(encoding="utf-8"))
    return [
        f"{rule['id']}: {[node['html'][:120] for node in rule['nodes']]}" for rule in page.evaluate(RUN, [within, only])
    ]
