/**
 * What goes into the layout worker and what comes out. Everything here is plain data.
 * @typedef {import("./curve.js").Point} Point
 * @typedef {{ width: number, height: number }} Size
 * @typedef {{ x: number, y: number, width: number, height: number }} Rect  x and y of the top left corner
 */

/**
 * @typedef {object} Plan
 * @property {Array<{ key: string, group: string | null, size: Size }>} items  forward boxes
 * @property {Array<{ key: string, twin: string | null, size: Size, badge: Size }>} pills
 * @property {Array<{ key: string, from: string, to: string }>} data
 * @property {Array<{ key: string, from: string, to: string, via: string | null }>} nexts
 * @property {Array<{ key: string, from: string, to: string }>} seeds
 * @property {Array<{ key: string, from: string, to: string, slot: number, slots: number }>} saved
 * @property {Array<{ key: string, parent: string | null, size: Size, pill: Size, lap: boolean }>} groups
 *   sizes when collapsed
 * @property {string[]} collapsed
 * @property {"auto" | "twins" | "badges"} mode
 * @property {number} room  width of the viewport in pixels
 */

/**
 * @typedef {object} Line  a drawn line; several edges share one where a group is collapsed
 * @property {string} key
 * @property {"data" | "next" | "seed" | "saved"} kind
 * @property {string} from
 * @property {string} to
 * @property {string[]} members  edge keys
 * @property {Point[]} points
 * @property {import("./curve.js").Bend} bend
 */

/**
 * @typedef {object} Placed
 * @property {Record<string, Rect>} rects  of every visible box, expanded group and pill
 * @property {Line[]} lines
 * @property {Record<string, string>} shownAs  hidden key -> the collapsed group, or its pill, that stands for it
 * @property {string[]} open  expanded groups, outermost first
 * @property {"twins" | "badges"} mode
 * @property {number} axis  x of the mirror; 0 with badges
 * @property {Rect} bounds
 * @property {{ modules: number, cached: number }} counts  module layouts asked for, and how many the cache answered
 */

/** @typedef {Array<[string, string, number]>} Wires  child index pairs and least rank distance, as text keys */

export {};
