"""Both languages, whole."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import Playground
from tests.e2e.programs import DESCENT, FOREVER, TWICE
from tests.e2e.texts import NAME, left_in_english, left_over, texts

pytestmark = pytest.mark.e2e


def texts_of_all_steps(page: Playground) -> list[set[str]]:
    page.player("first").click()
    found = []
    for step in range(1, page.steps() + 1):
        page.expect_step(step)
        found.append(texts(page))
        page.press("ArrowRight")
    return found


def test_the_language_follows_the_browser_and_the_button(new_page: Callable[..., Playground]) -> None:
    page = new_page(locale="zh-CN")
    page.open()
    expect(page.run_button).to_contain_text("运行")
    assert page.page.locator("html").get_attribute("lang") == "zh-CN"
    assert left_in_english(page) == set()
    page.language.click()
    expect(page.run_button).to_contain_text("Run")
    assert page.page.locator("html").get_attribute("lang") == "en"
    assert "Gradient ledger" in texts(page)


def test_no_english_is_left_at_any_step(page: Playground) -> None:
    english = texts_of_all_steps(page)
    page.language.click()
    chinese = texts_of_all_steps(page)
    assert [left_over(*pair) for pair in zip(chinese, english, strict=True)] == [set()] * page.steps()


def test_errors_and_limits_are_explained_in_chinese(page: Playground) -> None:
    page.language.click()
    page.run(TWICE)
    expect(page.error).to_contain_text("原因")
    assert left_in_english(page) == set()
    page.run(FOREVER)
    expect(page.error.get_by_role("heading")).to_have_text("程序运行时间过长")
    expect(page.error).to_contain_text("第 5 行")
    assert left_in_english(page) == set()
    page.write("")
    page.run_button.click()
    assert left_in_english(page) == set()


def test_no_english_is_left_in_the_tools_and_the_views(new_page: Callable[..., Playground]) -> None:
    page = new_page(locale="zh-CN", reduced_motion="reduce")
    page.remember(DESCENT)
    page.open()
    page.part("paint").select_option("requires")
    page.part("moves").locator("summary").click()
    page.line(9).click()
    expect(page.inspector.locator(".inspect-name")).to_contain_text("loss")
    assert left_in_english(page) == set()
    page.part("training-open").click()
    page.part("training").locator("summary").click()
    expect(page.part("training-table")).to_be_visible()
    assert left_in_english(page) == set()


def test_a_switch_of_language_moves_nothing_and_loses_nothing(page: Playground) -> None:
    page.go_to(5)
    page.box("MulBackward0").click()
    before = page.card.bounding_box()
    page.language.click()
    page.expect_step(5)
    expect(page.inspector).to_contain_text("MulBackward0")
    after = page.card.bounding_box()
    assert before is not None
    assert after is not None
    assert (after["x"], after["y"], after["width"]) == (before["x"], before["y"], before["width"])
    page.page.wait_for_url("**lang=zh*")
    page.page.reload()
    page.wait_until_run()
    expect(page.run_button).to_contain_text("运行")


# What the test language leaves as it is: see SAME; and numbers, signs and keys.
MARKED = re.compile(r"⟦[^⟦⟧]*⟧")


def unmarked(text: str) -> str:
    """What of a text stands outside of all marks; a translated text may hold another one."""
    while MARKED.search(text):
        text = MARKED.sub("", text)
    return text.strip()


def test_the_test_language_shows_that_every_text_has_a_translation(new_page: Callable[..., Playground]) -> None:
    page = new_page()
    page.open("#lang=test")
    expect(page.run_button).to_contain_text("⟦Run⟧")
    page.player("backward").click()
    page.player("next").click()
    outside = {unmarked(text) for text in texts(page)}
    assert {text for text in outside if re.search(r"[A-Za-z]{3}", text) and not NAME.fullmatch(text)} == set()
