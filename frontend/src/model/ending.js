/**
 * How a run ended that did not end well: what it is called, and which limit it met.
 * @typedef {import("../wire").Outcome} Outcome
 * @typedef {import("../i18n/translate.js").TextKey} TextKey
 */

const STATUS = /** @type {const} */ (["timeout", "memory", "output", "crash", "too_large"]);

/** What the service says of a limit, in its own language, by the page's words for it. @type {Array<[TextKey, RegExp]>} */
const LIMITS = [
  ["status.timeout.limit", /^Stopped after (?<limit>[\d.]+ s)(?! of)/],
  ["status.processor.limit", /^Stopped after (?<limit>[\d.]+ s) of processor time/],
  ["status.output.limit", /^Output cut at (?<limit>[\d.]+ \w+)\./],
  ["status.too_large.limit", /larger than (?<limit>[\d.]+ \w+): its first (?<kept>[\d,]+) steps/],
  ["status.memory.limit", /(?:may use|than the) (?<limit>[\d.]+ \w+)/],
];

/** What the ending is called, where that is a matter of the service; an error of the program is called by its type. @param {Outcome} outcome @returns {TextKey | null} */
export function endingOf({ status }) {
  const known = STATUS.find((each) => each === status);
  return known ? `status.${known}` : null;
}

/** The limit that was met. @param {Outcome} outcome @returns {{ key: TextKey, slots: Record<string, string> } | null} */
export function limitOf({ message }) {
  for (const [key, pattern] of LIMITS) {
    const found = pattern.exec(message ?? "");
    if (found) return { key, slots: { ...found.groups } };
  }
  return null;
}
