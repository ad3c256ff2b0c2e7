/**
 * A training loop as numbers over its iterations: the loss, what else the loop overwrites, and the parameters it
 * changes. An iteration is one value of the loss; a parameter counts as it was when that loss was computed.
 * @typedef {import("../model/index.js").Index} Index
 * @typedef {import("../wire").TensorInfo} TensorInfo
 * @typedef {import("../wire").Value} Value
 * @typedef {import("../wire").Series} Series
 */
import { put } from "../model/gather.js";
import { gradAt, lastAt, valueAt } from "../model/moment.js";
import { countOf, elementsOf } from "../model/numbers.js";
import { normOf } from "../scene/tint.js";

/** Elements of a parameter drawn one by one; of a larger one its norm is drawn. */
export const ELEMENTS = 4;

/**
 * @typedef {object} Curve
 * @property {string} key
 * @property {"loss" | "parameter" | "gradient"} kind
 * @property {string} label
 * @property {Array<number | null>} values  one for each iteration; null where there is no finite number
 * @property {Coordinate | null} coordinate  the single number of the program that is drawn, if it is one
 */

/** @typedef {{ name: string, element: number }} Coordinate  an element of the parameter of this name, counted flat */

/**
 * @typedef {object} Training
 * @property {number[]} steps  at which each iteration's loss was computed
 * @property {number[]} lossTensors  id of the loss of each iteration, -1 where it is not a tensor
 * @property {Curve[]} losses  the loss first
 * @property {Curve[]} parameters
 * @property {Curve[]} gradients
 */

/**
 * @param {Index} index
 * @returns {Training | null} null for a program without at least two iterations
 */
export function trainingOf(index) {
  const main = mainSeries(index);
  if (!main) return null;
  const lossTensors = main.points.map((point) => tensorBound(index, main.name, point.step));
  const steps = main.points.map((point, turn) => index.tensors.get(lossTensors[turn])?.created_step ?? point.step);
  const others = index.trace.series.filter((series) => series !== main && series.points.length > 1);
  const losses = [main, ...others]
    .map((series, at) => ({
      key: `s${at}`,
      kind: /** @type {const} */ ("loss"),
      label: series.name,
      coordinate: null,
      values: steps.map((step, turn) => numberOf(valueIn(series, steps.length, turn, step))),
    }))
    .filter((curve) => curve.values.some((value) => value !== null));
  if (losses.length === 0) return null;
  const histories = parameterHistories(index);
  return {
    steps,
    lossTensors,
    losses,
    parameters: histories.flatMap((history) => curvesOf(history, steps)),
    gradients: histories.map((history) => gradientCurve(history, steps)).filter((curve) => curve.values.some((value) => value !== null)),
  };
}

/**
 * The series that counts the iterations: the loss that backward starts from, else one so called, else the longest; the
 * losses of the backward calls where a loop never names one.
 * @param {Index} index
 * @returns {Series | null}
 */
function mainSeries(index) {
  const roots = new Set(index.trace.backwards.flatMap((call) => call.root_tensors.flatMap((id) => index.tensors.get(id)?.names ?? [])));
  const long = index.trace.series.filter((series) => series.points.filter((point) => numberOf(point.value) !== null).length > 1);
  const named =
    long.find((series) => roots.has(series.name)) ??
    long.find((series) => /loss/i.test(series.name)) ??
    [...long].sort((a, b) => b.points.length - a.points.length)[0];
  if (named) return named;
  // Calls over one graph are no turns of a loop.
  const ends = new Set(index.trace.backwards.map((call) => call.root_tensors[0]));
  if (ends.size < index.trace.backwards.length) return null;
  const calls = index.trace.backwards.flatMap((call) => {
    const root = index.tensors.get(call.root_tensors[0] ?? -1);
    const value = root ? valueAt(root, call.start_step) : null;
    return root && value && value.shape.length === 0 ? [{ step: call.start_step, value: scalarOf(value) }] : [];
  });
  return calls.length > 1 ? { name: "loss", line: null, points: calls } : null;
}

/** @param {Value} value */
const scalarOf = (value) => /** @type {import("../wire").SeriesPoint["value"]} */ (elementsOf(value)[0]);

/** @param {unknown} value @returns {number | null} */
const numberOf = (value) => (typeof value === "number" && Number.isFinite(value) ? value : typeof value === "boolean" ? Number(value) : null);

/**
 * A series as long as the loss has one value for each iteration; of any other the newest by then counts.
 * @param {Series} series @param {number} count @param {number} turn @param {number} step
 */
const valueIn = (series, count, turn, step) =>
  series.points.length === count ? series.points[turn].value : (lastAt(series.points, step)?.value ?? null);

/** The newest scalar of a name by a step. @param {Index} index @param {string} name @param {number} step */
function tensorBound(index, name, step) {
  const bound = index.trace.tensors.findLast((each) => each.created_step <= step && each.shape.length === 0 && each.names.includes(name));
  if (bound) return bound.id;
  return index.trace.backwards.find((call) => call.start_step === step)?.root_tensors[0] ?? -1;
}

/** @typedef {{ name: string, tensors: TensorInfo[] }} History  a parameter, and what took its name later on */

/** Leaves that the loop changes, in place or by a new leaf of the same name. @param {Index} index @returns {History[]} */
function parameterHistories(index) {
  /** @type {Map<string, TensorInfo[]>} */
  const byName = new Map();
  for (const tensor of index.trace.tensors) {
    if (tensor.is_leaf && tensor.requires_grad && tensor.names.length > 0) put(byName, tensor.names[0], tensor);
  }
  return [...byName]
    .map(([name, tensors]) => ({ name, tensors }))
    .filter(({ tensors }) => tensors.length > 1 || tensors[0].values.length > 1);
}

/** @param {History} history @param {number} step */
const tensorAt = ({ tensors }, step) => tensors.findLast((each) => each.created_step <= step) ?? tensors[0];

/** @param {History} history @param {number[]} steps @returns {Curve[]} */
function curvesOf(history, steps) {
  const values = steps.map((step) => valueAt(tensorAt(history, step), step));
  const { shape } = history.tensors[0];
  const count = countOf(shape);
  if (count === 0) return [];
  if (count > ELEMENTS)
    return [{ key: `n:${history.name}`, kind: "parameter", label: `‖${history.name}‖`, coordinate: null, values: values.map((value) => numberOf(normOf(value))) }];
  return Array.from({ length: count }, (_, element) => ({
    key: `p:${history.name}:${element}`,
    kind: /** @type {const} */ ("parameter"),
    label: count === 1 ? history.name : `${history.name}[${placeOf(shape, element).join(", ")}]`,
    coordinate: { name: history.name, element },
    values: values.map((value) => (value ? numberOf(elementsOf(value)[element]) : null)),
  }));
}

/** The gradient an iteration left, before the next one clears it. @param {History} history @param {number[]} steps @returns {Curve} */
function gradientCurve(history, steps) {
  return {
    key: `g:${history.name}`,
    kind: "gradient",
    label: `‖${history.name}.grad‖`,
    coordinate: null,
    values: steps.map((step, turn) => {
      const tensor = tensorAt(history, step);
      const row = tensor.grads.findLast((each) => each.step >= step && each.step < (steps[turn + 1] ?? Infinity) && each.value !== null);
      return row ? numberOf(normOf(gradAt(tensor, row.step))) : null;
    }),
  };
}

/** Indices of an element counted flat. @param {number[]} shape @param {number} element */
function placeOf(shape, element) {
  const place = [];
  let rest = element;
  for (const size of shape.toReversed()) {
    place.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return place;
}

/**
 * The iteration a step lies in: the first whose loss is not known before it.
 * @param {Training} training @param {number} step
 */
export function iterationAt({ steps }, step) {
  const at = steps.findLastIndex((each) => each <= step);
  return Math.max(at, 0);
}

/**
 * The value a parameter began with, as nested lists, with some elements replaced; null where it was not sent whole.
 * @param {Index} index @param {string} name @param {Map<number, number>} replaced  element -> number
 * @returns {number | unknown[] | null}
 */
export function startingValue(index, name, replaced) {
  const tensor = index.trace.tensors.find((each) => each.is_leaf && each.requires_grad && each.names[0] === name);
  const value = tensor ? (tensor.values[0]?.value ?? tensor.value) : null;
  if (!value || value.kind !== "full") return null;
  let at = 0;
  /** @param {unknown} data @returns {unknown} */
  const copy = (data) => {
    if (Array.isArray(data)) return data.map(copy);
    const here = at;
    at += 1;
    return replaced.get(here) ?? data;
  };
  return /** @type {number | unknown[]} */ (copy(value.data));
}
