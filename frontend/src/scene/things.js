/**
 * Between boxes and what the rest of the page calls things: a tensor, an op or a node by its id.
 * @typedef {import("./types.js").Scene} Scene
 * @typedef {import("../store.js").Thing} Thing
 */

/** @param {Scene} scene @param {string} key @returns {Thing | null} */
export function thingOf(scene, key) {
  const item = scene.itemOf.get(key);
  if (item) return { kind: item.kind, id: item.id };
  const pill = scene.pillOf.get(key);
  return pill ? { kind: "node", id: pill.id } : null;
}

/** @param {Scene} scene @param {Thing | null} thing @returns {string[]} */
export function keysOf(scene, thing) {
  if (!thing) return [];
  if (thing.kind === "tensor") return scene.keysOfTensor.get(thing.id) ?? [];
  if (thing.kind === "node") return scene.keysOfNode.get(thing.id) ?? [];
  const key = scene.keyOfOp.get(thing.id);
  return key ? [key] : [];
}

/** Keys of what a source line made. @param {Scene} scene @param {number | null} line @returns {Set<string>} */
export function keysOfLine(scene, line) {
  const things = line === null ? [] : (scene.index.byLine.get(line) ?? []);
  return new Set(things.flatMap((thing) => keysOf(scene, thing)));
}
