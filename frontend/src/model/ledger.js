/**
 * Where a leaf's `.grad` came from: one row per contribution that has arrived by a step, with the running sum.
 * @typedef {import("../wire").Value} Value
 * @typedef {import("./index.js").Index} Index
 */

/**
 * @typedef {object} LedgerRow
 * @property {number} step
 * @property {"add" | "clear" | "set"} kind  `set`: written by the program or changed in place
 * @property {number | null} backward  id of the backward call
 * @property {Array<{ node: number, slot: number, step: number, value: Value }>} sources  node_apply results it sums
 * @property {Value | null} contribution
 * @property {Value | null} after
 */

/**
 * @param {Index} index
 * @param {number} tensorId
 * @param {number} step
 * @returns {{ rows: LedgerRow[], nextStep: number | null }}  `nextStep`: when the next row arrives
 */
export function ledgerOf(index, tensorId, step) {
  const tensor = index.tensors.get(tensorId);
  if (!tensor) return { rows: [], nextStep: null };
  const rows = tensor.grads.filter((row) => row.step <= step).map((row) => ledgerRow(index, tensorId, row));
  return { rows, nextStep: tensor.grads.find((row) => row.step > step)?.step ?? null };
}

/**
 * @param {Index} index @param {number} tensorId @param {import("../wire").GradAt} row
 * @returns {LedgerRow}
 */
function ledgerRow(index, tensorId, row) {
  const step = index.trace.steps[row.step];
  if (step?.kind !== "accumulate" || step.tensor !== tensorId) {
    return { step: row.step, kind: row.value ? "set" : "clear", backward: null, sources: [], contribution: null, after: row.value };
  }
  return {
    step: row.step,
    kind: "add",
    backward: step.backward ?? null,
    sources: sourcesOf(index, tensorId, step),
    contribution: step.contribution ?? null,
    after: step.after ?? row.value,
  };
}

/** @param {Index} index @param {number} tensorId @param {import("../wire").Step} step */
function sourcesOf(index, tensorId, step) {
  const accumulator = index.accumulatorOf.get(tensorId);
  const feeders = accumulator === undefined ? [] : index.feeders.get(accumulator) ?? [];
  return feeders.flatMap(({ node, slot }) => {
    const apply = index.appliesOf.get(node)?.findLast((run) => run.index < step.index && run.backward === step.backward);
    const value = apply?.grads_out?.[slot];
    return apply && value ? [{ node, slot, step: apply.index, value }] : [];
  });
}

/**
 * The tensors that can have a ledger, in order of creation: leaves a gradient reaches, and retained ones.
 * @param {Index} index
 * @returns {number[]}
 */
export function ledgerTensors(index) {
  return index.trace.tensors.filter((tensor) => tensor.grads.length > 0).map((tensor) => tensor.id);
}

/**
 * The tensor whose ledger is shown: the selected one, the leaf of a selected AccumulateGrad, the leaf this step
 * adds to or is about to, else the first.
 * @param {Index} index
 * @param {import("../store.js").Thing | null} selected
 * @param {number} step
 * @returns {number | null}
 */
export function ledgerSubject(index, selected, step) {
  if (selected?.kind === "tensor") {
    const tensor = index.tensors.get(selected.id);
    if (tensor && (tensor.grads.length > 0 || (tensor.is_leaf && tensor.requires_grad))) return tensor.id;
  }
  if (selected?.kind === "node") {
    const leaf = index.nodes.get(selected.id)?.tensor;
    if (leaf != null) return leaf;
  }
  const about = leafFedBy(index, index.trace.steps[step]) ?? leafFedBy(index, index.trace.steps[step + 1]);
  if (about !== null) return about;
  const subjects = ledgerTensors(index);
  const arrived = index.trace.steps.slice(0, step + 1).findLast((item) => item.kind === "accumulate");
  return arrived?.tensor ?? subjects[0] ?? null;
}

/** The first leaf a step hands a gradient to, or null. @param {Index} index @param {import("../wire").Step | undefined} step */
function leafFedBy(index, step) {
  if (step?.kind === "accumulate") return step.tensor ?? null;
  const node = step?.kind === "node_apply" && step.node != null ? index.nodes.get(step.node) : undefined;
  const leaves = (node?.next_functions ?? []).map((edge) => (edge && edge[0] !== null ? index.nodes.get(edge[0])?.tensor : null));
  return leaves.find((leaf) => leaf != null) ?? null;
}
