"""Every example of the menu runs, in both languages, without an error of the page."""

import json
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.e2e.playground import Playground
from tests.e2e.server import Server

pytestmark = pytest.mark.e2e


def test_every_example_runs_and_is_drawn(server: Server, page: Playground) -> None:
    with urllib.request.urlopen(f"{server.address}/api/v1/examples") as reply:
        examples = json.load(reply)["examples"]
    offered = page.examples.locator("optgroup option").evaluate_all("all => all.map((each) => each.value)")
    assert sorted(offered) == sorted(example["id"] for example in examples)
    for example in examples:
        if page.examples.input_value() == example["id"]:
            continue
        with page.page.expect_response("**/api/v1/runs"):
            page.examples.select_option(example["id"])
        expect(page.run_button).to_have_attribute("aria-busy", "false")
        reply = page.page.request.post(f"{server.address}/api/v1/runs", data={"code": example["code"], "seed": 0})
        outcome = reply.json()["outcome"]
        assert outcome["status"] in ("ok", "error"), example["id"]
        expect(page.error).to_have_count(int(outcome["status"] == "error"))
        expect(page.page.locator(".g-stage, .graph-hint").first).to_be_visible()
        for key in ("End", "Home", "PageDown"):
            page.press("Escape")
            page.timeline.press(key)
        assert page.problems == [], example["id"]
