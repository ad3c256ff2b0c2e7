import { useLater } from "../hooks/useLater.js";

/** The comparison of two programs, loaded when it is first asked for. */
export function CompareHost() {
  const View = useLater(() => import("../compare/Compare.jsx").then((module) => module.default));
  return View ? <View /> : null;
}
