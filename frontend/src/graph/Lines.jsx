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
        <marker
          key={kind}
          id={`${id}-${kind}`}
          class={`g-arrow g-arrow-${kind}`}
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerWidth="9"
          markerHeight="9"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path d="M0 0.5 8 4 0 7.5z" />
        </marker>
      ))}
    </defs>
  );
}

/**
 * From an AccumulateGrad over to the leaf whose `.grad` it writes.
 * @param {{ pill: import("../layout/types.js").Rect, leaf: import("../layout/types.js").Rect, id: string }} props
 */
export function LeafArch({ pill, leaf, id }) {
  const [from, to] = [pill.x + pill.width / 2, leaf.x + leaf.width / 2];
  const high = Math.min(pill.y, leaf.y) - 22;
  return (
    <path
      class="g-line g-arch"
      d={`M${from} ${pill.y}C${from} ${high} ${to} ${high} ${to} ${leaf.y}`}
      marker-end={`url(#${id}-grad-now)`}
    />
  );
}

/** @param {{ line: Line, phase: string, marks: string, id: string }} props */
export function LinePath({ line, phase, marks, id }) {
  const grad = line.kind === "next" || line.kind === "seed";
  const now = phase === "now" || phase === "waiting";
  const head = line.kind === "saved" ? undefined : `url(#${id}-${grad ? "grad" : "data"}${now ? "-now" : ""})`;
  return <path class={`g-line g-line-${line.kind} is-${phase} ${marks}`} d={pathOf(line)} marker-end={head} />;
}
