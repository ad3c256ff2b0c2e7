"""What bench_page has the page do and measure by itself, so that no message to and from the browser is timed."""

LAYOUTS = (
    "() => performance.getEntriesByName('layout').map((each) => [each.detail.boxes, each.detail.took, each.duration])"
)
READY = "() => performance.getEntriesByName('layout').length > 0"
# From the last byte of a run's answer to the first frame with its graph.
PICTURES = """() => {
  const answers = performance.getEntriesByType("resource").filter((each) => each.name.endsWith("/api/v1/runs"));
  const drawn = performance.getEntriesByName("drawn");
  return answers.flatMap(({ responseEnd }) => {
    const next = drawn.find((each) => each.startTime > responseEnd);
    return next ? [next.startTime - responseEnd] : [];
  });
}"""
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
# The timeline dragged from its end to its start in so many places: what each place costs until the frame after it.
DRAG = """(places) => new Promise((done) => {
  const line = document.querySelector("[data-testid=timeline]");
  const box = line.getBoundingClientRect();
  const send = (kind, x) => line.dispatchEvent(new PointerEvent(kind, {
    clientX: x, clientY: box.top + 15, pointerId: 1, button: 0, isPrimary: true, bubbles: true }));
  line.setPointerCapture = () => {};
  line.hasPointerCapture = () => true;
  send("pointerdown", box.right - 2);
  const times = [];
  const beat = (number) => requestAnimationFrame(() => {
    const started = performance.now();
    if (number === places) { done(times.slice(3)); return; }
    send("pointermove", box.right - 2 - ((box.width - 4) * number) / places);
    requestAnimationFrame(() => { times.push(performance.now() - started); beat(number + 1); });
  });
  beat(0);
})"""
# One key pressed, and the wait for the frame with its graph; no text deletes a letter.
KEYSTROKE = """(text) => new Promise((done) => {
  const content = document.querySelector("[data-testid=editor]").shadowRoot.querySelector(".cm-content");
  content.focus();
  const started = performance.now();
  new PerformanceObserver((list, observer) => {
    const [drawn] = list.getEntriesByName("drawn");
    if (!drawn) return;
    observer.disconnect();
    done(drawn.startTime - started);
  }).observe({ type: "mark" });
  document.execCommand(text ? "insertText" : "delete", false, text);
})"""
# A group of this title unfolded and folded by its own box and heading, eight times in all.
TOGGLE = """async (title) => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const times = [];
  for (let turn = 0; turn < 8; turn += 1) {
    const folded = [...document.querySelectorAll(".g-near .g-group")].find((each) => each.textContent.includes(title));
    const open = [...document.querySelectorAll(".g-heading")].find((each) => each.textContent.includes(title));
    const target = folded ?? open?.querySelector(".g-handle");
    if (!target) throw new Error(`no group called ${title} is on screen`);
    const before = performance.getEntriesByName("drawn").length;
    const started = performance.now();
    target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    while (performance.getEntriesByName("drawn").length === before) await frame();
    await frame();
    times.push(performance.now() - started);
  }
  return times;
}"""
HEAP = "() => { globalThis.gc?.(); return performance.memory.usedJSHeapSize / 1e6; }"
