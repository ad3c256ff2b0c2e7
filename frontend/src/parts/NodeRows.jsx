import { step } from "../store.js";
import { t } from "../i18n/translate.js";
import { savedAt } from "../model/moment.js";
import { brief } from "../model/numbers.js";
import { MadeBy, Row } from "./Rows.jsx";
import { cutPath, ThingLink, thingName } from "./ThingLink.jsx";

/** @typedef {import("../wire").NodeInfo} NodeInfo */

/** @param {{ table: import("../model/index.js").Index, id: number }} props */
export function NodeRows({ table, id }) {
  const node = table.nodes.get(id);
  if (!node) return null;
  const op = node.op === null ? undefined : table.ops.get(node.op);
  return (
    <dl class="rows">
      <Row code name="name()">
        <code>{breakable(node.name)}</code> {node.is_custom && <span class="soft">{t("inspect.custom")}</span>}
      </Row>
      {node.tensor !== null && (
        <Row code name="variable">
          <ThingLink thing={{ kind: "tensor", id: node.tensor }} />
        </Row>
      )}
      <Row code name="next_functions">
        {node.next_functions.length === 0 && <code>()</code>}
        <span class="thing-list">
          {node.next_functions.map((edge, at) => (
            <Edge key={at} edge={edge} />
          ))}
        </span>
      </Row>
      {node.saved.map((saved) => (
        <Row key={saved.name} code name={saved.name}>
          <Saved node={node} saved={saved} />
        </Row>
      ))}
      {op && (
        <Row name={t("inspect.op")}>
          <ThingLink thing={{ kind: "op", id: op.id }} />
        </Row>
      )}
      {node.hooks.length > 0 && (
        <Row name={t("inspect.hooks")}>
          {node.hooks.map((hook, at) => (
            <code key={at}>
              {hook.name} ({hook.kind}){" "}
            </code>
          ))}
        </Row>
      )}
      {node.sequence_nr !== null && (
        <Row code name="_sequence_nr()">
          <code>{node.sequence_nr}</code>
        </Row>
      )}
      <MadeBy line={node.line} scope={op?.scope ?? null} table={table} />
    </dl>
  );
}

/** A qualified name that may break after `::`. @param {string} name */
const breakable = (name) => name.split("::").flatMap((part, at) => (at ? ["::", <wbr key={at} />, part] : [part]));

/** @param {{ edge: NodeInfo["next_functions"][number] }} props */
function Edge({ edge }) {
  if (!edge || edge[0] === null) return <code>(None, {edge?.[1] ?? 0})</code>;
  return (
    <span class="edge">
      <span class="edge-end">
        (<ThingLink thing={{ kind: "node", id: edge[0] }} text={cutPath(thingName({ kind: "node", id: edge[0] }))} />,
      </span>{" "}
      {edge[1]})
    </span>
  );
}

/** @param {{ node: NodeInfo, saved: import("../wire").SavedInfo }} props */
function Saved({ node, saved }) {
  const state = savedAt(node, saved, step.value);
  if (state === "released") {
    return <span class="freed">{t("inspect.saved.empty", { step: (saved.released_step ?? 0) + 1 })}</span>;
  }
  return (
    <span class={state === "empty" ? "faint" : "held"}>
      {saved.tensor !== null && <ThingLink thing={{ kind: "tensor", id: saved.tensor }} />}{" "}
      <code>{saved.value ? brief(saved.value) : saved.text}</code>{" "}
      {saved.version !== null && <span class="faint">{t("inspect.saved.version", { version: saved.version })}</span>}
    </span>
  );
}
