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

/**
 * The variable name of a tensor, else the op that made it with its arguments, else its id.
 * @param {Index} index
 * @param {number | null | undefined} id
 * @returns {string}
 */
export function tensorName(index, id) {
  const tensor = id == null ? undefined : index.tensors.get(id);
  if (!tensor) return "?";
  if (tensor.names.length > 0) return tensor.names[0];
  const op = tensor.op === null ? undefined : index.ops.get(tensor.op);
  if (!op) return `#${tensor.id}`;
  const parts = op.inputs.map((input) => shortArgument(index, input));
  const sign = signOf(op.name);
  if (sign && parts.length === 2 && parts.every((part) => part.length <= 8)) return parts.join(sign === "^" ? "**" : ` ${sign} `);
  return `${op.name}(${parts.length <= 2 && parts.every((part) => part.length <= 8) ? parts.join(", ") : "…"})`;
}

/** @param {Index} index @param {import("../wire").OpArgument} input */
function shortArgument(index, input) {
  if (input.tensor != null) {
    const tensor = index.tensors.get(input.tensor);
    return tensor?.names[0] ?? "…";
  }
  return input.constant ?? "…";
}

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
