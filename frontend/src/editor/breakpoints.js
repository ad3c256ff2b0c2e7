/** Lines at which the player stops: marked in the gutter, moved with the text, told to whoever asks. */
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { EditorView, gutter, GutterMarker, keymap } from "@codemirror/view";

/** Turn the breakpoint of the line at a position on or off. @type {import("@codemirror/state").StateEffectType<number>} */
const toggled = StateEffect.define({ map: (at, changes) => changes.mapPos(at) });

/** Set all of them anew: 1-based lines. @type {import("@codemirror/state").StateEffectType<readonly number[]>} */
const replaced = StateEffect.define();

class Dot extends GutterMarker {
  toDOM() {
    return Object.assign(document.createElement("span"), { className: "breakpoint", textContent: "●" });
  }
}
const DOT = new Dot();

/** @type {StateField<RangeSet<GutterMarker>>} */
const field = StateField.define({
  create: () => RangeSet.empty,
  update(set, transaction) {
    let next = set.map(transaction.changes);
    const { doc } = transaction.state;
    for (const effect of transaction.effects) {
      if (effect.is(replaced)) {
        const lines = effect.value.filter((line) => line <= doc.lines);
        next = RangeSet.of(lines.map((line) => DOT.range(doc.line(line).from)), true);
      }
      if (!effect.is(toggled)) continue;
      const from = doc.lineAt(effect.value).from;
      const held = linesOf(next, doc).includes(doc.lineAt(from).number);
      next = next.update(held ? { filter: (at) => at !== from } : { add: [DOT.range(from)] });
    }
    return next;
  },
});

/** @param {RangeSet<GutterMarker>} set @param {import("@codemirror/state").Text} doc @returns {number[]} */
function linesOf(set, doc) {
  const lines = [];
  for (let cursor = set.iter(); cursor.value; cursor.next()) lines.push(doc.lineAt(cursor.from).number);
  return [...new Set(lines)];
}

/** @param {(lines: number[]) => void} tell */
export const breakpoints = (tell) => [
  field,
  gutter({
    class: "cm-breakpoints",
    markers: (view) => view.state.field(field),
    initialSpacer: () => DOT,
    domEventHandlers: {
      mousedown: (view, line) => {
        view.dispatch({ effects: toggled.of(line.from) });
        return true;
      },
    },
  }),
  keymap.of([
    {
      key: "F9",
      run: (view) => {
        view.dispatch({ effects: toggled.of(view.state.selection.main.head) });
        return true;
      },
    },
  ]),
  EditorView.updateListener.of((update) => {
    const set = update.state.field(field);
    // Who sets them knows them, also those that the text has no lines for yet.
    const given = update.transactions.some((each) => each.effects.some((effect) => effect.is(replaced)));
    if (!given && set !== update.startState.field(field)) tell(linesOf(set, update.state.doc));
  }),
];

/** @param {EditorView} view @param {readonly number[]} lines */
export function showBreakpoints(view, lines) {
  const shown = linesOf(view.state.field(field), view.state.doc);
  if (shown.join() !== [...lines].join()) view.dispatch({ effects: replaced.of(lines) });
}
