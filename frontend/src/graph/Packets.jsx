/**
 * The numbers under way, above everything else. Their place is a function of the step and of how much of the motion
 * into it has passed.
 * @typedef {import("./view.js").View} View
 * @typedef {import("../layout/types.js").Line} Line
 * @typedef {import("../layout/plan.js").Measure} Measure
 */
import { useComputed } from "@preact/signals";
import { pointAt } from "../layout/curve.js";
import { packetsAt, sumsAt } from "../scene/packets.js";
import { lineOf } from "./follow.js";
import { LABEL, standing } from "./standing.js";

/** Many packets at once carry no labels: they would cover each other. */
const LABELLED = 12;

/**
 * Whether a label is better at the left: another packet comes to the same box further right.
 * @param {Line} line
 * @param {import("../scene/packets.js").Packet[]} packets
 * @param {Map<string, Line>} lines
 */
function leans(line, packets, lines) {
  const { x } = line.points[line.points.length - 1];
  return packets.some((packet) => {
    const other = lines.get(packet.edge);
    return other && other !== line && other.to === line.to && other.points[other.points.length - 1].x > x;
  });
}

/** Pixels; by the norm of what is carried. @param {import("../scene/packets.js").Packet} packet */
const radius = ({ size }) => 4 + 5.5 * Math.abs(size);

/** @param {{ view: View, measure: Measure }} props */
export function Packets({ view, measure }) {
  // Seen from afar a packet keeps a size that can be seen.
  const scale = useComputed(() => (view.detail.value === "far" ? 0.6 / view.camera.value.k : 1));
  const under = useComputed(() => {
    const [moment, drawn] = [view.moment.value, view.drawn.value];
    if (!moment || !drawn) return [];
    const [packets, lines] = [packetsAt(moment), lineOf(drawn.placed)];
    const labelled = packets.length <= (view.detail.value === "far" ? 1 : LABELLED);
    return packets.flatMap((packet) => {
      const line = lines.get(packet.edge);
      if (!line) return [];
      const width = labelled ? measure(packet.text, "title") + 14 : 0;
      const shape = { radius: radius(packet), width, leans: leans(line, packets, lines), scale: scale.value };
      const [start, rest] = [packet.start, packet.rest].map((place) => standing(drawn.placed, line, { ...shape, place }));
      return [{ packet, line, width, start, rest }];
    });
  });
  const moment = view.moment.value;
  const placed = view.drawn.value?.placed;
  if (!moment || !placed) return null;
  const t = view.progress.value;
  return (
    <g class="g-packets">
      {under.value.map(({ packet, line, width, start, rest }) => {
        const { x, y } = pointAt(line, start.along + (rest.along - start.along) * t);
        const label = rest.left ? -LABEL.beside - width : LABEL.beside;
        return (
          <g
            key={packet.key}
            class={`g-packet g-packet-${packet.kind}${packet.size < 0 ? " is-odd" : ""}`}
            data-size={packet.size.toFixed(2)}
            transform={`translate(${x} ${y}) scale(${scale.value})`}
          >
            <circle class="g-halo" r={radius(packet) + 5.5} />
            <circle r={radius(packet)} />
            {width > 0 && (
              <>
                <rect x={label} y={-LABEL.height / 2} width={width} height={LABEL.height} rx="6" />
                <text x={label + width / 2} y="4.5" text-anchor="middle">
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
              transform={`translate(${rect.x + rect.width / 2} ${rect.y - 15}) scale(${scale.value})`}
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
