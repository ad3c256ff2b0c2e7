/** The program that a link brings along or leads to. */
import { getSnippet } from "./api.js";
import { unpack } from "./model/pack.js";

/**
 * @param {{ snippet: string | null, packed: string | null }} named  id of a stored program; the program itself, packed
 * @returns {Promise<{ code: string | null, refusal: import("./api.js").Refusal | null } | null>} null when it names none
 */
export async function linked({ snippet, packed }) {
  if (snippet) {
    const { ok, refusal } = await getSnippet(snippet);
    return { code: ok?.code ?? null, refusal };
  }
  if (!packed) return null;
  const text = await unpack(packed);
  return { code: text, refusal: text === null ? { kind: "broken_link", status: 0, detail: "", retryAfter: null } : null };
}
