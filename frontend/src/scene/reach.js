/** Keys that can be reached from some, these included. @param {Map<string, string[]>} next @param {string[]} keys */
export function reach(next, keys) {
  const seen = new Set(keys);
  const queue = [...keys];
  for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
    for (const each of next.get(key) ?? []) {
      if (seen.has(each)) continue;
      seen.add(each);
      queue.push(each);
    }
  }
  return seen;
}
