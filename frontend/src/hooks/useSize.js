import { useLayoutEffect, useState } from "preact/hooks";

/**
 * The content size of an element in CSS pixels, kept up to date.
 * @param {{ current: Element | null }} host
 */
export function useSize(host) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry.contentRect;
      setSize({ width, height });
    });
    observer.observe(host.current);
    return () => observer.disconnect();
  }, []);
  return size;
}
