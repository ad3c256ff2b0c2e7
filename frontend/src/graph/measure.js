/** Widths of text as the page draws it, remembered by text and face. */

/** Sizes and weights of the three faces used on boxes. */
export const FACES = {
  title: { size: 13, weight: 600 },
  text: { size: 12.5, weight: 400 },
  small: { size: 11, weight: 400 },
};

/**
 * Measures in the page's own font.
 * @returns {import("../layout/plan.js").Measure}
 */
export function measurer() {
  const family = getComputedStyle(document.documentElement).getPropertyValue("--font-ui") || "sans-serif";
  const context = document.createElement("canvas").getContext("2d");
  /** @type {Map<string, number>} */
  const known = new Map();
  return (text, face) => {
    const key = `${face}\n${text}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    let width = text.length * 7;
    if (context) {
      context.font = `${FACES[face].weight} ${FACES[face].size}px ${family}`;
      width = Math.ceil(context.measureText(text).width);
    }
    known.set(key, width);
    return width;
  };
}

/**
 * The text cut so that it fits, with an ellipsis.
 * @param {string} text @param {number} width @param {(text: string) => number} measure
 */
export function cut(text, width, measure) {
  if (measure(text) <= width) return text;
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (measure(`${text.slice(0, middle)}…`) <= width) low = middle;
    else high = middle - 1;
  }
  return `${text.slice(0, low)}…`;
}
