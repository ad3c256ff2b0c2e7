/**
 * What differs between two graphs, as colours of the boxes of one of them. Each colour comes with a sign and a word.
 * @typedef {import("../wire").GraphDiff} GraphDiff
 * @typedef {import("../scene/tint.js").Tints} Tints
 * @typedef {"added" | "removed" | "changed" | "grad"} Kind
 */

const SIGNS = { added: "+", removed: "−", changed: "≠", grad: "≠" };

/**
 * The nodes of one side that are not as they are on the other.
 * @param {GraphDiff} diff @param {"before" | "after"} side
 * @returns {Map<number, Kind>} by id
 */
export function differing(diff, side) {
  /** @type {Map<number, Kind>} */
  const kinds = new Map();
  for (const { id } of diff.nodes[side === "before" ? "removed" : "added"]) kinds.set(id, side === "before" ? "removed" : "added");
  for (const each of diff.nodes.changed) kinds.set(each[side].id, "changed");
  return kinds;
}

/**
 * @param {GraphDiff} diff @param {"before" | "after"} side
 * @param {(kind: Kind | "equal") => string} say
 * @returns {(scene: import("../scene/types.js").Scene) => Tints}
 */
export function diffTints(diff, side, say) {
  const nodes = differing(diff, side);
  const grads = new Set(diff.gradients.changed.map(({ name }) => name));
  const tint = (/** @type {Kind} */ kind) => ({ shade: `diff-${kind}`, text: `${SIGNS[kind]} ${say(kind)}` });
  const legend = /** @type {Kind[]} */ (["removed", "added", "changed", "grad"]).map(tint);
  return (scene) => {
    /** The node that stands for a box: its own, that of the op that made it, the accumulator of a leaf. @param {string} key */
    const nodeOf = (key) => {
      const pill = scene.pillOf.get(key);
      const item = scene.itemOf.get(key);
      if (pill) return pill.id;
      if (item?.kind === "tensor") return scene.index.tensors.get(item.id)?.grad_fn ?? scene.index.accumulatorOf.get(item.id) ?? null;
      return item?.gradFn ?? null;
    };
    return {
      of: (key) => {
        const node = nodeOf(key);
        const found = node === null ? undefined : nodes.get(node);
        if (found) return tint(found);
        const leaf = scene.pillOf.get(key)?.leaf ?? (scene.itemOf.get(key)?.look === "leaf" ? scene.itemOf.get(key)?.id : null);
        const name = leaf == null ? null : scene.index.tensors.get(leaf)?.names[0];
        return name != null && grads.has(name) ? tint("grad") : null;
      },
      legend: [...legend, { shade: "diff-equal", text: say("equal") }],
    };
  };
}
