import { speed } from "../store.js";
import { t } from "../i18n/translate.js";
import { SPEEDS } from "../player/player.js";

/** How fast the player plays: in its bar, and on a narrow screen in the menu of moves. */
export const Speed = () => (
  <select
    class="small-select speed"
    aria-label={t("player.speed")}
    title={t("player.speed")}
    value={String(speed.value)}
    onChange={(event) => (speed.value = Number(event.currentTarget.value))}
  >
    {SPEEDS.map((pace) => (
      <option key={pace} value={String(pace)}>
        {pace}×
      </option>
    ))}
  </select>
);
