/**
 * The formula of one backward step, first with names, then with the program's numbers.
 * @typedef {import("../wire").Value} Value
 * @typedef {import("../wire").NodeInfo} NodeInfo
 * @typedef {import("../wire").Step} Step
 * @typedef {import("./index.js").Index} Index
 * @typedef {{ tex: string, compound: boolean }} Filling  `compound`: needs brackets inside a product or power
 */
import { texText, typesets, valueTex } from "./numbers.js";
import { constantName, operandsOf, signOf, tensorName } from "./names.js";

/**
 * @typedef {object} RuleLine
 * @property {string} name  forward argument the gradient belongs to
 * @property {number | null} to  node id it leaves for; null when nothing there needs a gradient
 * @property {string} left  TeX of the gradient's symbol
 * @property {string | null} symbols  TeX of the rule with names; null when the trace has no rule
 * @property {boolean} summed  the input was broadcast, so its gradient is summed back to its shape
 * @property {boolean} passed  the gradient that arrived leaves unchanged
 * @property {string | null} numbers  TeX of the rule with numbers; null when they are too many to typeset
 * @property {Value} value  the gradient that leaves
 */

/** TeX longer than this is several matrices in a row, more than a card can hold. */
const LONGEST = 240;

/**
 * One line per gradient a node sends on.
 * @param {Index} index
 * @param {Step} step  a node_apply step
 * @returns {RuleLine[]}
 */
export function ruleLines(index, step) {
  const node = step.node == null ? undefined : index.nodes.get(step.node);
  if (!node) return [];
  const rule = node.rule === null ? undefined : index.trace.rules[node.rule];
  /** @type {RuleLine[]} */
  const lines = [];
  (step.grads_out ?? []).forEach((value, slot) => {
    if (!value) return;
    const edge = node.next_functions[slot];
    const name = node.input_names?.[slot] ?? "";
    const template = rule ? ownRule(rule.backward, name) : undefined;
    const summed = template !== undefined && isSummed(template, step.grads_in?.[0]?.shape ?? [], value.shape);
    const passed = template === "[[grad]]" && !summed;
    const said = template === undefined ? null : fill(template, (part) => symbolOf(index, node, part));
    const symbols = said !== null && summed ? `\\sum ${template === "[[grad]]" ? said : `\\left(${said}\\right)`}` : said;
    const filled = template === undefined || summed ? null : fill(template, (part) => numberOf(index, node, step, part));
    const numbers = filled !== null && filled.length <= LONGEST ? filled : null;
    const left = gradientSymbol(inputSymbol(index, node, name));
    lines.push({ name, to: edge?.[0] ?? null, left, symbols, summed, passed, numbers, value });
  });
  return lines;
}

/**
 * The formula of one input. Several inputs may share a text that lists a formula for each; where it does not, and
 * does more than hand the gradient on, it was written for the first of them.
 * @param {Record<string, string>} rules  by input
 * @param {string} name
 */
export function ownRule(rules, name) {
  const template = rules[name];
  if (template === undefined || /^-?\[\[grad\]\]$/.test(template)) return template;
  const sharing = Object.keys(rules).filter((each) => rules[each] === template);
  const each = template.split(/,(?:\\;)+\s*/);
  if (each.length === sharing.length) return each[sharing.indexOf(name)];
  return sharing[0] === name ? template : undefined;
}

/**
 * Whether a gradient is smaller than its rule says because its input was broadcast. Rules that sum or multiply
 * matrices change the shape themselves.
 * @param {string} template
 * @param {number[]} arrived shape of the gradient that arrived
 * @param {number[]} left shape of the one that leaves
 */
export function isSummed(template, arrived, left) {
  if (/\\(top|sum|star|operatorname)/.test(template) || left.length > arrived.length) return false;
  const missing = arrived.length - left.length;
  const stretches = left.every((size, at) => size === 1 || size === arrived[missing + at]);
  return stretches && (missing > 0 || left.some((size, at) => size !== arrived[at]));
}

/**
 * Replace every `[[name]]`; null as soon as one has no filling.
 * @param {string} template
 * @param {(name: string) => Filling | null} filling
 */
export function fill(template, filling) {
  let complete = true;
  const text = template.replace(/\[\[(\w+)\]\]/g, (slot, name, /** @type {number} */ at) => {
    const part = filling(name);
    if (!part) {
      complete = false;
      return slot;
    }
    const before = template[at - 1];
    const after = template[at + slot.length];
    const alone = (before === undefined || before === "{") && (after === undefined || after === "}");
    return part.compound && !alone ? `\\left(${part.tex}\\right)` : `{${part.tex}}`;
  });
  // A factor of 1, such as addmm's alpha and beta as they mostly are, is not written.
  return complete ? text.replace(/\{1\}\\,\s*/g, "") : null;
}

/** TeX of a gradient: the symbol under a bar. @param {Filling} symbol */
export const gradientSymbol = (symbol) => (symbol.tex.length > 1 ? `\\overline{${symbol.tex}}` : `\\bar{${symbol.tex}}`);

/**
 * A variable name as a mathematical symbol: `x`, `w_{1}`, `\textit{loss}`.
 * @param {string} name
 * @returns {Filling}
 */
export function nameTex(name) {
  const indexed = /^([A-Za-z])_?(\d+)$/.exec(name);
  if (indexed) return { tex: `${indexed[1]}_{${indexed[2]}}`, compound: false };
  if (/^[A-Za-z]$/.test(name)) return { tex: name, compound: false };
  if (/^[\w.]+$/.test(name)) return { tex: `\\textit{${texText(name)}}`, compound: false };
  return { tex: `\\text{${texText(name)}}`, compound: false };
}

/** TeX of the operators that stand between two operands. @type {Record<string, string>} */
const BETWEEN = { "×": "\\cdot", "+": "+", "−": "-", "÷": "/", "@": "\\mathbin{@}" };

/**
 * A tensor as a symbol: its name, else the expression that made it, as far as the name on the page spells it out.
 * @param {Index} index
 * @param {number | null | undefined} id
 * @param {number} [depth]
 * @returns {Filling}
 */
export function tensorTex(index, id, depth = 2) {
  const name = tensorName(index, id, depth);
  const tensor = id == null ? undefined : index.tensors.get(id);
  const op = tensor?.op == null ? undefined : index.ops.get(tensor.op);
  if (!tensor || tensor.names.length > 0 || !op || name.startsWith("#")) return nameTex(name);
  const parts = operandsOf(op).map((input) => {
    if (depth === 0) return { tex: "\\ldots", compound: false };
    return input.tensor != null ? tensorTex(index, input.tensor, depth - 1) : constantTex(input.constant ?? "…") ?? nameTex("…");
  });
  const sign = signOf(op.name);
  if (name.endsWith("(…)") || !sign || parts.length !== 2) {
    const inside = name.endsWith("(…)") ? "\\ldots" : parts.map((part) => part.tex).join(", ");
    return { tex: `\\text{${texText(op.name)}}(${inside})`, compound: false };
  }
  const [left, right] = parts.map((part) => (part.compound ? `(${part.tex})` : part.tex));
  return { tex: sign === "^" ? `${left}^{${right}}` : `${left} ${BETWEEN[sign]} ${right}`, compound: true };
}

/**
 * A tensor in a formula: as the page calls it where that says what it is, else by the part it plays in the op.
 * @param {Index} index @param {number} id @param {string} part
 */
export const tensorSymbol = (index, id, part) =>
  part && /[…#]/.test(tensorName(index, id)) ? nameTex(part) : tensorTex(index, id);

/** @param {Index} index @param {NodeInfo} node @returns {Filling} */
export function outputSymbol(index, node) {
  const op = node.op === null ? undefined : index.ops.get(node.op);
  return op ? tensorSymbol(index, op.outputs[0], "out") : { tex: "y", compound: false };
}

/** @param {Index} index @param {NodeInfo} node @param {string} name @returns {Filling} */
function inputSymbol(index, node, name) {
  const input = argumentOf(index, node, name);
  if (input?.tensor != null) return tensorSymbol(index, input.tensor, name);
  return name ? nameTex(name) : { tex: "x", compound: false };
}

/** @param {Index} index @param {NodeInfo} node @param {string} part @returns {Filling | null} */
function symbolOf(index, node, part) {
  if (part === "grad") return { tex: gradientSymbol(outputSymbol(index, node)), compound: false };
  if (part === "result") return outputSymbol(index, node);
  const input = argumentOf(index, node, part);
  if (input?.tensor != null) return tensorSymbol(index, input.tensor, part);
  if (input?.constant != null) return constantTex(input.constant);
  const saved = savedOf(node, part);
  if (saved && saved.tensor === null && !saved.value) return constantTex(saved.text);
  return { tex: `\\textit{${texText(part)}}`, compound: false };
}

/** @param {Index} index @param {NodeInfo} node @param {Step} step @param {string} part @returns {Filling | null} */
function numberOf(index, node, step, part) {
  if (part === "grad") return numberTex(step.grads_in?.[0]);
  const saved = savedOf(node, part);
  if (saved?.value) return numberTex(saved.value);
  if (saved && saved.tensor === null) return constantTex(saved.text);
  const op = node.op === null ? undefined : index.ops.get(node.op);
  const input = argumentOf(index, node, part);
  if (input?.constant != null) return constantTex(input.constant);
  const id = part === "result" ? op?.outputs[0] : input?.tensor;
  const tensor = id == null ? undefined : index.tensors.get(id);
  if (!tensor || !op) return null;
  const then = tensor.values.filter((row) => row.step <= op.step).at(-1);
  return numberTex(then?.value ?? tensor.value);
}

/** @param {Value | null | undefined} value @returns {Filling | null} */
function numberTex(value) {
  if (!value || !typesets(value)) return null;
  const tex = valueTex(value);
  return { tex, compound: /^-|e|\\cdot/.test(tex) && !tex.startsWith("\\begin") };
}

/** @param {string} constant @returns {Filling | null} */
export function constantTex(constant) {
  const text = constantName(constant);
  if (/^(-?\d+(\.\d+)?)?$/.test(text)) return { tex: text, compound: text.startsWith("-") };
  return text.length <= 24 ? { tex: `\\text{${texText(text)}}`, compound: false } : null;
}

/** @param {Index} index @param {NodeInfo} node @param {string} name */
function argumentOf(index, node, name) {
  const op = node.op === null ? undefined : index.ops.get(node.op);
  return op?.inputs.find((input) => input.name === name);
}

/** @param {NodeInfo} node @param {string} name */
const savedOf = (node, name) => node.saved.find((item) => item.name === `_saved_${name}`);
