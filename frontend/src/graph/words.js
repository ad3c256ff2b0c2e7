/** The graph's words in the language of the page. */
import { t } from "../i18n/translate.js";

/** @returns {import("../scene/labels.js").Words} */
export const graphWords = () => ({
  leaf: t("graph.tag.leaf"),
  noGrad: t("graph.tag.noGrad"),
  view: t("graph.tag.view"),
  inplace: t("graph.tag.inplace"),
  lap: (number) => t("graph.lap", { number }),
});
