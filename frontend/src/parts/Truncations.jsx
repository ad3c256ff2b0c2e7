import { trace } from "../store.js";
import { t } from "../i18n/translate.js";

/** What the trace leaves out, said openly. */
export function Truncations() {
  // A run that was stopped lists its tables as empty; the error card says why.
  const left = (trace.value?.truncated ?? []).filter((item) => item.kept > 0);
  if (left.length === 0) return null;
  return (
    <ul class="truncations">
      {left.map(({ what, kept, total, limit }) => (
        <li key={what}>{total === null ? t("truncated.unknown", { what, kept, limit }) : t("truncated", { what, kept, total, limit })}</li>
      ))}
    </ul>
  );
}
