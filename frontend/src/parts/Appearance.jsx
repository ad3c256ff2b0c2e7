import { themeNow } from "../appearance.js";
import { t } from "../i18n/translate.js";
import { language, theme } from "../store.js";
import { IconButton } from "./IconButton.jsx";

/** The other language, and the other theme. */
export function Appearance() {
  const dark = themeNow() === "dark";
  const label = t(dark ? "header.theme.light" : "header.theme.dark");
  return (
    <>
      <button
        type="button"
        class="button"
        data-testid="language"
        aria-label={t("header.language.label")}
        lang={language.value === "zh" ? "en" : "zh-CN"}
        onClick={() => (language.value = language.value === "zh" ? "en" : "zh")}
      >
        {t("header.language")}
      </button>
      <IconButton icon={dark ? "sun" : "moon"} data-testid="theme" label={label} onClick={() => (theme.value = dark ? "light" : "dark")} />
    </>
  );
}
