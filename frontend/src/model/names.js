/**
 * How things are called on the page: the program's own names first.
 * @typedef {import("../wire").TensorInfo} TensorInfo
 * @typedef {import("../wire").NodeInfo} NodeInfo
 * @typedef {import("./index.js").Index} Index
 */

/** Signs of the everyday operators, for labels on ops and unnamed results. */
const SIGNS = new Map([
  ["add", "+"], ["sub", "−"], ["mul", "×"], ["div", "÷"], ["pow", "^"], ["matmul", "@"], ["mm", "@"], ["neg", "−"],
]);

/** @param {string} op */
export const signOf = (op) => SIGNS.get(op.replace(/_$/, "")) ?? "";

/** `torch::autograd::AccumulateGrad` without its namespace. @param {NodeInfo} node */
export const nodeName = (node) => node.name.replace(/^.*::/, "");

/** An expression longer than this is cut to its outermost op. */
const LONGEST = 24;

/**
 * The variable name of a tensor, else the expression that made it; its id where nothing is known of that.
 * @param {Index} index
 * @param {number | null | undefined} id
 * @param {number} [depth] how far unnamed arguments are spelled out
 * @returns {string}
 */
export function tensorName(index, id, depth = 2) {
  const tensor = id == null ? undefined : index.tensors.get(id);
  if (!tensor) return "?";
  if (tensor.names.length > 0) return tensor.names[0];
  const op = tensor.op === null ? undefined : index.ops.get(tensor.op);
  if (!op) return `#${tensor.id}`;
  if (op.kind === "create") return `${op.name}(…)`;
  const operands = operandsOf(op);
  const parts = operands.map((input) => (depth > 0 ? argumentName(index, input, depth - 1) : "…"));
  const sign = signOf(op.name);
  const full = sign && parts.length === 2 ? parts.map(bracketed).join(sign === "^" ? "**" : ` ${sign} `) : `${op.name}(${parts.join(", ")})`;
  // What is cut inside, or leads to a tensor without a name, tells a reader less than the op alone.
  return full.length <= LONGEST && !/…|#\d/.test(full) ? full : `${op.name}(…)`;
}

/**
 * The arguments an expression shows: the operands of an operator, else the tensors.
 * @param {import("../wire").OpInfo} op
 */
export function operandsOf(op) {
  const tensors = op.inputs.filter((input) => input.tensor != null);
  if (!signOf(op.name)) return tensors;
  return op.inputs.filter((input) => input.tensor != null || ["self", "other", "exponent"].includes(input.name));
}

/** Python's sys.maxsize, which stands for "to the end" in a slice. */
const TO_THE_END = "9223372036854775807";

/** A constant as a reader writes it: `2` for `2.0`, nothing for the open end of a slice. @param {string | null | undefined} text */
export const constantName = (text) => (text === TO_THE_END ? "" : (text ?? "…").replace(/^(-?\d+)\.0+$/, "$1"));

/** @param {string} text */
const bracketed = (text) => (/ |\*\*/.test(text) && !text.endsWith(")") ? `(${text})` : text);

/** @param {Index} index @param {import("../wire").OpArgument} input @param {number} depth */
const argumentName = (index, input, depth) =>
  input.tensor != null ? tensorName(index, input.tensor, depth) : constantName(input.constant);

/**
 * A node told apart from its namesakes: AccumulateGrad by its leaf.
 * @param {Index} index
 * @param {number | null | undefined} id
 */
export function nodeLabel(index, id) {
  const node = id == null ? undefined : index.nodes.get(id);
  if (!node) return "None";
  return node.tensor === null ? nodeName(node) : `AccumulateGrad(${tensorName(index, node.tensor)})`;
}
