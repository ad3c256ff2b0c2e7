import { trace } from "../store.js";
import { t } from "../i18n/translate.js";

/** @param {number} count */
const counted = (count) => count.toLocaleString("en");

/** What the trace leaves out, said openly. */
export function Truncations() {
  // A run that was stopped lists its tables as empty; the error card says why.
  const left = (trace.value?.truncated ?? []).filter((item) => item.kept > 0);
  if (left.length === 0) return null;
  return (
    <ul class="truncations">
      {left.map(({ what, kept, total }) => (
        <li key={what}>
          {what === "steps" && total !== null
            ? t("truncated.steps", { kept: counted(kept), total: counted(total) })
            : t("truncated.other", { what, kept: counted(kept) })}
        </li>
      ))}
    </ul>
  );
}
