import { describe, expect, it } from "vitest";
import { traces } from "./fixtures/index.js";
import { indexTrace } from "../src/model/index.js";
import { parsePlace, parseThing } from "../src/address.js";
import { cameraAt, placeOf } from "../src/graph/place.js";
import { arrivalOf, departuresOf, forwardOf, needsOf } from "../src/model/card.js";
import { lastThing, lineOf, thingOfLine } from "../src/model/lines.js";
import { bytesPath, middleOf, stepAt } from "../src/model/scale.js";
import { fillSlots } from "../src/i18n/translate.js";

const chain = indexTrace(traces.chain);
const twice = indexTrace(traces.twice);
/** @param {string} name */
const node = (name) => /** @type {number} */ (chain.trace.nodes.find((item) => item.name.endsWith(name))?.id);

describe("the card of a step", () => {
  it("says what arrived and from whom", () => {
    const arrival = arrivalOf(chain, chain.trace.steps[11]);
    expect(arrival).toMatchObject({ left: "\\overline{w \\cdot x}", senders: [node("AddBackward0")] });
    expect(arrival?.value.data).toBe(14);
    expect(arrivalOf(chain, chain.trace.steps[7])?.senders).toEqual([]);
  });

  it("goes from names to numbers to the result, without saying a thing twice", () => {
    expect(departuresOf(chain, chain.trace.steps[11])[0].tex).toEqual(["{\\overline{w \\cdot x}} \\cdot {x}", "{14} \\cdot {2}", "28"]);
    expect(departuresOf(chain, chain.trace.steps[9])[0].tex).toEqual(["{\\bar{y}}", "{14}"]);
  });

  it("shows the forward formula the same way", () => {
    expect(forwardOf(chain, chain.trace.steps[5])).toEqual({ left: "\\textit{loss}", tex: ["{y}^{{2}}", "{7}^{{2}}", "49"] });
    expect(forwardOf(chain, chain.trace.steps[3])?.tex).toEqual(["{3} \\cdot {2}", "6"]);
  });

  it("names what was saved and whether it is freed", () => {
    expect(needsOf(chain, chain.trace.steps[11])).toMatchObject({ freed: true, kept: false });
    expect(needsOf(chain, chain.trace.steps[11]).saved.map((item) => item.name)).toEqual(["_saved_self", "_saved_other"]);
    expect(needsOf(chain, chain.trace.steps[9]).saved).toEqual([]);
  });
});

describe("lines and things", () => {
  it("are linked both ways", () => {
    const thing = thingOfLine(chain, 7);
    expect(thing?.kind).toBe("tensor");
    expect(chain.tensors.get(thing?.id ?? -1)?.names).toEqual(["y"]);
    expect(lineOf(chain, thing)).toBe(7);
    expect(thingOfLine(chain, 1)).toBeNull();
  });

  it("link an AccumulateGrad to the line of its leaf", () => {
    const accumulator = chain.accumulatorOf.get(0) ?? -1;
    expect(lineOf(chain, { kind: "node", id: accumulator })).toBe(chain.tensors.get(0)?.line);
  });

  it("keep to the last thing while nothing new is concerned", () => {
    expect(lastThing(chain.trace, 16)).toEqual({ kind: "tensor", id: 0 });
    expect(lastThing(twice.trace, -1)).toBeNull();
  });

  it("are read from a link, and only if they are well formed", () => {
    expect(parseThing("node:3")).toEqual({ kind: "node", id: 3 });
    expect([parseThing("node:x"), parseThing("edge:1"), parseThing(null)]).toEqual([null, null, null]);
  });
});

describe("where the camera looks", () => {
  it("is the same point in the middle of another screen", () => {
    const place = placeOf({ x: -100, y: 40, k: 1.6 }, { width: 800, height: 600 });
    expect(placeOf(cameraAt(place, { width: 390, height: 700 }), { width: 390, height: 700 })).toEqual(place);
  });

  it("is read from a link, and only if the page can look there", () => {
    expect(parsePlace("-12,340,0.85")).toEqual({ x: -12, y: 340, k: 0.85 });
    expect([parsePlace("1,2"), parsePlace("1,2,0"), parsePlace("1,2,9"), parsePlace("a,b,c"), parsePlace(null)]).toEqual(Array(5).fill(null));
  });
});

describe("the timeline's axis", () => {
  const scale = { count: 10, width: 200 };

  it("goes from steps to pixels and back", () => {
    for (let step = 0; step < 10; step += 1) expect(stepAt(scale, middleOf(scale, step))).toBe(step);
    expect([stepAt(scale, -5), stepAt(scale, 999), stepAt({ count: 0, width: 200 }, 5)]).toEqual([0, 9, -1]);
  });

  it("draws bytes as a stepped line that ends at the right edge", () => {
    const memory = [{ step: 0, bytes: 0 }, { step: 2, bytes: 8 }, { step: 5, bytes: 4 }];
    expect(bytesPath(memory, scale, { top: 10, bottom: 20 })).toBe("M0 20H10V20H50V10H110V15H200");
  });
});

describe("texts with slots", () => {
  it("are filled, and an unknown slot stays visible", () => {
    expect(fillSlots("{a} of {b} {c}", { a: 1, b: "two" })).toBe("1 of two {c}");
  });
});
