"""A server and a browser for the session; a page as new, with an empty memory, for each test."""

import os
import shutil
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from scripts.browser import NAMES
from tests.e2e.pages import PATIENCE_MS, Pages
from tests.e2e.playground import Playground
from tests.e2e.programs import NEURON
from tests.e2e.server import PAGE, Server
from tests.e2e.visitor import VISITORS, Visitor

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WENT_WELL = pytest.StashKey[bool]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser beside other work may be late where no person would be: what fails here gets one more try, told of."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[WENT_WELL] = report.passed
    return report


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    if not PAGE.exists():
        pytest.skip("the page is not built: `make page` builds it")
    server = Server()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="package")  # while Playwright is open its event loop runs, and no other can in this process
def browser() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "/usr/bin/chromium")
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def pages(server: Server, browser: Browser) -> Pages:
    return Pages(browser, server.address)


@pytest.fixture
def new_page(server: Server, pages: Pages, request: pytest.FixtureRequest) -> Iterator[Callable[..., Playground]]:
    """Make a page, not opened yet; options are those of a browser context. No page may log an error.

    It runs a program when told to, so that a test knows which run it looks at; `live` leaves it as a first visitor's.
    Nothing moves in it unless `reduced_motion` says so.
    """
    made: list[Playground] = []

    def make(kind: type[Playground] = Playground, *, live: bool = False, **options: object) -> Playground:
        made.append(kind(pages.take(**options), server.address))
        if not live:
            made[-1].run_only_when_told()
        return made[-1]

    yield make
    problems = [problem for page in made for problem in page.problems]
    as_new = request.node.stash.get(WENT_WELL, False) and not problems
    for page in made:
        page.leave()
        pages.give_back(page.page, as_new=as_new)
    assert problems == []


@pytest.fixture
def page(new_page: Callable[..., Playground]) -> Playground:
    """The page as a first visitor finds it, once the default example has run."""
    page = new_page()
    page.open()
    return page


@pytest.fixture
def neuron(new_page: Callable[..., Playground]) -> Playground:
    """The page of someone whose program of last time is y = w*x + b, loss = y**2."""
    page = new_page()
    page.remember(NEURON)
    page.open()
    return page


@pytest.fixture(params=VISITORS)
def visitor(request: pytest.FixtureRequest, new_page: Callable[..., Visitor]) -> Visitor:
    """Each of them in turn, with the page not opened yet."""
    phone, chinese = VISITORS[request.param]
    visitor = new_page(Visitor, **Visitor.options(phone=phone, chinese=chinese))
    visitor.phone, visitor.chinese = phone, chinese
    return visitor
