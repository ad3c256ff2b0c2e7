/**
 * How a run ended that did not end well: what it is called, and what the sandbox has to say of it.
 * @typedef {import("../wire").Outcome} Outcome
 * @typedef {import("../i18n/translate.js").TextKey} TextKey
 */
import { isTextKey } from "../i18n/translate.js";

const STATUS = /** @type {const} */ (["timeout", "memory", "output", "crash", "too_large"]);

/** What the ending is called, where that is a matter of the service; an error of the program is called by its type. @param {Outcome} outcome @returns {TextKey | null} */
export function endingOf({ status }) {
  const known = STATUS.find((each) => each === status);
  return known ? `status.${known}` : null;
}

/** Why it ended so, or what there is instead of what is missing. @param {Outcome} outcome @returns {{ key: TextKey, slots: Record<string, string> } | null} */
export function reasonOf({ reason, reason_values: values }) {
  const key = `reason.${reason}`;
  return isTextKey(key) ? { key, slots: values ?? {} } : null;
}

/** Whether the words of an error are those of the sandbox, which the page has words of its own for. @param {Outcome} outcome */
export const isOfSandbox = ({ error, message }) => error !== null && error.message === message;
