import { index, step } from "../store.js";
import { t } from "../i18n/translate.js";
import { nodeLabel } from "../model/names.js";
import { backwardAt, queueAt } from "../model/moment.js";
import { Panel } from "./Panel.jsx";
import { shortName, ThingLink, ThingList } from "./ThingLink.jsx";

/** More nodes than this are counted instead of named. */
const NAMED = 12;

/** The engine's ready queue, dependency counts and finished nodes at this step. */
export function Queue() {
  const table = index.value;
  const call = table ? backwardAt(table.trace, step.value) : null;
  const queue = table ? queueAt(table.trace, step.value) : null;
  return (
    <Panel title={t("queue.title")} class="queue-panel">
      {!table || !call || !queue ? <p class="faint">{t("queue.idle")}</p> : <QueueRows table={table} call={call} queue={queue} />}
    </Panel>
  );
}

/**
 * @param {{ table: import("../model/index.js").Index, call: import("../wire").BackwardInfo,
 *           queue: import("../wire").QueueState }} props
 */
function QueueRows({ table, call, queue }) {
  const done = [
    ...new Set(
      table.trace.steps
        .slice(call.start_step, step.value + 1)
        .flatMap((item) => ((item.kind === "node_apply" || item.kind === "accumulate") && item.node != null ? [item.node] : [])),
    ),
  ];
  return (
    <dl class="rows">
      <dt>{t("queue.ready")}</dt>
      <dd>
        <Nodes ids={queue.ready} />
      </dd>
      <dt>{t("queue.waiting")}</dt>
      <dd>
        {queue.waiting.length === 0 && "–"}
        <span class="thing-list">
          {queue.waiting.slice(0, NAMED).map(([id, count]) => (
            <span key={id} class="waiting" title={t(count === 1 ? "queue.waits.one" : "queue.waits.many", { node: table.nodes.get(id)?.name ?? "", count })}>
              <ThingLink thing={{ kind: "node", id }} text={shortName(nodeLabel(table, id))} /> <b>{count}</b>
            </span>
          ))}
          {queue.waiting.length > NAMED && <span>+{queue.waiting.length - NAMED}</span>}
        </span>
      </dd>
      <dt>{t("queue.done")}</dt>
      <dd>
        <Nodes ids={done} />
      </dd>
    </dl>
  );
}

/** @param {{ ids: number[] }} props */
function Nodes({ ids }) {
  if (ids.length === 0) return <>–</>;
  return (
    <>
      <ThingList short things={ids.slice(0, NAMED).map((id) => ({ kind: "node", id }))} />
      {ids.length > NAMED && <span> +{ids.length - NAMED}</span>}
    </>
  );
}
