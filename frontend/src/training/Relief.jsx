/** The picture of the loss surface: bands and lines of equal loss, and over them the path of the run. */
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { themeNow } from "../appearance.js";
import { useSize } from "../hooks/useSize.js";
import { t } from "../i18n/translate.js";
import { plain } from "../model/numbers.js";
import { sliderOf, told } from "./slider.js";
import { contour, heightAt, heightsOf, levelsOf, SIDES, ticksIn } from "./surface.js";

/** @typedef {import("./iterations.js").Curve} Curve */
/** @typedef {import("./surface.js").Grid} Grid */

const LEVELS = 9;
const FRAME = { left: 54, right: 12, top: 10, bottom: 38 };
/** Pixels of the screen to one of the painted bands. */
const COARSE = 2;
/** Numbers along a side, at most. */
const TICKS = { across: 6, up: 7 };

/**
 * @param {{ grid: Grid, measured: ReadonlyMap<string, number | null>, x: Curve, y: Curve, losses: Curve, now: number,
 *           open: (at: number) => void }} props
 */
export function Relief({ grid, measured, x, y, losses, now, open }) {
  const host = useRef(/** @type {HTMLDivElement | null} */ (null));
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const pointed = useSignal(/** @type {number | null} */ (null));
  const { width: whole } = useSize(host);
  const width = Math.max(whole - FRAME.left - FRAME.right, 0);
  const height = Math.round(Math.min(Math.max(width * 0.62, 220), 420));
  const side = SIDES.findLast((each) => measured.size >= each * each) ?? SIDES[0];
  const heights = heightsOf(measured, side);
  const levels = levelsOf(heights, LEVELS);
  const theme = themeNow();
  const at = pointed.value ?? now;

  useEffect(() => {
    if (canvas.current && width > 0) paint(canvas.current, { heights, levels, width, height });
  }, [measured, width, height, theme]);

  const place = (/** @type {number} */ turn) => {
    const [a, b] = [x.values[turn], y.values[turn]];
    if (a === null || b === null) return null;
    return { x: partOf(grid.x, a) * width, y: (1 - partOf(grid.y, b)) * height };
  };
  const path = x.values.map((_, turn) => place(turn));
  const here = path[at];
  const cell = { x: width / (side - 1), y: height / (side - 1) };
  return (
    <div
      ref={host}
      class="relief"
      data-testid="surface-path"
      {...sliderOf({ label: t("surface.label", { x: x.label, y: y.label }), curves: [x, y, losses], count: x.values.length, at, open, pointed })}
    >
      <canvas ref={canvas} style={{ left: `${FRAME.left}px`, top: `${FRAME.top}px`, width: `${width}px`, height: `${height}px` }} aria-hidden="true" />
      <svg width={whole} height={height + FRAME.top + FRAME.bottom} aria-hidden="true">
        <g transform={`translate(${FRAME.left} ${FRAME.top})`}>
          <rect class="relief-frame" width={width} height={height} />
          {levels.map((level) => (
            <path
              key={level}
              class="relief-line"
              d={contour(heights, level)
                .map(([x0, y0, x1, y1]) => `M${x0 * cell.x} ${height - y0 * cell.y}L${x1 * cell.x} ${height - y1 * cell.y}`)
                .join("")}
            />
          ))}
          <g class="relief-tick">
            {ticksIn(grid.x, TICKS.across).map((tick) => (
              <text key={tick} x={partOf(grid.x, tick) * width} y={height + 16} text-anchor="middle">
                {plain(tick, 4)}
              </text>
            ))}
            {ticksIn(grid.y, TICKS.up).map((tick) => (
              <text key={tick} x={-8} y={(1 - partOf(grid.y, tick)) * height + 4} text-anchor="end">
                {plain(tick, 4)}
              </text>
            ))}
          </g>
          <text class="relief-name" x={width / 2} y={height + 33} text-anchor="middle">
            {x.label}
          </text>
          <text class="relief-name" x={-44} y={height / 2} text-anchor="middle" transform={`rotate(-90 -44 ${height / 2})`}>
            {y.label}
          </text>
          <path class="relief-path" d={path.reduce((text, point) => (point ? `${text}${text ? "L" : "M"}${point.x} ${point.y}` : text), "")} />
          {path.map(
            (point, turn) =>
              point && (
                <circle
                  key={turn}
                  class={`relief-point${turn === at ? " is-here" : ""}`}
                  cx={point.x}
                  cy={point.y}
                  r={turn === at ? 6 : 4}
                  onPointerEnter={() => (pointed.value = turn)}
                  onClick={() => open(turn)}
                />
              ),
          )}
          {here && (
            <text class="relief-here" x={Math.min(here.x + 10, width - 70)} y={here.y < 24 ? here.y + 20 : here.y - 10}>
              {t("surface.point", { number: at + 1, loss: told(losses, at, 4) })}
            </text>
          )}
        </g>
      </svg>
    </div>
  );
}

/** How far along a range a number is, from 0 to 1. @param {import("./surface.js").Range} range @param {number} number */
const partOf = ({ from, to }, number) => (number - from) / (to - from);

/** Bands of one colour between neighbouring levels. @param {HTMLCanvasElement} canvas @param {{ heights: Array<Array<number | null>>, levels: number[], width: number, height: number }} what */
function paint(canvas, { heights, levels, width, height }) {
  const [columns, rows] = [Math.ceil(width / COARSE), Math.ceil(height / COARSE)];
  Object.assign(canvas, { width: columns, height: rows });
  const context = canvas.getContext("2d");
  if (!context || levels.length === 0) return;
  const style = getComputedStyle(document.documentElement);
  const [low, high] = ["seq-0", "seq-5"].map((name) => channels(style.getPropertyValue(`--${name}`)));
  const picture = context.createImageData(columns, rows);
  const last = heights.length - 1;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const found = heightAt(heights, (column / (columns - 1)) * last, (1 - row / (rows - 1)) * last);
      if (found === null) continue;
      const part = levels.filter((level) => found >= level).length / levels.length;
      const at = 4 * (row * columns + column);
      for (let channel = 0; channel < 3; channel += 1) picture.data[at + channel] = low[channel] + (high[channel] - low[channel]) * part;
      picture.data[at + 3] = 255;
    }
  }
  context.putImageData(picture, 0, 0);
}

/** @param {string} colour  `#rrggbb` */
const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.trim().slice(at, at + 2), 16));
