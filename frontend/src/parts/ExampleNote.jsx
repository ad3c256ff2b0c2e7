import { example } from "../store.js";
import { inTongue } from "../i18n/translate.js";
import { examples } from "../session.js";

/** What the chosen example is about, under the menu. */
export function ExampleNote() {
  const summary = examples.value?.examples.find((item) => item.id === example.value)?.summary;
  return summary ? <p class="example-note" data-testid="example-note">{inTongue(summary)}</p> : null;
}
