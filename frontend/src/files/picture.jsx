/**
 * The whole graph at the step of the page as one SVG text that needs no style sheet.
 * @typedef {import("../graph/shown.js").Shown} Shown
 */
import { signal } from "@preact/signals";
import { render } from "preact";
import { Drawing } from "../graph/Drawing.jsx";
import { createView } from "../graph/view.js";

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
 * @param {{ step: number, progress: number }} [at]  another moment than that of the page
 * @param {Map<string, Array<[string, string]>>} [known]  looks by class, kept between pictures of one theme
 * @returns {{ text: string, width: number, height: number } | null} sizes in pixels; null while nothing is drawn
 */
export function wholeGraph({ view, words, measure }, title, at, known = new Map()) {
  const drawn = view.drawn.value;
  if (!drawn) return null;
  const { bounds } = drawn.placed;
  const width = Math.ceil(bounds.width + 2 * MARGIN.side);
  const height = Math.ceil(bounds.height + MARGIN.top + MARGIN.bottom);
  const none = signal(null);
  const whole = createView({ ...view.source, step: signal(at?.step ?? view.step.value), selection: none, hovered: none, hoveredLine: none, pathTo: none });
  whole.size.value = { width, height };
  whole.camera.value = { x: MARGIN.side - bounds.x, y: MARGIN.top - bounds.y, k: 1 };
  whole.progress.value = at?.progress ?? 1;
  whole.drawn.value = drawn;
  const host = document.createElement("div");
  host.className = "g-root g-offscreen";
  document.body.append(host);
  try {
    const nothing = () => ({});
    render(<Drawing view={whole} words={words.value} measure={measure} events={nothing} toggle={nothing} />, host);
    const svg = /** @type {SVGSVGElement} */ (host.querySelector("svg"));
    for (const element of svg.querySelectorAll("*")) inline(element, known);
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

/** What the style sheet says, as attributes. @param {Element} element @param {Map<string, Array<[string, string]>>} known */
function inline(element, known) {
  const path = [element.tagName];
  for (let at = /** @type {Element | null} */ (element); at && at.tagName !== "svg"; at = at.parentElement) path.push(at.getAttribute("class") ?? "");
  const key = path.join(">");
  let look = known.get(key);
  if (!look) known.set(key, (look = lookOf(element)));
  for (const [name, text] of look) element.setAttribute(name, text);
}

/** @param {Element} element @returns {Array<[string, string]>} */
function lookOf(element) {
  const style = getComputedStyle(element);
  const names = ["g", "defs", "marker"].includes(element.tagName) ? ["opacity"] : element.tagName === "text" ? [...PROPERTIES, ...OF_TEXT] : PROPERTIES;
  return names
    .map((name) => /** @type {[string, string]} */ ([name, style.getPropertyValue(name)]))
    .filter(([name, text]) => text && text !== "normal" && !(name === "opacity" && text === "1"));
}

/** An SVG as an image that a canvas can draw. @param {{ text: string, width: number, height: number }} picture */
export async function imageOf({ text, width, height }) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    return image;
  } finally {
    URL.revokeObjectURL(address);
  }
}
