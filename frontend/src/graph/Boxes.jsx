/**
 * The boxes of the forward graph: tensors, ops, and groups.
 * @typedef {import("../scene/types.js").Item} Item
 * @typedef {import("../layout/types.js").Rect} Rect
 * @typedef {import("../wire").Value} Value
 * @typedef {import("./Drawing.jsx").Pen} Pen
 */
import { BAR, chipWidth } from "../layout/plan.js";
import { HEADER } from "../layout/forward.js";
import { strip } from "../scene/format.js";
import { groupTitle, opTitle, tagOf, tensorLines } from "../scene/labels.js";
import { itemValue } from "../scene/state.js";
import { cut } from "./measure.js";

/** @param {{ item: Item, rect: Rect, phase: string, marks: string, pen: Pen }} props */
export function TensorBox({ item, rect, phase, marks, pen }) {
  const { width, height } = rect;
  const shape = pen.moment.scene.index.tensors.get(item.id)?.shape ?? [];
  const lines = tensorLines(item, itemValue(pen.moment, item), shape, pen.words);
  const near = pen.detail === "near";
  const room = width - 14;
  const middle = width / 2;
  const shift = item.title ? 0 : -17;
  const first = item.title || lines.meta;
  return (
    <g
      class={`g-box g-${item.look} is-${phase} ${marks}`}
      transform={`translate(${rect.x} ${rect.y})`}
      {...pen.events(item.key)}
    >
      <rect class="g-shape" width={width} height={height} rx="4" />
      {item.version > 0 && <path class="g-fold" d={`M${width - 12} 0V12H${width}`} />}
      {(item.title || !near) && (
        <text class={item.title ? "g-title" : "g-meta"} x={middle} y={near ? 20 : height / 2 + 5} text-anchor="middle">
          {cut(first, room, (text) => pen.measure(text, "title"))}
        </text>
      )}
      {near && (
        <text class="g-meta" x={middle} y={37 + shift} text-anchor="middle">
          {cut(lines.meta, room, (text) => pen.measure(text, "text"))}
        </text>
      )}
      {near && lines.body && (
        <text class="g-soft" x={middle} y={54 + shift} text-anchor="middle">
          {cut(lines.body, room, (text) => pen.measure(text, "text"))}
        </text>
      )}
      {near && lines.bars && <Strip value={lines.bars} x={middle} y={44 + shift} />}
    </g>
  );
}

/**
 * The elements of a small tensor as bars, up for positive and down for negative; a cross where there is no number.
 * @param {{ value: Value, x: number, y: number }} props  centre and top
 */
function Strip({ value, x, y }) {
  const heights = strip(value);
  const row = value.shape.length > 1 ? value.shape[value.shape.length - 1] : heights.length;
  const left = x - (heights.length * (BAR.width + BAR.gap)) / 2;
  const zero = y + BAR.height / 2;
  return (
    <g class="g-strip">
      <path d={`M${left} ${zero}h${heights.length * (BAR.width + BAR.gap)}`} />
      {heights.map((height, at) => {
        const from = left + at * (BAR.width + BAR.gap);
        if (height === null) return <path key={at} class="g-odd" d={`M${from} ${zero - 3}l5 6m0 -6l-5 6`} />;
        const tall = Math.max(Math.abs(height) * (BAR.height / 2), 0.75);
        return (
          <rect
            key={at}
            class={`${height < 0 ? "g-minus" : "g-plus"}${Math.floor(at / row) % 2 ? " g-odd-row" : ""}`}
            x={from}
            y={height < 0 ? zero : zero - tall}
            width={BAR.width}
            height={tall}
          />
        );
      })}
    </g>
  );
}

/** @param {{ item: Item, rect: Rect, phase: string, marks: string, pen: Pen }} props */
export function OpBox({ item, rect, phase, marks, pen }) {
  const { width, height } = rect;
  const title = opTitle(item);
  const widths = item.chips.map((chip) => chipWidth(chip.text, pen.measure));
  const total = pen.measure(title, "title") + widths.reduce((sum, each) => sum + each + 6, 0);
  const tag = tagOf(item, pen.words);
  const near = pen.detail === "near";
  const base = tag && near ? 18 : height / 2 + 4.5;
  let x = width / 2 - total / 2;
  const start = x;
  x += pen.measure(title, "title") + 6;
  return (
    <g
      class={`g-box g-op g-${item.flavor} is-${phase} ${marks}`}
      transform={`translate(${rect.x} ${rect.y})`}
      {...pen.events(item.key)}
    >
      <rect class="g-shape" width={width} height={height} />
      <rect class="g-inner" x="3" y="3" width={width - 6} height={height - 6} />
      <text class="g-title" x={start} y={base}>
        {title}
      </text>
      {item.chips.map((chip, at) => {
        const left = x;
        x += widths[at] + 6;
        return (
          <g key={at} class="g-chip">
            <rect x={left} y={base - 13} width={widths[at]} height="18" rx="3" />
            <text x={left + widths[at] / 2} y={base} text-anchor="middle">
              {chip.text}
            </text>
          </g>
        );
      })}
      {tag && near && (
        <text class="g-tag" x={width / 2} y="34" text-anchor="middle">
          {tag}
        </text>
      )}
    </g>
  );
}

/** The frame of an expanded group. @param {{ rect: Rect, phase: string }} props */
export const GroupFrame = ({ rect, phase }) => (
  <rect class={`g-frame is-${phase}`} x={rect.x} y={rect.y} width={rect.width} height={rect.height} rx="8" />
);

/**
 * The title of an expanded group, above its lines; it folds the group.
 * @param {{ name: string, rect: Rect, phase: string, pen: Pen }} props
 */
export function GroupTitle({ name, rect, phase, pen }) {
  const group = pen.moment.scene.groupOf.get(name);
  if (!group) return null;
  return (
    <g class={`g-heading is-${phase}`} transform={`translate(${rect.x} ${rect.y})`}>
      <g class="g-handle" onClick={() => pen.toggle(name)}>
        <rect
          class="g-hit"
          width={Math.min(rect.width, 44 + pen.measure(`${groupTitle(group, pen.words)}${group.module}`, "title"))}
          height={HEADER - 2}
          rx="8"
        />
        <path class="g-sign" d="M10 10l4 5 4 -5" />
        <text class="g-title" x="24" y="17">
          {cut(groupTitle(group, pen.words), rect.width - 34, (text) => pen.measure(text, "title"))}
        </text>
        {group.module && !group.title.startsWith(group.module) && (
          <text class="g-soft" x={30 + pen.measure(groupTitle(group, pen.words), "title")} y="17">
            {group.module}
          </text>
        )}
      </g>
    </g>
  );
}

/**
 * A collapsed group: one box that opens.
 * @param {{ name: string, rect: Rect, phase: string, marks: string, pen: Pen }} props
 */
export function FoldedBox({ name, rect, phase, marks, pen }) {
  const group = pen.moment.scene.groupOf.get(name);
  if (!group) return null;
  const title = groupTitle(group, pen.words);
  const under = title.startsWith(group.module) ? "" : group.module;
  return (
    <g
      class={`g-box g-group is-${phase} ${marks}`}
      transform={`translate(${rect.x} ${rect.y})`}
      onClick={() => pen.toggle(name)}
    >
      <rect class="g-back" x="4" y="-4" width={rect.width - 8} height={rect.height} rx="7" />
      <rect class="g-shape" width={rect.width} height={rect.height} rx="7" />
      <path class="g-sign" d={`M12 ${rect.height / 2 - 4}l5 4 -5 4`} />
      <text class="g-title" x={rect.width / 2 + 6} y={under ? 20 : rect.height / 2 + 5} text-anchor="middle">
        {title}
      </text>
      {under && (
        <text class="g-soft" x={rect.width / 2 + 6} y="36" text-anchor="middle">
          {under}
        </text>
      )}
    </g>
  );
}
