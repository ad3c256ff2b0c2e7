import { useRef } from "preact/hooks";
import { useSize } from "../hooks/useSize.js";
import { narrowed } from "../model/print.js";

/** A tensor as PyTorch prints it, in lines that fit the column; it asks for the room of its own lines. @param {{ text: string }} props */
export function Printed({ text }) {
  const host = useRef(/** @type {HTMLPreElement | null} */ (null));
  const { width } = useSize(host);
  const columns = host.current && width > 0 ? Math.floor(width / letterWidth(host.current)) : Infinity;
  const longest = Math.max(...text.split("\n").map((line) => line.length));
  return (
    <pre ref={host} data-scrolls tabIndex={0} style={{ width: `${longest}ch` }}>
      {narrowed(text, columns)}
    </pre>
  );
}

/** Width of any letter there, in pixels: all have the same. @param {Element} host */
function letterWidth(host) {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return 8;
  context.font = getComputedStyle(host).font;
  return context.measureText("0").width;
}
