"""Several programs side by side: each keeps its text, its step and what can be undone, over a reload too."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.playground import PHONE, Playground
from tests.e2e.programs import NEURON, TWICE

pytestmark = pytest.mark.e2e

SHORT = "# short\nimport torch\nx = torch.tensor(5.0, requires_grad=True)\n(x * x).backward()\nprint(x.grad)\n"


def names(page: Playground) -> list[str]:
    return page.page.locator(".program").all_inner_texts()


def tab(page: Playground, name: str) -> Locator:
    return page.page.get_by_role("button", name=name, exact=True)


def test_each_program_keeps_its_text_its_step_and_what_can_be_undone(neuron: Playground) -> None:
    neuron.player("first").click()
    neuron.page.get_by_role("button", name="New program").click()
    expect(neuron.page.get_by_text("Press Run, or pick an example.").first).to_be_visible()
    neuron.run(SHORT)
    expect(neuron.console).to_contain_text("tensor(10.)")
    assert names(neuron) == ["Program 1", "short"]
    tab(neuron, "Program 1").click()
    assert neuron.program().strip() == NEURON.strip()
    neuron.expect_step(1)
    tab(neuron, "short").click()
    expect(neuron.console).to_contain_text("tensor(10.)")
    neuron.page.reload()
    neuron.wait_until_run()
    assert names(neuron) == ["Program 1", "short"]
    assert neuron.program().strip() == SHORT.strip()
    neuron.editor.locator(".cm-content").click()
    neuron.press("ControlOrMeta+z")
    assert neuron.program() == ""
    neuron.press("ControlOrMeta+Shift+z")
    assert neuron.program().strip() == SHORT.strip()


def test_a_reload_brings_the_program_that_was_opened_last_however_soon(neuron: Playground) -> None:
    neuron.page.get_by_role("button", name="New program").click()
    neuron.run(SHORT)
    for name in ("Program 1", "short", "Program 1", "short"):
        tab(neuron, name).click()
    neuron.page.reload()
    neuron.wait_until_run()
    assert neuron.program().strip() == SHORT.strip()


def test_a_closed_program_comes_back(neuron: Playground) -> None:
    neuron.page.get_by_role("button", name="New program").click()
    neuron.run(SHORT)
    neuron.page.get_by_role("button", name="Close short").click()
    assert names(neuron) == ["Program 1"]
    assert neuron.program().strip() == NEURON.strip()
    neuron.page.get_by_test_id("program-reopen").click()
    assert neuron.program().strip() == SHORT.strip()
    expect(neuron.console).to_contain_text("tensor(10.)")


def test_a_link_never_overwrites_what_somebody_wrote(neuron: Playground) -> None:
    neuron.page.goto(f"{neuron.address}/#example=diamond")
    expect(neuron.page.locator(".program")).to_have_count(2)
    neuron.wait_until_run()
    tab(neuron, "Program 1").click()
    assert neuron.program().strip() == NEURON.strip()


def test_programs_on_a_phone_in_chinese(new_page: Callable[..., Playground]) -> None:
    page = new_page(viewport=PHONE, locale="zh-CN")
    page.remember(TWICE)
    page.open()
    page.tab("code").click()
    page.page.get_by_role("button", name="新建程序").click()
    assert names(page) == ["程序 1", "程序 2"]
    page.run(SHORT)
    box = page.page.get_by_test_id("programs").bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 390
    page.page.get_by_role("button", name="关闭“short”").click()
    assert names(page) == ["程序 1"]
    assert page.program().strip() == TWICE.strip()
