import { useEffect, useRef, useState } from "preact/hooks";
import { sharedFields } from "../address.js";
import { postSnippet } from "../api.js";
import { SIDES, textToCarry } from "../compare/link.js";
import { t } from "../i18n/translate.js";
import { embedTag, linkTo, PARTS } from "../model/links.js";
import { pack } from "../model/pack.js";
import { SEED } from "../session.js";
import { code, comparing, example, sharing, trace } from "../store.js";
import { Dialog } from "./Dialog.jsx";
import { Downloads } from "./Downloads.jsx";

/** Height of a frame whose page listens to no message, in pixels. */
const FRAME_HEIGHT = 560;
const HIDDEN_AT_FIRST = ["console", "ledger", "queue", "inspector"];

/** Links, the tag for another page, and files. */
export function Share() {
  return (
    <Dialog testId="share-dialog" titleId="share-title" title={t("share.title")} open={sharing}>
      <Links />
      <Downloads />
    </Dialog>
  );
}

function Links() {
  const program = useProgram();
  const [withStep, setWithStep] = useState(true);
  const [hide, setHide] = useState(() => new Set(HIDDEN_AT_FIRST));
  const [autoplay, setAutoplay] = useState(false);
  if (!program) return <p role="status">{t("share.making")}</p>;
  const fields = sharedFields();
  if (program.name) fields.set(program.name, program.text);
  for (const [side, word] of program.compared) fields.set(side, word);
  if (!withStep) for (const name of ["step", "select"]) fields.delete(name);
  const base = window.location.origin + window.location.pathname;
  const order = PARTS.filter((part) => hide.has(part));
  const tag = embedTag(linkTo(base, fields, { embed: true, hide: order, autoplay }), { title: t("app.title"), height: FRAME_HEIGHT });
  /** @param {string} part */
  const toggle = (part) => {
    const next = new Set(hide);
    if (!next.delete(part)) next.add(part);
    setHide(next);
  };
  return (
    <>
      <Copied id="link" label={t(program.name === "s" ? "share.link.short" : "share.link")} text={linkTo(base, fields)} />
      <label class="share-check">
        <input type="checkbox" checked={withStep} disabled={!trace.value} onChange={(event) => setWithStep(event.currentTarget.checked)} />
        {t("share.step")}
      </label>
      <Copied id="embed" label={t("share.embed")} text={tag} tall />
      <fieldset class="share-parts">
        <legend>{t("share.show")}</legend>
        {PARTS.map((part) => (
          <label key={part} class="share-check">
            <input type="checkbox" checked={!hide.has(part)} onChange={() => toggle(part)} />
            {t(`share.part.${part}`)}
          </label>
        ))}
        <label class="share-check">
          <input type="checkbox" checked={autoplay} onChange={(event) => setAutoplay(event.currentTarget.checked)} />
          {t("share.autoplay")}
        </label>
      </fieldset>
    </>
  );
}

/**
 * How a link names a program that is no example: by a stored copy, or whole where there is no place to store it.
 * @param {string} program
 * @returns {Promise<{ name: "s" | "code", text: string }>}
 */
async function nameOf(program) {
  const { ok } = program.trim() ? await postSnippet(program, SEED) : { ok: null };
  return typeof ok?.id === "string" ? { name: "s", text: ok.id } : { name: "code", text: await pack(program) };
}

/** The words of the programs that are compared beside the one in the editor. @returns {Promise<Array<[string, string]>>} */
async function comparedWords() {
  const sides = comparing.value ? SIDES.map((side) => ({ side, text: textToCarry(side) })) : [];
  const found = sides.map(async ({ side, text }) => {
    if (text === null) return [];
    const { name, text: word } = await nameOf(text);
    return [/** @type {[string, string]} */ ([side, `${name}:${word}`])];
  });
  return (await Promise.all(found)).flat();
}

/** How a link names the program in the editor and those that are compared. Null while that is being found out. */
function useProgram() {
  const [program, setProgram] = useState(
    /** @type {{ name: "" | "s" | "code", text: string, compared: Array<[string, string]> } | null} */ (null),
  );
  useEffect(() => {
    let wanted = true;
    const named = async () => {
      const own = example.value ? { name: /** @type {const} */ (""), text: "" } : await nameOf(code.value);
      return { ...own, compared: await comparedWords() };
    };
    void named().then((made) => {
      if (wanted) setProgram(made);
    });
    return () => {
      wanted = false;
    };
  }, []);
  return program;
}

/** A text to take along. @param {{ id: string, label: string, text: string, tall?: boolean }} props */
function Copied({ id, label, text, tall = false }) {
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const [done, setDone] = useState("");
  const copy = async () => {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(text);
      setDone(text);
    } catch {
      // Without a clipboard the text is at least selected.
    }
  };
  return (
    <div class="share-copy">
      <label for={`share-${id}`}>{label}</label>
      <textarea
        id={`share-${id}`}
        data-testid={`share-${id}`}
        ref={field}
        class="code"
        readOnly
        rows={tall ? 6 : 2}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
      <button type="button" class="button" data-testid={`copy-${id}`} onClick={() => void copy()}>
        {t(done === text ? "share.copied" : "share.copy")}
      </button>
    </div>
  );
}
