/** Texts in the language of the store. Reading one inside a component or effect subscribes it to the language. */
import { signal } from "@preact/signals";
import { language } from "../store.js";
import { en as pageEn } from "./en.js";
import { en as reasonsEn } from "./reasons.en.js";
import { zh as reasonsZh } from "./reasons.zh.js";
import { en as toolsEn } from "./tools.en.js";
import { zh as toolsZh } from "./tools.zh.js";
import { en as trainingEn } from "./training.en.js";
import { zh as trainingZh } from "./training.zh.js";
import { en as workEn } from "./work.en.js";
import { zh as workZh } from "./work.zh.js";
import { zh as pageZh } from "./zh.js";

/** @typedef {keyof typeof pageEn | keyof typeof reasonsEn | keyof typeof toolsEn | keyof typeof trainingEn | keyof typeof workEn} TextKey */

const en = { ...pageEn, ...reasonsEn, ...toolsEn, ...trainingEn, ...workEn };
const TABLES = { en, zh: { ...pageZh, ...reasonsZh, ...toolsZh, ...trainingZh, ...workZh } };

/** Whether every text of these tables is shown between ⟦ and ⟧: what stands outside of them was written past the tables. */
export const marking = signal(false);

/** @param {string} text */
const shown = (text) => (marking.value ? `⟦${text}⟧` : text);

/**
 * @param {TextKey} key
 * @param {Record<string, string | number>} [slots]
 * @returns {string}
 */
export function t(key, slots = {}) {
  return shown(fillSlots(TABLES[language.value][key], slots));
}

/** @param {string} text @param {Record<string, string | number>} slots */
export const fillSlots = (text, slots) =>
  text.replace(/\{(\w+)\}/g, (slot, name) => (name in slots ? String(slots[name]) : slot));

/** @param {string} key @returns {key is TextKey} */
export const isTextKey = (key) => Object.hasOwn(en, key);

/** A list as the language writes it: "a, b" or “a、b”. @param {string[]} items */
export const listed = (items) => items.join(language.value === "zh" ? "、" : ", ");

/** A text that comes in both languages. @param {{ en: string, zh: string }} texts */
export const inTongue = (texts) => shown(texts[language.value]);
