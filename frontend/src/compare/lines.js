/** Which lines of two programs are not in the other: the longest common sequence decides. */

/** Lines of each program that are looked at; of longer ones the rest counts as the same. */
const MOST = 600;

/**
 * @param {string} before @param {string} after
 * @returns {{ removed: Set<number>, added: Set<number> }} 1-based lines
 */
export function lineDiff(before, after) {
  const [a, b] = [before, after].map((text) => text.split("\n").slice(0, MOST));
  const wide = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * wide);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      longest[i * wide + j] =
        a[i] === b[j] ? longest[(i + 1) * wide + j + 1] + 1 : Math.max(longest[(i + 1) * wide + j], longest[i * wide + j + 1]);
  const [removed, added] = [new Set(/** @type {number[]} */ ([])), new Set(/** @type {number[]} */ ([]))];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) [i, j] = [i + 1, j + 1];
    else if (j >= b.length || (i < a.length && longest[(i + 1) * wide + j] >= longest[i * wide + j + 1])) removed.add((i += 1));
    else added.add((j += 1));
  }
  return { removed, added };
}
