/** What a program is called on the page: its example, its first comment, else its number. */
import { inTongue, t } from "./i18n/translate.js";
import { nameIn } from "./model/programName.js";
import { examples } from "./session.js";

/** @param {import("./programs.js").Program} program */
export function labelOf({ id, code, example }) {
  const titles = examples.value?.examples.find((item) => item.id === example)?.title;
  return titles ? inTongue(titles) : (nameIn(code) ?? t("programs.unnamed", { number: id }));
}
