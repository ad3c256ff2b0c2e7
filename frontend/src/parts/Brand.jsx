import { t } from "../i18n/translate.js";

/** What this page is; a small screen has room for the first word. */
export function Brand() {
  const [first, ...rest] = t("app.title").split(" ");
  return (
    <h1 class="brand">
      {first}
      <span class="brand-rest"> {rest.join(" ")}</span>
    </h1>
  );
}
