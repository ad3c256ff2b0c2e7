"""Running programs: by button and by key, what is printed, what is too much."""

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import Playground
from tests.e2e.programs import FOREVER, MARKUP, NOT_A_NUMBER, TRAINING

pytestmark = pytest.mark.e2e

SMALL = "import torch\nx = torch.tensor(5.0, requires_grad=True)\n(x * x).backward()\nprint('gradient', x.grad)\n"


def test_a_program_runs_by_button_and_by_key(page: Playground) -> None:
    page.run(SMALL)
    expect(page.console).to_contain_text("gradient tensor(10.)")
    page.write(SMALL.replace("5.0", "6.0"))
    expect(page.page.locator(".run-note")).to_contain_text("edited since the last run")
    page.run(by=lambda: page.press("Control+Enter"))
    expect(page.console).to_contain_text("gradient tensor(12.)")


def test_a_program_without_tensors_and_an_empty_one_are_answered(page: Playground) -> None:
    page.run("print('hello')")
    expect(page.console).to_contain_text("hello")
    expect(page.page.get_by_text("made no tensors")).to_be_visible()
    page.write("")
    page.run_button.click()
    expect(page.notice).to_contain_text("There is no program to run")


def test_a_loop_without_end_is_stopped_at_its_line(page: Playground) -> None:
    page.run(FOREVER)
    expect(page.error.get_by_role("heading")).to_have_text("The program took too long")
    expect(page.error).to_contain_text("Look for a loop that never ends")
    expect(page.error).to_contain_text("line 5")
    page.run(SMALL)
    expect(page.error).to_have_count(0)
    expect(page.console).to_contain_text("gradient tensor(10.)")


def test_a_slow_run_says_where_it_is_and_can_be_given_up(page: Playground) -> None:
    page.run(SMALL)
    page.write("while True:\n    pass\n")
    page.run_button.click()
    expect(page.page.get_by_test_id("progress")).to_contain_text("line")
    expect(page.run_button).to_contain_text("Cancel")
    page.run_button.click()
    expect(page.run_button).to_have_attribute("aria-busy", "false")
    expect(page.run_button).to_contain_text("Run")
    expect(page.notice).to_have_count(0)
    expect(page.console).to_contain_text("gradient tensor(10.)")
    page.run("print('after')")
    expect(page.console).to_contain_text("after")


def test_a_flood_of_output_is_cut_and_the_beginning_shown(page: Playground) -> None:
    page.run("while True:\n    print('water ' * 20)\n")
    expect(page.error.get_by_role("heading")).to_have_text("The program printed too much")
    expect(page.console).to_contain_text("water water")


def test_a_bomb_of_memory_is_answered(page: Playground) -> None:
    page.run("import torch\nx = torch.ones(40000, 40000)\ny = x + 1\n")
    expect(page.error.get_by_role("heading")).to_have_text("The program needed too much memory")
    expect(page.error).to_contain_text("Unable to allocate 5.96 GiB")


def test_the_end_of_python_is_answered(page: Playground) -> None:
    page.run("import os\nos._exit(0)\n")
    expect(page.error.get_by_role("heading")).to_have_text("SystemExit")
    expect(page.error).to_contain_text("Leave out os._exit()")


def test_a_program_over_64_kb_is_refused_and_kept(page: Playground) -> None:
    line = "# " + "x" * 61 + "\n"
    page.write("print('first')\n" + line * 1023 + "#" * 50)
    page.run()
    expect(page.notice).to_contain_text("at most 64 KB")
    page.editor.locator(".cm-content").click()
    page.press("Control+Home")
    expect(page.line(1)).to_have_text("print('first')")


def test_nan_and_infinity_are_shown_as_such(page: Playground) -> None:
    page.run(NOT_A_NUMBER)
    expect(page.console).to_contain_text("tensor([   nan,   -inf, 1.3863], grad_fn=<LogBackward0>)")
    expect(page.console).to_contain_text("tensor([-1.0000,     inf,  0.2500])")
    page.box("log").first.click()
    page.graph.locator(".g-tensor").filter(has_text="y").first.click()
    expect(page.inspector).to_contain_text("nan")
    expect(page.inspector).to_contain_text("-inf")


def test_markup_that_is_printed_stays_text(page: Playground) -> None:
    page.run(MARKUP)
    expect(page.console).to_contain_text("<script>document.title = 'taken'</script><b>bold</b>")
    assert page.console.locator("script, b").count() == 0
    assert "taken" not in page.page.title()
    page.go_to(1)
    expect(page.card).to_contain_text("<script>")


def test_a_training_loop_stays_readable(page: Playground) -> None:
    page.run(TRAINING)
    for printed in ("0 4.7567", "1 4.3554", "2 4.0926"):
        expect(page.console).to_contain_text(printed)
    expect(page.graph).to_have_attribute("data-mode", "badges")
    # The last turn is in view at the last step, at a size at which names can be read.
    expect(page.graph).to_have_attribute("data-detail", "near")
    expect(page.graph.locator(".g-box").filter(has_text="loss").last).to_be_in_viewport()
    expect(page.ledger.locator("tbody tr")).to_have_count(5)
