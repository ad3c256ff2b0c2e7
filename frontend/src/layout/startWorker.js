/** A layout worker, from a file of its own as the page's policy asks. The offline player has another of this name. */
export const startLayoutWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/** The same layout for the page itself, which asks for it once the first picture is drawn. */
export const loadLayout = () => import("./layout.js").then((module) => module.layoutSheet);
