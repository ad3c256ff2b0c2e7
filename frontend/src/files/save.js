/** Giving files to whoever looks at the page. */

/** @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the blob after the click; a minute is plenty.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** @param {string} text @param {string} type @param {string} name */
export const saveText = (text, type, name) => save(new Blob([text], { type }), name);
