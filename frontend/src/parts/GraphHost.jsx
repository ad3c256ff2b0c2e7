import { useEffect, useState } from "preact/hooks";
import { run, trace, training } from "../store.js";
import { t } from "../i18n/translate.js";
import { Search } from "./Search.jsx";

/** Why there is nothing to draw, by how the run ended. @type {Record<string, import("../i18n/translate.js").TextKey>} */
const EMPTY = { ok: "graph.nothing", error: "graph.stopped", output: "graph.stopped" };

/** The training view, loaded when it is first asked for. */
function TrainingHost() {
  const [part, setPart] = useState(/** @type {{ view: import("preact").FunctionComponent } | null} */ (null));
  const wanted = training.value && trace.value !== null;
  useEffect(() => {
    if (wanted && !part) void import("../training/Training.jsx").then(({ Training }) => setPart({ view: Training }));
  }, [wanted]);
  const View = part?.view;
  return wanted && View ? <View /> : null;
}

/** The graph in the middle of the page, loaded apart from it. */
export function GraphHost() {
  const [graph, setGraph] = useState(/** @type {{ view: import("preact").FunctionComponent } | null} */ (null));
  useEffect(() => {
    void import("../graph/Graph.js").then(({ Graph }) => setGraph({ view: Graph }));
  }, []);
  const View = graph?.view;
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
