import { useEffect, useState } from "preact/hooks";

/** @typedef {import("preact").FunctionComponent} View */

/**
 * A part of the page that is loaded when it is first wanted.
 * @param {() => Promise<View>} load
 * @param {boolean} [wanted]
 * @returns {View | null} null until it is there
 */
export function useLater(load, wanted = true) {
  const [part, setPart] = useState(/** @type {{ view: View } | null} */ (null));
  useEffect(() => {
    if (wanted && !part) void load().then((view) => setPart({ view }));
  }, [wanted]);
  return part?.view ?? null;
}
