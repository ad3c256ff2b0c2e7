export { Graph } from "./Graph.jsx";
