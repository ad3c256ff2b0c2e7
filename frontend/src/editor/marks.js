/** Lines of the program marked from outside: the step's line, lines linked to what is looked at, the failing line. */
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView } from "@codemirror/view";

/** @typedef {{ current: number | null, linked: number[], wrong: number | null }} Marks  1-based lines */

/** @type {import("@codemirror/state").StateEffectType<Marks>} */
const setMarks = StateEffect.define();

const CURRENT = Decoration.line({ class: "line-current" });
const LINKED = Decoration.line({ class: "line-linked" });
const WRONG = Decoration.line({ class: "line-wrong" });

/** @param {import("@codemirror/state").Text} doc @param {Marks} marks */
function decorations(doc, { current, linked, wrong }) {
  /** @param {number | null} line @param {Decoration} decoration */
  const at = (line, decoration) =>
    line !== null && line >= 1 && line <= doc.lines ? [decoration.range(doc.line(line).from)] : [];
  const ranges = [...at(current, CURRENT), ...at(wrong, WRONG), ...linked.flatMap((line) => at(line, LINKED))];
  return Decoration.set(ranges, true);
}

/** The extension that draws the marks; they move with the text while it is edited. */
export const marksField = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) next = decorations(transaction.state.doc, effect.value);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** @param {EditorView} view @param {Marks} marks */
export const showMarks = (view, marks) => view.dispatch({ effects: setMarks.of(marks) });
