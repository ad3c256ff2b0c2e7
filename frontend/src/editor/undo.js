/** What was typed and undone, by program, kept so that a reload takes none of it away. */
import { historyField } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
import { remember, rememberedDocument } from "../memory.js";

const KEPT = "undo";
/** Characters of one program's history that are kept at most; a longer one begins anew after a reload. */
const MOST = 200_000;
const PAUSE = 500;

/** Histories by the id of a program. @type {Map<number, string>} */
const histories = new Map();

/** @param {{ extensions: import("@codemirror/state").Extension, id: number, text: string }} given  the text as it must be */
export function stateOf({ extensions, id, text }) {
  const kept = rememberedDocument(KEPT)?.[id];
  if (kept?.doc === text) {
    try {
      return EditorState.fromJSON(kept, { extensions }, { history: historyField });
    } catch {
      // of another version of the editor
    }
  }
  return EditorState.create({ doc: text, extensions });
}

/** Keeps what the editor tells it, soon and at the latest when the page is left. @param {() => number[]} alive  ids of programs */
export function keepUndo(alive) {
  /** @type {Map<number, EditorState>} */
  const fresh = new Map();
  let timer = 0;
  const write = () => {
    window.clearTimeout(timer);
    for (const [id, state] of fresh) histories.set(id, JSON.stringify(state.toJSON({ history: historyField })));
    fresh.clear();
    const kept = alive().map((id) => [id, histories.get(id)]);
    const rows = kept.flatMap(([id, text]) => (typeof text === "string" && text.length <= MOST ? [`"${id}":${text}`] : []));
    remember(KEPT, `{${rows.join()}}`, { own: true });
  };
  const leave = () => {
    if (fresh.size > 0) write();
  };
  window.addEventListener("pagehide", leave);
  for (const [id, kept] of Object.entries(rememberedDocument(KEPT) ?? {})) histories.set(Number(id), JSON.stringify(kept));
  return {
    /** @param {number} id @param {EditorState} state */
    note(id, state) {
      fresh.set(id, state);
      window.clearTimeout(timer);
      timer = window.setTimeout(write, PAUSE);
    },
    stop() {
      leave();
      window.clearTimeout(timer);
      window.removeEventListener("pagehide", leave);
    },
  };
}
