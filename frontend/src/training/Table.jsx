/** Every number of the charts, iteration by iteration: the same for the eye, the keyboard and a screen reader. */
import { t } from "../i18n/translate.js";
import { told } from "./slider.js";

/** Rows shown before the rest is asked for. */
const FEW = 200;

/** @param {{ curves: import("./iterations.js").Curve[], now: number, open: (at: number) => void }} props */
export function Table({ curves, now, open }) {
  const count = curves[0].values.length;
  const first = Math.max(0, Math.min(now - FEW / 2, count - FEW));
  const rows = Array.from({ length: Math.min(count, FEW) }, (_, at) => first + at);
  return (
    <details class="training-table">
      <summary>{t("training.table")}</summary>
      <div data-scrolls tabIndex={0} role="group" aria-label={t("training.table")}>
        <table data-testid="training-table">
          <thead>
            <tr>
              <th scope="col">{t("training.column")}</th>
              {curves.map((curve) => (
                <th key={curve.key} scope="col">
                  <code>{curve.label}</code>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((at) => (
              <tr key={at} class={at === now ? "is-now" : ""}>
                <th scope="row">
                  <button type="button" class="plain-link" onClick={() => open(at)}>
                    {t("training.iteration", { number: at + 1 })}
                  </button>
                </th>
                {curves.map((curve) => (
                  <td key={curve.key}>{told(curve, at, 5)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {count > FEW && <p class="soft">{t("training.more", { from: first + 1, to: first + FEW, count })}</p>}
    </details>
  );
}
