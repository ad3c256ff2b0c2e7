import { describe, expect, it } from "vitest";
import { en as pageEn } from "../src/i18n/en.js";
import { en as reasonsEn } from "../src/i18n/reasons.en.js";
import { zh as reasonsZh } from "../src/i18n/reasons.zh.js";
import { en as toolsEn } from "../src/i18n/tools.en.js";
import { zh as toolsZh } from "../src/i18n/tools.zh.js";
import { en as trainingEn } from "../src/i18n/training.en.js";
import { zh as trainingZh } from "../src/i18n/training.zh.js";
import { en as workEn } from "../src/i18n/work.en.js";
import { zh as workZh } from "../src/i18n/work.zh.js";
import { zh as pageZh } from "../src/i18n/zh.js";
import { explanationOf } from "../src/model/explain.js";

const en = { ...pageEn, ...reasonsEn, ...toolsEn, ...trainingEn, ...workEn };
const zh = { ...pageZh, ...reasonsZh, ...toolsZh, ...trainingZh, ...workZh };

/** @param {string} text */
const slots = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe("the two languages", () => {
  it("have the same keys", () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  });

  it("have the same slots in every text", () => {
    for (const key of /** @type {Array<keyof typeof en>} */ (Object.keys(en))) expect([key, slots(zh[key])]).toEqual([key, slots(en[key])]);
  });

  it("say nothing twice", () => {
    expect(Object.keys(en).length).toBe([pageEn, reasonsEn, toolsEn, trainingEn, workEn].reduce((sum, part) => sum + Object.keys(part).length, 0));
  });

  it("leave no text empty", () => {
    for (const text of [...Object.values(en), ...Object.values(zh)]) expect(text.trim()).not.toBe("");
  });

  it("explain with a cause and a remedy", () => {
    for (const key of Object.keys(en).filter((name) => /^explain\..*\.why$/.test(name))) {
      expect(en).toHaveProperty([key.replace(/\.why$/, ".fix")]);
    }
  });
});

describe("an error's explanation", () => {
  const known = (/** @type {string} */ key) => Object.hasOwn(en, key);
  /** @param {string} type @param {string} message @param {string | null} [explanation] */
  const explain = (type, message, explanation = null) =>
    explanationOf({ type, message, explanation, line: 1, column: null, frames: [], traceback: "" }, known);

  it("is the trace's own where the page has it", () => {
    expect(explain("RuntimeError", "anything", "not_scalar")).toBe("not_scalar");
  });

  it("is found by the message else", () => {
    expect(explain("RuntimeError", "element 0 of tensors does not require grad and does not have a grad_fn")).toBe("no_grad_fn");
    expect(explain("RuntimeError", "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)", "unheard_of")).toBe("matmul_shapes");
  });

  it("falls back to the type, and to nothing", () => {
    expect(explain("NameError", "name 'y' is not defined")).toBe("name");
    expect(explain("ZeroDivisionError", "division by zero")).toBeNull();
  });
});
