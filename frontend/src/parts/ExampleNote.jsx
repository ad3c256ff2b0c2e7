import { example, language } from "../store.js";
import { examples } from "../session.js";

/** What the chosen example is about, under the menu. */
export function ExampleNote() {
  const summary = examples.value?.examples.find((item) => item.id === example.value)?.summary[language.value];
  return summary ? <p class="example-note" data-testid="example-note">{summary}</p> : null;
}
