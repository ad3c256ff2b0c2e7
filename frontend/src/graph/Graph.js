export { Graph } from "./Graph.jsx";
export { prepareLayoutWorker } from "../layout/spare.js";
