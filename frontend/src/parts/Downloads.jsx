import { useRef, useState } from "preact/hooks";
import { t } from "../i18n/translate.js";
import { openTraceFile, traceText } from "../files/openTrace.js";
import { save, saveText } from "../files/save.js";
import { shownView } from "../graph/shown.js";
import { codeOfTrace, example, language, sharing, step, theme, trace } from "../store.js";

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
      await MAKERS[kind](example.value ?? "autograd");
    } catch {
      setProblem(t("files.failed"));
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
            disabled={busy || !made || (kind !== "json" && kind !== "html" && !shownView.value)}
            onClick={() => void make(kind)}
          >
            {kind === "html" ? t("files.html.short") : kind === "mermaid" ? "Mermaid" : kind.toUpperCase()}
          </button>
        ))}
      </div>
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

/** Each makes a file of that name; what draws and writes is loaded when it is first asked for. */
const MAKERS = {
  svg: async (/** @type {string} */ name) => saveText((await drawn(name)).text, "image/svg+xml", `${name}.svg`),
  png: async (/** @type {string} */ name) => {
    const { pngFiles } = await import("../files/png.js");
    for (const { blob, suffix } of await pngFiles(await drawn(name))) save(blob, `${name}${suffix}.png`);
  },
  dot: async (/** @type {string} */ name) => {
    const { dotOf } = await import("../files/dot.js");
    saveText(dotOf(scene()), "text/vnd.graphviz", `${name}.dot`);
  },
  mermaid: async (/** @type {string} */ name) => {
    const { mermaidOf } = await import("../files/mermaid.js");
    saveText(mermaidOf(scene()), "text/vnd.mermaid", `${name}.mmd`);
  },
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

function scene() {
  const found = shownView.value?.view.drawn.value?.scene;
  if (!found) throw new Error("nothing is drawn");
  return found;
}
