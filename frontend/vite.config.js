import { defineConfig } from "vitest/config";

// The page is served by the backend from the same origin under a strict CSP, so nothing is inlined:
// no data: URLs, no inline module preload script.
export default defineConfig({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
  },
  worker: { format: "es" },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
  test: { include: ["test/**/*.test.js"], environment: "node" },
});
