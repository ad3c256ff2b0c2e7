/** Which two programs are compared, and what the server says of them. */
import { computed, effect, signal } from "@preact/signals";
import { postDiff, postRun } from "../api.js";
import { labelOf } from "../names.js";
import { inTongue } from "../i18n/translate.js";
import { openId, programs } from "../programs.js";
import { examples, SEED } from "../session.js";
import { codeOfTrace, compared, comparing, origin, trace } from "../store.js";

/**
 * @typedef {import("../wire").Trace} Trace
 * @typedef {{ state: "idle" } | { state: "working" } | { state: "refused", refusal: import("../api.js").Refusal }
 *         | { state: "ready", before: Trace, after: Trace, diff: import("../wire").GraphDiff }} Comparison
 */

/** @type {import("@preact/signals").Signal<Comparison>} */
export const comparison = signal(/** @type {Comparison} */ ({ state: "idle" }));

/** Everything that can be chosen. */
export const choices = computed(() => ({
  programs: programs.value.map((each) => ({ key: `program:${each.id}`, name: labelOf(each), code: each.code })),
  examples: (examples.value?.examples ?? []).map((each) => ({ key: `example:${each.id}`, name: inTongue(each.title), code: each.code })),
}));

/** @param {string} key */
export const chosen = (key) => [...choices.value.programs, ...choices.value.examples].find((each) => each.key === key) ?? null;

/** The two texts; names that change with the language ask for no other comparison. */
const texts = { before: computed(() => chosen(compared.before.value)?.code), after: computed(() => chosen(compared.after.value)?.code) };

/** The program in the editor after, and before it what it was: its example, else another program. */
export function chooseFirst() {
  const own = chosen(`program:${openId.value}`);
  const began = chosen(`example:${origin.value}`);
  const other = choices.value.programs.findLast((each) => each.key !== own?.key);
  compared.after.value = own?.key ?? "";
  compared.before.value = (began && began.code !== own?.code ? began.key : other?.key) ?? "";
}

/** Bumped to ask the server again. */
const tries = signal(0);
export const again = () => void (tries.value += 1);

/** Compares whenever a choice changes, while the comparison is open. @returns {() => void} stop */
export const keepComparing = () =>
  effect(() => {
    void tries.value;
    const [before, after] = [texts.before.value, texts.after.value];
    if (!comparing.value || before === undefined || after === undefined) {
      comparison.value = { state: "idle" };
      return undefined;
    }
    const mine = new AbortController();
    comparison.value = { state: "working" };
    void compare(before, after, mine.signal).then((found) => {
      if (!mine.signal.aborted) comparison.value = found;
    });
    return () => mine.abort();
  });

/** @param {string} before @param {string} after @param {AbortSignal} signal @returns {Promise<Comparison>} */
async function compare(before, after, signal) {
  const traces = [];
  for (const code of [before, after]) {
    const known = code === codeOfTrace.peek() ? trace.peek() : null;
    const { ok, refusal } = known ? { ok: known, refusal: null } : await postRun(code, SEED, signal);
    if (refusal) return { state: "refused", refusal };
    traces.push(ok);
  }
  const { ok, refusal } = await postDiff({ code: before, seed: SEED }, { code: after, seed: SEED }, signal);
  return refusal ? { state: "refused", refusal } : { state: "ready", before: traces[0], after: traces[1], diff: ok };
}
