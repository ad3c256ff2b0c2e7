import { useEffect, useState } from "preact/hooks";

/** The comparison of two programs, loaded when it is first asked for. */
export function CompareHost() {
  const [found, setFound] = useState(/** @type {{ view: import("preact").FunctionComponent } | null} */ (null));
  useEffect(() => {
    void import("../compare/Compare.jsx").then(({ default: view }) => setFound({ view }));
  }, []);
  const View = found?.view;
  return View ? <View /> : null;
}
