/**
 * How a run ended that did not end well: what it is called, what the sandbox has to say of it, and where that stands in
 * place of the error's own words.
 * @typedef {import("../wire").Outcome} Outcome
 * @typedef {import("../i18n/translate.js").TextKey} TextKey
 * @typedef {{ key: TextKey, slots: Record<string, string> }} Said
 */
import { isTextKey } from "../i18n/translate.js";

const STATUS = /** @type {const} */ (["timeout", "memory", "output", "crash", "too_large"]);

/** What the ending is called, where that is a matter of the service; an error of the program is called by its type. @param {Outcome} outcome @returns {TextKey | null} */
export function endingOf({ status }) {
  const known = STATUS.find((each) => each === status);
  return known ? `status.${known}` : null;
}

/**
 * What is said of it in the words of the page, and what of the error's own is left to say.
 * @typedef {object} Words
 * @property {TextKey | null} title  an error of the program has none
 * @property {Said | null} why  why it ended so, in place of the error's own words
 * @property {Said | null} instead  what there is in place of what the program asked for; the error keeps its own words
 * @property {string | null} own  the error's, or the service's, own words
 */

/** @param {Outcome} outcome @returns {Words} */
export function wordsOf(outcome) {
  const { error, message, reason, reason_values: values, status } = outcome;
  const title = endingOf(outcome);
  const key = `reason.${reason}`;
  const said = isTextKey(key) ? { key, slots: values ?? {} } : null;
  // The sandbox says in English what the page has words of its own for.
  const ofSandbox = error !== null && error.message === message;
  const replaced = said !== null && (title !== null || ofSandbox);
  // Of a limit Python itself has something to say only where memory was refused.
  const thrown = error && (title === null ? !replaced : status === "memory" && !ofSandbox) ? error.message : null;
  const told = title !== null && said === null ? message : null;
  return { title, why: replaced ? said : null, instead: replaced ? null : said, own: thrown || told || null };
}
