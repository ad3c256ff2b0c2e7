"""Whoever opens the page, at a desk or with a phone, in English or in Chinese: what they see is asked in all four."""

from playwright.sync_api import Locator, expect

from tests.e2e.playground import PHONE, Playground
from tests.e2e.texts import PROSE, texts

DESK = {"width": 1440, "height": 900}

# (small, chinese) by the name of the test.
VISITORS = {"desk-en": (False, False), "desk-zh": (False, True), "phone-en": (True, False), "phone-zh": (True, True)}

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


class Visitor(Playground):
    """The page in the words of one of them. On a phone one panel is shown at a time."""

    phone = chinese = False

    @staticmethod
    def options(*, phone: bool, chinese: bool, dark: bool | None = None) -> dict[str, object]:
        """Of their browser: dark in Chinese unless said; without motion, so that what is read has arrived."""
        return {
            "viewport": PHONE if phone else DESK,
            "has_touch": phone,
            "locale": "zh-CN" if chinese else "en-US",
            "color_scheme": "dark" if (chinese if dark is None else dark) else "light",
            "reduced_motion": "reduce",
        }

    def says(self, english: str, chinese: str) -> str:
        return chinese if self.chinese else english

    def show(self, panel: str) -> None:
        """Bring a panel to where it is seen: code, graph, step or inspect."""
        if self.phone:
            self.tab(panel).click()

    def begin(self, code: str, fragment: str = "") -> None:
        """Open the page as someone whose program of last time this is."""
        self.remember(code)
        self.open(fragment)

    def run_here(self, code: str) -> None:
        """Run another program and look at its graph."""
        self.show("code")
        self.run(code)
        self.show("graph")

    def button(self, english: str, chinese: str) -> Locator:
        return self.page.get_by_role("button", name=self.says(english, chinese), exact=True)

    def expect_step_title(self, english: str, chinese: str) -> None:
        """What the step is called, where this visitor sees it."""
        title = self.page.locator(".player-caption") if self.phone else self.title
        expect(title).to_be_visible()
        expect(title).to_contain_text(self.says(english, chinese))

    def check(self) -> None:
        """Nothing sticks out, and nothing is in the other language."""
        assert self.page.evaluate(OVERFLOW) <= 0
        if self.chinese:
            english = {text for text in texts(self) if PROSE.search(text)}
            assert english == set(), english
