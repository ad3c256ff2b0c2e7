/** Flipping through the turns of a loop, or through the backward calls. */
import { useComputed } from "@preact/signals";
import { t } from "../i18n/translate.js";
import { seek } from "../player/control.js";
import { IconButton } from "../parts/IconButton.jsx";
import { frameAt, sameMomentIn } from "./frames.js";

/** @param {{ view: import("./view.js").View }} props */
export function Frames({ view }) {
  const frame = useComputed(() => (view.scene.value ? frameAt(view.scene.value, view.step.value) : null)).value;
  const scene = view.scene.value;
  if (!frame || !scene) return null;
  const { at, count } = frame;
  /** @param {-1 | 1} way */
  const button = (way) => {
    const ends = way < 0 ? at === 0 : at === count - 1;
    const label = t(`frames.${frame.kind}.${way < 0 ? "previous" : "next"}`);
    return (
      <IconButton
        icon={way < 0 ? "left" : "right"}
        data-testid={way < 0 ? "frame-previous" : "frame-next"}
        label={label}
        off={ends}
        onClick={() => seek(sameMomentIn(scene, view.step.value, at + way))}
      />
    );
  };
  return (
    <div class="g-frames" role="group" aria-label={t("frames.label")}>
      {button(-1)}
      <span data-testid="frame">{t(`frames.${frame.kind}`, { number: at + 1, count })}</span>
      {button(1)}
    </div>
  );
}
