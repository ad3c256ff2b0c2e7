/**
 * What the browser keeps for the page. Storage may be blocked or full; the page works without.
 * `own` things belong to one window first: a reload finds them there, and a new window finds those of the last one.
 */

/** @param {string} key */
const named = (key) => `autograd-playground.${key}`;

/** @param {() => Storage} storage @param {string} key */
function read(storage, key) {
  try {
    return storage().getItem(named(key));
  } catch {
    return null;
  }
}

/** @param {() => Storage} storage @param {string} key @param {string} text */
function write(storage, key, text) {
  try {
    storage().setItem(named(key), text);
  } catch {
    // as above
  }
}

const ofAll = () => window.localStorage;
const ofThis = () => window.sessionStorage;

/** @param {string} key @param {{ own?: boolean }} [how] @returns {string | null} */
export const remembered = (key, { own = false } = {}) => (own ? read(ofThis, key) : null) ?? read(ofAll, key);

/** @param {string} key @param {string} text @param {{ own?: boolean }} [how] */
export function remember(key, text, { own = false } = {}) {
  if (own) write(ofThis, key, text);
  write(ofAll, key, text);
}

/** The document kept under a key; null for none, and for what is none. @param {string} key @returns {any} */
export function rememberedDocument(key) {
  try {
    return JSON.parse(remembered(key, { own: true }) ?? "null");
  } catch {
    return null;
  }
}
