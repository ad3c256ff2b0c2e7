import { t } from "../i18n/translate.js";
import { sharedFields } from "../address.js";
import { linkTo } from "../model/links.js";
import { pack } from "../model/pack.js";
import { codeOfTrace, example, frame } from "../store.js";
import { Brand } from "./Brand.jsx";
import { RunButton } from "./RunButton.jsx";

/** The head of a page inside another one: what this is, and the way to the whole of it. */
export function EmbedBar() {
  const open = async () => {
    const fields = sharedFields();
    if (!example.value) fields.set("code", await pack(codeOfTrace.value));
    window.open(linkTo(window.location.origin + window.location.pathname, fields), "_blank", "noopener");
  };
  return (
    <header class="header header-embed">
      <Brand />
      <span class="run-note" />
      {!frame.value.hide.has("editor") && <RunButton />}
      <button type="button" class="plain-link" data-testid="open-whole" onClick={() => void open()}>
        {t("embed.open")} ↗
      </button>
    </header>
  );
}
