import { run, trace, training } from "../store.js";
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
      {empty && <p class="graph-hint">{t(EMPTY[trace.value?.outcome.status ?? "ok"] ?? "graph.lost")}</p>}
      {run.value.state === "running" && <div class="graph-busy" aria-hidden="true" />}
    </>
  );
}
