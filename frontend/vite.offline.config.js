import { defineConfig } from "vite";

const here = (/** @type {string} */ path) => decodeURIComponent(new URL(path, import.meta.url).pathname);

/** Of the fonts of formulas only what the page's formulas use, in the one format that every browser reads. */
const fewFonts = {
  name: "few-fonts",
  enforce: /** @type {const} */ ("pre"),
  /** @param {string} code @param {string} id */
  transform: (code, id) =>
    /katex\.min\.css/.test(id)
      ? code
          .replace(/@font-face\{[^}]*KaTeX_(?:AMS|Caligraphic|Fraktur|SansSerif|Script)[^}]*\}/g, "")
          .replace(/,url\([^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)/g, "")
      : undefined,
};

// The player of a saved run: one script and one style sheet, which the page puts into a file of their own. Two of its
// modules stand in for those of the page that would load files or start a worker.
export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  define: { "process.env.NODE_ENV": '"production"' },
  resolve: {
    alias: [
      { find: /^.*\/startWorker\.js$/, replacement: here("./src/offline/startWorker.js") },
      { find: /^.*\/typeset\.js$/, replacement: here("./src/offline/typeset.js") },
    ],
  },
  plugins: [fewFonts],
  publicDir: false,
  build: {
    outDir: "dist/offline",
    emptyOutDir: true,
    target: "es2022",
    cssCodeSplit: false,
    assetsInlineLimit: Infinity,
    chunkSizeWarningLimit: 900,
    lib: {
      entry: here("./src/offline/main.jsx"),
      formats: ["iife"],
      name: "autogradPlayer",
      fileName: () => "player.js",
      cssFileName: "player",
    },
  },
});
