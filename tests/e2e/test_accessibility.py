"""axe finds nothing on any view: both themes, both languages, both sizes, in one walk for each visitor."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.axe import violations
from tests.e2e.files import drop, saved
from tests.e2e.programs import ALL_KINDS, DESCENT, LOGARITHM, NEURON, TOWER, TWICE, VIEWS
from tests.e2e.visitor import Visitor

pytestmark = pytest.mark.e2e

# What another theme can break.
COLOURS = ["color-contrast", "link-in-text-block"]


class Walk:
    """What axe finds, by the view it was found on."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.found: dict[str, list[str]] = {}

    def see(self, view: str, *panels: str, within: str | None = None) -> None:
        """Look at a view in both themes; on a phone at each of its panels. `within`: what of it is new."""
        page = self.visitor.page
        for panel in panels if panels and self.visitor.phone else ("",):
            if panel:
                self.visitor.show(panel)
            for theme, only in (("dark", COLOURS), ("light", None)):
                page.emulate_media(color_scheme=theme)
                expect(page.locator("html")).to_have_attribute("data-theme", theme)
                if found := violations(page, within, only):
                    self.found[f"{view} {panel} {theme}"] = found


# `make test` walks with two of them, who differ in everything; `make axe` with all.
@pytest.mark.parametrize(
    "visitor",
    ["desk-en", "phone-zh", *(pytest.param(name, marks=pytest.mark.slow) for name in ("desk-zh", "phone-en"))],
    indirect=True,
)
def test_axe_finds_nothing_on_any_view(visitor: Visitor, tmp_path: Path) -> None:
    visitor.open()
    walk = Walk(visitor)
    for part in (beginning, reading, values, relations, colours, structure, training, comparison, dialogs, lecture):
        part(walk)
    troubles(walk)
    elsewhere(walk, tmp_path)
    assert walk.found == {}


def beginning(walk: Walk) -> None:
    """A first visit, with its question."""
    visitor = walk.visitor
    walk.see("start", "graph", "step", "inspect", "code")
    visitor.show("inspect")
    mark = visitor.page.get_by_test_id("checked").filter(visible=True)
    mark.locator("summary").click()
    walk.see("what is checked", within="[data-testid=checked]")
    mark.locator("summary").click()
    visitor.show("step")
    visitor.part("predict").get_by_role("textbox").fill("-3")
    visitor.press("Enter")
    walk.see("a wrong guess", within=".right")


def reading(walk: Walk) -> None:
    """Steps of every kind, one after another."""
    visitor = walk.visitor
    visitor.run_here(ALL_KINDS)
    visitor.player("first").click()
    seen = set()
    for _ in range(visitor.steps()):
        sign = visitor.card.locator("h2").inner_html()
        kind = re.findall(r' d="([^"]+)"', sign)[0]
        if kind not in seen:
            seen.add(kind)
            walk.see(f"step {visitor.step()}", within=".middle, .right-step")
        visitor.press("ArrowRight")
    assert len(seen) >= 12
    visitor.show("graph")
    visitor.part("moves").locator("summary").click()
    walk.see("moves", within=".player")
    visitor.press("Escape")


def values(walk: Walk) -> None:
    visitor = walk.visitor
    visitor.run_here(VIEWS)
    visitor.press("End")
    visitor.show("code")
    visitor.line(2).click()
    visitor.show("inspect")
    expect(visitor.part("heatmap").first).to_be_visible()
    walk.see("heat maps", within=".panels")


def relations(walk: Walk) -> None:
    visitor = walk.visitor
    visitor.show("graph")
    visitor.part("search-open").click()
    field = visitor.page.get_by_role("combobox", name=re.compile("line|行号"))
    field.fill("sum")
    walk.see("search", within=".middle")
    field.press("Enter")
    field.press("Escape")
    visitor.part("paths").click()
    walk.see("a selection and the other end asked for", within=".middle")
    visitor.part("search-open").click()
    field.fill("h")
    field.press("Enter")
    field.press("Escape")
    walk.see("paths", within=".middle")
    visitor.press("Escape")


def colours(walk: Walk) -> None:
    visitor = walk.visitor
    visitor.run_here(LOGARITHM)
    visitor.part("first-odd").click()
    for colour in ("dtype", "grad", "bytes", "requires", "kind"):
        visitor.part("paint").select_option(colour)
        walk.see(f"colours by {colour}", within=".g-root")


def structure(walk: Walk) -> None:
    """Folded and open blocks, the outline, both ways to draw the backward graph."""
    visitor = walk.visitor
    visitor.run_here(TOWER)
    walk.see("folded blocks", within=".middle")
    visitor.button("Outline", "大纲").click()
    walk.see("outline", within=".middle")
    visitor.button("Outline", "大纲").click()
    mode = visitor.graph.get_attribute("data-mode")
    visitor.page.get_by_role("toolbar").get_by_role("button").nth(5).click()
    expect(visitor.graph).not_to_have_attribute("data-mode", str(mode))
    walk.see("the other drawing", within=".middle")
    visitor.page.get_by_role("toolbar").get_by_role("button").nth(5).click()


def training(walk: Walk) -> None:
    visitor = walk.visitor
    visitor.run_here(DESCENT)
    visitor.part("training-open").click()
    expect(visitor.part("training").locator("canvas").first).to_be_visible()
    visitor.page.get_by_text(visitor.says("All numbers as a table", "以表格列出全部数值")).click()
    walk.see("training", within=".training")
    visitor.part("surface-measure").click()
    expect(visitor.part("surface-stop")).to_be_visible()
    walk.see("a surface being measured", within=".training")
    visitor.part("surface-stop").click()
    visitor.press("Escape")


def comparison(walk: Walk) -> None:
    visitor = walk.visitor
    visitor.show("code")
    visitor.button("New program", "新建程序").click()
    visitor.run(NEURON)
    walk.see("two programs", within=".left")
    visitor.part("compare").click()
    expect(visitor.part("compare-counts")).to_be_visible()
    walk.see("comparison", within=".compare")
    visitor.part("compare-close").click()


def dialogs(walk: Walk) -> None:
    visitor = walk.visitor
    for name in ("keys", "share"):
        visitor.part(name).click()
        walk.see(name, within="dialog[open]")
        visitor.press("Escape")


def lecture(walk: Walk) -> None:
    visitor = walk.visitor
    visitor.part("lecture").click()
    walk.see("lecture", "graph", "step", "code")
    visitor.part("leave-lecture").click()


def troubles(walk: Walk) -> None:
    """Programs that fail, a server that does not answer, a file that is none."""
    visitor = walk.visitor
    page = visitor.page
    visitor.show("code")
    visitor.write("x = (1")
    expect(visitor.editor.locator(".line-said")).to_be_visible()
    walk.see("what Python cannot read", within=".left")
    visitor.run()
    walk.see("no graph", "graph", "step")
    visitor.run_here(TWICE)
    walk.see("an error", "graph", "step", "code")
    visitor.show("code")
    page.route("**/api/v1/runs", lambda route: route.fulfill(status=429, json={}, headers={"retry-after": "9"}))
    visitor.run_button.click()
    expect(visitor.notice).to_be_visible()
    drop(page, json.dumps({"a": 1}))
    expect(visitor.part("file-notice")).to_be_visible()
    walk.see("notices", within=".notices")
    page.unroute("**/api/v1/runs")


def elsewhere(walk: Walk, folder: Path) -> None:
    """The page in another one, and as one file."""
    visitor = walk.visitor
    path = saved(visitor, "html", folder)
    visitor.page.goto(f"{visitor.address}/?embed=1&hide=console,ledger#example=one-neuron")
    expect(visitor.graph.locator(".g-box").first).to_be_visible()
    walk.see("embedded", "graph", "step", "code")
    visitor.page.goto(path.as_uri())
    expect(visitor.graph.locator(".g-box").first).to_be_visible()
    walk.see("one file", "graph", "step", "inspect", "code")
