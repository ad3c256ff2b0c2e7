"""The page in the words of whoever uses it."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

# Where the parts are that have no test id of their own.
LEDGER = ".ledger-panel"
QUEUE = ".queue-panel"

# Width and height of a small screen.
PHONE = {"width": 390, "height": 844}

PASTE = """(content, text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  content.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""


# Resolves once an element has stood where it stands for some frames: to x, y, width and height in pixels.
AT_REST = """(element) => new Promise((done) => {
  let last = "";
  let same = 0;
  const look = () => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const now = [x, y, width, height];
    same = String(now) === last ? same + 1 : 0;
    last = String(now);
    if (same >= 12) done(now);
    else requestAnimationFrame(look);
  };
  look();
})"""


class Playground:
    """Everything a test does to the page and reads from it. Steps count from 1, as on the page."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.problems: list[str] = []
        """Errors the page threw or logged; what a stopped server causes is left out."""
        page.on("pageerror", self._note_thrown)
        page.on("console", self._note)
        part = page.get_by_test_id
        self.editor, self.run_button, self.graph = part("editor"), part("run"), part("graph")
        self.timeline, self.console, self.card = part("timeline"), part("console"), part("step-card")
        self.error, self.inspector, self.notice = part("error-card"), part("inspector"), part("notice")
        self.language, self.theme, self.examples = part("language"), part("theme"), part("examples")
        self.title = self.card.get_by_role("heading")
        self.ledger, self.queue = page.locator(LEDGER), page.locator(QUEUE)

    def _note_thrown(self, error: object) -> None:
        self.problems.append(str(error))

    def _note(self, message: object) -> None:
        kind, text = getattr(message, "type", ""), getattr(message, "text", "")
        if kind == "error" and "Failed to load resource" not in text:
            self.problems.append(text)

    def remember(self, *programs: str) -> None:
        """Let the browser remember programs as this visitor's, the last of them open; before the page is opened."""
        kept = [{"id": at, "code": code} for at, code in enumerate(programs, 1)]
        self._keep("programs", json.dumps({"open": len(kept), "list": kept}))

    def run_only_when_told(self) -> None:
        """Let the browser remember that this visitor switched Live off; before the page is opened."""
        self._keep("live", "0")

    def _keep(self, name: str, text: str) -> None:
        self.page.evaluate("([name, text]) => localStorage.setItem(name, text)", [f"autograd-playground.{name}", text])

    def leave(self) -> None:
        """Listen to the page no more: it is another test's."""
        self.page.remove_listener("pageerror", self._note_thrown)
        self.page.remove_listener("console", self._note)

    def open(self, fragment: str = "") -> None:
        """Open the page and wait until its first program has run and is drawn."""
        self.page.goto(f"{self.address}/{fragment}")
        self.wait_until_run()
        expect(self.graph.locator(".g-box").first).to_be_visible()

    def wait_until_run(self) -> None:
        expect(self.timeline).not_to_have_attribute("aria-valuemax", "0")
        expect(self.run_button).to_have_attribute("aria-busy", "false")

    def write(self, code: str) -> None:
        """Replace the program in the editor: select all, delete, paste."""
        content = self.editor.locator(".cm-content")
        content.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.press("Delete")
        content.evaluate(PASTE, code)

    def program(self) -> str:
        """The program in the editor; short ones only, as the editor draws just what is on screen."""
        return "\n".join(self.editor.locator(".cm-line").all_text_contents())

    def run(self, code: str | None = None, *, by: Callable[[], None] | None = None) -> None:
        """Run a program, the one in the editor by default, and wait for what came back."""
        if code is not None:
            self.write(code)
        with self.page.expect_response("**/api/v1/runs"):
            (by or self.run_button.click)()
        expect(self.run_button).to_have_attribute("aria-busy", "false")

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def part(self, test_id: str) -> Locator:
        return self.page.get_by_test_id(test_id)

    def player(self, name: str) -> Locator:
        return self.page.get_by_test_id(f"player-{name}")

    def tab(self, name: str) -> Locator:
        return self.page.get_by_test_id(f"tab-{name}")

    def steps(self) -> int:
        return int(self.timeline.get_attribute("aria-valuemax") or 0)

    def step(self) -> int:
        return int(self.timeline.get_attribute("aria-valuenow") or 0)

    def expect_step(self, step: int) -> None:
        expect(self.timeline).to_have_attribute("aria-valuenow", str(step))

    def place_of(self, step: int) -> tuple[float, float]:
        """Where on the timeline a step's dot is, in pixels of the page."""
        box = self.timeline.bounding_box()
        assert box is not None
        return box["x"] + box["width"] * (step - 0.5) / self.steps(), box["y"] + 15

    def go_to(self, step: int) -> None:
        self.page.mouse.click(*self.place_of(step))
        self.expect_step(step)

    def go_to_title(self, text: str) -> None:
        """Step on until the card's title holds a text."""
        for _ in range(self.steps()):
            if text in self.title.inner_text():
                return
            self.player("next").click()
        raise AssertionError(f"no step called {text!r} up to the end of the run")

    def formulas(self, within: Locator | None = None) -> list[str]:
        """What the typeset formulas of the card show, one text an equation, without spaces."""
        equations = (within or self.card).locator(".equation")
        expect(equations.locator(".katex-html").first).to_be_visible()
        read = "all => all.map((each) => [...each.querySelectorAll('.katex-html')].map((a) => a.textContent).join(''))"
        return [re.sub(r"[\s\u200b]+", "", text) for text in equations.evaluate_all(read)]

    def box(self, text: str) -> Locator:
        """Boxes of the graph by what is written in them."""
        return self.graph.locator(".g-near .g-box").filter(has_text=text)

    def at_rest(self, locator: Locator) -> tuple[float, float, float, float]:
        """Where an element is once nothing moves it any more: x, y, width and height in pixels."""
        x, y, width, height = locator.evaluate(AT_REST)
        return x, y, width, height

    def line(self, number: int) -> Locator:
        return self.editor.locator(".cm-line").nth(number - 1)
