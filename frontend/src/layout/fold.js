/**
 * The graph as seen with some groups collapsed: a collapsed group is one box, and edges end at it.
 * @typedef {import("./sheet.js").Sheet} Sheet
 */
import { countOf, rootOf } from "./sheet.js";

/**
 * @typedef {object} Link  the edges from one box to another
 * @property {number} from
 * @property {number} to
 * @property {number[]} members
 */

/**
 * @typedef {object} Folded
 * @property {Array<number[] | undefined>} children  of open groups and the root: boxes and open groups, in order
 * @property {Int32Array} parent  of items and groups
 * @property {Int32Array} depth  of items, groups and the root
 * @property {Int32Array} place  of a box or an open group among its parent's children
 * @property {Int32Array} shownAs  of items and groups: the box that stands for it; an open group stands for itself
 * @property {Uint8Array} open  of items and groups
 * @property {Link[]} links
 */

/**
 * @param {Sheet} sheet
 * @returns {Folded}
 */
export function fold(sheet) {
  const { items, parent, collapsed } = sheet;
  const root = rootOf(sheet);
  const cover = covers(sheet);
  const shownAs = new Int32Array(root);
  const open = new Uint8Array(root);
  const depth = new Int32Array(root + 1);
  /** @type {Folded["children"]} */
  const children = new Array(root + 1).fill(undefined);
  children[root] = [];
  for (let group = items; group < root; group += 1) {
    shownAs[group] = cover[group] < 0 ? group : cover[group];
    if (cover[group] >= 0) continue;
    open[group] = 1;
    children[group] = [];
  }
  // Boxes and groups are put in the order in which their first box appears, which is the order of the program.
  const place = new Int32Array(root).fill(-1);
  /** @param {number} key */
  const put = (key) => {
    if (place[key] >= 0) return;
    const around = parent[key];
    if (around !== root) put(around);
    const list = /** @type {number[]} */ (children[around]);
    place[key] = list.push(key) - 1;
    depth[key] = depth[around] + 1;
  };
  for (let item = 0; item < items; item += 1) {
    const over = parent[item] === root ? -1 : cover[parent[item]];
    shownAs[item] = over < 0 ? item : over;
    put(shownAs[item]);
  }
  return { children, parent, depth, place, shownAs, open, links: liftEdges(sheet, shownAs) };
}

/** The outermost collapsed group around each group, itself included, or -1. @param {Sheet} sheet */
function covers({ items, groups, parent, collapsed }) {
  const root = items + groups;
  const found = new Int32Array(root).fill(-2);
  /** @param {number} group @returns {number} */
  const coverOf = (group) => {
    if (group === root) return -1;
    if (found[group] !== -2) return found[group];
    const outer = coverOf(parent[group]);
    found[group] = outer >= 0 ? outer : collapsed[group] ? group : -1;
    return found[group];
  };
  for (let at = 0; at < groups; at += 1) coverOf(items + at);
  return found;
}

/** @param {Sheet} sheet @param {Int32Array} shownAs */
function liftEdges(sheet, shownAs) {
  const { data } = sheet;
  const count = countOf(sheet);
  /** @type {Map<number, Link>} */
  const links = new Map();
  for (let at = 0; 2 * at < data.length; at += 1) {
    if (data[2 * at] < 0 || data[2 * at + 1] < 0) continue;
    const from = shownAs[data[2 * at]];
    const to = shownAs[data[2 * at + 1]];
    if (from === to) continue;
    const key = from * count + to;
    const found = links.get(key);
    if (found) found.members.push(at);
    else links.set(key, { from, to, members: [at] });
  }
  return [...links.values()];
}
