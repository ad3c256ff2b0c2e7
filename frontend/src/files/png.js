/** An SVG as PNG files. */
import { imageOf } from "./picture.jsx";
import { tilesOf } from "./tiles.js";

/** Pixels of the file for one of the page. */
const SCALE = 2;

/**
 * @param {{ text: string, width: number, height: number }} picture
 * @returns {Promise<Array<{ blob: Blob, suffix: string }>>} one file, or tiles by row and column
 */
export async function pngFiles(picture) {
  const [width, height] = [picture.width * SCALE, picture.height * SCALE];
  const image = await imageOf(picture);
  const tiles = tilesOf(width, height);
  const files = [];
  for (const tile of tiles) {
    const canvas = Object.assign(document.createElement("canvas"), { width: tile.width, height: tile.height });
    canvas.getContext("2d")?.drawImage(image, -tile.x, -tile.y, width, height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!(blob instanceof Blob)) throw new Error("the canvas could not be read");
    files.push({ blob, suffix: tiles.length > 1 ? `-${tile.row + 1}-${tile.column + 1}` : "" });
  }
  return files;
}
