import { helping, lecture, live, sharing, stale, trace } from "../store.js";
import { t } from "../i18n/translate.js";
import { plain } from "../model/numbers.js";
import { progress } from "../session.js";
import { Appearance } from "./Appearance.jsx";
import { Brand } from "./Brand.jsx";
import { CheckedMark } from "./CheckedMark.jsx";
import { ExampleMenu } from "./ExampleMenu.jsx";
import { IconButton } from "./IconButton.jsx";
import { RunButton } from "./RunButton.jsx";

export function Header() {
  return (
    <header class="header">
      <Brand />
      <ExampleMenu />
      <RunButton />
      <label class="live" title={t("header.live.hint")}>
        <input type="checkbox" data-testid="live" checked={live.value} onChange={(event) => (live.value = event.currentTarget.checked)} />
        {t("header.live")}
      </label>
      <RunNote />
      <CheckedMark />
      <IconButton
        icon="help"
        data-testid="keys"
        label={t("keys.title")}
        hint={`${t("keys.title")} (?)`}
        aria-haspopup="dialog"
        onClick={() => (helping.value = true)}
      />
      <IconButton
        icon="lecture"
        data-testid="lecture"
        label={t("lecture.on")}
        hint={`${t("lecture.on")} (L)`}
        onClick={() => (lecture.value = true)}
      />
      <IconButton icon="share" data-testid="share" label={t("share.title")} aria-haspopup="dialog" onClick={() => (sharing.value = true)} />
      <Appearance />
    </header>
  );
}

function RunNote() {
  const now = progress.value;
  if (now) {
    const where = now.phase === "running" && now.line === null ? "progress.busy" : /** @type {const} */ (`progress.${now.phase}`);
    return (
      <span class="run-note run-progress" data-testid="progress">
        {t(where, { position: now.position ?? 1, line: now.line ?? 0, steps: plain(now.steps ?? 0), seconds: (now.elapsed_ms / 1000).toFixed(1) })}
      </span>
    );
  }
  const outcome = trace.value?.outcome;
  if (!outcome) return <span class="run-note" />;
  const time = outcome.run_ms == null ? "" : t("header.ran", { ms: plain(outcome.run_ms, 2) });
  return <span class="run-note">{stale.value ? t("header.stale") : time}</span>;
}
