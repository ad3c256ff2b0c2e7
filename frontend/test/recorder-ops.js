// @ts-nocheck Plain objects stand in for what the page types.
/** Values of a trace, and the few ops the recorder knows with their derivatives. */

const VALUE_LIMIT = 64;

export const size = (shape) => shape.reduce((a, b) => a * b, 1);
const printed = (x) => (Number.isInteger(x) ? `${x}.` : x.toFixed(4));

export function valueOf(shape, flat) {
  const nest = (dims, from) =>
    dims.length === 0
      ? flat[from]
      : Array.from({ length: dims[0] }, (_, i) => nest(dims.slice(1), from + i * size(dims.slice(1))));
  const full = flat.length <= VALUE_LIMIT;
  const mean = flat.reduce((a, b) => a + b, 0) / Math.max(flat.length, 1);
  const std = flat.length > 1 ? Math.sqrt(flat.reduce((a, b) => a + (b - mean) ** 2, 0) / (flat.length - 1)) : null;
  return {
    kind: full ? "full" : "preview",
    shape,
    dtype: "torch.float32",
    data: full ? nest(shape, 0) : flat.slice(0, VALUE_LIMIT),
    text:
      shape.length === 0
        ? `tensor(${printed(flat[0])})`
        : `tensor([${flat.slice(0, 6).map(printed).join(", ")}${flat.length > 6 ? ", ..." : ""}])`,
    stats: full
      ? null
      : {
          min: Math.min(...flat),
          max: Math.max(...flat),
          mean,
          std,
          norm: Math.hypot(...flat),
          nan: 0,
          inf: 0,
          zeros: 0,
        },
    histogram: null,
  };
}

/** Each op: name, node, saved attribute names, forward, gradients per input. */
export const OPS = {
  add: {
    node: "AddBackward0",
    saves: [],
    run: (a, b) => pairwise(a, b, (x, y) => x + y),
    grads: (g, a, b) => [fold(g, a), fold(g, b)],
  },
  sub: {
    node: "SubBackward0",
    saves: [],
    run: (a, b) => (b.info ? pairwise(a, b, (x, y) => x - y) : map(a, (x) => x - b)),
    grads: (g, a, b) => [
      fold(g, a),
      fold(
        map(g, (x) => -x),
        b,
      ),
    ],
  },
  mul: {
    node: "MulBackward0",
    saves: ["self", "other"],
    run: (a, b) => pairwise(a, b, (x, y) => x * y),
    grads: (g, a, b) => [
      fold(
        pairwise(g, b, (x, y) => x * y),
        a,
      ),
      fold(
        pairwise(g, a, (x, y) => x * y),
        b,
      ),
    ],
  },
  pow: {
    node: "PowBackward0",
    saves: ["self"],
    run: (a, n) => map(a, (x) => x ** n),
    grads: (g, a, n) => [pairwise(g, a, (x, y) => x * n * y ** (n - 1))],
  },
  relu: {
    node: "ReluBackward0",
    saves: ["result"],
    run: (a) => map(a, (x) => Math.max(x, 0)),
    grads: (g, a) => [pairwise(g, a, (x, y) => (y > 0 ? x : 0))],
  },
  t: { node: "TBackward0", saves: [], view: true, run: flip, grads: (g) => [flip(g)] },
  mm: {
    node: "MmBackward0",
    saves: ["self", "mat2"],
    run: product,
    grads: (g, a, b) => [product(g, flip(b)), product(flip(a), g)],
  },
  mean: {
    node: "MeanBackward0",
    saves: [],
    run: (a) => ({ shape: [], flat: [a.flat.reduce((x, y) => x + y, 0) / a.flat.length] }),
    grads: (g, a) => [map(a, () => g.flat[0] / a.flat.length)],
  },
};
export const NAMES = { pow: ["self", "exponent"], mm: ["self", "mat2"] };

export function map(a, f) {
  return { shape: a.shape, flat: a.flat.map(f) };
}
export function pairwise(a, b, f) {
  const big = a.flat.length >= b.flat.length ? a : b;
  return { shape: big.shape, flat: big.flat.map((_, i) => f(a.flat[i % a.flat.length], b.flat[i % b.flat.length])) };
}
function fold(g, like) {
  const flat = new Array(like.flat.length).fill(0);
  g.flat.forEach((x, i) => {
    flat[i % flat.length] += x;
  });
  return { shape: like.shape, flat };
}
function flip(a) {
  const [rows, columns] = a.shape;
  return {
    shape: [columns, rows],
    flat: Array.from({ length: rows * columns }, (_, i) => a.flat[(i % rows) * columns + Math.floor(i / rows)]),
  };
}
function product(a, b) {
  const [n, m] = a.shape;
  const p = b.shape[1];
  const flat = [];
  for (let i = 0; i < n; i += 1)
    for (let j = 0; j < p; j += 1) {
      let sum = 0;
      for (let k = 0; k < m; k += 1) sum += a.flat[i * m + k] * b.flat[k * p + j];
      flat.push(sum);
    }
  return { shape: [n, p], flat };
}
