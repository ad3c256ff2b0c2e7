"""Programs that run while they are written, names that complete themselves, and lines the player stops at."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.playground import Playground
from tests.e2e.programs import NEURON

pytestmark = pytest.mark.e2e


def type_at_end(page: Playground, text: str) -> None:
    page.editor.locator(".cm-content").click()
    page.press("ControlOrMeta+End")
    page.page.keyboard.type(text)


def dots(page: Playground) -> Locator:
    """Breakpoints in the gutter, without the one that keeps its width."""
    return page.editor.locator(".cm-breakpoints .cm-gutterElement:not([style*=hidden]) .breakpoint")


def test_a_live_program_follows_what_is_written(neuron: Playground) -> None:
    neuron.player("last").click()
    neuron.page.get_by_test_id("live").check()
    with neuron.page.expect_response("**/api/v1/runs"):
        type_at_end(neuron, "print(7 * 6)")
    expect(neuron.console).to_contain_text("42")
    neuron.page.reload()
    expect(neuron.page.get_by_test_id("live")).to_be_checked()


def test_a_first_visitor_sees_what_is_written_at_once_and_half_a_word_takes_nothing_away(
    new_page: Callable[..., Playground],
) -> None:
    visitor = new_page(live=True)
    visitor.remember(NEURON)
    visitor.open()
    expect(visitor.page.get_by_test_id("live")).to_be_checked()
    visitor.player("last").click()
    visitor.line(7).click()
    expect(visitor.inspector).to_contain_text("AddBackward0")
    visitor.press("End")
    with visitor.page.expect_response("**/api/v1/runs"):
        visitor.page.keyboard.type("#")
    expect(visitor.page.locator(".run-note")).to_contain_text("ran in")
    expect(visitor.inspector).to_contain_text("AddBackward0")  # what was chosen still is
    type_at_end(visitor, "half = w.grad /")
    expect(visitor.editor.locator(".line-said")).to_contain_text("SyntaxError: invalid syntax")
    expect(visitor.box("MulBackward0")).to_be_visible()
    visitor.page.keyboard.type(" 2\nprint(half)")
    expect(visitor.console).to_contain_text("tensor(14.)")
    visitor.page.keyboard.type("\nprint(v)")
    expect(visitor.error).to_contain_text("NameError: name 'v' is not defined")
    expect(visitor.error).to_be_visible()
    visitor.page.get_by_test_id("live").uncheck()
    visitor.page.reload()
    expect(visitor.page.get_by_test_id("live")).not_to_be_checked()


LAYOUTS = "() => performance.getEntriesByName('layout').length"


def test_a_number_that_is_changed_moves_nothing_and_what_changes_the_graph_is_laid_out_once(
    new_page: Callable[..., Playground],
) -> None:
    workers: list[str] = []
    neuron = new_page()
    neuron.page.on("worker", lambda worker: workers.append(worker.url))
    neuron.remember(NEURON)
    neuron.open()
    neuron.player("last").click()
    neuron.page.get_by_test_id("live").check()
    drawn = neuron.page.evaluate(LAYOUTS)
    line = neuron.page.locator("[data-testid=editor] .cm-line").filter(has_text="w = torch")
    text = line.inner_text()
    line.click()
    neuron.press("End")
    for _ in text[text.index("3.0") + 1 :]:
        neuron.press("ArrowLeft")
    neuron.press("Shift+ArrowLeft")
    # Numbers of as many digits: y is 9 instead of 7, and w.grad 36 instead of 28.
    neuron.page.keyboard.type("4")
    expect(neuron.box("w.grad = 36")).to_be_visible()
    assert neuron.page.evaluate(LAYOUTS) == drawn
    line = neuron.page.locator("[data-testid=editor] .cm-line").filter(has_text="y = w * x")
    line.click()
    neuron.press("End")
    with neuron.page.expect_response("**/api/v1/runs"):
        neuron.page.keyboard.type(".abs()", delay=0)
    expect(neuron.box("AbsBackward0")).to_have_count(1)
    assert neuron.page.evaluate(LAYOUTS) > drawn
    assert len([url for url in workers if "worker" in url]) == 1


def test_a_syntax_error_is_said_at_its_line_and_the_graph_stays(neuron: Playground) -> None:
    neuron.page.get_by_test_id("live").check()
    neuron.write("import torch\ny = (1 + 2\nz = 3\n")
    said = neuron.editor.locator(".line-said")
    expect(said).to_have_text("SyntaxError: '(' was never closed")
    expect(neuron.line(2)).to_have_class(re.compile("line-wrong"))
    expect(neuron.box("MulBackward0")).to_be_visible()
    neuron.write("import torch\ny = torch.ones(2, requires_grad=True)\n")
    expect(said).to_have_count(0)
    expect(neuron.box("MulBackward0")).to_have_count(0)


def test_what_python_cannot_read_is_said_before_anything_is_run(neuron: Playground) -> None:
    said = neuron.editor.locator(".line-said")
    for broken, line, words in (
        ("import torch\nprint('never run')\ny = 'abc\n", 3, "SyntaxError: unterminated string literal"),
        ("import torch\n  y = 1\n", 2, "IndentationError: unexpected indent"),
        ("return 1\n", 1, "SyntaxError: 'return' outside function"),
    ):
        neuron.write(broken)
        expect(said).to_contain_text(words)
        expect(neuron.line(line)).to_have_class(re.compile("line-wrong"))
    expect(neuron.console).not_to_contain_text("never run")
    expect(neuron.box("MulBackward0")).to_be_visible()
    neuron.write("import torch\nprint('read')\n")
    expect(said).to_have_count(0)
    expect(neuron.console).not_to_contain_text("read")


def test_an_error_of_a_run_is_said_at_its_line(page: Playground) -> None:
    page.run("import torch\nx = torch.ones(2)\nx.backward()\n")
    expect(page.editor.locator(".line-said")).to_contain_text(
        "RuntimeError: element 0 of tensors does not require grad"
    )
    page.player("first").click()
    expect(page.editor.locator(".line-said")).to_have_count(0)


def test_names_of_torch_and_of_the_program_complete_themselves(page: Playground) -> None:
    page.write("import torch\nimport torch.nn.functional as F\nweight = torch.ones(2)\n")
    type_at_end(page, "F.cross_ent")
    options = page.editor.locator(".cm-tooltip-autocomplete li")
    options.first.filter(has_text="cross_entropy").click()
    expect(page.line(4)).to_have_text("F.cross_entropy")
    type_at_end(page, "(weig")
    expect(options.first).to_contain_text("weight")
    page.press("Escape")
    expect(options).to_have_count(0)


def test_the_player_stops_at_a_marked_line(neuron: Playground) -> None:
    number = neuron.program().split("\n").index("loss = y ** 2") + 1
    neuron.line(number).click()
    neuron.press("F9")
    expect(dots(neuron)).to_have_count(1)
    neuron.page.wait_for_url(f"**break={number}*")
    neuron.page.get_by_label("Speed").first.select_option("8")
    neuron.player("first").click()
    neuron.player("play").click()
    expect(neuron.title).to_have_text("pow makes loss")
    expect(neuron.player("play")).to_have_attribute("aria-label", "Play")
    neuron.player("play").click()
    neuron.expect_step(neuron.steps())
    neuron.page.reload()
    neuron.wait_until_run()
    expect(dots(neuron)).to_have_count(1)


def test_the_gutter_marks_a_line_by_mouse(neuron: Playground) -> None:
    for count in (1, 0):
        line, gutter = neuron.line(5).bounding_box(), neuron.editor.locator(".cm-breakpoints").bounding_box()
        assert line is not None
        assert gutter is not None
        neuron.page.mouse.click(gutter["x"] + gutter["width"] / 2, line["y"] + line["height"] / 2)
        expect(dots(neuron)).to_have_count(count)


def test_the_sheet_of_keys_and_lecture_mode(page: Playground) -> None:
    page.press("?")
    sheet = page.page.get_by_test_id("key-sheet")
    expect(sheet.get_by_text("Run the program")).to_be_visible()
    page.press("Escape")
    expect(sheet).to_be_hidden()
    page.press("l")
    expect(page.run_button).to_be_hidden()
    expect(page.ledger).to_be_hidden()
    size = page.editor.locator(".cm-content").evaluate("(element) => parseFloat(getComputedStyle(element).fontSize)")
    assert size >= 18
    expect(page.card).to_be_visible()
    page.press("ArrowRight")
    page.page.get_by_test_id("leave-lecture").click()
    expect(page.run_button).to_be_visible()
