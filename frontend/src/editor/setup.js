/** The extensions of the program editor. */
import { autocompletion, closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Prec } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { breakpoints } from "./breakpoints.js";
import { torchCompletion } from "./completion.js";
import { marksField } from "./marks.js";

/** Fetched when the first dot is written. */
const loadNames = () => import("./torchNames.js").then((module) => module.TORCH_NAMES);

/** @param {{ run: () => void, changed: (text: string) => void, stops: (lines: number[]) => void }} tell */
export function editorSetup({ run, changed, stops }) {
  const runKey = { key: "Mod-Enter", preventDefault: true, run: () => (run(), true) };
  return [
    Prec.highest(keymap.of([runKey])),
    breakpoints(stops),
    lineNumbers(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    indentUnit.of("    "),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    python(),
    torchCompletion(loadNames),
    autocompletion({ icons: false }),
    syntaxHighlighting(classHighlighter),
    marksField,
    // Escape, then Tab, leaves the editor: CodeMirror's own way out for keyboard users.
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.state.doc.toString());
    }),
  ];
}
