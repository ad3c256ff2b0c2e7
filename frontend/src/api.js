/**
 * The page's only way to the server. Every failure becomes a Refusal; nothing is thrown.
 * @typedef {import("./wire").Trace} Trace
 * @typedef {import("./wire").ExampleList} ExampleList
 * @typedef {{ code: string, seed: number, id: string }} Snippet  a stored program
 * @typedef {{ kind: "empty" | "unreachable" | "busy" | "too_long" | "invalid" | "server" | "aborted" | "gone" | "broken_link",
 *             status: number, detail: string, retryAfter: number | null }} Refusal  `retryAfter` in seconds
 */

/** @type {Record<number, Refusal["kind"]>} */
const KINDS = { 404: "gone", 413: "too_long", 422: "invalid", 429: "busy", 503: "busy" };

/**
 * @template T
 * @param {string} path
 * @param {RequestInit} [init]
 * @returns {Promise<{ ok: T, refusal: null } | { ok: null, refusal: Refusal }>}
 */
async function call(path, init) {
  try {
    const response = await fetch(path, init);
    if (response.ok) return { ok: /** @type {T} */ (await response.json()), refusal: null };
    const problem = await response.json().catch(() => ({}));
    const retryAfter = Number(response.headers.get("retry-after"));
    return {
      ok: null,
      refusal: {
        kind: KINDS[response.status] ?? (response.status >= 502 ? "unreachable" : "server"),
        status: response.status,
        detail: typeof problem.detail === "string" ? problem.detail : "",
        retryAfter: retryAfter > 0 ? retryAfter : null,
      },
    };
  } catch (error) {
    const aborted = error instanceof DOMException && error.name === "AbortError";
    return { ok: null, refusal: { kind: aborted ? "aborted" : "unreachable", status: 0, detail: "", retryAfter: null } };
  }
}

/** @param {string} code @param {number} seed @param {AbortSignal} [signal] @param {Partial<import("./wire").RunOptions>} [options] */
export function postRun(code, seed, signal, options) {
  const body = JSON.stringify({ code, seed, options });
  /** @type {ReturnType<typeof call<Trace>>} */
  const reply = call("api/v1/runs", { method: "POST", headers: { "content-type": "application/json" }, body, signal });
  return reply;
}

export function getExamples() {
  /** @type {ReturnType<typeof call<ExampleList>>} */
  const reply = call("api/v1/examples");
  return reply;
}

/** Store a program, so that a short link can lead to it. @param {string} code @param {number} seed */
export function postSnippet(code, seed) {
  const body = JSON.stringify({ code, seed });
  /** @type {ReturnType<typeof call<Snippet>>} */
  const reply = call("api/v1/snippets", { method: "POST", headers: { "content-type": "application/json" }, body });
  return reply;
}

/** @param {string} id */
export function getSnippet(id) {
  /** @type {ReturnType<typeof call<Snippet>>} */
  const reply = call(`api/v1/snippets/${encodeURIComponent(id)}`);
  return reply;
}
