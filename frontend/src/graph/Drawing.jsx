/**
 * The near picture: what of the graph is on screen, as SVG.
 * @typedef {import("./view.js").View} View
 * @typedef {import("../layout/plan.js").Measure} Measure
 * @typedef {import("../scene/labels.js").Words} Words
 * @typedef {import("../scene/state.js").Moment} Moment
 * @typedef {import("../layout/types.js").Rect} Rect
 */
import { useComputed } from "@preact/signals";
import { t } from "../i18n/translate.js";
import { FoldedBox, GroupFrame, GroupTitle, OpBox, TensorBox } from "./Boxes.jsx";
import { ArrowHeads, LeafArch, LinePath } from "./Lines.jsx";
import { boxPhase, edgeTable, foldedPhase, linePhase } from "./look.js";
import { Deeds } from "./Deeds.jsx";
import { lineOf } from "./follow.js";
import { Packets } from "./Packets.jsx";
import { GroupPill, NodeBadge, NodePill } from "./Pills.jsx";

/**
 * @typedef {object} Pen  what every shape needs to draw itself
 * @property {Moment} moment
 * @property {"far" | "middle" | "near"} detail
 * @property {Words} words
 * @property {Measure} measure
 * @property {(key: string) => Record<string, (event: Event) => void>} events
 * @property {(group: string) => void} toggle
 * @property {(area: import("../layout/types.js").Rect) => boolean} free  whether no box lies there
 */

const ARROWS = "g-arrow";

/** @param {{ view: View, words: Words, measure: Measure, events: Pen["events"], toggle: Pen["toggle"] }} props */
export function Drawing({ view, words, measure, events, toggle }) {
  const transform = useComputed(
    () => `translate(${view.camera.value.x} ${view.camera.value.y}) scale(${view.camera.value.k})`,
  );
  const tables = useComputed(
    () =>
      view.drawn.value && {
        edges: edgeTable(view.drawn.value.scene),
        lineOf: lineOf(view.drawn.value.placed),
        open: new Set(view.drawn.value.placed.open),
      },
  );
  return (
    <svg class="g-near" aria-hidden="true" width={view.size.value.width} height={view.size.value.height}>
      <ArrowHeads id={ARROWS} />
      <g transform={transform}>
        {view.detail.value !== "far" && <Sides view={view} />}
        {view.detail.value !== "far" && <Shapes {...{ view, words, measure, events, toggle, tables }} />}
        {view.detail.value !== "far" && <Deeds view={view} measure={measure} />}
        {tables.value && <Packets view={view} measure={measure} />}
      </g>
    </svg>
  );
}

/** The names of the two halves and the line between them. @param {{ view: View }} props */
function Sides({ view }) {
  const placed = view.drawn.value?.placed;
  if (!placed || placed.mode !== "twins" || !view.drawn.value?.scene.pills.length) return null;
  const { bounds, axis } = placed;
  const quarter = (bounds.x + bounds.width - axis) / 2;
  return (
    <g>
      <path class="g-axis" d={`M${axis} ${bounds.y - 44}V${bounds.y + bounds.height}`} />
      <text class="g-side g-side-forward" x={axis - quarter} y={bounds.y - 38} text-anchor="middle">
        {t("graph.side.forward")}
      </text>
      <text class="g-side g-side-backward" x={axis + quarter} y={bounds.y - 38} text-anchor="middle">
        {t("graph.side.backward")}
      </text>
    </g>
  );
}

/**
 * @param {{ view: View, words: Words, measure: Measure, events: Pen["events"], toggle: Pen["toggle"],
 *           tables: import("@preact/signals").ReadonlySignal<
 *             { edges: ReturnType<typeof edgeTable>, open: Set<string> } | null> }} props
 */
function Shapes({ view, words, measure, events, toggle, tables }) {
  const drawn = view.drawn.value;
  const moment = view.moment.value;
  const visible = view.visible.value;
  const table = tables.value;
  if (!drawn || !moment || !visible || !table) return null;
  const { scene, placed } = drawn;
  const related = view.related.value;
  const lit = view.lit.value;
  const boxes = visible.boxes.filter((key) => !table.open.has(key));
  /** @type {Pen} */
  const pen = {
    moment,
    detail: view.detail.value,
    words,
    measure,
    events,
    toggle,
    free: (area) => !boxes.some((key) => overlap(placed.rects[key], area)),
  };
  /** @param {string} key */
  const marks = (key) => `${tone(view, key)} ${place(key)}`;
  /** @param {string} key */
  const place = (key) => {
    const hover = lit.has(key) ? " is-lit" : "";
    if (!related) return hover;
    if (related.selected.has(key)) return `is-selected${hover}`;
    return related.around.has(key) ? `is-related${hover}` : `is-apart${hover}`;
  };
  /** @param {import("../layout/types.js").Line} line */
  const lineMarks = (line) => {
    if (!related) return "";
    const inside = (/** @type {string} */ key) => related.selected.has(key) || related.around.has(key);
    if (line.kind === "saved")
      return related.selected.has(line.from) || related.selected.has(line.to) ? "is-related" : "is-apart";
    return inside(line.from) && inside(line.to) ? "is-related" : "is-apart";
  };
  const shown = visible.lines.filter((line) =>
    wantsLine(line, placed.mode, linePhase(moment, line, table.edges), related, moment),
  );
  return (
    <>
      {placed.open
        .filter((key) => visible.boxes.includes(key))
        .map((key) => (
          <GroupFrame key={key} rect={placed.rects[key]} phase={foldedPhase(moment, placed, key)} />
        ))}
      {shown.map((line) => (
        <LinePath
          key={`${line.kind}${line.key}`}
          line={line}
          phase={linePhase(moment, line, table.edges)}
          marks={lineMarks(line)}
          id={ARROWS}
        />
      ))}
      {placed.mode === "twins" &&
        boxes.map((key) => {
          const pill = scene.pillOf.get(key);
          const leaf = pill?.leaf != null && pill.twin !== null ? placed.rects[pill.twin] : undefined;
          const shows = leaf && (moment.focus.has(key) || lit.has(key) || related?.selected.has(key));
          return shows && <LeafArch key={key} pill={placed.rects[key]} leaf={leaf} id={ARROWS} />;
        })}
      {placed.open
        .filter((key) => visible.boxes.includes(key))
        .map((key) => (
          <GroupTitle
            key={key}
            name={key}
            rect={placed.rects[key]}
            phase={foldedPhase(moment, placed, key)}
            pen={pen}
          />
        ))}
      {boxes.map((key) => {
        const rect = placed.rects[key];
        const item = scene.itemOf.get(key);
        if (item) {
          const Box = item.kind === "op" ? OpBox : TensorBox;
          return <Box key={key} item={item} rect={rect} phase={boxPhase(moment, key)} marks={marks(key)} pen={pen} />;
        }
        const pill = scene.pillOf.get(key);
        const Node = placed.mode === "badges" ? NodeBadge : NodePill;
        if (pill)
          return <Node key={key} pill={pill} rect={rect} phase={boxPhase(moment, key)} marks={marks(key)} pen={pen} />;
        const phase = foldedPhase(moment, placed, key);
        if (key.endsWith("|b"))
          return (
            <GroupPill
              key={key}
              group={key.slice(0, -2)}
              rect={rect}
              phase={phase}
              marks={marks(key)}
              badge={placed.mode === "badges"}
              pen={pen}
            />
          );
        return <FoldedBox key={key} name={key} rect={rect} phase={phase} marks={marks(key)} pen={pen} />;
      })}
      {pen.detail === "near" &&
        boxes.map((key) => <ToneLabel key={key} view={view} name={key} rect={placed.rects[key]} />)}
    </>
  );
}

/** Classes of a box's colour. @param {View} view @param {string} key */
function tone(view, key) {
  if (view.oddOf(key)) return "is-odd";
  const tint = view.tints.value?.of(key);
  return tint ? `g-tinted g-${tint.shade}` : view.tints.value ? "g-tinted" : "";
}

/** What the colour of a box stands for, above its corner. @param {{ view: View, name: string, rect: Rect }} props */
function ToneLabel({ view, name, rect }) {
  const odd = view.oddOf(name);
  const text = odd ? ODD[odd] : view.tints.value?.of(name)?.text;
  if (!text) return null;
  return (
    <text class={`g-tone${odd ? " g-tone-odd" : ""}`} x={rect.x + 4} y={rect.y - 4}>
      {text}
    </text>
  );
}

const ODD = { nan: "NaN", inf: "Inf" };

/** @param {Rect} a @param {Rect} b */
const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/**
 * With badges the backward lines lie on the forward ones, so only what moves or is asked for is drawn.
 * @param {import("../layout/types.js").Line} line @param {"twins" | "badges"} mode @param {string} phase
 * @param {{ selected: Set<string> } | null} related @param {Moment} moment
 */
function wantsLine(line, mode, phase, related, moment) {
  if (line.kind === "saved" && (phase === "freed" || phase === "future")) return false;
  if (line.kind === "seed" && (phase === "future" || phase === "idle")) return false;
  if (mode === "twins" || line.kind === "data") return true;
  const asked = related?.selected.has(line.from) || related?.selected.has(line.to);
  if (line.kind === "saved") return asked || moment.focus.has(line.to);
  return phase === "now" || phase === "waiting" || (phase !== "future" && Boolean(asked));
}
