/** The training view: losses and parameters over iterations, and the way two of them take over the loss. */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { index, sought, step, training } from "../store.js";
import { t } from "../i18n/translate.js";
import { seek } from "../player/control.js";
import { Icon } from "../parts/Icon.jsx";
import { Chart } from "./Chart.jsx";
import { ELEMENTS, iterationAt } from "./iterations.js";
import { trainingNow } from "./now.js";
import { Surface } from "./Surface.jsx";
import { Table } from "./Table.jsx";
import "./training.css";

/** @typedef {import("./iterations.js").Curve} Curve */

/** Curves drawn at first, of many. */
const AT_FIRST = 4;

export function Training() {
  const found = trainingNow.value;
  const chosen = useSignal(/** @type {ReadonlySet<string> | null} */ (null));
  const now = useComputed(() => (trainingNow.value ? iterationAt(trainingNow.value, step.value) : 0));
  const way = useRef(/** @type {HTMLButtonElement | null} */ (null));
  useEffect(() => {
    way.current?.focus();
    return () => /** @type {HTMLElement | null} */ (document.querySelector("[data-testid=training-open]"))?.focus();
  }, []);
  const drawn = found ? [...found.parameters, ...found.gradients] : [];
  const picked = chosen.value ?? new Set(drawn.slice(0, AT_FIRST).map((curve) => curve.key));
  if (!found || !index.value) return null;

  /** To the step at which an iteration's loss was known, and back to the graph. @param {number} at */
  const open = (at) => {
    seek(found.steps[at]);
    const id = found.lossTensors[at];
    if (id >= 0) sought.value = { kind: "tensor", id };
    training.value = false;
  };
  /** @param {string} key */
  const choose = (key) => {
    const next = new Set(picked);
    if (!next.delete(key)) next.add(key);
    chosen.value = next;
  };
  const shown = drawn.filter((curve) => picked.has(curve.key));
  const numbers = found.parameters.filter((curve) => curve.coordinate !== null);
  return (
    <section
      class="training"
      data-testid="training"
      aria-label={t("training.title")}
      data-scrolls
      onKeyDown={(event) => {
        if (event.key === "Escape") training.value = false;
      }}
    >
      <header class="training-head">
        <h2>{t("training.title")}</h2>
        <p class="soft">{t("training.about", { count: found.steps.length })}</p>
        <button
          type="button"
          ref={way}
          class="button button-icon button-quiet"
          aria-label={t("training.close")}
          title={t("training.close")}
          onClick={() => (training.value = false)}
        >
          <Icon name="close" />
        </button>
      </header>
      <figure>
        <figcaption>{t("training.losses")}</figcaption>
        <Keys curves={found.losses} />
        <Chart label={t("training.losses")} curves={found.losses} now={now.value} open={open} testId="training-losses" />
      </figure>
      {drawn.length > 0 && (
        <figure>
          <figcaption>{t("training.parameters")}</figcaption>
          <Keys curves={shown} all={drawn} choose={choose} />
          {shown.length > 0 && <Chart label={t("training.parameters")} curves={shown} now={now.value} open={open} testId="training-parameters" />}
        </figure>
      )}
      {numbers.length > 1 ? (
        <Surface index={index.value} training={found} curves={numbers} now={now.value} open={open} />
      ) : (
        drawn.length > 0 && <p class="soft surface-note" data-testid="surface-none">{t("surface.none", { most: ELEMENTS })}</p>
      )}
      <Table curves={[...found.losses, ...shown]} now={now.value} open={open} />
    </section>
  );
}

/**
 * What the lines of a chart are; where there is a choice, every name switches its line on and off.
 * @param {{ curves: Curve[], all?: Curve[], choose?: (key: string) => void }} props
 */
function Keys({ curves, all = curves, choose }) {
  return (
    <ul class="training-keys">
      {all.map((curve) => {
        const at = curves.indexOf(curve);
        const sign = <i class={at < 0 ? "" : `line-${at % 6}`} aria-hidden="true" />;
        return (
          <li key={curve.key}>
            {choose ? (
              <button type="button" aria-pressed={at >= 0} onClick={() => choose(curve.key)}>
                {sign}
                <code>{curve.label}</code>
              </button>
            ) : (
              <span>
                {sign}
                <code>{curve.label}</code>
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
