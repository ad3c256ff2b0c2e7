import { step } from "../store.js";
import { t } from "../i18n/translate.js";
import { existsAt, gradAt, valueAt, versionAt } from "../model/moment.js";
import { brief, shapeTuple } from "../model/numbers.js";
import { seek } from "../player/control.js";
import { Flag, MadeBy, Row } from "./Rows.jsx";
import { ThingLink, ThingList } from "./ThingLink.jsx";
import { ValueView } from "./ValueView.jsx";

/** @typedef {import("../model/index.js").Index} Index */
/** @typedef {import("../wire").TensorInfo} TensorInfo */

/** @param {{ table: Index, id: number }} props */
export function TensorRows({ table, id }) {
  const tensor = table.tensors.get(id);
  if (!tensor) return null;
  const value = valueAt(tensor, step.value);
  const grad = gradAt(tensor, step.value);
  const sharing = table.trace.tensors.filter((item) => item.storage === tensor.storage && item.id !== id);
  return (
    <>
      {value ? <Beside table={table} tensor={tensor} value={value} grad={grad} /> : <p class="faint">{t("inspect.notyet")}</p>}
      <dl class="rows">
        {!grad && (
          <Row code name="grad">
            <code>None</code>
          </Row>
        )}
        {!grad && existsAt(tensor, step.value) && <WhyNone tensor={tensor} />}
        <Row code name="shape">
          <code>{shapeTuple(tensor.shape)}</code>
        </Row>
        <Row code name="dtype">
          <code>{tensor.dtype}</code>
        </Row>
        <Row code name="stride()">
          <code>{shapeTuple(tensor.stride)}</code>
        </Row>
        {(tensor.storage_offset > 0 || tensor.is_view) && (
          <Row code name="storage_offset()">
            <code>{tensor.storage_offset}</code>
          </Row>
        )}
        <Row code name="requires_grad">
          <Flag flag={tensor.requires_grad} />
        </Row>
        <Row code name="is_leaf">
          <Flag flag={tensor.is_leaf} />
        </Row>
        <Row code name="grad_fn">
          {tensor.grad_fn === null ? <code>None</code> : <ThingLink thing={{ kind: "node", id: tensor.grad_fn }} />}
        </Row>
        <Row code name="_version">
          <code>{versionAt(tensor, step.value)}</code>
        </Row>
        {tensor.values.length > 1 && <Versions tensor={tensor} />}
        {tensor.names.length > 1 && (
          <Row name={t("inspect.names")}>
            <code>{tensor.names.join(", ")}</code>
          </Row>
        )}
        {tensor.base !== null && (
          <Row name={t("inspect.view")}>
            <ThingLink thing={{ kind: "tensor", id: tensor.base }} />
          </Row>
        )}
        {sharing.length > 0 && (
          <Row name={t("inspect.shares")}>
            <ThingList things={sharing.slice(0, 8).map((item) => ({ kind: "tensor", id: item.id }))} />
          </Row>
        )}
        <MadeBy line={tensor.line} scope={tensor.scope} table={table} />
      </dl>
    </>
  );
}

/**
 * The value with its gradient beside it: `.grad`, or what a backward call last brought to a tensor that keeps none.
 * @param {{ table: Index, tensor: TensorInfo, value: import("../wire").Value, grad: import("../wire").Value | null }} props
 */
function Beside({ table, tensor, value, grad }) {
  const ran = tensor.grad_fn === null ? undefined : (table.appliesOf.get(tensor.grad_fn) ?? []).findLast((each) => each.index <= step.value);
  const passing = grad ? null : (ran?.grads_in?.[tensor.output_nr] ?? null);
  const other = grad ?? passing;
  return (
    <div class="beside">
      <figure>
        {other && <figcaption>{t("inspect.value")}</figcaption>}
        <ValueView value={value} />
      </figure>
      {other && (
        <figure data-testid="beside-grad">
          <figcaption>{grad ? <code>.grad</code> : t("inspect.passing")}</figcaption>
          <ValueView value={other} />
        </figure>
      )}
    </div>
  );
}

/** @param {{ tensor: TensorInfo }} props */
function WhyNone({ tensor }) {
  const later = tensor.grads.find((row) => row.step > step.value && row.value);
  const reason = tensor.why_no_grad ? `why.${tensor.why_no_grad}` : null;
  const known = /** @type {const} */ (["why.is_not_leaf", "why.no_requires_grad", "why.not_reached", "why.no_backward"]);
  const key = known.find((item) => item === reason);
  if (!later && !key) return null;
  return (
    <Row name={t("why.title")}>
      {later ? (
        <button type="button" class="plain-link" onClick={() => seek(later.step)}>
          {t("why.later", { step: later.step + 1 })}
        </button>
      ) : (
        key && t(key)
      )}
    </Row>
  );
}

/** @param {{ tensor: TensorInfo }} props */
function Versions({ tensor }) {
  return (
    <Row name={t("inspect.versions")}>
      <ol class="versions">
        {tensor.values.slice(-12).map((row) => (
          <li key={row.step} class={row.step > step.value ? "faint" : ""}>
            <button type="button" class="plain-link" onClick={() => seek(row.step)}>
              {t("inspect.versionAt", { version: row.version, step: row.step + 1 })}
            </button>{" "}
            <code>{brief(row.value)}</code>
          </li>
        ))}
      </ol>
    </Row>
  );
}
