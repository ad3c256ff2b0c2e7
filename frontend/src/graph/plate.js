/**
 * A painted picture somewhat larger than the screen, so that a pan shifts it instead of painting it again.
 * @typedef {import("./camera.js").Camera} Camera
 */

/** Pixels painted beyond each side of the screen. */
export const SPARE = 240;

/**
 * @param {() => HTMLCanvasElement} makeCanvas
 */
export function createPlate(makeCanvas) {
  const canvas = makeCanvas();
  /** @type {{ camera: Camera, key: unknown[] } | null} */
  let held = null;

  /**
   * The picture for a camera and where its top left belongs on screen, in pixels.
   * @param {Camera} camera
   * @param {{ width: number, height: number, ratio: number }} screen
   * @param {unknown[]} key  what the picture shows; another value in it means painting again
   * @param {(context: CanvasRenderingContext2D, camera: Camera, size: { width: number, height: number }) => void} paint
   */
  function at(camera, screen, key, paint) {
    const whole = [...key, screen.width, screen.height, screen.ratio, camera.k];
    const same =
      held !== null &&
      held.key.length === whole.length &&
      held.key.every((each, index) => Object.is(each, whole[index]));
    if (!held || !same || Math.abs(camera.x - held.camera.x) > SPARE || Math.abs(camera.y - held.camera.y) > SPARE) {
      const size = { width: screen.width + 2 * SPARE, height: screen.height + 2 * SPARE };
      const [width, height] = [Math.round(size.width * screen.ratio), Math.round(size.height * screen.ratio)];
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      const context = canvas.getContext("2d");
      if (context) paint(context, { ...camera, x: camera.x + SPARE, y: camera.y + SPARE }, size);
      held = { camera, key: whole };
    }
    return { canvas, x: camera.x - held.camera.x - SPARE, y: camera.y - held.camera.y - SPARE };
  }

  return { at };
}
