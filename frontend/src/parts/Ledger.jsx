import { index, select, selection, step } from "../store.js";
import { t, listed } from "../i18n/translate.js";
import { ledgerOf, ledgerSubject, ledgerTensors } from "../model/ledger.js";
import { nodeName, tensorName } from "../model/names.js";
import { brief } from "../model/numbers.js";
import { ruleLines } from "../model/rule.js";
import { seek } from "../player/control.js";
import { Panel } from "./Panel.jsx";
import { Tex } from "./Tex.jsx";
import { shortName } from "./ThingLink.jsx";

/** @typedef {import("../model/index.js").Index} Index */
/** @typedef {import("../model/ledger.js").LedgerRow} LedgerRow */

/** Rows listed one by one; what came before them is counted. */
const SHOWN = 20;

/** Every contribution a leaf's `.grad` has received by this step, with the running sum. */
export function Ledger() {
  const table = index.value;
  const subject = table ? ledgerSubject(table, selection.value, step.value) : null;
  if (!table || subject === null) {
    return (
      <Panel title={t("ledger.title")} class="ledger-panel">
        <p class="faint">{t("ledger.none")}</p>
      </Panel>
    );
  }
  const name = tensorName(table, subject);
  const { rows, nextStep } = ledgerOf(table, subject, step.value);
  const calls = new Set(rows.filter((row) => row.kind === "add").map((row) => row.backward));
  const added = rows.length > 1 && rows.every((row) => row.kind === "add") && calls.size > 1;
  return (
    <Panel title={t("ledger.title")} class="ledger-panel" aside={<Chooser table={table} subject={subject} />}>
      <table class="ledger">
        {rows.length > 0 && (
          <thead>
            <tr>
              <th scope="col">{t("ledger.from")}</th>
              <th scope="col">{t("ledger.adds")}</th>
              <th scope="col">{name}.grad</th>
            </tr>
          </thead>
        )}
        <tbody>
          {rows.length > SHOWN && (
            <tr class="faint">
              <td colSpan={3}>{t("ledger.earlier", { count: rows.length - SHOWN })}</td>
            </tr>
          )}
          {rows.slice(-SHOWN).map((row) => (
            <Row key={row.step} table={table} row={row} />
          ))}
          {rows.length === 0 && (
            <tr>
              <td class="faint" colSpan={3}>{t("ledger.empty", { name })}</td>
            </tr>
          )}
          {nextStep !== null && (
            <tr class="faint">
              <td colSpan={2}>{t("ledger.pending")}</td>
              <td>{t("ledger.next", { step: nextStep + 1 })}</td>
            </tr>
          )}
        </tbody>
      </table>
      {added && <p class="note">{t("ledger.twice")}</p>}
    </Panel>
  );
}

/** @param {{ table: Index, row: LedgerRow }} props */
function Row({ table, row }) {
  if (row.kind !== "add") {
    return (
      <tr>
        <td colSpan={2}>{row.kind === "clear" ? t("ledger.clear") : t("ledger.set")}</td>
        <td class="amount">{row.after ? brief(row.after) : <code>None</code>}</td>
      </tr>
    );
  }
  const nodes = [...new Set(row.sources.map(({ node }) => table.nodes.get(node)))].flatMap((node) => (node ? [shortName(nodeName(node))] : []));
  return (
    <tr>
      <td>
        <button type="button" class="plain-link" onClick={() => seek(row.step)}>
          {t("ledger.row", { number: (row.backward ?? 0) + 1, nodes: listed(nodes) })}
        </button>
      </td>
      <td class="amount">
        <Formula table={table} row={row} /> {row.contribution && brief(row.contribution)}
      </td>
      <td class="amount running">{row.after && brief(row.after)}</td>
    </tr>
  );
}

/** The numbers a single contribution was computed from, when they are few. @param {{ table: Index, row: LedgerRow }} props */
function Formula({ table, row }) {
  if (row.sources.length > 1) {
    return <span class="ledger-sum">{row.sources.map(({ value }) => brief(value)).join(" + ")} =</span>;
  }
  const [source] = row.sources;
  if (!source || source.value.shape.length > 0) return null;
  const line = ruleLines(table, table.trace.steps[source.step]).find((item) => item.value === source.value);
  return line?.numbers && /cdot|frac|\^/.test(line.numbers) ? <Tex tex={`${line.numbers} =`} /> : null;
}

/** @param {{ table: Index, subject: number }} props */
function Chooser({ table, subject }) {
  const choices = [...new Set([...ledgerTensors(table), subject])].sort((a, b) => a - b);
  return (
    <select
      class="small-select"
      aria-label={t("ledger.choose")}
      value={String(subject)}
      onChange={(event) => select({ kind: "tensor", id: Number(event.currentTarget.value) })}
    >
      {choices.map((id) => (
        <option key={id} value={String(id)}>
          {tensorName(table, id)}.grad
        </option>
      ))}
    </select>
  );
}
