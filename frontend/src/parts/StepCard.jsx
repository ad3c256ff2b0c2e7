import { current, index, trace } from "../store.js";
import { listed, t } from "../i18n/translate.js";
import { arrivalOf, departuresOf, forwardOf, needsOf } from "../model/card.js";
import { tensorName } from "../model/names.js";
import { brief, shapeTuple, texText, valueTex } from "../model/numbers.js";
import { gradientSymbol, tensorTex } from "../model/rule.js";
import { sentenceOf, titleOf } from "../model/sentence.js";
import { StepSign } from "./StepSign.jsx";
import { Tex } from "./Tex.jsx";
import { ThingLink, ThingList } from "./ThingLink.jsx";

/** @typedef {import("../wire").Step} Step */
/** @typedef {import("../model/index.js").Index} Index */
/** @typedef {{ table: Index, step: Step }} Props */

const BACKWARD = new Set(["backward_start", "node_apply", "accumulate", "release", "hook", "backward_end"]);

/** @param {import("../model/sentence.js").Said} said */
export const say = ({ key, slots, list }) => t(key, list ? { ...slots, saved: listed(list) } : slots);

/** What happened at this step, in one card. */
export function StepCard() {
  const table = index.value;
  const step = current.value;
  const ran = table?.trace.steps ?? [];
  if (table && (ran.length === 0 || (ran.length === 1 && ran[0].kind === "error"))) return null;
  if (!table || !step) {
    return (
      <article class="card card-empty">
        <h2>{t("step.none")}</h2>
        <p class="soft">{t("step.none.detail")}</p>
      </article>
    );
  }
  const side = BACKWARD.has(step.kind) ? "backward" : step.kind === "error" ? "plain" : "forward";
  return (
    <article class={`card card-${side}`} data-testid="step-card">
      <p class="card-step">
        {t("step.number", { step: step.index + 1, count: trace.value?.steps.length ?? 0 })}
        {step.line !== null && <span> · {t("step.line", { line: step.line })}</span>}
      </p>
      <h2>
        <StepSign kind={step.kind} /> {say(titleOf(table, step))}
      </h2>
      <Facts table={table} step={step} />
      <p class="soft">{say(sentenceOf(table, step))}</p>
    </article>
  );
}

/** @param {Props} props */
function Facts({ table, step }) {
  switch (step.kind) {
    case "create":
      return <Created table={table} step={step} />;
    case "op":
    case "inplace":
      return <Forward table={table} step={step} />;
    case "node_apply":
      return <Node table={table} step={step} />;
    case "hook":
      return <Hooked table={table} step={step} />;
    case "accumulate":
      return <Accumulate table={table} step={step} />;
    case "print":
    case "warning":
      return <pre class="card-text">{(step.text ?? "").trimEnd()}</pre>;
    case "zero_grad":
    case "optimizer_step":
      return <ThingList things={(step.tensors ?? []).slice(0, 12).map((id) => ({ kind: "tensor", id }))} />;
    default:
      return null;
  }
}

/** @param {Props} props */
function Created({ table, step }) {
  const tensor = step.tensor == null ? undefined : table.tensors.get(step.tensor);
  if (!tensor) return null;
  const value = tensor.values[0]?.value ?? tensor.value;
  return <Equation left={tensorTex(table, tensor.id).tex} parts={[valueTex(value)]} />;
}

/** @param {Props} props */
function Forward({ table, step }) {
  const equation = forwardOf(table, step);
  return equation && <Equation left={equation.left} parts={equation.tex} />;
}

/** @param {Props} props */
function Node({ table, step }) {
  const arrival = arrivalOf(table, step);
  const { saved, freed, kept } = needsOf(table, step);
  const names = saved.map((item) => {
    const name = item.tensor === null ? item.name.replace("_saved_", "") : tensorName(table, item.tensor);
    return item.value?.shape.length === 0 ? `${name} = ${brief(item.value)}` : name;
  });
  return (
    <>
      {arrival && (
        <p class="equation">
          <Tex tex={`${arrival.left} = ${valueTex(arrival.value)}`} />
          <span class="soft">
            {arrival.senders.length === 0 ? (
              t("card.arrives.start")
            ) : (
              <Around text={t("card.arrives", { nodes: HOLE })}>
                <ThingList things={arrival.senders.map((id) => ({ kind: "node", id }))} />
              </Around>
            )}
          </span>
        </p>
      )}
      {departuresOf(table, step).map((line, at) => (
        <Equation key={at} left={line.left} parts={line.tex}>
          <span class="soft">{line.to === null ? t("card.discarded") : <To table={table} node={line.to} />}</span>
          {line.summed && <span class="soft">{t("card.summed", { shape: shapeTuple(line.summed) })}</span>}
        </Equation>
      ))}
      {names.length > 0 && (
        <p class="soft">
          {t(freed ? "card.needs.freed" : kept ? "card.needs.kept" : "card.needs", { saved: listed([...new Set(names)]) })}
        </p>
      )}
    </>
  );
}

/** Where a gradient goes: the node, or the leaf's `.grad` behind an AccumulateGrad. @param {{ table: Index, node: number }} props */
function To({ table, node }) {
  const leaf = table.nodes.get(node)?.tensor;
  return (
    <Around text={t("card.to", { node: HOLE })}>
      <ThingLink thing={{ kind: "node", id: node }} text={leaf == null ? undefined : `${tensorName(table, leaf)}.grad`} />
    </Around>
  );
}

const HOLE = "\u0000";

/** A text with a link where the hole is. @param {{ text: string, children: import("preact").ComponentChildren }} props */
function Around({ text, children }) {
  const [before, after] = text.split(HOLE);
  return (
    <>
      {before}
      {children}
      {after}
    </>
  );
}

/** What a hook made of the gradient it saw. @param {Props} props */
function Hooked({ table, step }) {
  if (!step.after) return null;
  const symbol = gradientSymbol(tensorTex(table, step.tensor));
  const before = step.before ? [`${valueTex(step.before)} \\to ${valueTex(step.after)}`] : [valueTex(step.after)];
  return <Equation left={symbol} parts={before} />;
}

/** @param {Props} props */
function Accumulate({ table, step }) {
  if (!step.after && !step.contribution) return null;
  const name = `\\texttt{${texText(tensorName(table, step.tensor))}.grad}`;
  const after = step.after ?? step.contribution;
  const sum = step.before && step.contribution ? [`${valueTex(step.before)} + ${valueTex(step.contribution)}`] : [];
  return <Equation left={name} parts={[...sum, ...(after ? [valueTex(after)] : [])]} />;
}

/**
 * `left = a = b`, the last part strong, broken at the equals signs where the card is too narrow.
 * @param {{ left: string, parts: string[], children?: import("preact").ComponentChildren }} props
 */
function Equation({ left, parts, children }) {
  return (
    <p class="equation">
      {parts.map((part, at) => {
        const last = at === parts.length - 1 && /^-?\d/.test(part);
        return <Tex key={at} tex={`${at === 0 ? left : ""} = ${last ? `\\mathbf{${part}}` : part}`} />;
      })}
      {children}
    </p>
  );
}
