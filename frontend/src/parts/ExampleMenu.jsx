import { example } from "../store.js";
import { inTongue, t } from "../i18n/translate.js";
import { examples, openExample } from "../session.js";

/** The examples by chapter. A native select: its keyboard, touch and screen-reader behaviour come with it. */
export function ExampleMenu() {
  const list = examples.value;
  if (!list || list.examples.length === 0) return null;
  const chapters = [...new Set(list.examples.map((item) => item.chapter))];
  return (
    <label class="example-menu">
      <span class="example-label" aria-hidden="true">{t("header.examples")}</span>
      <select
        data-testid="examples"
        aria-label={t("header.examples")}
        value={example.value ?? ""}
        onChange={(event) => void openExample(event.currentTarget.value)}
      >
        {example.value === null && <option value="">{t("header.own")}</option>}
        {chapters.map((chapter) => (
          <optgroup key={chapter} label={list.chapters[chapter] ? inTongue(list.chapters[chapter]) : chapter}>
            {list.examples
              .filter((item) => item.chapter === chapter)
              .map((item) => (
                <option key={item.id} value={item.id} title={inTongue(item.summary)}>
                  {inTongue(item.title)}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}
