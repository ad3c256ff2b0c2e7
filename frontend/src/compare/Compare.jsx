/** Two programs side by side: their texts, their graphs with what differs coloured, and the differences in words. */
import { signal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Legend } from "../graph/Controls.jsx";
import { t } from "../i18n/translate.js";
import { Icon } from "../parts/Icon.jsx";
import { compared, comparedThing, comparing } from "../store.js";
import { Changes } from "./Changes.jsx";
import { lineDiff } from "./lines.js";
import { SIDES } from "./link.js";
import { Pane } from "./Pane.jsx";
import { again, chooseFirst, choices, chosen, comparison, keepComparing } from "./state.js";
import { diffTints } from "./tints.js";
import "./compare.css";

/** @typedef {import("../store.js").Thing} Thing */

/** Width of the page in pixels, and tensors of a graph, at which there is no room to draw backward nodes apart. */
const NARROW = 1100;
const MOST_TWINS = 24;

export default function Compare() {
  useEffect(() => {
    if (!SIDES.some((side) => compared[side].value)) chooseFirst();
    const stop = keepComparing();
    return () => {
      stop();
      for (const side of SIDES) compared[side].value = "";
      comparedThing.value = null;
    };
  }, []);
  useEffect(() => {
    const leave = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape" && !event.defaultPrevented) comparing.value = false;
    };
    document.addEventListener("keydown", leave);
    return () => document.removeEventListener("keydown", leave);
  }, []);
  return (
    <main class="compare" data-testid="compare-view" aria-labelledby="compare-title">
      <header class="compare-head">
        <h2 id="compare-title">{t("compare.title")}</h2>
        <Chooser side="before" />
        <Chooser side="after" />
        <button type="button" class="button" data-testid="compare-close" onClick={() => (comparing.value = false)}>
          <Icon name="close" />
          {t("compare.close")}
        </button>
      </header>
      <Body />
    </main>
  );
}

/** @param {"before" | "after"} side @param {string} key */
function pick(side, key) {
  compared[side].value = key;
  comparedThing.value = null;
}

/** @param {{ side: "before" | "after" }} props */
function Chooser({ side }) {
  const { programs, examples } = choices.value;
  return (
    <label class="compare-choice">
      <span class="soft">{t(`compare.${side}`)}</span>
      <select data-testid={`choose-${side}`} value={compared[side].value} onChange={(event) => pick(side, event.currentTarget.value)}>
        {compared[side].value === "" && <option value="">{t("compare.choose")}</option>}
        {[/** @type {const} */ (["compare.programs", programs]), /** @type {const} */ (["header.examples", examples])].map(([label, list]) => (
          <optgroup key={label} label={t(label)}>
            {list.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

function Body() {
  const found = comparison.value;
  if (found.state === "idle") return <p class="compare-note">{t("compare.invite")}</p>;
  if (found.state === "working" || (found.state === "refused" && found.refusal.kind === "aborted"))
    return <p class="compare-note" role="status">{t("compare.working")}</p>;
  if (found.state === "refused")
    return (
      <p class="compare-note" role="alert">
        {t(`refused.${/** @type {Exclude<typeof found.refusal.kind, "aborted">} */ (found.refusal.kind)}`)}
        <button type="button" class="button" onClick={again}>
          {t("refused.retry")}
        </button>
      </p>
    );
  const [before, after] = [chosen(compared.before.value), chosen(compared.after.value)];
  if (!before || !after) return null;
  return <Both key={`${before.key} ${after.key}`} {...{ found, before, after }} />;
}

/**
 * @param {{ found: Extract<import("./state.js").Comparison, { state: "ready" }>,
 *           before: { name: string, code: string }, after: { name: string, code: string } }} props
 */
function Both({ found, before, after }) {
  const { diff } = found;
  const marked = useMemo(() => lineDiff(before.code, after.code), []);
  const selected = useMemo(() => {
    const none = () => signal(/** @type {Thing | null} */ (null));
    return { before: none(), after: none() };
  }, []);
  // A changed node is chosen in both graphs.
  useSignalEffect(() => {
    const { side, thing } = comparedThing.value ?? { side: /** @type {const} */ ("before"), thing: null };
    const other = side === "before" ? "after" : "before";
    const twin = thing?.kind === "node" ? diff.nodes.changed.find((each) => each[side].id === thing.id) : undefined;
    selected[side].value = thing;
    selected[other].value = twin ? { kind: "node", id: twin[other].id } : null;
  });
  /** @param {"before" | "after"} side @param {Thing | null} thing */
  const choose = (side, thing) => {
    comparedThing.value = thing && { side, thing };
  };
  // The same way in both, or the eye would compare the ways.
  const large = window.innerWidth < NARROW || Math.max(found.before.tensors.length, found.after.tensors.length) > MOST_TWINS;
  const drawing = large ? "badges" : "twins";
  const { added, removed, changed, unchanged } = diff.nodes;
  const counts = { added: added.length, removed: removed.length, changed: changed.length, unchanged };
  const pane = (/** @type {"before" | "after"} */ side, /** @type {{ name: string, code: string }} */ { name, code }, /** @type {Set<number>} */ lines) => (
    <Pane side={side} name={name} code={code} marked={lines} trace={found[side]} diff={diff} drawing={drawing} selection={selected[side]} choose={(thing) => choose(side, thing)} />
  );
  return (
    <>
      <p class="compare-counts" role="status" data-testid="compare-counts">
        <span>{diff.same ? t("compare.same") : t("compare.counts", counts)}</span>
        <Legend tints={{ of: () => null, legend: diffTints(diff, "after", (kind) => t(`compare.${kind}`))(/** @type {any} */ (null)).legend }} />
      </p>
      <div class="compare-panes">
        {pane("before", before, marked.removed)}
        {pane("after", after, marked.added)}
      </div>
      <Changes diff={diff} choose={(side, node) => choose(side, { kind: "node", id: node })} />
    </>
  );
}
