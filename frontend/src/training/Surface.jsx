/**
 * The way of two numbers of the program over the loss. The path is what the run recorded; the surface under it is
 * measured on demand, one short run of the program for each point.
 * @typedef {import("./iterations.js").Curve} Curve
 * @typedef {import("./iterations.js").Coordinate} Coordinate
 * @typedef {import("./surface.js").Grid} Grid
 */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { codeOfTrace } from "../store.js";
import { t } from "../i18n/translate.js";
import { Relief } from "./Relief.jsx";
import { gridAround, missing, placeOf, pointOf, SIDES } from "./surface.js";
import { survey } from "./survey.js";
import { lossAt } from "./measure.js";

/** @type {ReadonlyMap<string, number | null>} */
const NOTHING = new Map();

/**
 * @param {{ index: import("../model/index.js").Index, training: import("./iterations.js").Training, curves: Curve[], now: number,
 *           open: (at: number) => void }} props
 */
export function Surface({ index, training, curves, now, open }) {
  const axes = useSignal([curves[0].key, curves[1].key]);
  const measured = useSignal(NOTHING);
  const side = useSignal(SIDES[0]);
  const done = useSignal(/** @type {{ left: number, of: number } | null} */ (null));
  const problem = useSignal("");
  const going = useRef(/** @type {AbortController | null} */ (null));
  const [x, y] = axes.value.map((key) => curves.find((curve) => curve.key === key) ?? curves[0]);
  const grid = gridAround(x.values, y.values, side.value);

  const stop = () => {
    going.current?.abort();
    going.current = null;
    done.value = null;
  };
  const clear = () => {
    stop();
    measured.value = NOTHING;
    side.value = SIDES[0];
    problem.value = "";
  };
  useEffect(() => stop, []);
  useEffect(clear, [index]);

  /** @param {number} wanted  points each way */
  const measure = async (wanted) => {
    stop();
    const mine = new AbortController();
    going.current = mine;
    problem.value = "";
    const finer = { ...grid, side: wanted };
    const points = missing(measured.value, wanted);
    const of = points.length;
    done.value = { left: of, of };
    const coordinates = /** @type {[Coordinate, Coordinate]} */ ([x.coordinate, y.coordinate]);
    const ask = lossAt({ index, training, axes: coordinates, program: codeOfTrace.value, seed: index.trace.seed, signal: mine.signal });
    const refused = await survey(points, {
      signal: mine.signal,
      measure: ({ column, row }) => ask(pointOf(finer, column, row)),
      tell: ({ column, row }, value) => {
        measured.value = new Map(measured.value).set(placeOf(wanted, column, row), value);
        done.value = { left: (done.value?.left ?? 1) - 1, of };
      },
    });
    if (mine.signal.aborted) return;
    going.current = null;
    done.value = null;
    if (refused) problem.value = t("surface.refused");
    else side.value = wanted;
  };

  const served = window.location.protocol.startsWith("http");
  const next = SIDES.find((each) => missing(measured.value, each).length > 0);
  const others = training.parameters.length > 2;
  return (
    <figure data-testid="surface">
      <figcaption>{t("surface.title")}</figcaption>
      <div class="surface-tools">
        <Axis label={t("surface.across")} curves={curves} value={x.key} not={y.key} pick={(key) => (clear(), (axes.value = [key, y.key]))} />
        <Axis label={t("surface.up")} curves={curves} value={y.key} not={x.key} pick={(key) => (clear(), (axes.value = [x.key, key]))} />
        {done.value ? (
          <>
            <progress max={done.value.of} value={done.value.of - done.value.left} aria-label={t("surface.progress")} />
            <button type="button" class="button" data-testid="surface-stop" onClick={stop}>
              {t("surface.stop")}
            </button>
          </>
        ) : (
          served &&
          next !== undefined && (
            <button type="button" class="button" data-testid="surface-measure" onClick={() => void measure(next)}>
              {t(measured.value.size === 0 ? "surface.measure" : "surface.finer", { count: missing(measured.value, next).length })}
            </button>
          )
        )}
      </div>
      <Relief grid={grid} measured={measured.value} x={x} y={y} losses={training.losses[0]} now={now} open={open} />
      <p class="soft surface-note" role="status">
        {problem.value || t(others ? "surface.note.others" : "surface.note", { x: x.label, y: y.label, count: measured.value.size })}
      </p>
    </figure>
  );
}

/** @param {{ label: string, curves: Curve[], value: string, not: string, pick: (key: string) => void }} props */
const Axis = ({ label, curves, value, not, pick }) => (
  <label class="surface-axis">
    {label}{" "}
    <select class="small-select" value={value} onChange={(event) => pick(event.currentTarget.value)}>
      {curves.map((curve) => (
        <option key={curve.key} class="code" value={curve.key} disabled={curve.key === not}>
          {curve.label}
        </option>
      ))}
    </select>
  </label>
);
