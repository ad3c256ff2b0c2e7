/**
 * Made-up plans for the worker to practise on: nested calls, forks that join again, lines that pass several ranks and
 * leave their group, a node for each op. What they look like does not matter; that they take every turn of the code does.
 * @typedef {import("./types.js").Plan} Plan
 */
import { sheetOf } from "./sheet.js";

const ROUNDS = 10;

/** @returns {Generator<import("./sheet.js").Sheet>} */
export function* practice() {
  for (let round = 0; round < ROUNDS; round += 1) yield sheetOf(planOf(round));
}

/**
 * Small at first, so that nobody waits long for a round to end; each round's boxes have other sizes, so that no shape is
 * known from the one before.
 * @param {number} round @returns {Plan}
 */
function planOf(round) {
  /** @type {Plan} */
  const plan = { items: [], pills: [], data: [], nexts: [], seeds: [], saved: [], groups: [], collapsed: [], mode: round % 2 ? "badges" : "auto", room: 900 };
  const size = (/** @type {number} */ at) => ({ width: 60 + 7 * ((at + round) % 9), height: 40 + round });
  /** @param {string} key @param {string | null} group @param {string[]} from */
  const add = (key, group, from) => {
    const at = plan.items.push({ key, group, size: size(plan.items.length) });
    const pill = `n${key}`;
    plan.pills.push({ key: pill, twin: key, size: size(at), badge: { width: 40, height: 20 } });
    for (const each of from) {
      const edge = `${each}>${key}`;
      plan.data.push({ key: edge, from: each, to: key });
      plan.nexts.push({ key: `n${edge}`, from: pill, to: `n${each}`, via: edge });
      plan.saved.push({ key: `s${edge}`, from: each, to: pill, slot: 0, slots: 1 });
    }
    return key;
  };
  let last = add("start", null, []);
  for (let block = 0; block < Math.min(1 + round, 4); block += 1) {
    const [outer, inner] = [`g${block}`, `h${block}`];
    plan.groups.push({ key: outer, parent: null, lap: false, size: size(block), pill: size(block) });
    plan.groups.push({ key: inner, parent: outer, lap: false, size: size(block + 1), pill: size(block) });
    const first = add(`${outer}a`, outer, [last]);
    const weight = add(`${outer}w`, inner, []);
    const arms = ["b", "c", "d"].map((arm, at) => {
      const begun = add(`${outer}${arm}`, inner, [first, weight]);
      return at === block % 3 ? begun : add(`${outer}${arm}2`, inner, [begun, ...(at ? [last] : [])]);
    });
    last = add(`${outer}z`, outer, [...arms, first]);
  }
  plan.seeds.push({ key: "seed", from: last, to: `n${last}` });
  if (round % 3 === 2) plan.collapsed.push("h1", "g2");
  return plan;
}
