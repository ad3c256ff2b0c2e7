"""A page whose server stops: it says so, keeps the program, and goes on when the server is back."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.playground import Playground
from tests.e2e.server import Server

pytestmark = pytest.mark.e2e

MINE = "import torch\nx = torch.tensor(7.0, requires_grad=True)\n(x * x).backward()\nprint(x.grad)\n"


def test_a_stopped_server_loses_nothing(server: Server, new_page: Callable[..., Playground]) -> None:
    page = new_page()
    page.open()
    page.write(MINE)
    server.stop()
    try:
        page.run_button.click()
        expect(page.notice).to_contain_text("The server cannot be reached. Your program is safe here in the editor.")
        assert page.program().strip() == MINE.strip()
        expect(page.graph.locator(".g-box").first).to_be_visible()
        page.notice.get_by_role("button", name="Try again").click()
        expect(page.notice).to_be_visible()
    finally:
        server.start()
    page.run(by=page.notice.get_by_role("button", name="Try again").click)
    expect(page.notice).to_have_count(0)
    expect(page.console).to_contain_text("tensor(14.)")


def test_the_draft_outlives_a_reload(page: Playground) -> None:
    page.run(MINE)
    page.page.reload()
    page.wait_until_run()
    assert page.program().strip() == MINE.strip()
    expect(page.examples.locator("option:checked")).to_have_text("Your program")


def is_reading(route: Route) -> bool:
    """Whether a program is only to be compiled, as the page asks after a pause in typing."""
    return "until" in (route.request.post_data or "")


def test_a_busy_or_slow_server_is_waited_for_with_the_program_kept(neuron: Playground) -> None:
    neuron.write(MINE)
    neuron.page.route(
        "**/api/v1/runs", lambda route: route.fulfill(status=429, json={"status": 429}, headers={"retry-after": "2"})
    )
    neuron.run_button.click()
    expect(neuron.notice).to_contain_text("Many programs are running right now.")
    retry = neuron.notice.get_by_role("button").first
    expect(retry).to_be_disabled()
    expect(retry).to_contain_text("s")
    neuron.page.unroute("**/api/v1/runs")
    held: list[Route] = []
    neuron.page.route("**/api/v1/runs", lambda route: route.continue_() if is_reading(route) else held.append(route))
    expect(retry).to_be_enabled()
    retry.click()
    expect(neuron.run_button).to_have_attribute("aria-busy", "true")
    assert neuron.program().strip() == MINE.strip()
    neuron.editor.locator(".cm-content").press("Control+End")
    neuron.page.keyboard.type("# still mine")
    while not held:
        neuron.page.wait_for_timeout(50)
    held[0].continue_()
    expect(neuron.run_button).to_have_attribute("aria-busy", "false")
    assert neuron.program().endswith("# still mine")
    expect(neuron.console).to_contain_text("tensor(14.)")
