/**
 * Whether playing stops on coming from one step to the next: where the program comes to a marked line.
 * @param {import("../wire").Step[]} steps
 * @param {number} before
 * @param {number} now
 * @param {readonly number[]} lines
 */
export function stopsAt(steps, before, now, lines) {
  const line = steps[now]?.line ?? null;
  return now !== before && line !== null && lines.includes(line) && steps[before]?.line !== line;
}
