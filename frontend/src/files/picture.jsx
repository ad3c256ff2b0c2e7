/**
 * The whole graph at the step of the page as one SVG text that needs no style sheet.
 * @typedef {import("../graph/shown.js").Shown} Shown
 */
import { signal } from "@preact/signals";
import { render } from "preact";
import { Drawing } from "../graph/Drawing.jsx";

/** Free space around the graph, in pixels; the names of the two halves stand in the upper one. */
const MARGIN = { side: 32, top: 64, bottom: 32 };

/** What styles may set on a shape or a text of the graph. */
const PROPERTIES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity",
];
const OF_TEXT = ["font-family", "font-size", "font-weight", "letter-spacing", "paint-order"];

/**
 * @param {Shown} shown
 * @param {string} title
 * @returns {{ text: string, width: number, height: number } | null} sizes in pixels; null while nothing is drawn
 */
export function wholeGraph({ view, words, measure }, title) {
  const drawn = view.drawn.value;
  if (!drawn) return null;
  const { bounds, rects, lines } = drawn.placed;
  const width = Math.ceil(bounds.width + 2 * MARGIN.side);
  const height = Math.ceil(bounds.height + MARGIN.top + MARGIN.bottom);
  const whole = /** @type {import("../graph/view.js").View} */ ({
    ...view,
    camera: signal({ x: MARGIN.side - bounds.x, y: MARGIN.top - bounds.y, k: 1 }),
    size: signal({ width, height }),
    detail: signal("near"),
    visible: signal({ boxes: Object.keys(rects), lines }),
    related: signal(null),
    lit: signal(new Set()),
    progress: signal(1),
  });
  const host = document.createElement("div");
  host.className = "g-root g-offscreen";
  document.body.append(host);
  try {
    const nothing = () => ({});
    render(<Drawing view={whole} words={words.value} measure={measure} events={nothing} toggle={nothing} />, host);
    const svg = /** @type {SVGSVGElement} */ (host.querySelector("svg"));
    for (const element of svg.querySelectorAll("*")) inline(element);
    for (const element of [svg, ...svg.querySelectorAll("*")]) element.removeAttribute("class");
    svg.removeAttribute("aria-hidden");
    svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const ground = document.createElementNS(svg.namespaceURI, "rect");
    for (const [name, text] of Object.entries({ width, height, fill: getComputedStyle(host).backgroundColor }))
      ground.setAttribute(name, String(text));
    const name = document.createElementNS(svg.namespaceURI, "title");
    name.textContent = title;
    svg.prepend(name, ground);
    return { text: new XMLSerializer().serializeToString(svg), width, height };
  } finally {
    render(null, host);
    host.remove();
  }
}

/** What the style sheet says, as attributes. @param {Element} element */
function inline(element) {
  if (["g", "defs", "marker"].includes(element.tagName)) {
    const { opacity } = getComputedStyle(element);
    if (opacity !== "1") element.setAttribute("opacity", opacity);
    return;
  }
  const style = getComputedStyle(element);
  for (const name of element.tagName === "text" ? [...PROPERTIES, ...OF_TEXT] : PROPERTIES) {
    const text = style.getPropertyValue(name);
    if (text && text !== "normal" && !(name === "opacity" && text === "1")) element.setAttribute(name, text);
  }
}
