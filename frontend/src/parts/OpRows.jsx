import { t } from "../i18n/translate.js";
import { MadeBy, Row } from "./Rows.jsx";
import { ThingLink, ThingList } from "./ThingLink.jsx";

/** @param {{ table: import("../model/index.js").Index, id: number }} props */
export function OpRows({ table, id }) {
  const op = table.ops.get(id);
  if (!op) return null;
  return (
    <dl class="rows">
      <Row name={t("inspect.op")}>
        <code>{op.overload}</code>
      </Row>
      {op.inputs.map((input, at) => (
        <Row key={at} code name={input.name}>
          {input.tensor != null ? (
            <ThingLink thing={{ kind: "tensor", id: input.tensor }} />
          ) : input.tensors ? (
            <ThingList things={input.tensors.flatMap((item) => (item === null ? [] : [{ kind: "tensor", id: item }]))} />
          ) : (
            <code>{input.constant}</code>
          )}
        </Row>
      ))}
      <Row name={t("inspect.outputs")}>
        <ThingList things={op.outputs.map((item) => ({ kind: "tensor", id: item }))} />
      </Row>
      <Row code name="grad_fn">
        {op.grad_fn === null ? <span class="soft">{t("inspect.unrecorded")}</span> : <ThingLink thing={{ kind: "node", id: op.grad_fn }} />}
      </Row>
      <MadeBy line={op.line} scope={op.scope} table={table} />
    </dl>
  );
}
