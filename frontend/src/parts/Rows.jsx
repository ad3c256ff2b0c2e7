import { t } from "../i18n/translate.js";

/** A row of facts. Names of torch attributes stay as torch writes them. @param {{ name: string, code?: boolean, children: import("preact").ComponentChildren }} props */
export function Row({ name, code = false, children }) {
  return (
    <>
      <dt class={code ? "code" : ""}>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Where in the program something was made. @param {{ line: number | null, scope: number | null, table: import("../model/index.js").Index }} props */
export function MadeBy({ line, scope, table }) {
  const module = scope === null ? undefined : table.trace.scopes.find((item) => item.id === scope);
  return (
    <>
      {line !== null && <Row name={t("inspect.made")}>{t("inspect.line", { line })}</Row>}
      {module && (
        <Row name={t("inspect.module")}>
          <code>
            {module.name} ({module.module})
          </code>
        </Row>
      )}
    </>
  );
}

/** @param {{ flag: boolean }} props */
export const Flag = ({ flag }) => <code>{flag ? "True" : "False"}</code>;
