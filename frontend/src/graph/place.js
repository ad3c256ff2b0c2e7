/**
 * Where the camera was moved to by hand, told to the address and taken from it: the world point in the middle of the
 * stage and the zoom, so that it means the same on another screen.
 * @typedef {import("./view.js").View} View
 * @typedef {import("../store.js").Place} Place
 */
import { effect, untracked } from "@preact/signals";
import { place } from "../store.js";
import { centred, toWorld } from "./camera.js";

/** Milliseconds without a movement after which the camera rests. */
const REST = 250;

/** @param {import("./camera.js").Camera} camera @param {import("../layout/types.js").Size} size @returns {Place} */
export function placeOf(camera, { width, height }) {
  const { x, y } = toWorld(camera, { x: width / 2, y: height / 2 });
  return { x: Math.round(x), y: Math.round(y), k: Math.round(camera.k * 1000) / 1000 };
}

/** @param {Place} at @param {import("../layout/types.js").Size} size */
export const cameraAt = ({ x, y, k }, size) => centred({ x, y, width: 0, height: 0 }, size, k);

/**
 * @param {View} view
 * @returns {() => void} stop
 */
export function keepPlace(view) {
  /** @type {Place | null} */
  let told = null;
  const stopTaking = effect(() => {
    if (place.value !== told) view.wanted.current = place.value;
  });
  const stopTelling = effect(() => {
    const [camera, size, touched] = [view.camera.value, view.size.value, view.touched.value];
    if (!view.drawn.value || untracked(() => view.wanted.current)) return undefined;
    const timer = setTimeout(() => {
      told = touched ? placeOf(camera, size) : null;
      place.value = told;
    }, REST);
    return () => clearTimeout(timer);
  });
  return () => {
    stopTaking();
    stopTelling();
  };
}
