/** Tells which line the pointer is on and which was clicked. */
import { EditorView } from "@codemirror/view";

/**
 * @param {{ hover: (line: number | null) => void, click: (line: number) => void }} tell lines are 1-based
 */
export function pointerLines({ hover, click }) {
  /** @param {MouseEvent} event @param {EditorView} view */
  const lineAt = (event, view) => {
    const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
    return position === null ? null : view.state.doc.lineAt(position).number;
  };
  return EditorView.domEventHandlers({
    mousemove: (event, view) => hover(lineAt(event, view)),
    mouseleave: () => hover(null),
    click: (event, view) => {
      const line = lineAt(event, view);
      if (line !== null && view.state.selection.main.empty) click(line);
    },
  });
}
