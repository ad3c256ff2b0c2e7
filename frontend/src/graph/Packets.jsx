/**
 * The numbers under way, above everything else. Their place is a function of the step and of how much of the motion
 * into it has passed.
 * @typedef {import("./view.js").View} View
 * @typedef {import("../layout/types.js").Line} Line
 * @typedef {import("../layout/plan.js").Measure} Measure
 */
import { useComputed } from "@preact/signals";
import { lengthOf, pointAt } from "../layout/curve.js";
import { packetsAt, sumsAt } from "../scene/packets.js";

/** Many packets at once carry no labels: they would cover each other. */
const LABELLED = 12;

/** How far before the receiver a packet stops, in pixels. */
const BEFORE = { door: 22, wait: 40 };

/** @param {Line} line @param {"sender" | "wait" | "door"} place @returns {number} fraction of the line */
function placeOn(line, place) {
  if (place === "sender") return 0.04;
  return Math.max(1 - BEFORE[place] / Math.max(lengthOf(line), 1), place === "wait" ? 0.4 : 0.5);
}

/**
 * Whether a label goes to the left: another packet comes to the same box further right.
 * @param {Line} line
 * @param {import("../scene/packets.js").Packet[]} packets
 * @param {Map<string, Line>} lineOf
 */
function leans(line, packets, lineOf) {
  const { x } = line.points[line.points.length - 1];
  return packets.some((packet) => {
    const other = lineOf.get(packet.edge);
    return other && other !== line && other.to === line.to && other.points[other.points.length - 1].x > x;
  });
}

/** Pixels; by the norm of what is carried. @param {import("../scene/packets.js").Packet} packet */
const radius = ({ size }) => 4 + 5.5 * Math.abs(size);

/** @param {{ view: View, measure: Measure, lineOf: Map<string, Line> }} props */
export function Packets({ view, measure, lineOf }) {
  const under = useComputed(() => (view.moment.value ? packetsAt(view.moment.value) : []));
  const moment = view.moment.value;
  const placed = view.drawn.value?.placed;
  if (!moment || !placed) return null;
  const t = view.progress.value;
  // Seen from afar a packet keeps a size that can be seen.
  const scale = view.detail.value === "far" ? 0.6 / view.camera.value.k : 1;
  const packets = under.value;
  return (
    <g class="g-packets">
      {packets.map((packet) => {
        const line = lineOf.get(packet.edge);
        if (!line) return null;
        const [start, rest] = [placeOn(line, packet.start), placeOn(line, packet.rest)];
        const { x, y } = pointAt(line, start + (rest - start) * t);
        const width = measure(packet.text, "title") + 14;
        const left = leans(line, packets, lineOf) ? -26 - width : 0;
        return (
          <g
            key={packet.key}
            class={`g-packet g-packet-${packet.kind}${packet.size < 0 ? " is-odd" : ""}`}
            data-size={packet.size.toFixed(2)}
            transform={`translate(${x} ${y}) scale(${scale})`}
          >
            <circle class="g-halo" r={radius(packet) + 5.5} />
            <circle r={radius(packet)} />
            {packets.length <= (view.detail.value === "far" ? 1 : LABELLED) && (
              <>
                <rect x={13 + left} y="-11" width={width} height="22" rx="6" />
                <text x={13 + left + width / 2} y="4.5" text-anchor="middle">
                  {packet.text}
                </text>
              </>
            )}
          </g>
        );
      })}
      {t > 0.85 &&
        sumsAt(moment).map((sum) => {
          const rect = placed.rects[placed.shownAs[sum.at] ?? sum.at];
          if (!rect) return null;
          const width = measure(sum.text, "title") + 16;
          return (
            <g
              key={sum.at}
              class="g-sum"
              transform={`translate(${rect.x + rect.width / 2} ${rect.y - 15}) scale(${scale})`}
            >
              <rect x={-width / 2} y="-12" width={width} height="24" rx="6" />
              <text y="4.5" text-anchor="middle">
                {sum.text}
              </text>
            </g>
          );
        })}
    </g>
  );
}
