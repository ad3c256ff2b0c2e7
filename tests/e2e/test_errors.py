"""Programs that fail: the error's own words, the line, and the graph as far as it came."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import Playground
from tests.e2e.programs import TWICE

pytestmark = pytest.mark.e2e


def test_backward_twice_shows_the_error_the_line_and_the_graph_so_far(page: Playground) -> None:
    page.run(TWICE)
    expect(page.error.get_by_role("heading")).to_have_text("RuntimeError")
    expect(page.error).to_contain_text("Trying to backward through the graph a second time")
    expect(page.error).to_contain_text("line 6")
    expect(page.error).to_contain_text("retain_graph=True")
    expect(page.line(6)).to_have_class(re.compile("line-wrong"))
    node = page.box("MulBackward0")
    expect(node).to_be_visible()
    # What the first pass freed is an empty slot the second one reached into.
    expect(node.locator(".g-socket.is-freed")).to_have_count(2)
    expect(page.box("x.grad = 6")).to_be_visible()
    page.player("first").click()
    page.error.get_by_role("button", name="Show the line").click()
    page.expect_step(page.steps())


def test_a_syntax_error_shows_its_line(page: Playground) -> None:
    page.run("import torch\nx = torch.tensor(1.0\ny = 2\n")
    expect(page.error.get_by_role("heading")).to_have_text("SyntaxError")
    expect(page.error).to_contain_text("line 2")
    expect(page.line(2)).to_have_class(re.compile("line-wrong"))


def test_an_error_of_the_programs_own_is_shown_with_its_traceback(page: Playground) -> None:
    page.run("def inner():\n    raise ValueError('too <b>bold</b>')\n\ninner()\n")
    expect(page.error.get_by_role("heading")).to_have_text("ValueError")
    expect(page.error).to_contain_text("too <b>bold</b>")
    page.error.get_by_text("Traceback", exact=True).click()
    expect(page.error.locator("details pre")).to_contain_text("line 4")


def test_the_mark_goes_once_the_program_is_edited(page: Playground) -> None:
    page.run(TWICE)
    expect(page.editor.locator(".line-wrong")).to_have_count(1)
    page.write(TWICE.replace("y.backward()\ny.backward()", "y.backward()"))
    expect(page.editor.locator(".line-wrong")).to_have_count(0)
    page.run()
    expect(page.error).to_have_count(0)


# What PyTorch refuses of memory that is changed in place: the program, the line, and a word of each language's advice.
REFUSED = [
    pytest.param(
        "import torch\nx = torch.arange(5.0)\nx[1:] += x[:-1]\n", 3, "Copy what is read first", "先复制要读取的部分",
        id="read and written",
    ),
    pytest.param(
        "import torch\nx = torch.zeros(1).expand(3)\nx.add_(1)\n", 3, "one and the same number", "内存里的同一个数",
        id="written twice",
    ),
    pytest.param(
        "import torch\nw = torch.ones(3, requires_grad=True)\ny = w * 2\nwith torch.no_grad():\n    v = y[0]\n"
        "y.mul_(3)\nprint(v * 2)\n",
        7, "both inside the block", "都放进代码块内", id="a view that was not recorded",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("code", "line", "advice", "chinese"), REFUSED)
def test_a_refused_change_of_memory_is_explained_in_both_languages(
    page: Playground, code: str, line: int, advice: str, chinese: str
) -> None:
    page.run(code)
    expect(page.error).to_contain_text(f"line {line}")
    expect(page.error.locator(".explain")).to_contain_text(advice)
    expect(page.line(line)).to_have_class(re.compile("line-wrong"))
    page.language.click()
    expect(page.error).to_contain_text(f"第 {line} 行")
    expect(page.error.locator(".explain")).to_contain_text(chinese)
