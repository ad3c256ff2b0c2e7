import { lecture } from "../store.js";
import { t } from "../i18n/translate.js";
import { Icon } from "./Icon.jsx";

/** The way back from lecture mode, and the page's name for those who listen. */
export function LeaveLecture() {
  return (
    <header class="leave-lecture">
      <h1 class="visually-hidden">{t("app.title")}</h1>
      <button
        type="button"
        class="button button-icon"
        data-testid="leave-lecture"
        aria-label={t("lecture.off")}
        title={`${t("lecture.off")} (L)`}
        onClick={() => (lecture.value = false)}
      >
        <Icon name="close" />
      </button>
    </header>
  );
}
