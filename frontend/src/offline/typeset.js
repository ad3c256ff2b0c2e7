/** KaTeX and its styles from within: a saved run can fetch nothing. */
import katex from "katex";
import "katex/dist/katex.min.css";

export const loadKatex = () => Promise.resolve(katex);
