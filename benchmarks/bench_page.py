"""The page in a headless browser: layout in the worker, frames while panning, from a keystroke to its graph, memory.

`python -m benchmarks.bench_page [PART ...]` starts the service and opens the built page (`make page`) on traces of real
programs, recorded here with no limit on their size, every module call unfolded. Software rendering, so absolute
figures are high. Parts: ladder, typing, steps, folding, heap; all of them when none is named.
"""

import argparse
import gzip
import statistics
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import Page, sync_playwright

from benchmarks.page_programs import LADDER, NEURON, chain, gpt, trace_of
from benchmarks.page_scripts import DRAG, HEAP, KEYSTROKE, LAYOUTS, PAN, PICTURES, READY, TOGGLE
from scripts.screenshot import browser_path, served

ROOT = Path(__file__).resolve().parents[1]
FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info", "--js-flags=--expose-gc"]
# Frames as fast as they come, to tell what each costs; elsewhere a visitor's sixty a second.
UNBOUND = ["--disable-frame-rate-limit", "--disable-gpu-vsync"]
OPENINGS = 3


def remember(page: Page, code: str) -> None:
    """Leave a program behind, as an earlier visit would."""
    page.evaluate(
        """(code) => {
          sessionStorage.clear();
          const kept = { open: 1, list: [{ id: 1, code }] };
          localStorage.setItem("autograd-playground.programs", JSON.stringify(kept));
        }""",
        code,
    )


@contextmanager
def answering(page: Page, trace: str) -> Iterator[None]:
    """Every run is answered with this trace, over a connection of its own as the service's answer would come."""
    body = trace.encode()

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    Thread(target=server.serve_forever, daemon=True).start()
    page.unroute_all()
    page.route("**/api/v1/runs", lambda route: route.continue_(url=f"http://127.0.0.1:{server.server_port}/"))
    yield
    server.shutdown()


def open_on(page: Page, address: str, code: str, fragment: str = "fold=none&") -> None:
    """Open the page anew on a program."""
    page.goto(f"{address}/healthz")
    remember(page, code)
    page.goto(f"{address}/?fresh#{fragment}lang=en")
    page.wait_for_function(READY, timeout=120_000)


def redrawn(page: Page) -> list[float]:
    """The backward graph beside the forward one instead of upon it, or back: boxes, layout and wait."""
    before = len(page.evaluate(LAYOUTS))
    page.get_by_role("button", name="Draw the backward graph").click()
    page.wait_for_function(f"() => performance.getEntriesByName('layout').length > {before}", timeout=60_000)
    return page.evaluate(LAYOUTS)[-1]


def ladder(page: Page, address: str) -> None:
    """`first` is what a visitor who just came waits for, `other` the same graph when every box gets another size,
    `known` when each module call has a shape that was laid out before, as in a program that was edited."""
    print("                first           other         known      answer to   panning")
    print("   boxes  layout  wait  layout  wait  layout  wait    picture  whole  near   milliseconds")
    for wanted, code in LADDER.items():
        found: list[list[list[float]]] = [[], [], []]
        pictures = []
        with answering(page, trace_of(code)):
            for _ in range(OPENINGS):
                open_on(page, address, code)
                page.wait_for_timeout(300)
                found[0].append(page.evaluate(LAYOUTS)[-1])
                pictures.append(page.evaluate(PICTURES)[0])
                found[1].append(redrawn(page))
                found[2].append(redrawn(page))
        page.wait_for_timeout(500)
        page.get_by_role("button", name="Fit the whole graph").click()
        page.wait_for_timeout(600)
        whole = statistics.median(page.evaluate(PAN, 90))
        page.locator(".g-stage").focus()
        for _ in range(12):
            page.keyboard.press("+")
        page.wait_for_timeout(300)
        near = statistics.median(page.evaluate(PAN, 90))
        best = [min(each, key=lambda layout: layout[1]) for each in found]
        columns = [f"{best[0][0]:8}", *(f"{took:8.0f} {wait:5.0f}" for _, took, wait in best)]
        columns.append(f" {min(pictures):10.0f} {whole:6.1f} {near:5.1f}   (asked for {wanted:,})")
        print("".join(columns), flush=True)


def write(page: Page, address: str) -> None:
    """The ten lines in the editor of a page that runs what is typed, the caret before the `y` of `y ** 2`."""
    page.unroute_all()
    page.goto(f"{address}/healthz")
    remember(page, NEURON)
    page.evaluate("() => localStorage.setItem('autograd-playground.live', '1')")
    page.goto(f"{address}/?typing#lang=en")
    page.locator(".g-box").first.wait_for()
    line = page.locator("[data-testid=editor] .cm-line").filter(has_text="loss = y")
    line.click()
    page.keyboard.press("Home")
    for _ in "loss = ":
        page.keyboard.press("ArrowRight")


def typing(page: Page, address: str) -> None:
    """A minus written and deleted changes the graph, a digit of a number only what is in its boxes."""
    write(page, address)
    graph, numbers = [], []
    for _ in range(16):
        graph.extend(page.evaluate(KEYSTROKE, text) for text in ("-", ""))
        page.wait_for_timeout(150)
    page.keyboard.press("End")
    for _ in range(16):
        numbers.extend(page.evaluate(KEYSTROKE, text) for text in ("1", ""))
        page.wait_for_timeout(150)
    for what, times in {"graph": graph[4:], "numbers": numbers[4:]}.items():
        print(
            f"keystroke to new {what}, 10 lines: median {statistics.median(times):.0f} ms,"
            f" 9 of 10 within {statistics.quantiles(times, n=10)[-1]:.0f} ms, worst {max(times):.0f} ms"
        )


def steps(page: Page, address: str) -> None:
    """Every place of the timeline under a pointer that is dragged from its end to its start."""
    for name, code in {"a chain of 10,000 ops": chain(5_000), "the transformer": gpt(12, 12)}.items():
        with answering(page, trace_of(code)):
            open_on(page, address, code)
        page.wait_for_timeout(1_000)
        count = page.get_by_test_id("timeline").get_attribute("aria-valuemax")
        frames = page.evaluate(DRAG, 120)
        print(
            f"scrubbing {int(count or 0):,} steps of {name}: median {statistics.median(frames):.1f} ms a place,"
            f" worst {max(frames):.0f} ms"
        )


def folding(page: Page, address: str) -> None:
    """A transformer of 12 layers as it opens, its blocks unfolded and folded again."""
    code = gpt(12, 1)
    with answering(page, trace_of(code)):
        open_on(page, address, code, "")
    page.wait_for_timeout(600)
    print(f"12 layers: answer to picture {page.evaluate(PICTURES)[0]:.0f} ms, as the page folds it")
    times = page.evaluate(TOGGLE, "Block × 12")
    print("Block × 12, unfolded and folded in turn: " + ", ".join(f"{each:.0f}" for each in times) + " ms")


def heap(page: Page, address: str) -> None:
    write(page, address)
    sizes = []
    for run in range(201):
        if run % 50 == 0:
            sizes.append(page.evaluate(HEAP))
        with page.expect_response("**/api/v1/runs"):
            page.get_by_test_id("run").click()
        page.wait_for_timeout(20)
    print("heap after 0, 50, 100, 150, 200 runs: " + ", ".join(f"{size:.1f}" for size in sizes) + " MB")


PARTS: dict[str, Callable[[Page, str], None]] = {
    "ladder": ladder,
    "typing": typing,
    "steps": steps,
    "folding": folding,
    "heap": heap,
}


def first_paint() -> int:
    """Bytes, gzipped, of what index.html asks for."""
    dist = ROOT / "frontend" / "dist"
    page = (dist / "index.html").read_text(encoding="utf-8")
    named = [part for part in dist.glob("assets/*") if part.name in page]
    return sum(len(gzip.compress(part.read_bytes())) for part in [dist / "index.html", *named])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    wanted = parser.parse_args().parts or list(PARTS)
    for part in wanted:
        if part not in PARTS:
            parser.error(f"no part is called {part}")
    path = browser_path()
    print(f"first paint: {first_paint() / 1000:.0f} kB gzipped")
    with served() as address, sync_playwright() as playwright:
        for part in wanted:
            flags = FLAGS + (UNBOUND if part in ("ladder", "steps") else [])
            browser = playwright.chromium.launch(executable_path=path, args=flags)
            page = browser.new_page(viewport={"width": 1440, "height": 900}, locale="en-US", bypass_csp=True)
            PARTS[part](page, address)
            browser.close()


if __name__ == "__main__":
    main()
