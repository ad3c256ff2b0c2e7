import { useComputed } from "@preact/signals";
import { current, index, panel, playing, step, trace } from "../store.js";
import { t } from "../i18n/translate.js";
import { bandsOf } from "../model/bands.js";
import { questionAt } from "../model/question.js";
import { titleOf } from "../model/sentence.js";
import * as control from "../player/control.js";
import { Icon } from "./Icon.jsx";
import { IconButton } from "./IconButton.jsx";
import { Moves } from "./Moves.jsx";
import { Speed } from "./Speed.jsx";
import { say } from "./StepCard.jsx";
import { Timeline } from "./Timeline.jsx";

/** More bands than this are not listed in words; the timeline shows them. */
const LISTED = 4;

export function PlayerBar() {
  const count = trace.value?.steps.length ?? 0;
  const atStart = step.value <= 0;
  const atEnd = step.value >= count - 1;
  return (
    <section class="player" aria-label={t("player.label")}>
      <div class="player-row">
        <Control id="first" icon="first" label={t("player.first")} disabled={atStart} act={control.first} />
        <Control id="prev" icon="prev" label={t("player.prev")} disabled={atStart} act={control.previous} />
        <button
          type="button"
          class="button button-icon button-play"
          data-testid="player-play"
          aria-label={playing.value ? t("player.pause") : t("player.play")}
          title={playing.value ? t("player.pause") : t("player.play")}
          disabled={count < 2}
          onClick={control.toggle}
        >
          <Icon name={playing.value ? "pause" : "play"} />
        </button>
        <Control id="next" icon="next" label={t("player.next")} disabled={atEnd} act={control.next} />
        <Control id="last" icon="last" label={t("player.last")} disabled={atEnd} act={control.last} />
        <button
          type="button"
          class="button"
          data-testid="player-backward"
          title={t("player.backward.hint")}
          disabled={!trace.value?.backwards.length}
          onClick={control.toBackward}
        >
          {t("player.backward")}
        </button>
        <Speed />
        <Moves />
        <Bands />
      </div>
      <Caption />
      <Timeline />
    </section>
  );
}

/** @param {{ id: string, icon: "first" | "prev" | "next" | "last", label: string, disabled: boolean, act: () => void }} props */
function Control({ id, icon, label, disabled, act }) {
  // It keeps the focus where it is when the end is reached.
  return <IconButton icon={icon} data-testid={`player-${id}`} label={label} off={disabled} onClick={act} />;
}

function Bands() {
  const bands = useComputed(() => (trace.value ? bandsOf(trace.value) : []));
  if (bands.value.length === 0 || bands.value.length > LISTED) return <p class="player-note" title={t("player.keys")} />;
  const text = bands.value.map(({ phase, from, to }) =>
    t(from === to ? "player.band" : "player.bands", { phase: t(`phase.${phase}`), from: from + 1, to: to + 1 }),
  );
  return (
    <p class="player-note" title={t("player.keys")}>
      {text.join(" · ")}
    </p>
  );
}

/** The step's title where the card is out of sight: on a narrow screen. */
function Caption() {
  if (!index.value || !current.value) return <p class="player-caption" />;
  const wrong = current.value.kind === "error";
  return (
    <p class="player-caption">
      <span>{say(titleOf(index.value, current.value))}</span>
      {wrong ? <ToStep text={t("error.what")} /> : questionAt(index.value, step.value) && <ToStep text={t("predict.title")} />}
    </p>
  );
}

/** @param {{ text: string }} props */
const ToStep = ({ text }) => (
  <button type="button" class="plain-link" onClick={() => (panel.value = "step")}>
    {text} ›
  </button>
);
