import { index, step } from "../store.js";
import { t } from "../i18n/translate.js";
import { nodeLabel } from "../model/names.js";
import { engineAt } from "../model/moment.js";
import { Panel } from "./Panel.jsx";
import { shortName, ThingLink, ThingList } from "./ThingLink.jsx";

/** More nodes than this are counted instead of named. */
const NAMED = 12;

/** The engine's ready queue, dependency counts and finished nodes at this step. */
export function Queue() {
  const table = index.value;
  const engine = table ? engineAt(table, step.value) : null;
  return (
    <Panel title={t("queue.title")} class="queue-panel">
      {!table || !engine ? <p class="faint">{t("queue.idle")}</p> : <QueueRows table={table} engine={engine} />}
    </Panel>
  );
}

/**
 * @param {{ table: import("../model/index.js").Index, engine: NonNullable<ReturnType<typeof engineAt>> }} props
 */
function QueueRows({ table, engine: { ready, waiting, done } }) {
  return (
    <dl class="rows">
      <dt>{t("queue.ready")}</dt>
      <dd>
        <Nodes ids={ready.slice(0, NAMED)} more={Math.max(0, ready.length - NAMED)} />
      </dd>
      <dt>{t("queue.waiting")}</dt>
      <dd>
        {waiting.length === 0 && "–"}
        <span class="thing-list">
          {waiting.slice(0, NAMED).map(([id, count]) => (
            <span key={id} class="waiting" title={t(count === 1 ? "queue.waits.one" : "queue.waits.many", { node: table.nodes.get(id)?.name ?? "", count })}>
              <ThingLink thing={{ kind: "node", id }} text={shortName(nodeLabel(table, id))} /> <b>{count}</b>
            </span>
          ))}
          {waiting.length > NAMED && <span>+{waiting.length - NAMED}</span>}
        </span>
      </dd>
      <dt>{t("queue.done")}</dt>
      <dd>
        <Nodes ids={done.slice(-NAMED)} more={Math.max(0, done.length - NAMED)} />
      </dd>
    </dl>
  );
}

/** @param {{ ids: number[], more: number }} props  `more`: how many are not named */
function Nodes({ ids, more }) {
  if (ids.length === 0) return <>–</>;
  return (
    <>
      <ThingList short things={ids.map((id) => ({ kind: "node", id }))} />
      {more > 0 && <span>+{more}</span>}
    </>
  );
}
