import { hovered, index, same, select, selection } from "../store.js";
import { nodeLabel, tensorName } from "../model/names.js";

/** @typedef {import("../store.js").Thing} Thing */

/** @param {Thing} thing @returns {string} */
export function thingName(thing) {
  if (!index.value) return "";
  if (thing.kind === "tensor") return tensorName(index.value, thing.id);
  if (thing.kind === "node") return nodeLabel(index.value, thing.id);
  return index.value.ops.get(thing.id)?.name ?? "";
}

/** Longer names keep the last two parts of what they are about. */
const LONG = 20;

/** `MulBackward0` as `Mul`, `AccumulateGrad(w)` as `Acc(w)`. @param {string} name */
export function shortName(name) {
  return cutPath(name.replace(/Backward\d*$/, "").replace(/^AccumulateGrad/, "Acc"));
}

/** `AccumulateGrad(blocks.3.down.bias)` as `AccumulateGrad(…down.bias)`. @param {string} name */
export const cutPath = (name) => (name.length <= LONG ? name : name.replace(/\(.*\.(?=[^.]+\.[^.]+\)$)/, "(…"));

/**
 * The name of a tensor, op or node that selects it and lights it up everywhere.
 * @param {{ thing: Thing, text?: string }} props
 */
export function ThingLink({ thing, text }) {
  return (
    <button
      type="button"
      class={`thing thing-${thing.kind}`}
      title={text ? thingName(thing) : undefined}
      aria-pressed={same(selection.value, thing)}
      onClick={() => select(thing)}
      onPointerEnter={() => (hovered.value = thing)}
      onPointerLeave={() => (hovered.value = null)}
      onFocus={() => (hovered.value = thing)}
      onBlur={() => (hovered.value = null)}
    >
      {text ?? thingName(thing)}
    </button>
  );
}

/** @param {{ things: Thing[], short?: boolean }} props  `short`: nodes without "Backward0" */
export function ThingList({ things, short = false }) {
  return (
    <span class="thing-list">
      {things.map((thing) => (
        <ThingLink key={`${thing.kind}${thing.id}`} thing={thing} text={short ? shortName(thingName(thing)) : undefined} />
      ))}
    </span>
  );
}
