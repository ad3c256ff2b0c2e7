import { trace } from "../store.js";
import { t } from "../i18n/translate.js";
import { checkedOf, shortVersion } from "../model/checked.js";

/** How much of this graph is compared with PyTorch, and what of it is not. */
export function CheckedMark() {
  const now = trace.value;
  const { all, others } = now ? checkedOf(now) : { all: 0, others: [] };
  if (!now || all === 0) return null;
  const slots = { version: shortVersion(now.torch_version), all, checked: all - others.length };
  return (
    <details class="checked" data-testid="checked">
      <summary class={others.length > 0 ? "" : "checked-whole"}>{t(others.length > 0 ? "checked.part" : "checked.whole", slots)}</summary>
      <div class="checked-more">
        <p>{t("checked.how", slots)}</p>
        {others.length > 0 && <p>{t("checked.others")}</p>}
        {others.length > 0 && <p class="code">{others.join(" ")}</p>}
      </div>
    </details>
  );
}
