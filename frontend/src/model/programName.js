/** What a program is called: by its first comment, where it begins with one. */

const LONGEST = 32;

/** @param {string} program @returns {string | null} */
export function nameIn(program) {
  const first = program.split("\n").find((line) => line.trim() !== "") ?? "";
  const said = /^\s*#+\s*(\S.*?)\s*$/.exec(first)?.[1] ?? null;
  return said && said.length > LONGEST ? `${said.slice(0, LONGEST - 1)}…` : said;
}
