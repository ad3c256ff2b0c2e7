import { useSignalEffect } from "@preact/signals";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { code, current, hovered, hoveredLine, index, select, selection, stale, trace } from "../store.js";
import { editorSetup } from "../editor/setup.js";
import { editorRoot } from "../editor/root.js";
import { showMarks } from "../editor/marks.js";
import { pointerLines } from "../editor/pointer.js";
import { t } from "../i18n/translate.js";
import { lineOf, thingOfLine } from "../model/lines.js";
import { edit, runProgram } from "../session.js";

/** The marks the store asks for; none while the text differs from the program that was run. */
function marksNow() {
  if (!index.value || !trace.value || stale.value) return { current: null, linked: [], wrong: null };
  const linked = [lineOf(index.value, hovered.value), lineOf(index.value, selection.value), hoveredLine.value];
  const step = current.value;
  const failed = trace.value.outcome.error?.line ?? null;
  const atEnd = step === null || step.index === trace.value.steps.length - 1;
  return {
    current: step?.line ?? null,
    linked: [...new Set(linked.filter((line) => line !== null))],
    wrong: atEnd ? failed : null,
  };
}

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
    const extensions = [editorSetup({ run: () => void runProgram(), changed: edit }), pointer, labelled];
    const state = EditorState.create({ doc: code.peek(), extensions });
    const root = editorRoot(/** @type {HTMLDivElement} */ (host.current));
    view.current = new EditorView({ state, root, parent: root });
    return () => view.current?.destroy();
  }, []);

  useSignalEffect(() => {
    const text = code.value;
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === text) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
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
