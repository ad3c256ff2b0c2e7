/**
 * A comparison as a part of a link. Each side is one word: `open` for the program that the link itself opens,
 * `example:ID`, `s:ID` for a stored program, or `code:…` for one that the link carries packed.
 */
import { batch } from "@preact/signals";
import { linked } from "../linked.js";
import { openId, parkProgram, programs } from "../programs.js";
import { compared, comparing } from "../store.js";

/** @typedef {"before" | "after"} Side */
/** @typedef {Record<Side, string | null>} Words */

export const SIDES = /** @type {const} */ (["before", "after"]);

/** The text a link must carry for a side; null where a word says it all. @param {Side} side */
export function textToCarry(side) {
  const id = Number(/^program:(\d+)$/.exec(compared[side].value)?.[1] ?? openId.value);
  return id === openId.value ? null : (programs.value.find((each) => each.id === id)?.code ?? null);
}

/** The word of a side; null where nothing is chosen. @param {Side} side @param {string | null} carried  word for `textToCarry` */
export function wordOf(side, carried) {
  const key = compared[side].value;
  if (key === `program:${openId.value}`) return "open";
  return key.startsWith("example:") ? key : key && carried;
}

/**
 * Open the comparison a link asks for. A program it brings along stands beside those that are there.
 * @param {Words} words
 * @returns {Promise<import("../api.js").Refusal | null>} why a side is left open
 */
export async function openCompared(words) {
  /** @type {import("../api.js").Refusal | null} */
  let problem = null;
  const keys = { before: "", after: "" };
  for (const side of SIDES) {
    const [, kind, rest] = /^(open|example|s|code):?(.*)$/.exec(words[side] ?? "") ?? [];
    if (kind === "open") keys[side] = `program:${openId.peek()}`;
    else if (kind === "example") keys[side] = `example:${rest}`;
    else if (kind) {
      const given = await linked({ snippet: kind === "s" ? rest : null, packed: kind === "code" ? rest : null });
      if (given?.code != null) keys[side] = `program:${parkProgram(given.code)}`;
      problem ??= given?.refusal ?? null;
    }
  }
  batch(() => {
    for (const side of SIDES) compared[side].value = keys[side];
    comparing.value = true;
  });
  return problem;
}
