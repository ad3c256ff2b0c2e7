"""Two programs side by side: what differs is coloured, signed and listed."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.playground import PHONE, Playground
from tests.e2e.texts import left_in_english

pytestmark = pytest.mark.e2e

HEAD = "import torch\nx = torch.tensor(2.0, requires_grad=True)\nw = torch.tensor(3.0, requires_grad=True)\n"
# PyTorch gives w.grad 24 and x.grad 36; with a third power 216 and 324.
SQUARE = f"# square\n{HEAD}y = w * x\nloss = y ** 2\nloss.backward()\n"
CUBE = f"# cube\n{HEAD}y = torch.sigmoid(w) * 0 + w * x\nloss = y ** 3\nloss.backward()\n"


def compare(page: Playground) -> Locator:
    page.page.get_by_test_id("compare").click()
    expect(page.page.locator(".compare-graph .g-box").first).to_be_visible()
    return page.page.get_by_test_id("compare-view")


def boxes(page: Playground, side: str, kind: str) -> list[str]:
    found = page.page.locator(f"[data-testid=compare-{side}] .g-box.g-diff-{kind} .g-title")
    expect(found.first).to_be_visible()
    return found.all_text_contents()


def test_what_differs_is_coloured_signed_and_listed(new_page: Callable[..., Playground]) -> None:
    page = new_page()
    page.remember(SQUARE, CUBE)
    page.open()
    view = compare(page)
    expect(page.page.get_by_test_id("compare-counts")).to_contain_text("3 added · 0 removed")
    assert {"SigmoidBackward0", "sigmoid"} <= set(boxes(page, "after", "added"))
    assert "PowBackward0" in boxes(page, "before", "changed")
    expect(view.get_by_text("+ added").first).to_be_visible()
    expect(view.locator(".compare-before .is-marked")).to_contain_text(["# square", "y = w * x", "loss = y ** 2"])
    expect(view.locator(".compare-after .is-marked")).to_contain_text(["# cube", "sigmoid", "loss = y ** 3"])
    row = view.get_by_role("row").filter(has_text="w.grad")
    expect(row.get_by_role("cell")).to_have_text(["24", "216", "192"])
    view.get_by_role("button", name=re.compile("PowBackward0")).click()
    for side in ("before", "after"):
        expect(view.get_by_test_id(f"compare-{side}").locator(".g-box.is-selected").first).to_contain_text(
            "PowBackward0"
        )
    page.press("Escape")
    expect(page.graph).to_be_visible()


def test_a_changed_example_is_compared_with_what_it_was(page: Playground) -> None:
    code = page.program()
    page.run(code.replace("1.5", "2.5"))
    view = compare(page)
    expect(page.page.get_by_test_id("choose-before")).to_have_value(re.compile("^example:"))
    expect(page.page.get_by_test_id("compare-counts")).to_contain_text("0 added · 0 removed · 0 changed")
    expect(view.get_by_text("All nodes are the same.")).to_be_visible()
    assert boxes(page, "after", "grad")
    page.page.get_by_test_id("choose-after").select_option(index=0)
    page.page.get_by_test_id("choose-before").select_option(page.page.get_by_test_id("choose-after").input_value())
    expect(page.page.get_by_test_id("compare-counts")).to_contain_text("Same graph, same gradients.")


def test_a_link_holds_both_programs(new_page: Callable[..., Playground]) -> None:
    page = new_page()
    page.remember(SQUARE, CUBE)
    page.open()
    compare(page)
    expect(page.page.get_by_test_id("compare-counts")).to_contain_text("3 added")
    page.page.wait_for_url(re.compile(r"show=compare.*before=code.*after=open"))
    address = page.page.url
    page.page.get_by_test_id("share").click()
    short = page.page.get_by_test_id("share-link").input_value()
    assert "before=s%3A" in short
    for link, language in ((address, "zh-CN"), (short, "en-US")):
        other = new_page(locale=language)
        other.page.goto(link)
        expect(other.page.get_by_test_id("compare-counts")).to_contain_text(re.compile("3 added|新增 3"))
        expect(other.page.get_by_test_id("choose-before").locator("option:checked")).to_have_text("square")
        expect(other.page.get_by_test_id("choose-after").locator("option:checked")).to_have_text("cube")
        other.page.get_by_test_id("compare-close").click()
        other.page.wait_for_url(lambda url: "compare" not in url)
        assert other.program() == CUBE


def test_a_busy_server_is_asked_again(new_page: Callable[..., Playground]) -> None:
    page = new_page()
    page.remember(SQUARE, CUBE)
    page.open()
    page.page.route("**/graphs/diff", lambda route: route.fulfill(status=429, json={}, headers={"retry-after": "1"}))
    page.page.get_by_test_id("compare").click()
    expect(page.page.get_by_text("Many programs are running right now.")).to_be_visible()
    page.page.unroute("**/graphs/diff")
    page.page.get_by_role("button", name="Try again").click()
    expect(page.page.get_by_test_id("compare-counts")).to_contain_text("added")


def test_on_a_phone_the_graphs_stand_one_below_the_other(new_page: Callable[..., Playground]) -> None:
    page = new_page(viewport=PHONE, locale="zh-CN", reduced_motion="reduce")
    page.remember(SQUARE, CUBE)
    page.open()
    asked: list[str] = []
    page.page.on("request", lambda request: asked.append(request.url) if "/graphs/diff" in request.url else None)
    page.tab("code").click()
    view = compare(page)
    expect(page.page.get_by_test_id("compare-counts")).to_contain_text("新增 3")
    before, after = (view.get_by_test_id(f"compare-{side}").bounding_box() for side in ("before", "after"))
    assert before is not None
    assert after is not None
    assert after["y"] >= before["y"] + before["height"]
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 390
    page.page.set_viewport_size({"width": 1440, "height": 900})
    assert left_in_english(page) == set()
    assert len(asked) == 1, "another language is no other comparison"
