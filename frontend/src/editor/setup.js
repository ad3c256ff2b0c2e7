/** The extensions of the program editor. */
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Prec } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { marksField } from "./marks.js";

/** @param {{ run: () => void, changed: (text: string) => void }} tell */
export function editorSetup({ run, changed }) {
  const runKey = { key: "Mod-Enter", preventDefault: true, run: () => (run(), true) };
  return [
    Prec.highest(keymap.of([runKey])),
    lineNumbers(),
    highlightSpecialChars(),
    history(),
    drawSelection(),
    indentUnit.of("    "),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    python(),
    syntaxHighlighting(classHighlighter),
    marksField,
    // Escape, then Tab, leaves the editor: CodeMirror's own way out for keyboard users.
    keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) changed(update.state.doc.toString());
    }),
  ];
}
