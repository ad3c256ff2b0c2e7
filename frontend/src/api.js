/**
 * The page's only way to the server. Every failure becomes a Refusal; nothing is thrown.
 * @typedef {import("./wire").Trace} Trace
 * @typedef {import("./wire").ExampleList} ExampleList
 * @typedef {import("./wire").RunProgress} RunProgress
 * @typedef {{ code: string, seed: number, id: string }} Snippet  a stored program
 * @typedef {{ kind: "empty" | "unreachable" | "busy" | "too_long" | "invalid" | "server" | "aborted" | "gone" | "broken_link",
 *             status: number, detail: string, retryAfter: number | null }} Refusal  `retryAfter` in seconds
 */
/**
 * @template T
 * @typedef {{ ok: T, refusal: null } | { ok: null, refusal: Refusal }} Answer
 */
import { readEvents } from "./events.js";

/** @type {Record<number, Refusal["kind"]>} */
const KINDS = { 404: "gone", 413: "too_long", 422: "invalid", 429: "busy", 503: "busy" };

/**
 * @template T
 * @param {string} path
 * @param {RequestInit} [init]
 * @param {(response: Response) => Promise<Answer<T>>} [read]
 * @returns {Promise<Answer<T>>}
 */
async function call(path, init, read = async (response) => ({ ok: await response.json(), refusal: null })) {
  try {
    const response = await fetch(path, init);
    if (response.ok) return await read(response);
    const problem = await response.json().catch(() => ({}));
    return refused(response.status, problem.detail, response.headers.get("retry-after"));
  } catch (error) {
    const aborted = error instanceof DOMException && error.name === "AbortError";
    return { ok: null, refusal: { kind: aborted ? "aborted" : "unreachable", status: 0, detail: "", retryAfter: null } };
  }
}

/** @param {unknown} body @param {{ signal?: AbortSignal, accept?: string }} [how] @returns {RequestInit} */
const posted = (body, { signal, accept } = {}) => ({
  method: "POST",
  headers: { "content-type": "application/json", ...(accept && { accept }) },
  body: JSON.stringify(body),
  signal,
});

/** @param {number} status @param {unknown} detail @param {unknown} retryAfter @returns {Answer<never>} */
function refused(status, detail, retryAfter) {
  const seconds = Number(retryAfter);
  return {
    ok: null,
    refusal: {
      kind: KINDS[status] ?? (status >= 502 ? "unreachable" : "server"),
      status,
      detail: typeof detail === "string" ? detail : "",
      retryAfter: seconds > 0 ? seconds : null,
    },
  };
}

/**
 * Run a program. A run that takes its time tells where it stands; aborting ends it on the server too.
 * @param {string} code
 * @param {number} seed
 * @param {AbortSignal} [signal]
 * @param {Partial<import("./wire").RunOptions>} [options]
 * @param {(progress: RunProgress) => void} [onProgress]
 */
export function postRun(code, seed, signal, options, onProgress) {
  const accept = "text/event-stream, application/json;q=0.9";
  /** @type {ReturnType<typeof call<Trace>>} */
  const reply = call("api/v1/runs", posted({ code, seed, options }, { signal, accept }), (response) => lastEvent(response, onProgress));
  return reply;
}

/** @param {Response} response @param {((progress: RunProgress) => void) | undefined} onProgress @returns {Promise<Answer<Trace>>} */
async function lastEvent(response, onProgress) {
  const told = response.headers.get("content-type")?.startsWith("text/event-stream");
  if (!told || !response.body) return { ok: await response.json(), refusal: null };
  /** @type {Answer<Trace> | null} */
  let answer = null;
  for await (const { name, data } of readEvents(response.body)) { // to its end, so that the connection can be used again
    const said = JSON.parse(data);
    if (name === "trace") answer = { ok: said, refusal: null };
    else if (name === "problem") answer = refused(said.status, said.detail, said.retry_after);
    else onProgress?.(said);
  }
  if (!answer) throw new TypeError("the answer broke off");
  return answer;
}

export function getExamples() {
  /** @type {ReturnType<typeof call<ExampleList>>} */
  const reply = call("api/v1/examples");
  return reply;
}

/** Store a program, so that a short link can lead to it. @param {string} code @param {number} seed */
export function postSnippet(code, seed) {
  /** @type {ReturnType<typeof call<Snippet>>} */
  const reply = call("api/v1/snippets", posted({ code, seed }));
  return reply;
}

/** @param {string} id */
export function getSnippet(id) {
  /** @type {ReturnType<typeof call<Snippet>>} */
  const reply = call(`api/v1/snippets/${encodeURIComponent(id)}`);
  return reply;
}

/** Run two programs and compare their graphs. @typedef {{ code: string, seed: number }} Asked @param {Asked} before @param {Asked} after @param {AbortSignal} signal */
export function postDiff(before, after, signal) {
  /** @type {ReturnType<typeof call<import("./wire").GraphDiff>>} */
  const reply = call("api/v1/graphs/diff", posted({ before, after }, { signal }));
  return reply;
}

/** Run a program for another form of its graph. @param {string} code @param {number} seed @param {string} accept  media type */
export function postForm(code, seed, accept) {
  return call("api/v1/runs", posted({ code, seed }, { accept }), async (response) => ({ ok: await response.text(), refusal: null }));
}
