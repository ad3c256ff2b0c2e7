"""At a desk and on a phone, in English and in Chinese: the graph at scale, and what is read in it."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.programs import DESCENT, LOGARITHM, NEURON, TOWER, TWO_CALLS, VIEWS
from tests.e2e.visitor import Visitor

pytestmark = pytest.mark.e2e

# How many numbers stand in the fullest line of a printed tensor.
IN_A_LINE = (
    "each => Math.max(...each.textContent.split('\\n').map((line) => line.match(/-?\\d+\\.\\d+/g)?.length ?? 0))"
)

# How many pixels a choice is narrower than the longest of its names needs.
CLIPPED = """(choice) => {
  const width = choice.offsetWidth;
  choice.style.cssText = "max-width: none; width: max-content; flex: none";
  const needed = choice.offsetWidth;
  choice.style.cssText = "";
  return needed - width;
}"""


def test_blocks_fold_and_frames_are_flipped(visitor: Visitor) -> None:
    size = visitor.page.viewport_size
    assert size is not None
    visitor.page.set_viewport_size({"width": size["width"], "height": 1500})  # so that all of it can be read
    visitor.open("#example=gpt-12")
    outline = visitor.page.get_by_role("tree", name=visitor.says("Outline of the graph", "计算图大纲"))
    expect(outline.get_by_role("treeitem", name="Block × 12").first).to_be_attached()
    visitor.run_here(TOWER)
    visitor.button("Fit the whole graph", "显示整张图").click()
    block = visitor.box("Block × 12").first
    expect(block).to_contain_text("1 … 12")
    visitor.check()
    block.click()
    heading = visitor.graph.locator(".g-heading").filter(has_text="Block × 12")
    expect(heading).to_be_visible()
    heading.locator(".g-handle").click()
    expect(block).to_be_visible()
    visitor.page.set_viewport_size(size)
    visitor.run_here(DESCENT)
    visitor.player("first").click()
    frame = visitor.part("frame")
    expect(frame).to_have_text(visitor.says("Turn 1 of 4", "第 1 轮，共 4 轮"))
    visitor.player("backward").click()
    visitor.part("frame-next").click()
    expect(frame).to_have_text(visitor.says("Turn 2 of 4", "第 2 轮，共 4 轮"))
    visitor.expect_step_title("backward() starts at loss", "backward() 从 loss 开始")
    expect(visitor.graph.locator(".g-tensor.is-now").filter(has_text="4.2")).to_be_in_viewport()
    # The map is for a large screen; a small one would be covered by it.
    expect(visitor.part("minimap")).to_have_count(0 if visitor.phone else 1)
    visitor.check()
    follow = visitor.graph.get_by_role("button", name=visitor.says("Follow the step", "跟随当前步骤"))
    follow.click()
    expect(follow).to_have_attribute("aria-pressed", "false")
    visitor.run_here(TWO_CALLS)
    expect(frame).to_have_text(visitor.says("Backward 2 of 2", "第 2 次反向，共 2 次"))


def test_values_memory_and_gradients_are_inspected(visitor: Visitor) -> None:
    visitor.begin(VIEWS)
    visitor.player("last").click()
    visitor.show("code")
    visitor.line(2).click()
    visitor.show("inspect")
    inspector = visitor.inspector
    squares = inspector.get_by_test_id("heatmap")
    expect(squares.first).to_be_visible()
    expect(squares.first.locator("rect.cold")).to_have_count(28)
    expect(inspector.locator(".histogram").first).to_be_visible()
    expect(inspector.get_by_test_id("beside-grad").locator("pre")).to_contain_text("-6.0000")
    # Wide lines stand one below the other, not in columns of one number; the gradient is beside what is short.
    printed = inspector.locator(".beside pre")
    expect(printed).to_have_count(2)
    assert min(printed.nth(at).evaluate(IN_A_LINE) for at in range(2)) >= 3
    value, grad = (inspector.locator(".beside > figure").nth(at).bounding_box() for at in range(2))
    assert value is not None
    assert grad is not None
    assert grad["y"] >= value["y"] + value["height"]
    widths = "all => all.map((each) => each.scrollWidth - each.clientWidth)"
    mark = (inspector if visitor.phone else visitor.page.locator(".header")).get_by_test_id("checked")
    expect(mark).to_have_text(re.compile("checked against PyTorch 2.13|已与 PyTorch 2.13 核对"))
    mark.locator("summary").click()
    expect(mark).to_contain_text(visitor.says("compared with recordings of PyTorch", "的记录逐一比较"))
    visitor.check()
    mark.locator("summary").click()
    assert set(inspector.locator(".value pre, .heat-scroll").evaluate_all(widths)) == {0}
    visitor.check()
    visitor.show("code")
    visitor.line(3).click()
    visitor.show("inspect")
    shares = visitor.says("shares memory with", "共用内存")
    for name, value in (("stride()", "(1, 7)"), ("storage_offset()", "1"), (shares, "w")):
        row = inspector.locator("dt", has_text=name).locator("+ dd")
        expect(row).to_be_visible()
        expect(row).to_contain_text(value)
    visitor.show("code")
    visitor.line(4).click()
    visitor.show("inspect")
    expect(inspector.get_by_test_id("beside-grad")).to_contain_text(visitor.says("gradient that passed", "流过的梯度"))
    visitor.show("graph")
    expect(visitor.graph.locator(".g-box.is-selected").first).to_be_visible()
    visitor.run_here(NEURON)
    visitor.press("End")
    visitor.show("code")
    visitor.line(4).click()
    visitor.show("inspect")
    value, grad = (inspector.locator(".beside > figure").nth(at).bounding_box() for at in range(2))
    assert value is not None
    assert grad is not None
    assert grad["x"] >= value["x"] + value["width"]


def test_things_are_found_and_related(visitor: Visitor) -> None:
    visitor.begin(NEURON)
    visitor.player("last").click()
    visitor.part("search-open").click()
    field = visitor.page.get_by_role(
        "combobox", name=visitor.says("Name, op, shape or line", "变量名、算子、形状或行号")
    )
    field.fill(visitor.says("line 8", "第 8 行"))
    found = visitor.page.get_by_role("option").filter(has=visitor.page.locator("b"))
    expect(found.locator("b")).to_have_text(["loss", "pow", "PowBackward0"])
    visitor.check()
    field.fill("y")
    field.press("Enter")
    field.press("Escape")
    expect(visitor.graph.locator(".g-box.is-selected")).to_be_in_viewport()
    lit = visitor.graph.locator(".g-op.is-related")
    for relation, near, far in (("before", "mul", "pow"), ("after", "pow", "mul")):
        visitor.part("relation").select_option(relation)
        expect(lit.filter(has_text=near)).to_have_count(1)
        expect(lit.filter(has_text=far)).to_have_count(0)
    visitor.part("paths").click()
    expect(visitor.part("paths")).to_have_text(visitor.says("Choose the other end", "请选择另一端"))
    visitor.part("search-open").click()
    field.fill("b")
    field.press("Enter")
    field.press("Escape")
    expect(visitor.part("paths")).to_have_text(visitor.says("1 path", "1 条路径"))
    expect(visitor.graph.locator(".g-box.is-selected")).to_have_count(2)
    visitor.check()
    if visitor.phone:
        return  # a finger points at nothing before it touches
    visitor.press("Escape")
    visitor.button("Fit the whole graph", "显示整张图").click()
    visitor.box("PowBackward0").hover()
    expect(visitor.line(8)).to_have_class(re.compile("line-linked"))
    visitor.line(7).hover()
    expect(visitor.graph.locator(".g-box.is-lit").filter(has_text="MulBackward0")).to_be_visible()


def test_colours_are_explained_and_the_first_nan_is_red(visitor: Visitor) -> None:
    visitor.begin(LOGARITHM)
    visitor.player("last").click()
    legend, paint = visitor.graph.locator(".g-legend"), visitor.part("paint")
    for colour, english, chinese in (
        ("dtype", "float32", "float32"),
        ("grad", "≥ 100", "≥ 100"),
        ("bytes", "MB", "MB"),
        ("requires", "needs grad", "求导"),
        ("kind", "saved tensor", "保存的张量"),
    ):
        paint.select_option(colour)
        expect(legend).to_contain_text(visitor.says(english, chinese))
        # The name of the colour is read whole.
        assert paint.evaluate(CLIPPED) <= 0
        if colour in ("grad", "requires"):
            visitor.check()
    visitor.part("first-odd").click()
    visitor.expect_step_title("log makes y", "log 算出 y")
    red = visitor.graph.locator(".g-box.is-odd")
    expect(red).to_have_count(1)
    expect(red).to_contain_text("y")
    expect(visitor.graph.locator(".g-tone-odd")).to_have_text(["NaN"])
    visitor.check()
