/**
 * The numbers under way at a step, and the sums written where several meet.
 * @typedef {import("./types.js").Scene} Scene
 * @typedef {import("./state.js").Moment} Moment
 */
import { normOf } from "./tint.js";
import { isWritten, valueText } from "./format.js";

/**
 * @typedef {object} Packet
 * @property {string} key
 * @property {string} edge
 * @property {"forward" | "gradient"} kind
 * @property {string} text
 * @property {number} size  0 for a vanishing norm, 1 for a huge one; -1 where an element is NaN or infinite
 * @property {"sender" | "wait"} start  where on the line its motion into this step starts
 * @property {"wait" | "door"} rest  where it comes to rest: waiting for others, or at the receiver
 */

/** @typedef {{ at: string, text: string }} Sum  written beside the box `at` */

/**
 * @param {Moment} moment
 * @returns {Packet[]}
 */
export function packetsAt(moment) {
  return [...forwardPackets(moment), ...gradientPackets(moment)];
}

/** @param {Moment} moment @returns {Packet[]} */
function forwardPackets({ scene, step }) {
  const now = scene.index.trace.steps[step];
  const key = now?.op == null || now.node != null ? undefined : scene.keyOfOp.get(now.op);
  if (!key) return [];
  return (scene.inputsOf.get(key) ?? []).flatMap((edge) => {
    const item = scene.itemOf.get(edge.from);
    const tensor = item && scene.index.tensors.get(item.id);
    if (!item || !tensor) return [];
    const value = tensor.values.findLast((row) => row.step < Math.min(step + 1, item.until))?.value ?? tensor.value;
    return [
      {
        key: edge.key,
        edge: edge.key,
        kind: /** @type {const} */ ("forward"),
        text: valueText(value),
        size: sizeOf(value),
        start: /** @type {const} */ ("sender"),
        rest: /** @type {const} */ ("door"),
      },
    ];
  });
}

/** @param {Moment} moment @returns {Packet[]} */
function gradientPackets(moment) {
  const { scene, step, call } = moment;
  if (!call) return [];
  const arriving = scene.history.receivedAt.get(step) ?? [];
  const waiting = scene.history.deliveries.filter(
    (each) => each.sent >= call.start && each.sent < step && each.received > step,
  );
  return [...arriving.map((each) => ({ each, here: true })), ...waiting.map((each) => ({ each, here: false }))].map(
    ({ each, here }) => ({
      key: `${each.edge}@${each.sent}`,
      edge: each.edge,
      kind: /** @type {const} */ ("gradient"),
      text: valueText(each.value),
      size: sizeOf(each.value),
      start: /** @type {"sender" | "wait"} */ (each.sent < step - 1 ? "wait" : "sender"),
      rest: /** @type {"wait" | "door"} */ (here ? "door" : "wait"),
    }),
  );
}

/** Norms at which a packet is smallest and largest, as powers of ten. */
const POWERS = { least: -4, most: 3 };

/** How large a packet is drawn: by the power of ten of its norm. @param {import("../wire").Value} value */
export function sizeOf(value) {
  const norm = normOf(value) ?? 0;
  if (!Number.isFinite(norm)) return -1;
  const power = norm === 0 ? POWERS.least : Math.log10(norm);
  return Math.min(Math.max((power - POWERS.least) / (POWERS.most - POWERS.least), 0), 1);
}

/**
 * `14 + 28 = 42` beside a node that several gradients reached, or beside a leaf whose `.grad` grew.
 * @param {Moment} moment
 * @returns {Sum[]}
 */
export function sumsAt({ scene, step }) {
  const now = scene.index.trace.steps[step];
  const arrived = scene.history.receivedAt.get(step) ?? [];
  if (!now || arrived.length === 0) return [];
  const at = arrived[0].to;
  if (now.kind === "accumulate" && now.before && now.contribution && now.after) {
    return [{ at, text: equation([now.before, now.contribution], now.after) }];
  }
  const total = now.kind === "accumulate" ? now.contribution : now.grads_in?.find((grad) => grad !== null);
  if (arrived.length < 2 || !total) return [];
  return [
    {
      at,
      text: equation(
        arrived.map((each) => each.value),
        total,
      ),
    },
  ];
}

/**
 * Numbers are written out; of larger tensors only the shape of the sum is told.
 * @param {import("../wire").Value[]} parts @param {import("../wire").Value} total
 */
function equation(parts, total) {
  if (parts.every(isWritten))
    return `${parts.map(valueText).join(" + ").replaceAll("+ -", "− ")} = ${valueText(total)}`;
  return `${parts.length === 2 ? "g₁ + g₂" : "g₁ + … + gₙ"} = ${valueText(total)}`;
}
