/** The graph for Graphviz. */
import { edgesOf, nested } from "./outline.js";

const LOOKS = {
  op: 'shape=box, peripheries=2, fillcolor="#ede7f6", color="#5e35b1"',
  leaf: 'shape=box, fillcolor="#e8f5e9", color="#2e7d32"',
  tensor: 'shape=box, fillcolor="#e3f2fd", color="#1565c0"',
  constant: 'shape=box, style="filled,dashed", fillcolor="#f4f5f7", color="#7c8796"',
  node: 'shape=box, style="filled,rounded", fillcolor="#fff3e0", color="#ef6c00"',
};
const LINES = {
  data: "",
  seed: ' [style=dashed, color="#ef6c00", constraint=false]',
  next: ' [style=dashed, color="#ef6c00"]',
  saved: ' [style=dotted, color="#7e57c2", constraint=false, arrowhead=none]',
};

/** @param {import("../scene/types.js").Scene} scene */
export function dotOf(scene) {
  const boxes = nested(
    scene,
    ({ key, look, lines }) => `  ${quoted(key)} [label=${quoted(lines.join("\n"))}, ${LOOKS[look]}];`,
    (group, inside) => [
      `  subgraph ${quoted(`cluster_${group.key}`)} {`,
      `  label=${quoted([group.title, group.module].filter(Boolean).join(" · "))};`,
      ...inside,
      "  }",
    ],
  );
  const edges = edgesOf(scene).map(({ from, to, kind }) => `  ${quoted(from)} -> ${quoted(to)}${LINES[kind]};`);
  return ["digraph autograd {", '  node [style=filled, fontname="sans-serif"];', ...boxes, ...edges, "}", ""].join("\n");
}

/** @param {string} text */
const quoted = (text) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
