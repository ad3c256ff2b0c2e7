import { useEffect, useRef, useState } from "preact/hooks";
import { loadKatex } from "./typeset.js";

/**
 * A typeset formula. KaTeX builds DOM nodes itself, so that no style attribute is parsed and a strict CSP holds.
 * @param {{ tex: string, display?: boolean }} props
 */
export function Tex({ tex, display = false }) {
  const host = useRef(/** @type {HTMLSpanElement | null} */ (null));
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let wanted = true;
    loadKatex()
      .then((katex) => {
        if (!wanted || !host.current) return;
        katex.render(tex, host.current, { displayMode: display, throwOnError: false, strict: "ignore", trust: false });
      })
      .catch(() => setFailed(true));
    return () => {
      wanted = false;
    };
  }, [tex, display]);
  return failed ? <code>{tex}</code> : <span class="tex" ref={host} />;
}
