/** Language and theme as attributes of the document. */
import { effect, signal } from "@preact/signals";
import { language, theme } from "./store.js";
import { t } from "./i18n/translate.js";

const systemDark = signal(false);

/** The theme in force once "auto" is decided. @returns {"light" | "dark"} */
export const themeNow = () => (theme.value === "auto" ? (systemDark.value ? "dark" : "light") : theme.value);

export function applyAppearance() {
  const query = window.matchMedia("(prefers-color-scheme: dark)");
  systemDark.value = query.matches;
  query.addEventListener("change", () => {
    systemDark.value = query.matches;
  });
  effect(() => {
    document.documentElement.dataset.theme = themeNow();
  });
  effect(() => {
    document.documentElement.lang = language.value === "zh" ? "zh-CN" : "en";
    document.title = `${t("app.title")} · ${t("app.tagline")}`;
  });
}
