import { lecture } from "../store.js";
import { t } from "../i18n/translate.js";
import { Icon } from "./Icon.jsx";

/** The way back from lecture mode. */
export function LeaveLecture() {
  return (
    <button
      type="button"
      class="button button-icon leave-lecture"
      data-testid="leave-lecture"
      aria-label={t("lecture.off")}
      title={`${t("lecture.off")} (L)`}
      onClick={() => (lecture.value = false)}
    >
      <Icon name="close" />
    </button>
  );
}
