/** Links to the page and the tag that puts it into another page. */

/** Parts of the page that a link may hide. */
export const PARTS = /** @type {const} */ (["editor", "console", "ledger", "card", "queue", "inspector", "tools", "player"]);

/** @typedef {typeof PARTS[number]} Part */

/** The parts a comma-separated list names; others are passed over. @param {string | null} list @returns {Set<Part>} */
export const partsOf = (list) => {
  const named = new Set((list ?? "").split(",").map((name) => name.trim()));
  return new Set(PARTS.filter((part) => named.has(part)));
};

/**
 * @param {string} base  address of the page without query and fragment
 * @param {URLSearchParams} fields  what is to be shown
 * @param {{ embed?: boolean, hide?: Iterable<string>, autoplay?: boolean }} [frame]
 */
export function linkTo(base, fields, { embed = false, hide = [], autoplay = false } = {}) {
  const query = [embed ? "embed=1" : "", [...hide].length > 0 ? `hide=${[...hide].join(",")}` : "", autoplay ? "autoplay=1" : ""];
  const asked = query.filter(Boolean).join("&");
  const shown = String(fields);
  return `${base}${asked && `?${asked}`}${shown && `#${shown}`}`;
}

/** @param {string} link @param {{ title: string, height: number }} frame  height in pixels */
export const embedTag = (link, { title, height }) =>
  `<iframe src="${attribute(link)}" title="${attribute(title)}" width="100%" height="${height}" style="border:0" loading="lazy" allowfullscreen></iframe>`;

/** @param {string} text */
const attribute = (text) =>
  text.replace(/[&"<>]/g, (sign) => ({ "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" })[sign] ?? sign);
