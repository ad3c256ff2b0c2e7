/**
 * Curves over iterations, drawn by uPlot. Pointing at an iteration tells its numbers, choosing it opens its graph; the
 * arrow keys do the same, and the table below holds every number.
 * @typedef {import("./iterations.js").Curve} Curve
 */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { themeNow } from "../appearance.js";
import { useSize } from "../hooks/useSize.js";
import { plain } from "../model/numbers.js";
import { reading, sliderOf } from "./slider.js";

const HEIGHT = 190;
/** Dashes beside colours: colour is never the only sign. */
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2], [12, 4]];
/** More points than this are not marked one by one. */
const MARKED = 60;

/**
 * @param {{ label: string, curves: Curve[], now: number, open: (at: number) => void, testId: string }} props
 *   `now`: the iteration of the current step
 */
export function Chart({ label, curves, now, open, testId }) {
  const host = useRef(/** @type {HTMLDivElement | null} */ (null));
  const plot = useSignal(/** @type {UPlot | null} */ (null));
  const { width } = useSize(host);
  const pointed = useSignal(/** @type {number | null} */ (null));
  const count = curves[0]?.values.length ?? 0;
  const at = pointed.value ?? now;
  const theme = themeNow();
  const shape = `${curves.map((curve) => curve.key).join()}|${width}|${theme}`;

  useEffect(() => {
    if (!host.current || width === 0) return undefined;
    const made = new UPlot(optionsOf(curves, width, (at) => void (pointed.value = at)), dataOf(curves), host.current);
    plot.value = made;
    return () => {
      made.destroy();
      plot.value = null;
    };
  }, [shape, curves[0]?.values]);

  return (
    <div class="chart">
      <div
        ref={host}
        class="chart-plot"
        data-testid={testId}
        {...sliderOf({ label, curves, count, at, open, pointed })}
        onClick={() => open(pointed.value ?? now)}
      >
        <Mark plot={plot.value} at={at} strong={pointed.value !== null} key={shape} />
      </div>
      <p class="chart-reading" data-testid={`${testId}-reading`}>
        {reading(curves, at)}
      </p>
    </div>
  );
}

/** The iteration that is shown or pointed at, as a line over the plot. @param {{ plot: UPlot | null, at: number, strong: boolean }} props */
function Mark({ plot, at, strong }) {
  if (!plot) return null;
  const x = plot.over.offsetLeft + plot.valToPos(at + 1, "x");
  return <i class={`chart-mark${strong ? " is-strong" : ""}`} style={{ transform: `translateX(${Math.round(x)}px)`, height: `${plot.over.clientHeight}px`, top: `${plot.over.offsetTop}px` }} />;
}

/** @param {Curve[]} curves @returns {UPlot.AlignedData} */
const dataOf = (curves) => [curves[0].values.map((_, at) => at + 1), ...curves.map((curve) => curve.values)];

/** @param {Curve[]} curves @param {number} width @param {(at: number | null) => void} point @returns {UPlot.Options} */
function optionsOf(curves, width, point) {
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: colour("text-soft"),
    font: `11px ${colour("font-ui")}`,
    grid: { stroke: colour("line"), width: 1 },
    ticks: { show: false },
  };
  const count = curves[0].values.length;
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, x: false, drag: { x: false, y: false }, points: { size: 8 } },
    scales: { x: { time: false, range: [0.5, count + 0.5] } },
    axes: [
      { ...axis, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000], values: (_, ticks) => ticks.map((each) => (Number.isInteger(each) && each >= 1 && each <= count ? String(each) : "")), size: 26 },
      { ...axis, size: 54, values: (_, ticks) => ticks.map((each) => plain(each, 3)) },
    ],
    series: [
      {},
      ...curves.map((curve, at) => ({
        label: curve.label,
        stroke: colour(`curve-${at % 6}`),
        width: 2,
        dash: DASHES[at % 6],
        spanGaps: true,
        points: { show: count <= MARKED, size: 6, fill: colour("panel") },
      })),
    ],
    hooks: { setCursor: [(/** @type {UPlot} */ plot) => void (plot.cursor.left !== undefined && plot.cursor.left >= 0 && point(plot.cursor.idx ?? null))] },
  };
}
