"""The page in a headless browser: layout in the worker, frames while panning, from a keystroke to its graph, memory.

`python -m benchmarks.bench_page` starts the service and opens the built page (`make page`) on traces of real programs,
recorded here with no limit on their size, every module call unfolded. Software rendering, so absolute figures are high.
"""

import gzip
import json
import statistics
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from engine.trace import trace_program
from scripts.screenshot import browser_path, served

ROOT = Path(__file__).resolve().parents[1]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-frame-rate-limit",
    "--disable-gpu-vsync",
    "--enable-precise-memory-info",
]
NEURON = """import torch
x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(1.0, requires_grad=True)
y = w * x + b
loss = y ** 2
loss.backward()
print(x.grad)
print(w.grad)
print(b.grad)
"""
BLOCKS = """import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(4), nn.Linear(4, 8), nn.Linear(8, 4)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.norm(x))))

class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range({blocks}))

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

Stack()(torch.ones(2, 4)).sum().backward()
"""
# Tensors and operations asked for, and the blocks of the stack that come near them.
LADDER = {8: NEURON, 70: 3, 338: 15, 881: 39, 5501: 244, 10000: 444}
PAN = """(steps) => new Promise((done) => {
  const stage = document.querySelector(".g-stage");
  const box = stage.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const send = (kind, dx, dy) => stage.dispatchEvent(new PointerEvent(kind, {
    clientX: x + dx, clientY: y + dy, pointerId: 1, button: 0, isPrimary: true, bubbles: true }));
  stage.setPointerCapture = () => {};
  send("pointerdown", 0, 0);
  const times = [];
  let last = performance.now();
  const beat = (number) => requestAnimationFrame(() => {
    const now = performance.now();
    times.push(now - last);
    last = now;
    if (number === steps) { send("pointerup", 0, 0); done(times.slice(5)); return; }
    send("pointermove", 120 * Math.sin(number / 12), 120 * Math.cos(number / 9));
    beat(number + 1);
  });
  beat(0);
})"""
LAYOUTS = (
    "() => performance.getEntriesByName('layout').map((each) => [each.detail.boxes, each.detail.took, each.duration])"
)


def trace_of(program: str | int) -> tuple[str, str]:
    """A program, or the stack of so many blocks, and its trace as the API would answer it."""
    code = program if isinstance(program, str) else BLOCKS.replace("{blocks}", str(program))
    return code, json.dumps(trace_program(code))


def remember(page: Page, code: str) -> None:
    """Leave a program behind, as an earlier visit would."""
    kept = json.dumps({"open": 1, "list": [{"id": 1, "code": code}]})
    page.evaluate(
        "(kept) => { sessionStorage.clear(); localStorage.setItem('autograd-playground.programs', kept); }", kept
    )


def open_on(page: Page, address: str, code: str, trace: str) -> None:
    """Show a trace, everything unfolded, without asking the server to run it."""
    page.unroute_all()
    page.route("**/api/v1/runs", lambda route: route.fulfill(body=trace, content_type="application/json"))
    page.goto(f"{address}/healthz")
    remember(page, code)
    page.goto(f"{address}/?fresh#fold=none&lang=en")
    page.locator(".g-stage").wait_for()
    for _ in range(600):
        if page.evaluate(LAYOUTS):
            return
        page.wait_for_timeout(100)
    raise SystemExit("bench_page: no layout within a minute")


def ladder(page: Page, address: str) -> None:
    print(f"{'boxes':>8} {'layout':>8} {'with worker':>12} {'frame, whole':>13} {'frame, near':>12}   milliseconds")
    for wanted, program in LADDER.items():
        code, trace = trace_of(program)
        layouts = []
        for _ in range(3):
            open_on(page, address, code, trace)
            layouts.append(page.evaluate(LAYOUTS)[-1])
        page.wait_for_timeout(500)
        page.get_by_role("button", name="Fit the whole graph").click()
        page.wait_for_timeout(600)
        whole = statistics.median(page.evaluate(PAN, 90))
        page.locator(".g-stage").focus()
        for _ in range(12):
            page.keyboard.press("+")
        page.wait_for_timeout(300)
        near = statistics.median(page.evaluate(PAN, 90))
        boxes, took, waited = min(layouts, key=lambda each: each[1])
        print(f"{boxes:8} {took:8.0f} {waited:12.0f} {whole:13.1f} {near:12.1f}   (asked for {wanted})", flush=True)


KEYSTROKE = """() => new Promise((done) => {
  const content = document.querySelector("[data-testid=editor]").shadowRoot.querySelector(".cm-content");
  const before = performance.getEntriesByName("layout").length;
  const started = performance.now();
  content.focus();
  document.execCommand("insertText", false, "1");
  const look = () => requestAnimationFrame(() => {
    if (performance.getEntriesByName("layout").length === before) look();
    else requestAnimationFrame(() => done(performance.now() - started));
  });
  look();
})"""
HEAP = "() => { globalThis.gc?.(); return performance.memory.usedJSHeapSize / 1e6; }"


def typing(page: Page, address: str) -> None:
    page.unroute_all()
    code = NEURON.rstrip() + "  # "
    remember(page, code)
    page.evaluate("() => localStorage.setItem('autograd-playground.live', '1')")
    page.goto(f"{address}/?typing#lang=en")
    page.locator(".g-box").first.wait_for()
    page.locator("[data-testid=editor] .cm-content").click()
    page.keyboard.press("Control+End")
    times = []
    for _ in range(22):
        times.append(page.evaluate(KEYSTROKE))
        page.wait_for_timeout(150)
    print(f"keystroke to graph, 10 lines: median {statistics.median(times[2:]):.0f} ms, worst {max(times[2:]):.0f} ms")
    sizes = []
    for run in range(201):
        if run % 50 == 0:
            sizes.append(page.evaluate(HEAP))
        with page.expect_response("**/api/v1/runs"):
            page.get_by_test_id("run").click()
        page.wait_for_timeout(20)
    print("heap after 0, 50, 100, 150, 200 runs: " + ", ".join(f"{size:.1f}" for size in sizes) + " MB")


def first_paint() -> int:
    """Bytes, gzipped, of what index.html asks for."""
    dist = ROOT / "frontend" / "dist"
    page = (dist / "index.html").read_text(encoding="utf-8")
    named = [part for part in dist.glob("assets/*") if part.name in page]
    return sum(len(gzip.compress(part.read_bytes())) for part in [dist / "index.html", *named])


def main() -> None:
    path = browser_path()
    print(f"first paint: {first_paint() / 1000:.0f} kB gzipped")
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, "--js-flags=--expose-gc"])
        page = browser.new_page(viewport={"width": 1440, "height": 900}, locale="en-US", bypass_csp=True)
        ladder(page, address)
        typing(page, address)
        browser.close()


if __name__ == "__main__":
    main()
