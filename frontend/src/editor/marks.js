/** Lines of the program marked from outside: the step's line, lines linked to what is looked at, the failing line. */
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";

/**
 * @typedef {object} Marks  1-based lines
 * @property {number | null} current
 * @property {number[]} linked
 * @property {number | null} wrong
 * @property {{ column: number | null, text: string } | null} said  what is wrong with that line; a 1-based column
 */

/** @type {import("@codemirror/state").StateEffectType<Marks>} */
const setMarks = StateEffect.define();

const CURRENT = Decoration.line({ class: "line-current" });
const LINKED = Decoration.line({ class: "line-linked" });
const WRONG = Decoration.line({ class: "line-wrong" });

const SPOT = Decoration.mark({ class: "spot-wrong" });

/** A line of its own below the one that is wrong. */
class Said extends WidgetType {
  /** @param {string} text */
  constructor(text) {
    super();
    this.text = text;
  }

  /** @param {Said} other */
  eq(other) {
    return other.text === this.text;
  }

  toDOM() {
    return Object.assign(document.createElement("div"), { className: "line-said", textContent: this.text });
  }
}

/** @param {import("@codemirror/state").Text} doc @param {number | null} wrong @param {Marks["said"]} said */
function sayings(doc, wrong, said) {
  if (!said || wrong === null || wrong < 1 || wrong > doc.lines) return [];
  const line = doc.line(wrong);
  const at = line.from + Math.max((said.column ?? 1) - 1, 0);
  const spot = said.column !== null && at < line.to ? [SPOT.range(at, at + 1)] : [];
  return [...spot, Decoration.widget({ widget: new Said(said.text), block: true, side: 1 }).range(line.to)];
}

/** @param {import("@codemirror/state").Text} doc @param {Marks} marks */
function decorations(doc, { current, linked, wrong, said }) {
  /** @param {number | null} line @param {Decoration} decoration */
  const at = (line, decoration) =>
    line !== null && line >= 1 && line <= doc.lines ? [decoration.range(doc.line(line).from)] : [];
  const ranges = [...at(current, CURRENT), ...at(wrong, WRONG), ...linked.flatMap((line) => at(line, LINKED)), ...sayings(doc, wrong, said)];
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
