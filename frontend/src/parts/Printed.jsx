import { useRef } from "preact/hooks";
import { useSize } from "../hooks/useSize.js";
import { narrowed } from "../model/print.js";

/** A tensor as PyTorch prints it, in lines that fit the column. @param {{ text: string }} props */
export function Printed({ text }) {
  const host = useRef(/** @type {HTMLPreElement | null} */ (null));
  const { width } = useSize(host);
  const columns = host.current && width > 0 ? Math.floor(width / letterWidth(host.current)) : Infinity;
  return (
    <pre ref={host} data-scrolls tabIndex={0}>
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
