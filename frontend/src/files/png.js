/** An SVG as PNG files. */
import { tilesOf } from "./tiles.js";

/** Pixels of the file for one of the page. */
const SCALE = 2;

/**
 * @param {{ text: string, width: number, height: number }} picture
 * @returns {Promise<Array<{ blob: Blob, suffix: string }>>} one file, or tiles by row and column
 */
export async function pngFiles({ text, width, height }) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    const tiles = tilesOf(width * SCALE, height * SCALE);
    const files = [];
    for (const tile of tiles) {
      const canvas = Object.assign(document.createElement("canvas"), { width: tile.width, height: tile.height });
      canvas.getContext("2d")?.drawImage(image, -tile.x, -tile.y, width * SCALE, height * SCALE);
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
      if (!(blob instanceof Blob)) throw new Error("the canvas could not be read");
      files.push({ blob, suffix: tiles.length > 1 ? `-${tile.row + 1}-${tile.column + 1}` : "" });
    }
    return files;
  } finally {
    URL.revokeObjectURL(address);
  }
}
