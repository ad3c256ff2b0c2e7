"""At a desk and on a phone, in English and in Chinese: a first visit, the player, the training view."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.programs import ALL_KINDS, DESCENT, MODULES
from tests.e2e.visitor import Visitor

pytestmark = pytest.mark.e2e


def test_a_first_visit_asks_and_the_chain_rule_answers(visitor: Visitor) -> None:
    visitor.open()
    visitor.show("step")
    question = visitor.part("predict")
    expect(question).to_contain_text(re.compile(visitor.says(r"what will \w\.grad be\?", r"\w\.grad 会是多少")))
    visitor.check()
    question.get_by_role("textbox").fill("-3")
    question.get_by_role("button", name=visitor.says("Check", "看看对不对")).click()
    expect(question.get_by_role("status")).to_contain_text(visitor.says("Not quite", "差一点"))
    visitor.player("backward").click()
    visitor.go_to_title(visitor.says("MulBackward0 runs", "MulBackward0 执行"))
    assert any("8⋅1.5=12" in text for text in visitor.formulas())
    expect(visitor.queue).to_contain_text(visitor.says("ready now", "就绪"))
    visitor.show("graph")
    expect(visitor.graph.locator(".g-box.is-now").first).to_be_visible()
    expect(visitor.graph.locator(".g-packet-gradient").first).to_be_visible()
    visitor.player("last").click()
    visitor.show("code")
    expect(visitor.console).to_contain_text("dloss/dw: tensor(12.)")
    expect(visitor.ledger).to_contain_text(visitor.says("backward #1", "第 1 次 backward"))
    visitor.check()


def test_moves_lead_through_modules_lines_and_ranges(visitor: Visitor) -> None:
    visitor.begin(MODULES)
    menu = visitor.part("moves")
    menu.locator("summary").click()
    body = menu.locator(".moves-body").bounding_box()
    size = visitor.page.viewport_size
    assert body is not None
    assert size is not None
    assert body["x"] >= 0
    assert body["x"] + body["width"] <= size["width"]
    visitor.check()
    line = visitor.part("move-line")
    line.fill("6")
    line.press("Enter")
    visitor.expect_step_title("sum", "sum")
    line.fill("2")
    line.press("Enter")
    expect(menu).to_contain_text(visitor.says("Nothing happens there.", "该行没有发生任何事。"))
    visitor.press("Escape")
    visitor.player("backward").click()
    visitor.expect_step_title("backward() starts", "backward() 从")
    start = visitor.step()
    visitor.press("o")
    expect(visitor.timeline).not_to_have_attribute("aria-valuenow", str(start))
    visitor.press("Shift+B")
    visitor.expect_step(start)
    visitor.press("[")
    visitor.press("ArrowRight")
    visitor.press("]")
    expect(visitor.part("looped")).to_have_count(1)
    visitor.press("\\")
    expect(visitor.part("looped")).to_have_count(0)


def test_a_marked_line_stops_the_player(visitor: Visitor) -> None:
    visitor.begin(MODULES, "#break=5&speed=8&step=1")
    visitor.expect_step(1)
    visitor.player("play").click()
    expect(visitor.player("play")).to_have_attribute("aria-label", visitor.says("Play", "播放"))
    expect(visitor.card).to_contain_text(visitor.says("line 5", "第 5 行"))
    visitor.show("code")
    mark = visitor.editor.locator(".cm-breakpoints .cm-gutterElement:not([style*=hidden]) .breakpoint")
    expect(mark).to_have_count(1)
    mark.click()
    expect(mark).to_have_count(0)


def test_hooks_versions_and_updates_are_told(visitor: Visitor) -> None:
    visitor.begin(ALL_KINDS)
    visitor.player("first").click()
    visitor.show("step")
    for english, chinese, words in (
        ("changes h in place", "就地修改 h", "v1"),
        ("Hook", "调用钩子", "6 → 12"),
        ("SGD updates the parameters", "SGD 更新参数", "2 → -4"),
    ):
        title = visitor.says(english, chinese)
        visitor.go_to_title(title)
        expect(visitor.graph.locator(".g-deed").filter(has_text=words).first).to_be_attached()
    visitor.check()


def test_training_is_read_and_leads_back_to_its_graph(visitor: Visitor) -> None:
    visitor.begin(DESCENT)
    visitor.part("training-open").click()
    view = visitor.part("training")
    expect(view.locator("header")).to_contain_text(visitor.says("4 iterations", "共 4 次迭代"))
    chart, reading = visitor.part("training-losses"), visitor.part("training-losses-reading")
    chart.press("End")
    expect(reading).to_have_text(visitor.says("iteration 4 · loss 1.068", "第 4 次迭代 · loss 1.068"))
    surface = visitor.part("surface")
    expect(surface.locator(".relief-point")).to_have_count(4)
    visitor.part("surface-measure").click()
    expect(surface).to_contain_text(visitor.says("81 runs so far", "已运行 81 次"), timeout=60_000)
    lines = surface.locator(".relief-line").evaluate_all("all => all.filter((each) => each.getAttribute('d'))")
    assert len(lines) > 5
    expect(surface.locator(".relief-tick text").filter(has_text="2")).not_to_have_count(0)
    view.get_by_text(visitor.says("All numbers as a table", "以表格列出全部数值")).click()
    expect(visitor.part("training-table").locator("tbody tr").first.locator("td").first).to_have_text("11.5")
    assert view.evaluate("each => each.scrollWidth - each.clientWidth") <= 0
    visitor.check()
    chart.press("End")
    chart.press("ArrowLeft")
    expect(reading).to_contain_text("2.06")
    chart.press("Enter")
    expect(view).to_have_count(0)
    expect(visitor.graph.locator(".g-tensor.is-now").filter(has_text="2.06")).to_be_in_viewport()
