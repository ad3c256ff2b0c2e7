/**
 * The lines of both graphs and the bridges of saved tensors.
 * @typedef {import("../layout/types.js").Line} Line
 */
import { pathOf } from "../layout/curve.js";

/** Shapes of arrow heads, once per drawing; their colours are in the style sheet. @param {{ id: string }} props */
export function ArrowHeads({ id }) {
  return (
    <defs>
      {["data", "data-now", "grad", "grad-now"].map((kind) => (
        <marker key={kind} id={`${id}-${kind}`} class={`g-arrow g-arrow-${kind}`} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">
          <path d="M0 0.5 8 4 0 7.5z" />
        </marker>
      ))}
    </defs>
  );
}

/** @param {{ line: Line, phase: string, marks: string, id: string }} props */
export function LinePath({ line, phase, marks, id }) {
  const grad = line.kind === "next" || line.kind === "seed";
  const now = phase === "now" || phase === "waiting";
  const head = line.kind === "saved" ? undefined : `url(#${id}-${grad ? "grad" : "data"}${now ? "-now" : ""})`;
  return <path class={`g-line g-line-${line.kind} is-${phase} ${marks}`} d={pathData(line)} marker-end={head} />;
}

/** A bridge and a seed leave sideways; everything else runs up or down. @param {Line} line */
function pathData(line) {
  const [from, to] = [line.points[0], line.points[line.points.length - 1]];
  if (line.kind === "saved") {
    const middle = (from.x + to.x) / 2;
    return `M${from.x} ${from.y}C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
  }
  if (line.kind === "seed" && line.points.length === 2 && from.x < to.x) return `M${from.x} ${from.y}C${to.x} ${from.y} ${to.x} ${from.y} ${to.x} ${to.y}`;
  return pathOf(line.points);
}
