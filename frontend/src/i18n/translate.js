/** Texts in the language of the store. Reading one inside a component or effect subscribes it to the language. */
import { language } from "../store.js";
import { en as pageEn } from "./en.js";
import { en as toolsEn } from "./tools.en.js";
import { zh as toolsZh } from "./tools.zh.js";
import { en as trainingEn } from "./training.en.js";
import { zh as trainingZh } from "./training.zh.js";
import { zh as pageZh } from "./zh.js";

/** @typedef {keyof typeof pageEn | keyof typeof toolsEn | keyof typeof trainingEn} TextKey */

const en = { ...pageEn, ...toolsEn, ...trainingEn };
const TABLES = { en, zh: { ...pageZh, ...toolsZh, ...trainingZh } };

/**
 * @param {TextKey} key
 * @param {Record<string, string | number>} [slots]
 * @returns {string}
 */
export function t(key, slots = {}) {
  return fillSlots(TABLES[language.value][key], slots);
}

/** @param {string} text @param {Record<string, string | number>} slots */
export const fillSlots = (text, slots) =>
  text.replace(/\{(\w+)\}/g, (slot, name) => (name in slots ? String(slots[name]) : slot));

/** @param {string} key @returns {key is TextKey} */
export const isTextKey = (key) => Object.hasOwn(en, key);

/** A list as the language writes it: "a, b" or “a、b”. @param {string[]} items */
export const listed = (items) => items.join(language.value === "zh" ? "、" : ", ");
