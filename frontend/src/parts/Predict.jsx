import { useState } from "preact/hooks";
import { index, step } from "../store.js";
import { t } from "../i18n/translate.js";
import { tensorName } from "../model/names.js";
import { plain } from "../model/numbers.js";
import { grade, questionAt } from "../model/question.js";
import { playTo } from "../player/control.js";

/** Asks for the gradient that is about to arrive; shown only on the step before it. */
export function Predict() {
  const table = index.value;
  const question = table ? questionAt(table, step.value) : null;
  if (!table || !question) return null;
  const name = `${tensorName(table, question.tensor)}.grad${question.suffix}`;
  return <Guess key={`${question.answerStep}:${name}`} name={name} question={question} />;
}

/** @param {{ name: string, question: import("../model/question.js").Question }} props */
function Guess({ name, question }) {
  const [text, setText] = useState("");
  const [verdict, setVerdict] = useState(/** @type {"right" | "wrong" | "number" | null} */ (null));
  const check = () => {
    const right = grade(text, question.answer);
    setVerdict(right === null ? "number" : right ? "right" : "wrong");
  };
  return (
    <form
      class="predict"
      data-testid="predict"
      onSubmit={(event) => {
        event.preventDefault();
        check();
      }}
    >
      <h2>{t("predict.title")}</h2>
      <p>{t("predict.ask", { name })}</p>
      <div class="predict-row">
        <input
          type="text"
          inputMode="decimal"
          autocomplete="off"
          aria-label={t("predict.label", { name })}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button">
          {t("predict.check")}
        </button>
        <button type="button" class="button button-quiet" onClick={() => playTo(question.answerStep)}>
          {t("predict.show")}
        </button>
      </div>
      <p class={`verdict verdict-${verdict ?? "none"}`} role="status">
        {verdict && t(`predict.${verdict}`, { answer: plain(question.answer) })}
      </p>
    </form>
  );
}
