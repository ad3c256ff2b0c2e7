/** A large picture in pieces: browsers refuse canvases beyond a size, and run out of memory before it. */

/** Pixels on one side of a piece at most. */
export const MOST = 8192;

/**
 * @param {number} width @param {number} height  of the picture, in pixels of the file
 * @param {number} [most]
 * @returns {Array<{ x: number, y: number, width: number, height: number, row: number, column: number }>}
 */
export function tilesOf(width, height, most = MOST) {
  const rows = Math.ceil(height / most);
  const columns = Math.ceil(width / most);
  return Array.from({ length: rows * columns }, (_, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns];
    const [x, y] = [column * most, row * most];
    return { x, y, width: Math.min(most, width - x), height: Math.min(most, height - y), row, column };
  });
}
