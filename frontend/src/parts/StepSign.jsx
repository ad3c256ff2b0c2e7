/** A small picture for each kind of step, drawn in the colour of its surroundings on a grid of 16. */

/** @type {Record<import("../wire").Step["kind"], string>} */
export const STEP_SIGNS = {
  create: "M3 8h10M8 3v10",
  op: "M3 3.5h10v9H3zM5.5 6h5v4h-5z",
  inplace: "M3 13l.6-2.6L10.8 3.2l2 2-7.2 7.2zM9.4 4.6l2 2",
  mode_enter: "M5.5 4v8M10.5 4v8",
  mode_exit: "M4.5 3.5v9l8-4.5z",
  backward_start: "M4 14V2.5h8L9.8 5.7 12 9H4",
  node_apply: "M8 13.5v-10M4.5 7 8 3.5 11.5 7",
  accumulate: "M8 2.5v6M5.5 6 8 8.5 10.5 6M2.5 8.5v4.5h11V8.5",
  hook: "M10 2.5v7a3 3 0 0 1-6 0V8M2.5 9.5 4 8l1.5 1.5",
  release: "M3 3.5h10v9H3zM5.5 8h5",
  backward_end: "m3 8.5 3.5 3.5L13 4.5",
  zero_grad: "M8 3a4 5 0 1 0 0 10A4 5 0 1 0 8 3M4.5 13 11.5 3",
  optimizer_step: "M2.5 4.5c3 0 3 7 6 7h4.5M11 9l2.5 2.5L11 14",
  print: "M2.5 3h11v10h-11zM5 6l2 2-2 2M8.5 10.5h3",
  warning: "M8 2.5 14 13.5H2zM8 6.5v3.5M8 11.8v.2",
  error: "M5.5 2.5h5l3 3v5l-3 3h-5l-3-3v-5zM6 6l4 4M10 6l-4 4",
};

/** @param {{ kind: import("../wire").Step["kind"] }} props */
export const StepSign = ({ kind }) => (
  <svg class="icon step-sign" data-kind={kind} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d={STEP_SIGNS[kind]} fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" />
  </svg>
);
