/** Buttons that float over the graph, and the legend. */
import { fitSelection } from "./aim.js";
import { t } from "../i18n/translate.js";

const SIGNS = {
  in: "M8 3.5v9M3.5 8h9",
  out: "M3.5 8h9",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  near: "M6 6h4v4H6zM2.5 5V2.5H5M11 2.5h2.5V5M13.5 11v2.5H11M5 13.5H2.5V11",
  follow: "M8 1.5v3M8 11.5v3M1.5 8h3M11.5 8h3M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
  outline: "M3 4h10M5.5 8H13M5.5 12H13",
  twins: "M2.5 3h4v3h-4zM9.5 3h4v3h-4zM2.5 10h4v3h-4zM9.5 10h4v3h-4z",
  badges: "M2.5 4.5h8v7h-8zM10.5 8h3",
};

/** @param {{ name: keyof typeof SIGNS }} props */
const Sign = ({ name }) => (
  <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <path d={SIGNS[name]} />
  </svg>
);

/**
 * @param {{ view: import("./view.js").View, zoom: (factor: number) => void, fit: () => void }} props
 */
export function Controls({ view, zoom, fit }) {
  const mode = view.drawn.value?.placed.mode ?? "twins";
  const other = mode === "twins" ? "badges" : "twins";
  /** @param {keyof typeof SIGNS} name @param {string} label @param {() => void} act @param {boolean} [pressed] */
  const button = (name, label, act, pressed) => (
    <button type="button" title={label} aria-label={label} aria-pressed={pressed} onClick={act}>
      <Sign name={name} />
    </button>
  );
  return (
    <div class="g-controls" role="toolbar" aria-label={t("graph.controls")}>
      {button("in", t("graph.zoomIn"), () => zoom(1.3))}
      {button("out", t("graph.zoomOut"), () => zoom(1 / 1.3))}
      {button("fit", t("graph.fit"), fit)}
      {button("near", t("graph.near"), () => fitSelection(view))}
      {button(
        "follow",
        t("graph.follow"),
        () => {
          view.follow.value = !view.follow.value;
        },
        view.follow.value,
      )}
      {button(other, t(`graph.mode.${other}`), () => {
        view.mode.value = other;
      })}
      {button(
        "outline",
        t("graph.outline.show"),
        () => {
          view.outline.value = !view.outline.value;
        },
        view.outline.value,
      )}
    </div>
  );
}

/** What colours and lines stand for. @param {{ tints: import("../scene/tint.js").Tints | null }} props */
export function Legend({ tints }) {
  const entry = (
    /** @type {string} */ look,
    /** @type {string} */ text,
    /** @type {preact.ComponentChildren} */ picture,
  ) => (
    <li class={`g-key g-key-${look}`}>
      <svg width="22" height="14" aria-hidden="true">
        {picture}
      </svg>
      {text}
    </li>
  );
  if (tints)
    return (
      <ul class="g-legend" aria-label={t("graph.legend.label")}>
        {tints.legend.map(({ shade, text }) =>
          <li key={text} class={`g-key g-tinted g-${shade}`}>
            <svg width="22" height="14" aria-hidden="true">
              <rect class="g-shape" x="2" y="1.5" width="18" height="11" rx="2" />
            </svg>
            {text}
          </li>,
        )}
      </ul>
    );
  return (
    <ul class="g-legend" aria-label={t("graph.legend.label")}>
      {entry("leaf", t("graph.legend.leaf"), <rect class="g-shape" x="2" y="1.5" width="18" height="11" rx="2" />)}
      {entry("tensor", t("graph.legend.tensor"), <rect class="g-shape" x="2" y="1.5" width="18" height="11" rx="2" />)}
      {entry(
        "constant",
        t("graph.legend.constant"),
        <rect class="g-shape" x="2" y="1.5" width="18" height="11" rx="2" />,
      )}
      {entry(
        "op",
        t("graph.legend.op"),
        <>
          <rect class="g-shape" x="2" y="1.5" width="18" height="11" />
          <rect class="g-inner" x="4.5" y="4" width="13" height="6" />
        </>,
      )}
      {entry("grad", t("graph.legend.node"), <rect class="g-shape" x="1.5" y="1.5" width="19" height="11" rx="5.5" />)}
      {entry("next", t("graph.legend.next"), <path d="M1 7h20" />)}
      {entry("saved", t("graph.legend.saved"), <path d="M1 7h20" />)}
    </ul>
  );
}
