"""Finding things in the graph: by words, by relation, by colour, and the first NaN by one click."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.playground import Playground
from tests.e2e.programs import DESCENT, LOGARITHM

pytestmark = pytest.mark.e2e

MIXED = """import torch
x = torch.ones(2, 3, requires_grad=True)
n = torch.tensor([1, 2, 3])
total = (x * n).sum()
total.backward()
"""


def found(page: Playground) -> Locator:
    return page.page.get_by_role("option").filter(has=page.page.locator("b"))


def search(page: Playground, text: str) -> None:
    page.press("ControlOrMeta+f")
    page.page.get_by_role("combobox", name=re.compile("line|行")).fill(text)


def test_a_name_is_found_and_brought_near_by_keyboard(neuron: Playground) -> None:
    neuron.editor.locator(".cm-content").click()
    search(neuron, "loss")
    expect(found(neuron).first).to_contain_text("Tensor · float32 · line 8")
    neuron.press("Enter")
    expect(neuron.inspector.locator(".inspect-name")).to_have_text("loss Tensor")
    expect(neuron.graph.locator(".g-box.is-selected")).to_be_in_viewport()
    neuron.press("Escape")
    expect(neuron.page.get_by_test_id("search")).to_have_count(0)
    expect(neuron.page.get_by_test_id("search-open")).to_be_focused()


def test_ops_shapes_and_lines_are_found(neuron: Playground) -> None:
    search(neuron, "line 8")
    expect(found(neuron).locator("b")).to_have_text(["loss", "pow", "PowBackward0"])
    search(neuron, "accumulategrad")
    expect(found(neuron)).to_have_count(3)
    search(neuron, "nowhere")
    expect(neuron.page.get_by_test_id("search")).to_contain_text("0 found")
    neuron.press("Escape")
    neuron.run(MIXED)
    search(neuron, "2x3")
    expect(found(neuron).filter(has_text="Tensor · 2×3").locator("b")).to_have_text(["x", "x × n"])
    neuron.press("ArrowDown")
    neuron.press("Enter")
    expect(neuron.inspector.locator(".inspect-name")).to_have_text("x × n Tensor")


def test_equal_finds_of_a_loop_tell_their_step(page: Playground) -> None:
    page.run(DESCENT)
    search(page, "loss")
    expect(found(page)).to_have_count(4)
    expect(found(page).first).to_contain_text(re.compile(r"line 9 · step \d+$"))
    assert len(set(found(page).all_text_contents())) == 4


def test_a_folded_module_is_opened_for_what_is_sought(page: Playground) -> None:
    page.run(
        "import torch\nfrom torch import nn\n"
        "model = nn.Sequential(*[nn.Sequential(nn.Linear(4, 4), nn.ReLU()) for _ in range(24)])\n"
        "model(torch.ones(1, 4)).sum().backward()\n"
    )
    search(page, "23.0.weight")
    page.press("Enter")
    expect(page.graph.locator(".g-box.is-selected").first).to_be_in_viewport()


def test_ancestors_descendants_and_paths_are_lit(neuron: Playground) -> None:
    neuron.page.get_by_role("button", name="Fit the whole graph").click()
    neuron.graph.locator(".g-tensor").filter(has_text="y").click()
    relation = neuron.page.get_by_test_id("relation")
    relation.select_option("before")
    lit = neuron.graph.locator(".g-op.is-related")
    expect(lit.filter(has_text="mul")).to_have_count(1)
    expect(lit.filter(has_text="pow")).to_have_count(0)
    relation.select_option("after")
    expect(lit.filter(has_text="pow")).to_have_count(1)
    expect(lit.filter(has_text="mul")).to_have_count(0)
    paths = neuron.page.get_by_test_id("paths")
    paths.click()
    expect(paths).to_have_text("Choose the other end")
    neuron.graph.locator(".g-leaf").filter(has_text="b").click()
    expect(paths).to_have_text("1 path")
    expect(neuron.graph.locator(".g-box.is-selected")).to_have_count(2)
    expect(lit.filter(has_text="add")).to_have_count(1)
    paths.click()
    expect(paths).to_have_text("Paths to…")


def test_the_first_nan_is_one_click_away(page: Playground) -> None:
    expect(page.page.get_by_test_id("first-odd")).to_have_count(0)
    page.run(LOGARITHM)
    page.page.get_by_test_id("first-odd").click()
    expect(page.title).to_have_text("log makes y")
    expect(page.inspector.locator(".inspect-name")).to_have_text("y Tensor")
    red = page.graph.locator(".g-box.is-odd")
    expect(red).to_have_count(1)
    expect(red).to_contain_text("y")
    expect(page.graph.locator(".g-tone-odd")).to_have_text(["NaN"])


def test_colours_follow_what_is_chosen_and_say_it(neuron: Playground) -> None:
    neuron.player("last").click()
    paint = neuron.page.get_by_test_id("paint")
    paint.select_option("grad")
    expect(neuron.graph.locator(".g-legend")).to_contain_text("≥ 100")
    expect(neuron.graph.locator(".g-tone").filter(has_text=re.compile("^42$")).first).to_be_visible()
    neuron.player("first").click()
    expect(neuron.graph.locator(".g-tone")).to_have_count(0)
    neuron.run(MIXED)
    paint.select_option("dtype")
    expect(neuron.graph.locator(".g-legend li")).to_have_text(["float32", "int64"])
    paint.select_option("requires")
    expect(neuron.graph.locator(".g-legend li")).to_have_text(["needs grad", "does not"])
    paint.select_option("bytes")
    expect(neuron.graph.locator(".g-legend")).to_contain_text("MB")
    paint.select_option("kind")
    expect(neuron.graph.locator(".g-legend")).to_contain_text("next_functions")
