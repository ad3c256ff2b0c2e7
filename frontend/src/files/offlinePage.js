/** One file that plays a run without a server: the player, its styles and the run, all inside. */

/** It may run what is inside and fetch nothing, whatever a trace says. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:";

/**
 * @param {{ script: string, styles: string }} player
 * @param {{ trace: import("../wire").Trace, program: string, step: number, language: "en" | "zh", theme: string }} run
 * @param {string} title
 */
export function offlinePage({ script, styles }, run, title) {
  return `<!doctype html>
<html lang="${run.language === "zh" ? "zh-CN" : "en"}" data-theme="light">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</title>
<style>${styles.replaceAll("</", "<\\/")}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="run">${JSON.stringify(run).replaceAll("<", "\\u003c")}</script>
<script>${script.replaceAll(/<\/(script)/gi, "<\\/$1").replaceAll("<!--", "<\\!--")}</script>
</body>
</html>
`;
}

/** The player as the page's own server has it. Throws an Error when it cannot be fetched. */
export async function fetchPlayer() {
  const [script, styles] = await Promise.all(
    ["offline/player.js", "offline/player.css"].map(async (path) => {
      const reply = await fetch(path);
      if (!reply.ok) throw new Error(`${path}: ${reply.status}`);
      return reply.text();
    }),
  );
  return { script, styles };
}
