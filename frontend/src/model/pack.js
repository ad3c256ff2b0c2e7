/** A program as a piece of a link, and back: deflated, then base64 with letters that links may hold. */

/** A program may be this long, in bytes; a link that unfolds to more is not followed. */
const MOST_BYTES = 64 * 1024;

/** @param {string} text @returns {Promise<string>} */
export async function pack(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), Infinity);
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * @param {string} packed
 * @returns {Promise<string | null>} null for what `pack` did not make
 */
export async function unpack(packed) {
  try {
    const letters = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const whole = await through(bytes, new DecompressionStream("deflate-raw"), MOST_BYTES);
    return new TextDecoder("utf-8", { fatal: true }).decode(whole);
  } catch {
    return null;
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>} bytes
 * @param {CompressionStream | DecompressionStream} stream
 * @param {number} most  bytes; a RangeError beyond
 */
async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > most) {
      await reader.cancel();
      throw new RangeError("too long");
    }
    parts.push(part.value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
