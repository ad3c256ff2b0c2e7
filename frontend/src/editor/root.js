/**
 * A shadow root for the editor. In a document CodeMirror writes its styles into a <style> element, which the page's
 * content security policy refuses; in a shadow root it adopts constructed style sheets, which are allowed.
 */
import styles from "../styles/editor.css?inline";

/**
 * @param {HTMLElement} host
 * @returns {ShadowRoot}
 */
export function editorRoot(host) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  return root;
}
