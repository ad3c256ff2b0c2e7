/** KaTeX and its styles, fetched the first time a formula is shown. The offline player has another of this name. */

/** @type {Promise<typeof import("katex").default> | null} */
let loading = null;

export function loadKatex() {
  loading ??= Promise.all([import("katex"), import("katex/dist/katex.min.css")]).then(([module]) => module.default);
  return loading;
}
