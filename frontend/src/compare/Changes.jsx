/** What differs between two graphs, in words and numbers: every colour of the pictures is a row here. */
import { t } from "../i18n/translate.js";
import { plain } from "../model/numbers.js";
import { valueText } from "../scene/format.js";

/** @typedef {import("../wire").NodeSummary} NodeSummary */

/** @param {{ diff: import("../wire").GraphDiff, choose: (side: "before" | "after", node: number) => void }} props */
export function Changes({ diff, choose }) {
  const { nodes, gradients } = diff;
  const grads = [...gradients.removed, ...gradients.added, ...gradients.changed];
  const rows = [
    ...nodes.removed.map((node) => ({ kind: /** @type {const} */ ("removed"), side: /** @type {const} */ ("before"), node, what: "" })),
    ...nodes.added.map((node) => ({ kind: /** @type {const} */ ("added"), side: /** @type {const} */ ("after"), node, what: "" })),
    ...nodes.changed.map(({ before, after, changed }) => ({
      kind: /** @type {const} */ ("changed"),
      side: /** @type {const} */ ("after"),
      node: before.name === after.name ? after : { ...after, name: `${before.name} → ${after.name}` },
      what: changed.map((each) => t(`compare.what.${each}`)).join(" · "),
    })),
  ];
  return (
    <section class="compare-changes" data-testid="compare-changes" data-scrolls tabIndex={0} aria-label={t("compare.title")}>
      <div>
        <h3>{t("compare.gradients")}</h3>
        {grads.length === 0 && <p class="soft">{t("compare.gradients.same")}</p>}
        {grads.length > 0 && (
          <table>
            <thead>
              <tr>
                <th scope="col">{t("compare.name")}</th>
                <th scope="col">{t("compare.before")}</th>
                <th scope="col">{t("compare.after")}</th>
                <th scope="col">{t("compare.difference")}</th>
              </tr>
            </thead>
            <tbody>
              {grads.map(({ name, before, after, max_difference: most }) => (
                <tr key={name}>
                  <th scope="row" class="code">{name}.grad</th>
                  <td class="code">{before ? valueText(before) : t("compare.none")}</td>
                  <td class="code">{after ? valueText(after) : t("compare.none")}</td>
                  <td class="code">{typeof most === "number" ? plain(most, 4) : (most ?? "–")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      <div>
        <h3>{t("compare.nodes")}</h3>
        {rows.length === 0 && <p class="soft">{t("compare.nodes.same")}</p>}
        <ul>
          {rows.map(({ kind, side, node, what }) => (
            <li key={`${side}${node.id}`}>
              <button type="button" class={`compare-row is-${kind}`} onClick={() => choose(side, node.id)}>
                <span class="compare-kind">{t(`compare.${kind}`)}</span>
                <span class="code">{node.name.replace("torch::autograd::", "")}{node.output ? ` · ${node.output}` : ""}</span>
                <span class="soft">{[what, node.line ? t("compare.line", { line: node.line }) : ""].filter(Boolean).join(" · ")}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
