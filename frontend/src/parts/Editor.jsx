import { useSignalEffect } from "@preact/signals";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { breakpoints, code, current, fault, hovered, hoveredLine, index, select, selection, stale, trace } from "../store.js";
import { editorSetup } from "../editor/setup.js";
import { editorRoot } from "../editor/root.js";
import { showBreakpoints } from "../editor/breakpoints.js";
import { showMarks } from "../editor/marks.js";
import { pointerLines } from "../editor/pointer.js";
import { t } from "../i18n/translate.js";
import { lineOf, thingOfLine } from "../model/lines.js";
import { edit, runProgram } from "../session.js";

/** The marks the store asks for; none while the text differs from the program that was run. */
function marksNow() {
  if (fault.value && fault.value.program === code.value)
    return { current: null, linked: [], wrong: fault.value.line, said: fault.value };
  if (!index.value || !trace.value || stale.value) return { current: null, linked: [], wrong: null, said: null };
  const linked = [lineOf(index.value, hovered.value), lineOf(index.value, selection.value), hoveredLine.value];
  const step = current.value;
  const { error } = trace.value.outcome;
  const failed = error?.line ?? null;
  const atEnd = step === null || step.index === trace.value.steps.length - 1;
  return {
    current: step?.line ?? null,
    linked: [...new Set(linked.filter((line) => line !== null))],
    wrong: atEnd ? failed : null,
    said: atEnd && error ? { column: error.column ?? null, text: [error.type, firstLine(error.message)].filter(Boolean).join(": ") } : null,
  };
}

/** @param {string} text */
const firstLine = (text) => text.split("\n", 1)[0];

/** @param {number} line */
function clickLine(line) {
  if (index.value && !stale.value) select(thingOfLine(index.value, line));
}

export function Editor() {
  const host = useRef(/** @type {HTMLDivElement | null} */ (null));
  const view = useRef(/** @type {EditorView | null} */ (null));
  const label = useRef(new Compartment());

  useEffect(() => {
    const labelled = label.current.of([]);
    const pointer = pointerLines({ hover: (line) => void (hoveredLine.value = line), click: clickLine });
    const extensions = [editorSetup({ run: () => void runProgram(), changed: edit, stops: (lines) => void (breakpoints.value = lines) }), pointer, labelled];
    const state = EditorState.create({ doc: code.peek(), extensions });
    const root = editorRoot(/** @type {HTMLDivElement} */ (host.current));
    view.current = new EditorView({ state, root, parent: root });
    return () => view.current?.destroy();
  }, []);

  useSignalEffect(() => {
    const text = code.value;
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === text) return;
    const kept = trace.peek() ? [] : breakpoints.peek();
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    // Those of the address belong to the program that it brings; those of a program that is gone go with it.
    breakpoints.value = kept;
    showBreakpoints(editor, kept);
  });

  useSignalEffect(() => {
    const lines = breakpoints.value;
    if (view.current) showBreakpoints(view.current, lines);
  });

  useSignalEffect(() => {
    const marks = marksNow();
    if (view.current) showMarks(view.current, marks);
  });

  useSignalEffect(() => {
    const attributes = EditorView.contentAttributes.of({ "aria-label": t("editor.label"), spellcheck: "false", tabindex: "0" });
    view.current?.dispatch({ effects: label.current.reconfigure(attributes) });
  });

  return <div class="editor" data-testid="editor" ref={host} />;
}
