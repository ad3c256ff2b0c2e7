import { useComputed } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { current, index, loop, step, trace } from "../store.js";
import { useSize } from "../hooks/useSize.js";
import { t } from "../i18n/translate.js";
import { bandsOf } from "../model/bands.js";
import { bytesAt } from "../model/moment.js";
import { bytesPath, edgeOf, middleOf, stepAt } from "../model/scale.js";
import { bytesText, titleOf } from "../model/sentence.js";
import { seek } from "../player/control.js";
import { say } from "./StepCard.jsx";

/** @typedef {import("../model/bands.js").Band} Band */
/** @typedef {import("../model/scale.js").Scale} Scale */

const TRACK = { top: 4, height: 22 };
const BYTES = { top: 46, bottom: 68 };
const HEIGHT = 74;
/** Below this many pixels a step, dots would run together. */
const ROOM_FOR_DOT = 5;

/** One axis for the whole run: bands, a dot per step, bytes saved for backward, and a cursor to drag. */
export function Timeline() {
  const host = useRef(/** @type {HTMLDivElement | null} */ (null));
  const { width } = useSize(host);
  const bands = useComputed(() => (trace.value ? bandsOf(trace.value) : []));
  const count = trace.value?.steps.length ?? 0;
  const scale = { count, width };
  const now = current.value;
  const title = now && index.value ? say(titleOf(index.value, now)) : "";

  // What doesn't change with the step is built once, however many bands there are.
  const ground = useMemo(() => <Ground bands={bands.value} memory={trace.value?.memory ?? []} scale={scale} />, [trace.value, width]);

  /** @param {PointerEvent} event */
  const scrub = (event) => {
    const box = host.current?.getBoundingClientRect();
    if (box && count > 0) seek(stepAt(scale, event.clientX - box.left));
  };

  return (
    <div
      class="timeline"
      data-testid="timeline"
      ref={host}
      role="slider"
      tabIndex={0}
      aria-label={t("timeline.label")}
      aria-valuemin={count ? 1 : 0}
      aria-valuemax={count}
      aria-valuenow={step.value + 1}
      aria-valuetext={now ? t("timeline.value", { step: now.index + 1, count, title }) : t("timeline.empty")}
      aria-disabled={count === 0}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        scrub(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) scrub(event);
      }}
    >
      {count === 0 && <p class="faint timeline-empty">{t("timeline.empty")}</p>}
      {count > 0 && width > 0 && (
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {ground}
          <Looped scale={scale} />
          {width / count >= ROOM_FOR_DOT && <Dots bands={bands.value} scale={scale} />}
          <Cursor scale={scale} />
        </svg>
      )}
      {trace.value && count > 0 && (
        <p class="bytes-label">
          {t("timeline.bytes")} · {t("timeline.now", { bytes: bytesText(bytesAt(trace.value, step.value)) })}
        </p>
      )}
    </div>
  );
}

/**
 * Bands as many as there are pixels at most: of several within one pixel the first stands for all.
 * @param {Band[]} bands @param {Scale} scale
 */
export function drawable(bands, scale) {
  let past = -1;
  return bands.filter((band) => {
    const pixel = Math.floor(edgeOf(scale, band.to + 1));
    const seen = pixel > past;
    if (seen) past = pixel;
    return seen;
  });
}

/** @param {{ bands: Band[], memory: import("../wire").MemoryAt[], scale: Scale }} props */
function Ground({ bands, memory, scale }) {
  return (
    <>
      {drawable(bands, scale).map((band) => (
        <rect
          key={band.from}
          class={`band band-${band.phase}`}
          x={edgeOf(scale, band.from) + 1}
          width={Math.max(edgeOf(scale, band.to + 1) - edgeOf(scale, band.from) - 2, 1)}
          y={TRACK.top}
          height={TRACK.height}
          rx="5"
        />
      ))}
      <path class="bytes-line" d={bytesPath(memory, scale, BYTES)} />
    </>
  );
}

/** @param {{ bands: Band[], scale: Scale }} props */
function Dots({ bands, scale }) {
  const radius = Math.min(4, (0.36 * scale.width) / scale.count);
  return (
    <>
      {bands.flatMap((band) =>
        Array.from({ length: band.to - band.from + 1 }, (_, at) => {
          const place = band.from + at;
          const state = place > step.value ? "coming" : place === step.value ? "here" : "past";
          return (
            <circle key={place} class={`dot dot-${band.phase} dot-${state}`} cx={middleOf(scale, place)} cy={TRACK.top + TRACK.height / 2} r={state === "here" ? radius * 1.5 : radius} />
          );
        }),
      )}
    </>
  );
}

/** The range that is played over and over. @param {{ scale: Scale }} props */
function Looped({ scale }) {
  if (!loop.value) return null;
  const [from, to] = [edgeOf(scale, loop.value.from), edgeOf(scale, loop.value.to + 1)];
  return (
    <g class="looped" data-testid="looped">
      <rect x={from} y="0" width={to - from} height={HEIGHT} />
      <path d={`M${from} 0v${HEIGHT}M${to} 0v${HEIGHT}`} />
    </g>
  );
}

/** @param {{ scale: Scale }} props */
function Cursor({ scale }) {
  if (step.value < 0) return null;
  const x = middleOf(scale, step.value);
  return <path class="cursor" d={`M${x} 0V${HEIGHT}`} />;
}
