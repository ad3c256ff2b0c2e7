/**
 * Server-sent events of an answer, as they come. EventSource can only GET, and a program is posted.
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{ name: string, data: string }>}
 */
export async function* readEvents(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let seen = 0; // of `text`, known to hold no end of an event
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      for (let end; (end = text.indexOf("\n\n", seen)) >= 0; seen = 0) {
        yield parse(text.slice(0, end));
        text = text.slice(end + 2);
      }
      seen = Math.max(text.length - 1, 0);
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

/** @param {string} event */
function parse(event) {
  const fields = new Map();
  for (const line of event.split("\n")) {
    const colon = line.indexOf(":");
    fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ""));
  }
  return { name: fields.get("event") ?? "message", data: fields.get("data") ?? "" };
}
