/**
 * The facts a step's card shows beyond its sentence.
 * @typedef {import("../wire").Value} Value
 * @typedef {import("../wire").Step} Step
 * @typedef {import("./index.js").Index} Index
 * @typedef {{ left: string, tex: string[] }} Equation  `left = tex[0] = tex[1] …`
 */
import { constantTex, fill, gradientSymbol, outputSymbol, ruleLines, tensorSymbol } from "./rule.js";
import { valueTex } from "./numbers.js";

/**
 * What arrived at a node: the gradient's symbol and value, and the nodes that sent it; none for the start.
 * @param {Index} index
 * @param {Step} step a node_apply step
 */
export function arrivalOf(index, step) {
  const node = step.node == null ? undefined : index.nodes.get(step.node);
  const value = step.grads_in?.find((item) => item !== null) ?? null;
  if (!node || !value) return null;
  const senders = (index.feeders.get(node.id) ?? [])
    .map((edge) => edge.node)
    .filter((id) => index.appliesOf.get(id)?.some((run) => run.backward === step.backward && run.index < step.index));
  return { left: gradientSymbol(outputSymbol(index, node)), value, senders: [...new Set(senders)] };
}

/**
 * What leaves a node: one equation per gradient, the rule with names, then with numbers, then the result. A matrix
 * that only passes through is not written a second time. `summed`: the shape a broadcast gradient is summed back to.
 * @param {Index} index
 * @param {Step} step a node_apply step
 * @returns {Array<Equation & { to: number | null, summed: number[] | null }>}
 */
export function departuresOf(index, step) {
  return ruleLines(index, step).map(({ left, symbols, numbers, value, to, summed, passed }) => {
    const repeats = passed && value.shape.length > 1;
    const tex = repeats ? [symbols] : [symbols, numbers, valueTex(value)];
    return { left, to, tex: distinct(tex), summed: summed ? value.shape : null };
  });
}

/**
 * The forward formula of an op, the same way.
 * @param {Index} index
 * @param {Step} step an op or inplace step
 * @returns {Equation | null}
 */
export function forwardOf(index, step) {
  const op = step.op == null ? undefined : index.ops.get(step.op);
  const output = op ? index.tensors.get(op.outputs[0]) : undefined;
  if (!op || !output) return null;
  const node = op.grad_fn === null ? undefined : index.nodes.get(op.grad_fn);
  const rule = node?.rule == null ? undefined : index.trace.rules[node.rule];
  const value = output.values.findLast((row) => row.step <= step.index)?.value ?? output.value;
  const result = valueTex(value);
  const left = tensorSymbol(index, output.id, "out").tex;
  if (!rule || !node) return { left, tex: [result] };
  /** @param {string} name */
  const input = (name) => op.inputs.find((item) => item.name === name);
  const symbols = fill(rule.forward, (name) => {
    const found = input(name);
    if (found?.tensor != null) return tensorSymbol(index, found.tensor, name);
    return constantTex(found?.constant ?? name);
  });
  const numbers = fill(rule.forward, (name) => {
    const found = input(name);
    if (found?.constant != null) return constantTex(found.constant);
    const tensor = found?.tensor == null ? undefined : index.tensors.get(found.tensor);
    if (!tensor || tensor.shape.length > 0) return null;
    const tex = valueTex(tensor.values.findLast((row) => row.step <= step.index)?.value ?? tensor.value);
    return { tex, compound: tex.startsWith("-") };
  });
  const parts = distinct([symbols, numbers, result]);
  return { left, tex: bare(parts[0]) === bare(left) ? parts.slice(1) : parts };
}

/**
 * What a node needs that the forward pass saved, and whether it is freed right after.
 * @param {Index} index
 * @param {Step} step a node_apply step
 */
export function needsOf(index, step) {
  const node = step.node == null ? undefined : index.nodes.get(step.node);
  const call = index.trace.backwards.find((item) => item.id === step.backward);
  const saved = (node?.saved ?? []).filter((item) => item.tensor !== null || item.value);
  const freed = saved.some((item) => item.released_step !== null && item.released_step >= step.index);
  return { saved, freed, kept: Boolean(call?.retain_graph || call?.create_graph) };
}

/** A formula without what only groups it, to compare by. @param {string} tex */
const bare = (tex) => tex.replace(/\\(left|right)(?![a-z])|[{}()\s]/g, "");

/** Neighbouring repeats and gaps left out. @param {Array<string | null>} parts @returns {string[]} */
function distinct(parts) {
  /** @type {string[]} */
  const kept = [];
  for (const part of parts) {
    if (part !== null && bare(part) !== bare(kept.at(-1) ?? "")) kept.push(part);
  }
  return kept;
}
