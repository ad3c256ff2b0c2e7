import { useRef, useState } from "preact/hooks";
import { t } from "../i18n/translate.js";
import { stepsShown } from "../files/moments.js";
import { openTraceFile, traceText } from "../files/openTrace.js";
import { save, saveText } from "../files/save.js";
import { shownView } from "../graph/shown.js";
import { postForm } from "../api.js";
import { titleOf } from "../model/sentence.js";
import { SEED } from "../session.js";
import { codeOfTrace, example, index, language, sharing, speed, step, theme, trace } from "../store.js";
import { say } from "./StepCard.jsx";

/** The graph and the run as files, and a run from a file. */
export function Downloads() {
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const picker = useRef(/** @type {HTMLInputElement | null} */ (null));
  const made = trace.value;
  /** @param {keyof typeof MAKERS} kind */
  const make = async (kind) => {
    setProblem("");
    setBusy(true);
    try {
      await MAKERS[kind](example.value ?? "autograd", (share) => setProblem(t("files.making", { percent: Math.round(share * 100) })));
      setProblem("");
    } catch (error) {
      setProblem(error instanceof NotSent ? error.message : t("files.failed"));
    }
    setBusy(false);
  };
  return (
    <>
      <h3>{t("files.title")}</h3>
      <div class="share-files">
        {/** @type {Array<keyof typeof MAKERS>} */ (Object.keys(MAKERS)).map((kind) => (
          <button
            key={kind}
            type="button"
            class="button"
            data-testid={`save-${kind}`}
            title={t(`files.${kind}`)}
            disabled={busy || !made || !possible(kind)}
            onClick={() => void make(kind)}
          >
            {kind === "html" ? t("files.html.short") : kind === "mermaid" ? "Mermaid" : kind.toUpperCase()}
          </button>
        ))}
      </div>
      <ShownSteps />
      <p class="soft" role="status">{problem}</p>
      <h3>{t("files.open")}</h3>
      <div class="share-files">
        <button type="button" class="button" onClick={() => picker.current?.click()}>
          {t("files.choose")}
        </button>
        <span class="soft">{t("files.drop")}</span>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".json,application/json"
          data-testid="open-file"
          aria-label={t("files.open")}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            sharing.value = false;
            if (file) void openTraceFile(file);
          }}
        />
      </div>
    </>
  );
}

/** Which steps a moving picture of a long run shows. */
function ShownSteps() {
  const count = trace.value?.steps.length ?? 0;
  const drawn = shownView.value?.view.drawn.value;
  if (!drawn || count === 0) return null;
  const { first, last } = stepsShown(count, step.value, Object.keys(drawn.placed.rects).length);
  if (last - first + 1 === count) return null;
  return (
    <p class="soft" data-testid="gif-steps">
      {t("files.gif.part", { most: last - first + 1, first: first + 1, last: last + 1, count })}
    </p>
  );
}

/** Of a program that the server is asked for again; of the graph on the page. */
const ASKED = ["dot", "mermaid"];
const DRAWN = ["svg", "png", "gif"];

/** @param {string} kind */
const possible = (kind) => (ASKED.includes(kind) ? codeOfTrace.value !== "" : !DRAWN.includes(kind) || shownView.value !== null);

/** The server would not make it; the message is for the page. */
class NotSent extends Error {}

/** The graph in a form that the server writes. @param {string} accept */
async function form(accept) {
  const { ok, refusal } = await postForm(codeOfTrace.value, SEED, accept);
  if (refusal) throw new NotSent(t(`refused.${/** @type {Exclude<typeof refusal.kind, "aborted">} */ (refusal.kind)}`));
  return ok;
}

/** Each makes a file of that name; what draws and writes is loaded when it is first asked for. */
const MAKERS = {
  svg: async (/** @type {string} */ name) => saveText((await drawn(name)).text, "image/svg+xml", `${name}.svg`),
  png: async (/** @type {string} */ name) => {
    const { pngFiles } = await import("../files/png.js");
    for (const { blob, suffix } of await pngFiles(await drawn(name))) save(blob, `${name}${suffix}.png`);
  },
  gif: async (/** @type {string} */ name, /** @type {(share: number) => void} */ tell) => {
    const { animationOf } = await import("../files/animation.js");
    const [shown, table] = [shownView.value, index.value];
    if (!shown || !table) return;
    const style = getComputedStyle(document.documentElement);
    const colour = (/** @type {string} */ key) => style.getPropertyValue(`--${key}`);
    const count = table.trace.steps.length;
    const blob = await animationOf(shown, {
      step: step.value,
      speed: speed.value,
      captionOf: (at) => t("timeline.value", { step: at + 1, count, title: say(titleOf(table, table.trace.steps[at])) }),
      colours: { ground: colour("page"), text: colour("text"), font: colour("font-ui") },
      tell,
    });
    save(blob, `${name}.gif`);
  },
  dot: async (/** @type {string} */ name) => saveText(await form("text/vnd.graphviz"), "text/vnd.graphviz", `${name}.dot`),
  mermaid: async (/** @type {string} */ name) => saveText(await form("text/vnd.mermaid"), "text/vnd.mermaid", `${name}.mmd`),
  json: async (/** @type {string} */ name) => {
    if (trace.value) saveText(traceText(trace.value, codeOfTrace.value), "application/json", `${name}.trace.json`);
  },
  html: async (/** @type {string} */ name) => {
    const { fetchPlayer, offlinePage } = await import("../files/offlinePage.js");
    if (!trace.value) return;
    const run = { trace: trace.value, program: codeOfTrace.value, step: step.value, language: language.value, theme: theme.value };
    saveText(offlinePage(await fetchPlayer(), run, `${t("app.title")} · ${name}`), "text/html", `${name}.html`);
  },
};

/** @param {string} name */
async function drawn(name) {
  const { wholeGraph } = await import("../files/picture.jsx");
  const picture = shownView.value && wholeGraph(shownView.value, name);
  if (!picture) throw new Error("nothing is drawn");
  return picture;
}
