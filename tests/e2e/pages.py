"""Pages that tests use one after another: to open one costs a process, a window and the compiling of all its code.

What a page is made with and cannot change, such as a language, it keeps; size, colours and motion are set anew each
time, and what a test left behind is taken away: memory, routes, other pages, where the pointer was.
"""

from typing import Any

from playwright.sync_api import Browser, Page

# How long Playwright waits for what it is told to do; it does not wait longer than needed.
PATIENCE_MS = 15_000
DESKTOP = {"width": 1440, "height": 900}
# Of the page's own origin, so that its memory can be written before it is opened, and with nothing on it.
BLANK = "healthz"

CHANGEABLE = ("viewport", "color_scheme", "reduced_motion", "offline")


class Pages:
    """Pages of one browser at one address."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser = browser
        self._blank = f"{address}/{BLANK}"
        self._free: dict[str, list[Page]] = {}
        self._kinds: dict[Page, str] = {}

    def take(self, **options: Any) -> Page:
        """A page with an empty memory that stands on nothing. Options are those of a browser context."""
        fixed = {"locale": "en-US", **{name: value for name, value in options.items() if name not in CHANGEABLE}}
        kind = repr(sorted(fixed.items()))
        free = self._free.setdefault(kind, [])
        page = free.pop() if free else self._browser.new_context(**fixed).new_page()
        self._kinds[page] = kind
        page.context.set_default_timeout(PATIENCE_MS)
        page.set_viewport_size(options.get("viewport", DESKTOP))
        media = {"color_scheme": "light", "reduced_motion": "reduce"}
        page.emulate_media(**{name: options.get(name, usual) for name, usual in media.items()})
        page.goto(self._blank)
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.context.set_offline(bool(options.get("offline", False)))
        return page

    def give_back(self, page: Page, *, as_new: bool) -> None:
        """Keep a page for another test; one that is not `as_new`, since its test failed, is closed."""
        if not as_new:
            page.context.close()
            return
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.unroute_all(behavior="ignoreErrors")
        page.context.set_offline(False)
        page.mouse.move(0, 0)
        page.goto(self._blank)
        self._free[self._kinds[page]].append(page)
