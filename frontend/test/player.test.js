import { describe, expect, it } from "vitest";
import { DWELL, next, press, previous, seek, tick, toggle } from "../src/player/player.js";

const start = { step: 0, last: 3, playing: false, speed: 1, waited: 0, loop: null };

describe("the player", () => {
  it("stays within the steps", () => {
    expect(previous(start).step).toBe(0);
    expect(next({ ...start, step: 3 }).step).toBe(3);
    expect(seek({ ...start, last: -1, step: -1 }, 5).step).toBe(-1);
  });

  it("moves one step when its time has passed, and faster at a higher speed", () => {
    const playing = toggle(start);
    expect(tick(playing, DWELL - 1)).toMatchObject({ step: 0, waited: DWELL - 1 });
    expect(tick(playing, DWELL)).toMatchObject({ step: 1, waited: 0, playing: true });
    expect(tick({ ...playing, speed: 2 }, DWELL / 2).step).toBe(1);
  });

  it("never leaps, however long the page was hidden", () => {
    expect(tick(toggle(start), 100 * DWELL).step).toBe(1);
  });

  it("stops at the end, and begins again from there", () => {
    const end = tick({ ...toggle(start), step: 2 }, DWELL);
    expect(end).toMatchObject({ step: 3, playing: false });
    expect(toggle(end)).toMatchObject({ step: 0, playing: true });
  });

  it("plays a range over and over, from wherever it is started", () => {
    const looped = { ...start, loop: { from: 1, to: 2 } };
    expect(toggle(looped)).toMatchObject({ step: 1, playing: true });
    const at = [1, 2, 1, 2];
    let state = toggle(looped);
    for (const step of at) {
      expect(state).toMatchObject({ step, playing: true });
      state = tick(state, DWELL);
    }
    expect(tick({ ...state, step: 3 }, DWELL).step).toBe(1);
    expect(tick({ ...start, playing: true, loop: { from: 2, to: 3 }, step: 3 }, DWELL)).toMatchObject({ step: 2, playing: true });
  });

  it("does nothing without time passing or without playing", () => {
    expect(tick(start, DWELL)).toBe(start);
  });

  it("answers keys, and only those it knows", () => {
    expect(press(start, "End")?.step).toBe(3);
    expect(press({ ...start, step: 2 }, "Home")?.step).toBe(0);
    expect(press(start, " ")?.playing).toBe(true);
    expect(press({ ...start, playing: true }, "ArrowRight")).toMatchObject({ step: 1, playing: false });
    expect(press(start, "q")).toBeUndefined();
  });
});
