import { describe, expect, it } from "vitest";
import { wordsOf } from "../src/model/ending.js";

/** @param {Partial<import("../src/wire").Outcome>} given */
const outcome = (given) => /** @type {import("../src/wire").Outcome} */ ({ status: "error", error: null, message: null, ...given });
const thrown = (/** @type {string} */ message) => ({ type: "RuntimeError", message, line: 3 });

describe("what is said of a run that did not end well", () => {
  it("leaves an error of the program its own words", () => {
    expect(wordsOf(outcome({ error: thrown("a second time") }))).toEqual({ title: null, why: null, instead: null, own: "a second time" });
  });

  it("says beside an error's own words what there is instead of what is missing", () => {
    const words = wordsOf(outcome({ error: thrown("No module named 'x'"), message: "Not here.", reason: "time", reason_values: { limit: "2 s" } }));
    expect(words).toEqual({ title: null, why: null, instead: { key: "reason.time", slots: { limit: "2 s" } }, own: "No module named 'x'" });
  });

  it("puts the page's words in place of the sandbox's, for an error and for a limit", () => {
    for (const [status, title] of /** @type {const} */ ([["error", null], ["timeout", "status.timeout"], ["memory", "status.memory"]])) {
      const given = { status, error: thrown("Stopped after 2 s."), message: "Stopped after 2 s.", reason: "time", reason_values: {} };
      expect(wordsOf(outcome(given))).toEqual({ title, why: { key: "reason.time", slots: {} }, instead: null, own: null });
    }
  });

  it("repeats what it has no words for", () => {
    const given = { error: thrown("Something new."), message: "Something new.", reason: "unheard_of" };
    expect(wordsOf(outcome(given))).toEqual({ title: null, why: null, instead: null, own: "Something new." });
    expect(wordsOf(outcome({ ...given, status: "crash" }))).toEqual({ title: "status.crash", why: null, instead: null, own: "Something new." });
  });

  it("adds what Python said where memory was refused", () => {
    const given = { status: /** @type {const} */ ("memory"), error: thrown("Unable to allocate 8 GiB"), message: "Too much.", reason: "time" };
    expect(wordsOf(outcome(given)).own).toBe("Unable to allocate 8 GiB");
  });
});
