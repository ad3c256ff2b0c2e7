/**
 * Finding things by what a reader remembers of them: a name, an op, a shape (`2x3`), a line (`line 7`), a dtype.
 * Words are joined by "and".
 * @typedef {import("./index.js").Index} Index
 * @typedef {import("../store.js").Thing} Thing
 */
import { nodeLabel, tensorName } from "./names.js";

/**
 * @typedef {object} Found
 * @property {Thing} thing
 * @property {string} title
 * @property {number[] | null} shape
 * @property {string} detail  the dtype of a tensor, the overload of an op
 * @property {number | null} line
 * @property {number | null} step  at which it was made
 */

/** @typedef {{ line: number } | { shape: number[] } | { number: number } | { text: string }} Term */

/** Results shown at most; more than these are not read through. */
export const MOST_FOUND = 60;

/**
 * @param {string} query
 * @returns {Term[]}
 */
export function termsOf(query) {
  const joined = query
    .toLowerCase()
    .replace(/[[(][\s\d,x×*]*[\])]/g, (shape) => shape.replace(/\s+/g, ""))
    .replace(/(\d)\s*[×*]\s*(?=\d)/g, "$1x")
    .replace(/(?:第\s*(\d+)\s*行|行\s*(\d+)|\blines?\s*:?\s*(\d+)|(?:^|\s)l(\d+)\b)/g, (_, a, b, c, d) => ` :${a ?? b ?? c ?? d} `);
  return joined
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => {
      if (/^:\d+$/.test(word)) return { line: Number(word.slice(1)) };
      if (/^\d+$/.test(word)) return { number: Number(word) };
      const sizes = word.match(/\d+/g)?.map(Number) ?? [];
      if (/^\d+(?:[x,]\d+)+$/.test(word) || /^[[(][\dx,]*[\])]$/.test(word)) return { shape: sizes };
      return { text: word };
    });
}

/**
 * What fits every word, the closest names first, then in order of the program.
 * @param {Index} index
 * @param {string} query
 * @returns {Found[]}
 */
export function search(index, query) {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  const wanted = terms.flatMap((term) => ("text" in term ? [term.text] : [])).join(" ");
  return candidates(index)
    .filter((each) => terms.every((term) => fits(each, term)))
    .map((each, at) => ({ each, at, rank: rankOf(each.found.title.toLowerCase(), wanted) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .slice(0, MOST_FOUND)
    .map(({ each }) => each.found);
}

/** @param {string} title @param {string} wanted */
const rankOf = (title, wanted) => (title === wanted ? 0 : title.startsWith(wanted) ? 1 : 2);

/** @typedef {{ found: Found, text: string }} Candidate  `text`: all that words are looked for in, in lower case */

/** @type {WeakMap<Index, Candidate[]>} */
const known = new WeakMap();

/** @param {Index} index */
function candidates(index) {
  const ready = known.get(index);
  if (ready) return ready;
  const scopes = new Map(index.trace.scopes.map((scope) => [scope.id, `${scope.name} ${scope.module}`]));
  /** @param {number | null | undefined} id */
  const scope = (id) => (id == null ? "" : (scopes.get(id) ?? ""));
  /** @type {Candidate[]} */
  const made = [];
  /** @param {Found} found @param {string[]} words */
  const add = (found, words) => made.push({ found, text: [found.title, found.detail, ...words].join(" ").toLowerCase() });
  for (const tensor of index.trace.tensors) {
    const detail = tensor.dtype.replace("torch.", "");
    const found = { thing: thing("tensor", tensor.id), title: tensorName(index, tensor.id), shape: tensor.shape, detail, line: tensor.line, step: tensor.created_step };
    add(found, [...tensor.names, scope(tensor.scope)]);
  }
  for (const op of index.trace.ops) {
    const shape = index.tensors.get(op.outputs[0])?.shape ?? null;
    add({ thing: thing("op", op.id), title: op.name, shape, detail: op.overload, line: op.line, step: op.step }, [scope(op.scope)]);
  }
  for (const node of index.trace.nodes) {
    const op = node.op === null ? undefined : index.ops.get(node.op);
    const shape = index.tensors.get(node.tensor ?? op?.outputs[0] ?? -1)?.shape ?? null;
    const saved = node.saved.map((item) => item.name);
    add({ thing: thing("node", node.id), title: nodeLabel(index, node.id), shape, detail: "", line: node.line, step: op?.step ?? null }, [...saved, scope(op?.scope)]);
  }
  known.set(index, made);
  return made;
}

/** @param {Thing["kind"]} kind @param {number} id @returns {Thing} */
const thing = (kind, id) => ({ kind, id });

/** @param {Candidate} candidate @param {Term} term */
function fits({ found, text }, term) {
  if ("line" in term) return found.line === term.line;
  if ("shape" in term) return found.shape !== null && sameShape(found.shape, term.shape);
  if ("number" in term)
    return found.line === term.number || (found.shape?.includes(term.number) ?? false) || text.includes(String(term.number));
  return text.includes(term.text);
}

/** @param {number[]} a @param {number[]} b */
const sameShape = (a, b) => a.length === b.length && a.every((size, at) => size === b[at]);
