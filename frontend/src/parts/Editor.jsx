import { useSignalEffect } from "@preact/signals";
import { Compartment } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { openId, programs } from "../programs.js";
import { breakpoints, code, current, fault, frame, hovered, hoveredLine, index, select, selection, stale, trace } from "../store.js";
import { editorSetup } from "../editor/setup.js";
import { editorRoot } from "../editor/root.js";
import { showBreakpoints } from "../editor/breakpoints.js";
import { showMarks } from "../editor/marks.js";
import { pointerLines } from "../editor/pointer.js";
import { keepUndo, stateOf } from "../editor/undo.js";
import { t } from "../i18n/translate.js";
import { wordsOf } from "../model/ending.js";
import { lineOf, thingOfLine } from "../model/lines.js";
import { edit, runProgram } from "../session.js";

/** The marks the store asks for; none while the text differs from the program that was run. */
function marksNow() {
  if (fault.value && fault.value.program === code.value)
    return { current: null, linked: [], wrong: fault.value.line, said: fault.value };
  if (!index.value || !trace.value || stale.value) return { current: null, linked: [], wrong: null, said: null };
  const linked = [lineOf(index.value, hovered.value), lineOf(index.value, selection.value), hoveredLine.value];
  const step = current.value;
  const { outcome } = trace.value;
  const { error } = outcome;
  const failed = error?.line ?? null;
  const atEnd = step === null || step.index === trace.value.steps.length - 1;
  return {
    current: step?.line ?? null,
    linked: [...new Set(linked.filter((line) => line !== null))],
    wrong: atEnd ? failed : null,
    said: atEnd && error ? { column: error.column ?? null, text: saidOf(outcome, error) } : null,
  };
}

/** An error in its own words, a limit in those of the page. @param {import("../wire").Outcome} outcome @param {import("../wire").ErrorInfo} error */
function saidOf(outcome, error) {
  const { title, why } = wordsOf(outcome);
  const said = [title && t(title), why && t(why.key, why.slots)].filter(Boolean);
  return said.length > 0 ? said.join(" · ") : [error.type, firstLine(error.message)].filter(Boolean).join(": ");
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
  const setup = useRef(/** @type {import("@codemirror/state").Extension} */ ([]));
  /** The program whose text the editor holds, and the editors of the others as they were left. */
  const inside = useRef(0);
  const states = useRef(/** @type {Map<number, import("@codemirror/state").EditorState>} */ (new Map()));

  useEffect(() => {
    const labelled = label.current.of([]);
    const pointer = pointerLines({ hover: (line) => void (hoveredLine.value = line), click: clickLine });
    const undo = keepUndo(() => programs.peek().map((each) => each.id));
    const noted = EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged && !frame.peek().embed) undo.note(openId.peek(), state);
    });
    const tell = { run: () => void runProgram(), changed: edit, stops: (/** @type {number[]} */ lines) => void (breakpoints.value = lines) };
    setup.current = [editorSetup(tell), pointer, labelled, noted];
    const root = editorRoot(/** @type {HTMLDivElement} */ (host.current));
    view.current = new EditorView({ state: stateOf({ extensions: setup.current, id: openId.peek(), text: code.peek() }), root, parent: root });
    inside.current = openId.peek();
    return () => {
      undo.stop();
      view.current?.destroy();
    };
  }, []);

  useSignalEffect(() => {
    const [id, text] = [openId.value, code.value];
    const editor = view.current;
    if (!editor) return;
    if (id !== inside.current) {
      states.current.set(inside.current, editor.state);
      inside.current = id;
      editor.setState(states.current.get(id) ?? stateOf({ extensions: setup.current, id, text }));
      showBreakpoints(editor, breakpoints.peek());
    }
    if (editor.state.doc.toString() === text) return;
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
    void openId.value;
    const attributes = EditorView.contentAttributes.of({ "aria-label": t("editor.label"), spellcheck: "false", tabindex: "0" });
    view.current?.dispatch({ effects: label.current.reconfigure(attributes) });
  });

  return <div class="editor" data-testid="editor" ref={host} />;
}
