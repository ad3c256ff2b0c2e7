import { lecture } from "../store.js";
import { t } from "../i18n/translate.js";
import { IconButton } from "./IconButton.jsx";

/** The way back from lecture mode, and the page's name for those who listen. */
export function LeaveLecture() {
  return (
    <header class="leave-lecture">
      <h1 class="visually-hidden">{t("app.title")}</h1>
      <IconButton icon="close" data-testid="leave-lecture" label={t("lecture.off")} hint={`${t("lecture.off")} (L)`} onClick={() => (lecture.value = false)} />
    </header>
  );
}
