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
  /** Where the button went down. @type {{ x: number, y: number } | null} */
  let down = null;
  // The text may scroll under a pointer at rest, which selects some of it; that is a click all the same.
  /** @param {MouseEvent} event */
  const atRest = (event) => event.detail === 1 && !event.shiftKey && down?.x === event.clientX && down.y === event.clientY;
  return EditorView.domEventHandlers({
    mousedown: (event) => void (down = { x: event.clientX, y: event.clientY }),
    mousemove: (event, view) => hover(lineAt(event, view)),
    mouseleave: () => hover(null),
    click: (event, view) => {
      const line = lineAt(event, view);
      if (line !== null && (view.state.selection.main.empty || atRest(event))) click(line);
    },
  });
}
