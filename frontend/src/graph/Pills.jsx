/**
 * The boxes of the backward graph: a pill at the height of its twin, or a badge on it.
 * @typedef {import("../scene/types.js").Pill} Pill
 * @typedef {import("../layout/types.js").Rect} Rect
 * @typedef {import("./Drawing.jsx").Pen} Pen
 */
import { valueText } from "../scene/format.js";
import { badgeText, gradText, groupTitle, tail } from "../scene/labels.js";
import { pillGrad, pillReceived, savedPhase } from "../scene/state.js";
import { tensorName } from "../model/names.js";
import { cut } from "./measure.js";

/** @param {{ pill: Pill, rect: Rect, phase: string, marks: string, pen: Pen }} props */
export function NodePill({ pill, rect, phase, marks, pen }) {
  const { width, height } = rect;
  const near = pen.detail === "near";
  const grad = pillGrad(pen.moment, pill);
  const received = pillReceived(pen.moment, pill);
  const text = grad !== null ? gradText(pen.moment.scene, pill, grad) : received ? valueText(received) : "";
  const small = pill.leaf !== null;
  const kind = `${pill.leaf !== null ? "g-accumulate" : "g-grad"}${pill.custom ? " g-custom" : ""}`;
  const unknown = grad === "none" || grad === "unknown" ? " g-nothing" : "";
  return (
    <g
      class={`g-box g-pill ${kind} is-${phase} ${marks}`}
      transform={`translate(${rect.x} ${rect.y})`}
      {...pen.events(pill.key)}
    >
      <rect class="g-shape" width={width} height={height} rx={height / 2} />
      <text
        class={small ? "g-small" : "g-title"}
        x={width / 2}
        y={near && text ? 18 : height / 2 + 4.5}
        text-anchor="middle"
      >
        {cut(pill.title, width - 20, (each) => pen.measure(each, small ? "small" : "title"))}
      </text>
      {near && text && (
        <text class={`g-meta${unknown}`} x={width / 2} y="34" text-anchor="middle">
          {cut(text, width - 20, (each) => pen.measure(each, "text"))}
        </text>
      )}
      {pill.slots.map((slot, at) => {
        const y = (height * (at + 1)) / (pill.slots.length + 1);
        return (
          <g key={at}>
            <Socket x={0} y={y} phase={savedPhase(pen.moment, pill, slot.released)} />
            {near && (phase === "now" || /is-(selected|lit)/.test(marks)) && (
              <SlotLabel slot={slot} rect={rect} y={y + (at - (pill.slots.length - 1) / 2) * 8} pen={pen} />
            )}
          </g>
        );
      })}
    </g>
  );
}

/**
 * What a slot holds, beside it where nothing else stands.
 * @param {{ slot: import("../scene/types.js").Slot, rect: Rect, y: number, pen: Pen }} props
 */
function SlotLabel({ slot, rect, y, pen }) {
  const text = slotText(pen.moment.scene, slot);
  const width = pen.measure(text, "small");
  if (!pen.free({ x: rect.x - 12 - width, y: rect.y + y - 8, width, height: 16 })) return null;
  return (
    <g class="g-saved">
      <rect x={-12 - width} y={y - 7} width={width + 4} height="14" />
      <text x={-10} y={y + 4} text-anchor="end">
        {text}
      </text>
    </g>
  );
}

/** `other = x (v0)` @param {import("../scene/types.js").Scene} scene @param {import("../scene/types.js").Slot} slot */
function slotText(scene, slot) {
  const name = slot.tensor === null ? "" : tail(tensorName(scene.index, slot.tensor));
  return `${slot.name} = ${name}${slot.version === null ? "" : ` (v${slot.version})`}`;
}

/**
 * Where a saved tensor is kept: full while it is held, an empty slot once it is freed.
 * @param {{ x: number, y: number, phase: string }} props
 */
function Socket({ x, y, phase }) {
  return <rect class={`g-socket is-${phase}`} x={x - 4} y={y - 4} width="8" height="8" rx="1.5" />;
}

/** @param {{ pill: Pill, rect: Rect, phase: string, marks: string, pen: Pen }} props */
export function NodeBadge({ pill, rect, phase, marks, pen }) {
  const grad = pillGrad(pen.moment, pill);
  const received = pillReceived(pen.moment, pill);
  const text = pen.detail === "near" ? badgeText(grad ?? received) : "";
  const held =
    pill.slots.length > 0 && pill.slots.some((slot) => savedPhase(pen.moment, pill, slot.released) === "held");
  return (
    <g
      class={`g-box g-pill g-badge ${pill.leaf !== null ? "g-accumulate" : "g-grad"} is-${phase} ${marks}`}
      transform={`translate(${rect.x} ${rect.y})`}
      {...pen.events(pill.key)}
    >
      <rect class="g-shape" width={rect.width} height={rect.height} rx={rect.height / 2} />
      <text class="g-small" x={text ? 9 : rect.width / 2 - 3.5} y="14">
        ∂
      </text>
      {text && (
        <text class="g-small" x={(rect.width + 10) / 2} y="14" text-anchor="middle">
          {text}
        </text>
      )}
      {pill.slots.length > 0 && (
        <Socket x={rect.width - 2} y={3} phase={held ? "held" : phase === "future" ? "future" : "freed"} />
      )}
    </g>
  );
}

/**
 * Stands for all backward nodes of a collapsed group.
 * @param {{ group: string, rect: Rect, phase: string, marks: string, badge: boolean, pen: Pen }} props
 */
export function GroupPill({ group, rect, phase, marks, badge, pen }) {
  const row = pen.moment.scene.groupOf.get(group);
  if (!row) return null;
  return (
    <g
      class={`g-box g-pill g-grad is-${phase} ${marks}`}
      transform={`translate(${rect.x} ${rect.y})`}
      onClick={() => pen.toggle(group)}
    >
      <rect class="g-shape" width={rect.width} height={rect.height} rx={rect.height / 2} />
      <text class={badge ? "g-small" : "g-title"} x={rect.width / 2} y={rect.height / 2 + 4.5} text-anchor="middle">
        {badge ? "∂" : `∂ ${groupTitle(row, pen.words)}`}
      </text>
    </g>
  );
}
