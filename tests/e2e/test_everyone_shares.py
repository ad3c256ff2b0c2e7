"""At a desk and on a phone, in English and in Chinese: sharing, files, editing, comparison, and what goes wrong."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.files import drop, saved
from tests.e2e.programs import FOREVER, NEURON, TWICE
from tests.e2e.visitor import Visitor

pytestmark = pytest.mark.e2e

CUBED = NEURON.replace("y ** 2", "y ** 3").replace("import torch", "# cubed\nimport torch", 1)


def test_links_and_frames_hold_what_is_shown(visitor: Visitor, new_page: Callable[..., Visitor]) -> None:
    visitor.begin(TWICE)
    visitor.player("first").click()
    visitor.box("x").first.click()
    visitor.part("share").click()
    dialog = visitor.part("share-dialog")
    expect(dialog.get_by_role("heading", name=visitor.says("Share and export", "分享与导出"))).to_be_visible()
    link, tag = (visitor.part(f"share-{each}").input_value() for each in ("link", "embed"))
    assert re.search(r"[#&]s=\w+", link)  # short, as the server keeps the program
    assert "code=" not in link
    assert "step=1" in link
    assert "select=tensor%3A0" in link
    visitor.check()
    address = re.search(r'src="([^"]+)"', tag)
    assert address is not None
    options = Visitor.options(phone=visitor.phone, chinese=not visitor.chinese)
    other = new_page(Visitor, **options)
    other.page.goto(link)
    other.wait_until_run()
    other.expect_step(1)
    assert other.program() == TWICE
    expect(other.inspector.locator(".inspect-name")).to_contain_text("x")
    expect(other.run_button).to_contain_text(visitor.says("Run", "运行"))  # the link's language
    other.page.goto(address[1].replace("&amp;", "&"))
    expect(other.graph.locator(".g-box").first).to_be_visible()
    expect(other.part("open-whole")).to_contain_text(visitor.says("Open in the playground", "在 Playground 中打开"))
    expect(other.console).to_have_count(0)
    # A frame may leave out everything but the graph.
    other.page.goto(
        re.sub(r"hide=[^#&]*", "hide=editor,console,ledger,card,queue,inspector,tools,player", other.page.url)
    )
    expect(other.graph.locator(".g-box").first).to_be_in_viewport()
    expect(other.timeline).to_have_count(0)
    other.phone, other.chinese = visitor.phone, visitor.chinese
    other.check()


def test_files_are_saved_and_opened_again(visitor: Visitor, new_page: Callable[..., Visitor], tmp_path: Path) -> None:
    visitor.begin(NEURON)
    visitor.player("backward").click()
    texts = {
        kind: saved(visitor, kind, tmp_path).read_text(encoding="utf-8") for kind in ("svg", "dot", "mermaid", "json")
    }
    assert all("MulBackward0" in texts[kind] for kind in ("dot", "mermaid", "json"))
    assert "loss" in texts["svg"]
    trace = json.loads(texts["json"])
    for change, english, chinese in (
        ("{", "is not JSON", "不是 JSON"),
        (json.dumps({"a": 1}), "holds no trace", "没有运行记录"),
        (json.dumps({**trace, "schema_version": "9.0"}), "another version", "另一个版本"),
        (json.dumps({**trace, "ops": [{"id": 0}]}), "damaged at trace.ops[0].name", "已损坏，位置： trace.ops[0].name"),
        (json.dumps({**trace, "torch_version": "x" * 10_000_000}), "too large", "太大"),
        (json.dumps({**trace, "nodes": circle(trace["nodes"])}), "leads back to itself", "绕回了自身"),
    ):
        drop(visitor.page, change)
        expect(visitor.part("file-notice")).to_contain_text(visitor.says(english, chinese))
    visitor.check()
    visitor.part("file-notice").get_by_role("button", name=visitor.says("Dismiss", "关闭")).click()
    evil = "<img src=x onerror=document.title='taken'>"
    trace["tensors"][0]["names"] = [evil]
    drop(visitor.page, json.dumps({**trace, "program": f"# dropped\n{NEURON}"}))
    visitor.player("first").click()
    expect(visitor.card).to_contain_text(evil)
    assert visitor.page.title() != "taken"
    assert visitor.page.locator("img").count() == 0
    path = saved(visitor, "html", tmp_path)
    other = new_page(Visitor, **Visitor.options(phone=visitor.phone, chinese=visitor.chinese), offline=True)
    other.phone, other.chinese = visitor.phone, visitor.chinese
    other.page.goto(path.as_uri())
    expect(other.graph.locator(".g-box").first).to_be_visible()
    other.player("backward").click()
    other.expect_step_title("backward() starts at loss", "backward() 从 loss 开始")
    other.check()


def circle(nodes: list[dict[str, object]]) -> list[dict[str, object]]:
    """The nodes, the first of which sends its gradient to itself."""
    return [{**nodes[0], "next_functions": [[nodes[0]["id"], 0]]}, *nodes[1:]]


def test_writing_completes_marks_undoes_and_compares(visitor: Visitor) -> None:
    visitor.begin(NEURON)
    visitor.show("code")
    visitor.editor.locator(".cm-content").click()
    visitor.press("ControlOrMeta+End")
    visitor.page.keyboard.type("torch.cros")
    options = visitor.editor.locator(".cm-tooltip-autocomplete li")
    expect(options.first).to_contain_text("cross")
    visitor.press("Escape")
    expect(options).to_have_count(0)
    visitor.page.keyboard.type("(los")
    expect(options.first).to_contain_text("loss")
    visitor.press("Escape")
    visitor.press("Delete")  # the bracket that closed itself
    expect(visitor.editor.locator(".line-said")).to_contain_text("SyntaxError: '(' was never closed")
    visitor.check()
    visitor.page.reload()
    visitor.wait_until_run()
    visitor.show("code")
    visitor.editor.locator(".cm-content").click()
    for _ in range(4):
        visitor.press("ControlOrMeta+z")
    expect(visitor.editor.locator(".cm-content")).not_to_contain_text("torch.cross")
    assert visitor.program().rstrip() == NEURON.rstrip()
    visitor.button("New program", "新建程序").click()
    visitor.run(CUBED)
    visitor.part("compare").click()
    counts = visitor.part("compare-counts")
    expect(counts).to_contain_text(visitor.says("0 added · 0 removed · 1 changed", "新增 0 · 移除 0 · 改变 1"))
    changes = visitor.part("compare-changes")
    expect(changes.get_by_role("row").filter(has_text="w.grad").get_by_role("cell")).to_have_text(["28", "294", "266"])
    visitor.check()
    # A changed node is chosen in both graphs, and chosen again by whoever opens the address.
    chosen = visitor.page.locator(".compare-pane .g-box.is-selected").filter(has_text="PowBackward0")
    chosen = visitor.page.locator(".compare-pane .g-box.is-selected") if visitor.phone else chosen
    changes.get_by_role("button").filter(has_text="PowBackward0").first.click()
    expect(chosen).to_have_count(2)
    visitor.page.wait_for_url(re.compile("show=compare.*before=.*pick=(before|after)%3Anode%3A"))
    visitor.page.reload()
    expect(counts).to_contain_text(visitor.says("1 changed", "改变 1"))
    expect(chosen).to_have_count(2)
    visitor.part("compare-close").click()
    expect(visitor.editor if not visitor.phone else visitor.graph).to_be_visible()


def test_what_goes_wrong_is_said_and_the_program_kept(visitor: Visitor) -> None:
    visitor.begin(NEURON)
    visitor.show("code")
    visitor.write(TWICE)
    page = visitor.page
    page.route("**/api/v1/runs", lambda route: route.abort())
    visitor.run_button.click()
    expect(visitor.notice).to_contain_text(visitor.says("The server cannot be reached.", "无法连接服务器。"))
    page.unroute("**/api/v1/runs")
    page.route("**/api/v1/runs", lambda route: route.fulfill(status=429, json={}, headers={"retry-after": "1"}))
    visitor.notice.get_by_role("button", name=visitor.says("Try again", "再试一次")).click()
    expect(visitor.notice).to_contain_text(visitor.says("Many programs are running", "现在运行的程序很多"))
    visitor.check()
    page.unroute("**/api/v1/runs")
    assert visitor.program() == TWICE
    again = visitor.button("Try again", "再试一次")
    expect(again).to_be_enabled()
    visitor.run(by=again.click)
    visitor.show("step")
    expect(visitor.error).to_contain_text("Trying to backward through the graph a second time")
    expect(visitor.error).to_contain_text(visitor.says("What helps", "怎么办"))
    visitor.check()
    visitor.show("code")
    expect(visitor.line(6)).to_have_class(re.compile("line-wrong"))
    if visitor.phone:
        visitor.page.get_by_role("button", name=visitor.says("What went wrong", "出了什么问题")).click()
        expect(visitor.error).to_be_visible()
    for link, english, chinese in (
        ("#s=gone99", "no longer leads to a program", "已经不存在"),
        ("#code=%%%damaged", "damaged", "链接已损坏"),
    ):
        page.goto(f"{visitor.address}/{link}")
        expect(visitor.notice).to_contain_text(visitor.says(english, chinese))
        assert visitor.program() == TWICE


def test_limits_and_empty_graphs_are_explained(visitor: Visitor) -> None:
    visitor.begin(FOREVER)
    visitor.show("graph")
    bubble = visitor.part("deed")
    expect(bubble).to_contain_text(visitor.says("The program took too long", "程序运行时间过长"))
    visitor.show("code")
    said = visitor.says("Stopped after 2 s: a run may take no longer.", "运行 2 s 后被停止：一次运行最多只能这么久。")
    expect(visitor.editor.locator(".line-said")).to_contain_text(said)
    visitor.show("step")
    expect(visitor.error).to_contain_text(said)
    visitor.check()
    visitor.run_here("print('a' * 70_000)")
    visitor.show("step")
    expect(visitor.error).to_contain_text("64 KB")
    visitor.run_here("x = (1")
    expect(visitor.page.get_by_text(visitor.says("stopped before it made a tensor", "产生张量之前"))).to_be_visible()
    if visitor.phone:
        visitor.part("what-went-wrong").click()
    expect(visitor.error).to_contain_text("SyntaxError")
    visitor.check()
    visitor.run_here("import matplotlib.pyplot as plt")
    visitor.show("step")
    expect(visitor.error).to_contain_text("No module named 'matplotlib'")
    instead = visitor.says(
        "the page draws losses, parameters and gradients of every run", "每次运行的损失、参数和梯度，页面都会自动画出来"
    )
    expect(visitor.error).to_contain_text(instead)
    visitor.check()


def test_keys_lecture_and_outline_are_for_everyone(visitor: Visitor) -> None:
    visitor.open()
    visitor.part("keys").click()
    sheet = visitor.part("key-sheet")
    expect(sheet.get_by_text(visitor.says("Run the program", "运行程序"))).to_be_visible()
    expect(sheet.get_by_text(visitor.says("Pinch, or wheel", "双指捏合或滚轮"))).to_be_visible()
    visitor.check()
    visitor.press("Escape")
    expect(sheet).to_be_hidden()
    outline = visitor.page.get_by_role("tree", name=visitor.says("Outline of the graph", "计算图大纲"))
    outline.focus()
    for _ in range(4):
        visitor.press("ArrowDown")
    expect(outline.locator("[aria-selected=true]")).to_have_count(1)
    expect(visitor.graph.locator(".g-box.is-selected").first).to_be_visible()
    visitor.check()
    visitor.player("backward").click()
    told = visitor.page.get_by_role("status").filter(has_text="backward()")
    expect(told.first).to_contain_text(visitor.says("backward() starts at loss", "backward() 从 loss 开始"))
    visitor.timeline.focus()
    if visitor.phone:
        visitor.part("lecture").click()
    else:
        visitor.press("l")
    expect(visitor.run_button).to_be_hidden()
    visitor.show("step")
    expect(visitor.card).to_be_visible()
    visitor.check()
    visitor.part("leave-lecture").click()
    expect(visitor.run_button).to_be_visible()
