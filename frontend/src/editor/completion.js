/**
 * Completion of torch's names where a program writes a dot: of a module under whatever name it was imported, of a tensor
 * after anything else. The program's own variables and Python's words come with the language.
 */
import { pythonLanguage } from "@codemirror/lang-python";

/** @typedef {Record<string, string>} Names  text of names by module */

/**
 * The modules a program's names stand for: `F` for torch.nn.functional.
 * @param {string} program
 * @returns {Map<string, string>}
 */
export function importedAs(program) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const [, list] of program.matchAll(/^\s*import\s+([^#\n]+)/gm))
    for (const part of list.split(",")) {
      const match = /^\s*(torch(?:\.\w+)*)(?:\s+as\s+(\w+))?\s*$/.exec(part);
      if (match) found.set(match[2] ?? "torch", match[2] ? match[1] : "torch");
    }
  for (const [, module, list] of program.matchAll(/^\s*from\s+(torch(?:\.\w+)*)\s+import\s+([^#\n]+)/gm))
    for (const part of list.replace(/[()]/g, "").split(",")) {
      const match = /^\s*(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(part);
      if (match) found.set(match[2] ?? match[1], `${module}.${match[1]}`);
    }
  return found;
}

/**
 * What may follow the dot after an expression: names of the module it is, else those of tensors.
 * @param {Names} names
 * @param {string} expression  `nn.functional`, `(x + y)`
 * @param {string} program
 * @returns {{ names: string[], of: string }}
 */
export function namesAfter(names, expression, program) {
  const [first, ...rest] = expression.split(".");
  const root = importedAs(program).get(first);
  const module = root ? [root, ...rest].join(".") : null;
  const of = module && names[module] !== undefined ? module : root ? "" : first === "self" ? "torch.nn.Module" : "torch.Tensor";
  return { names: of ? names[of].split(" ") : [], of };
}

/** @param {() => Promise<Names>} load  fetched when the first dot is written */
export const torchCompletion = (load) =>
  pythonLanguage.data.of({
    autocomplete: async (/** @type {import("@codemirror/autocomplete").CompletionContext} */ context) => {
      const before = context.matchBefore(/(?:[A-Za-z_][\w.]*|[)\]])\.\w*$/);
      if (!before) return null;
      const dot = before.text.lastIndexOf(".");
      const { names, of } = namesAfter(await load(), before.text.slice(0, dot), context.state.doc.toString());
      if (names.length === 0) return null;
      const options = names.map((label) => ({ label, detail: of, type: /^[A-Z]/.test(label) ? "class" : "function" }));
      return { from: before.from + dot + 1, options, validFor: /^\w*$/ };
    },
  });
