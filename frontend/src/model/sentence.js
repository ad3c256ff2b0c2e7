/**
 * The title of a step and its one plain sentence, as text keys with slots: pure, so that any language can say it.
 * @typedef {import("../wire").Step} Step
 * @typedef {import("./index.js").Index} Index
 * @typedef {import("../i18n/translate.js").TextKey} TextKey
 * @typedef {{ key: TextKey, slots: Record<string, string | number>, list?: string[] }} Said
 * `list` fills the slot {saved} as the language writes lists.
 */
import { nodeLabel, nodeName, tensorName } from "./names.js";
import { phasesOf } from "./bands.js";

/** @param {Index} index @param {Step} step @returns {Said} */
export function titleOf(index, step) {
  const call = index.trace.backwards.find((item) => item.id === step.backward);
  const op = step.op == null ? undefined : index.ops.get(step.op);
  const slots = {
    name: tensorName(index, step.tensor ?? op?.outputs[0] ?? call?.root_tensors[0]),
    op: op?.name ?? "",
    node: nodeLabel(index, step.node),
    mode: step.mode ?? "",
    hook: step.hook?.name ?? "",
    optimizer: step.optimizer ?? "",
  };
  const byGrad = call?.call === "grad";
  if (step.kind === "backward_start") return { key: byGrad ? "title.grad_start" : "title.backward_start", slots };
  if (step.kind === "backward_end") return { key: byGrad ? "title.grad_end" : "title.backward_end", slots };
  // "relu makes relu(x)" says nothing that "relu runs" does not.
  const echoes = step.kind === "op" && op && slots.name.startsWith(`${op.name}(`);
  return { key: echoes ? "title.op.unnamed" : `title.${step.kind}`, slots };
}

/** @param {Index} index @param {Step} step @returns {Said} */
export function sentenceOf(index, step) {
  switch (step.kind) {
    case "create":
      return createSentence(index, step);
    case "op":
      return opSentence(index, step);
    case "inplace":
      return inplaceSentence(index, step);
    case "mode_enter":
      return plain(/no_grad|inference|False/.test(step.mode ?? "") ? "say.mode.off" : "say.mode.on");
    case "mode_exit":
      return plain("say.mode.exit");
    case "backward_start":
      return startSentence(index, step);
    case "node_apply":
      return nodeSentence(index, step);
    case "accumulate":
      return plain(step.before ? "say.accumulate.more" : "say.accumulate.first");
    case "release":
      return step.bytes ? { key: "say.release", slots: { bytes: bytesText(step.bytes) } } : plain("say.release.free");
    case "zero_grad":
      return plain(step.set_to_none === false ? "say.zero_grad.zero" : "say.zero_grad.none");
    default:
      return plain(`say.${step.kind}`);
  }
}

/** @param {TextKey} key @returns {Said} */
const plain = (key) => ({ key, slots: {} });

/** @param {number} bytes */
export function bytesText(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${Number((bytes / 1024).toPrecision(3))} KB`;
  return `${Number((bytes / 1024 ** 2).toPrecision(3))} MB`;
}

/** @param {Index} index @param {Step} step @returns {Said} */
function createSentence(index, step) {
  const tensor = step.tensor == null ? undefined : index.tensors.get(step.tensor);
  if (!tensor?.requires_grad) return plain("say.create.plain");
  return { key: "say.create.leaf", slots: { name: tensorName(index, tensor.id) } };
}

/** @param {Index} index @param {Step} step @returns {Said} */
function opSentence(index, step) {
  const op = step.op == null ? undefined : index.ops.get(step.op);
  const node = op?.grad_fn == null ? undefined : index.nodes.get(op.grad_fn);
  if (!node) {
    const quiet = phasesOf(index.trace)[step.index] === "rest";
    return plain(quiet ? "say.op.no_grad" : "say.op.unrecorded");
  }
  const list = savedNames(index, node);
  const slots = { node: nodeName(node) };
  return list.length ? { key: "say.op.saves", slots, list } : { key: "say.op.recorded", slots };
}

/**
 * Names of the tensors a node saved, each once.
 * @param {Index} index
 * @param {import("../wire").NodeInfo} node
 */
export function savedNames(index, node) {
  const names = node.saved.filter((item) => item.tensor !== null).map((item) => tensorName(index, item.tensor));
  return [...new Set(names)];
}

/** @param {Index} index @param {Step} step @returns {Said} */
function inplaceSentence(index, step) {
  const op = step.op == null ? undefined : index.ops.get(step.op);
  const tensor = index.tensors.get(step.tensor ?? op?.outputs[0] ?? -1);
  const after = tensor?.values.findLast((row) => row.step <= step.index)?.version ?? 1;
  const before = tensor?.values.findLast((row) => row.step < step.index)?.version ?? after - 1;
  return { key: "say.inplace", slots: { before, after } };
}

/** @param {Index} index @param {Step} step @returns {Said} */
function startSentence(index, step) {
  const call = index.trace.backwards.find((item) => item.id === step.backward);
  const root = index.tensors.get(call?.root_tensors[0] ?? -1);
  const scalar = root ? root.shape.length === 0 : true;
  return { key: scalar ? "say.backward_start" : "say.backward_start.given", slots: { name: tensorName(index, root?.id) } };
}

/** @param {Index} index @param {Step} step @returns {Said} */
function nodeSentence(index, step) {
  const node = step.node == null ? undefined : index.nodes.get(step.node);
  if (node?.is_custom) return plain("say.node_apply.custom");
  const rules = node?.rule == null ? [] : Object.values(index.trace.rules[node.rule]?.backward ?? {});
  const identity = rules.length > 0 && rules.every((rule) => rule === "[[grad]]");
  return plain(identity ? "say.node_apply.identity" : "say.node_apply");
}
