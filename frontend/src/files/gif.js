/**
 * Pictures to an animated GIF 89a. The drawings are flat, so one table of their most frequent colours serves all
 * frames, and of each frame only the rectangle that differs from the one before is written.
 * @typedef {{ pixels: Uint8ClampedArray, delay: number }} Frame  RGBA by rows; hundredths of a second
 */

const COLOURS = 255;
/** The last entry of the table stands for "as it was". */
const KEEP = 255;

/**
 * A file that is written picture by picture.
 * @param {number} width @param {number} height
 * @param {Uint8ClampedArray[]} samples  pixels the colours are taken from
 */
export function gifWriter(width, height, samples) {
  const table = paletteOf(samples);
  /** @type {Array<Uint8Array<ArrayBuffer>>} */
  const parts = [head(width, height, table.colours)];
  /** @type {Uint8Array | null} */
  let before = null;
  return {
    /** @param {Frame} frame */
    add(frame) {
      const now = table.indexed(frame.pixels);
      parts.push(frameBytes(now, before, { width, height, delay: frame.delay }));
      before = now;
    },
    end: () => new Blob([...parts, Uint8Array.of(0x3b)], { type: "image/gif" }),
  };
}

/** @param {number} number */
const word = (number) => [number & 255, (number >> 8) & 255];
/** @param {string} text */
const letters = (text) => [...text].map((letter) => letter.charCodeAt(0));

/** @param {number} width @param {number} height @param {number[]} colours */
function head(width, height, colours) {
  const table = [...colours, ...Array(256 * 3 - colours.length).fill(0)];
  const forever = [0x21, 0xff, 11, ...letters("NETSCAPE2.0"), 3, 1, 0, 0, 0];
  return Uint8Array.from([...letters("GIF89a"), ...word(width), ...word(height), 0xf7, 0, 0, ...table, ...forever]);
}

/** Five bits of each channel. @param {Uint8ClampedArray} pixels @param {number} at */
const bin = (pixels, at) => ((pixels[at] >> 3) << 10) | ((pixels[at + 1] >> 3) << 5) | (pixels[at + 2] >> 3);

/** The most frequent colours of the samples, and pixels by their number. @param {Uint8ClampedArray[]} samples */
export function paletteOf(samples) {
  const counts = new Uint32Array(32768);
  const sums = new Float64Array(32768 * 3);
  for (const pixels of samples)
    for (let at = 0; at < pixels.length; at += 4) {
      const key = bin(pixels, at);
      counts[key] += 1;
      for (let channel = 0; channel < 3; channel += 1) sums[key * 3 + channel] += pixels[at + channel];
    }
  const most = [...counts.keys()].filter((key) => counts[key] > 0).sort((a, b) => counts[b] - counts[a]).slice(0, COLOURS);
  const colours = most.flatMap((key) => [0, 1, 2].map((channel) => Math.round(sums[key * 3 + channel] / counts[key])));
  const nearest = new Int16Array(32768).fill(-1);
  most.forEach((key, number) => (nearest[key] = number));
  /** @param {Uint8ClampedArray} pixels @param {number} at */
  const search = (pixels, at) => {
    let [best, least] = [0, Infinity];
    for (let number = 0; number < most.length; number += 1) {
      const far = [0, 1, 2].reduce((sum, channel) => sum + (pixels[at + channel] - colours[number * 3 + channel]) ** 2, 0);
      if (far < least) [best, least] = [number, far];
    }
    return best;
  };
  return {
    colours,
    /** @param {Uint8ClampedArray} pixels */
    indexed(pixels) {
      const found = new Uint8Array(pixels.length / 4);
      for (let at = 0; at < found.length; at += 1) {
        const key = bin(pixels, at * 4);
        if (nearest[key] < 0) nearest[key] = search(pixels, at * 4);
        found[at] = nearest[key];
      }
      return found;
    },
  };
}

/** @param {Uint8Array} now @param {Uint8Array | null} before @param {{ width: number, height: number, delay: number }} size */
function frameBytes(now, before, { width, height, delay }) {
  let [left, top, right, bottom] = before ? [width, height, -1, -1] : [0, 0, width - 1, height - 1];
  if (before)
    for (let at = 0; at < now.length; at += 1)
      if (now[at] !== before[at]) {
        const [x, y] = [at % width, Math.floor(at / width)];
        if (x < left) left = x;
        if (x > right) right = x;
        if (y < top) top = y;
        if (y > bottom) bottom = y;
      }
  if (right < 0) [left, top, right, bottom] = [0, 0, 0, 0];
  const [wide, high] = [right - left + 1, bottom - top + 1];
  const inside = new Uint8Array(wide * high);
  for (let y = 0; y < high; y += 1)
    for (let x = 0; x < wide; x += 1) {
      const at = (top + y) * width + left + x;
      inside[y * wide + x] = before && before[at] === now[at] ? KEEP : now[at];
    }
  const control = [0x21, 0xf9, 4, before ? 0b101 : 0b100, ...word(delay), before ? KEEP : 0, 0];
  const place = [0x2c, ...word(left), ...word(top), ...word(wide), ...word(high), 0, 8];
  const packed = compress(inside);
  const bytes = new Uint8Array(control.length + place.length + packed.length + Math.ceil(packed.length / 255) + 1);
  bytes.set([...control, ...place]);
  let to = control.length + place.length;
  for (let from = 0; from < packed.length; from += 255) {
    const piece = packed.subarray(from, from + 255);
    bytes[to] = piece.length;
    bytes.set(piece, to + 1);
    to += piece.length + 1;
  }
  return bytes;
}

/** LZW as GIF has it: codes grow from nine to twelve bits, then the dictionary begins anew. @param {Uint8Array} input */
function compress(input) {
  const [clear, end] = [256, 257];
  let bytes = new Uint8Array(Math.max(1024, input.length >> 2));
  let [length, hold, bits] = [0, 0, 0];
  /** @param {number} code @param {number} size */
  const write = (code, size) => {
    hold |= code << bits;
    for (bits += size; bits >= 8; bits -= 8, hold >>>= 8) {
      if (length === bytes.length) {
        const wider = new Uint8Array(bytes.length * 2);
        wider.set(bytes);
        bytes = wider;
      }
      bytes[length] = hold & 255;
      length += 1;
    }
  };
  /** @type {Map<number, number>} */
  let known = new Map();
  let [free, size, prefix] = [258, 9, -1];
  write(clear, size);
  for (const pixel of input) {
    if (prefix < 0) {
      prefix = pixel;
      continue;
    }
    const key = (prefix << 8) | pixel;
    const found = known.get(key);
    if (found !== undefined) {
      prefix = found;
      continue;
    }
    write(prefix, size);
    prefix = pixel;
    if (free < 4096) {
      known.set(key, free);
      if (free === 1 << size && size < 12) size += 1;
      free += 1;
    } else {
      write(clear, size);
      known = new Map();
      [free, size] = [258, 9];
    }
  }
  if (prefix >= 0) write(prefix, size);
  write(end, size);
  write(0, 7);
  return bytes.subarray(0, length);
}
