import { panel, run, trace, training } from "../store.js";
import { useLater } from "../hooks/useLater.js";
import { t } from "../i18n/translate.js";
import { Search } from "./Search.jsx";

/** Why there is nothing to draw, by how the run ended. @type {Record<string, import("../i18n/translate.js").TextKey>} */
const EMPTY = { ok: "graph.nothing", error: "graph.stopped", output: "graph.stopped" };

/** The training view, loaded when it is first asked for. */
function TrainingHost() {
  const wanted = training.value && trace.value !== null;
  const View = useLater(() => import("../training/Training.jsx").then((module) => module.Training), wanted);
  return wanted && View ? <View /> : null;
}

/** Why there is no graph, and on a narrow screen the way to what is said of it. */
function Nothing() {
  const { status = "ok", error = null } = trace.value?.outcome ?? {};
  return (
    <div class="graph-hint">
      <p>{t(EMPTY[status] ?? "graph.lost")}</p>
      {error && (
        <button type="button" class="button narrow-only" data-testid="what-went-wrong" onClick={() => (panel.value = "step")}>
          {t("error.what")}
        </button>
      )}
    </div>
  );
}

/** The graph in the middle of the page, loaded apart from it. */
export function GraphHost() {
  const View = useLater(() => import("../graph/Graph.js").then((module) => module.Graph));
  const empty = trace.value !== null && trace.value.tensors.length === 0;
  return (
    <>
      {View && trace.value && !empty && <View />}
      <TrainingHost />
      <Search />
      {!trace.value && run.value.state !== "running" && <p class="graph-hint">{t("graph.empty")}</p>}
      {!trace.value && run.value.state === "running" && <p class="graph-hint">{t("header.running")}</p>}
      {empty && <Nothing />}
      {run.value.state === "running" && <div class="graph-busy" aria-hidden="true" />}
    </>
  );
}
