/** The graph for Mermaid. */
import { edgesOf, nested } from "./outline.js";

/** @type {Record<import("./outline.js").Entry["look"], [string, string]>} */
const SHAPES = { op: ["[[", "]]"], leaf: ["[", "]"], tensor: ["[", "]"], constant: ["[", "]"], node: ["([", "])"] };
const ARROWS = { data: "-->", seed: "-.->", next: "-.->", saved: "-.-" };
const CLASSES = [
  "classDef op fill:#ede7f6,stroke:#5e35b1,color:#1b2330",
  "classDef leaf fill:#e8f5e9,stroke:#2e7d32,color:#1b2330",
  "classDef tensor fill:#e3f2fd,stroke:#1565c0,color:#1b2330",
  "classDef constant fill:#f4f5f7,stroke:#7c8796,color:#1b2330,stroke-dasharray:4",
  "classDef node fill:#fff3e0,stroke:#ef6c00,color:#1b2330",
];

/** @param {import("../scene/types.js").Scene} scene */
export function mermaidOf(scene) {
  const boxes = nested(
    scene,
    ({ key, look, lines }) => `  ${name(key)}${SHAPES[look].join(`"${lines.map(escaped).join("<br>")}"`)}:::${look}`,
    (group, inside) => [
      `  subgraph ${name(group.key)}["${escaped([group.title, group.module].filter(Boolean).join(" · "))}"]`,
      ...inside,
      "  end",
    ],
  );
  const edges = edgesOf(scene).map(({ from, to, kind }) => `  ${name(from)} ${ARROWS[kind]} ${name(to)}`);
  return ["flowchart TB", ...boxes, ...edges, ...CLASSES.map((line) => `  ${line}`), ""].join("\n");
}

/** A key in letters that Mermaid takes for a name. @param {string} key */
const name = (key) => `k_${key.replace(/\W/g, "_")}`;

/** What has a meaning in a label, by its number. @param {string} text */
const escaped = (text) => text.replace(/["#<>&\\`\n]/g, (sign) => `#${sign.charCodeAt(0)};`);
