/** Outlines on a 16×16 grid; `fill` ones are solid. */
const PATHS = {
  play: { fill: "M4 2.5v11l9-5.5z" },
  pause: { fill: "M4 3h3v10H4zM9 3h3v10H9z" },
  next: { fill: "M3 3v10l7-5zM11 3h2v10h-2z" },
  prev: { fill: "M13 3v10L6 8zM3 3h2v10H3z" },
  first: { line: "M12.5 3.5 8 8l4.5 4.5M7.5 3.5 3 8l4.5 4.5M1.5 3v10" },
  last: { line: "M3.5 3.5 8 8l-4.5 4.5M8.5 3.5 13 8l-4.5 4.5M14.5 3v10" },
  sun: { line: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M13 3l-1.1 1.1M4.1 11.9 3 13" },
  moon: { line: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z" },
  down: { line: "m4 6 4 4 4-4" },
  search: { line: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.3 10.3 14 14" },
  share: { line: "M8 10V2M5 4.5 8 1.5l3 3M3.5 7.5h-1v6.5h11V7.5h-1" },
  help: { line: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.6 8 9 8 9.8M8 12.4v.4" },
  lecture: { line: "M2 2.5h12v8H2zM8 10.5v3M5 13.5h6" },
  plus: { line: "M8 3.5v9M3.5 8h9" },
  left: { line: "m10 3.5-4.5 4.5 4.5 4.5" },
  right: { line: "m6 3.5 4.5 4.5L6 12.5" },
  close: { line: "m4 4 8 8M12 4l-8 8" },
};

/** @param {{ name: keyof typeof PATHS }} props */
export function Icon({ name }) {
  /** @type {{ fill?: string, line?: string }} */
  const path = PATHS[name];
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      {path.fill && <path d={path.fill} fill="currentColor" />}
      {path.line && (
        <path d={path.line} fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" />
      )}
    </svg>
  );
}
