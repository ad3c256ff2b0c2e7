import { expect, it } from "vitest";
import { readEvents } from "../src/events.js";

const STREAM = 'event: progress\ndata: {"phase":"运行"}\n\nevent: trace\ndata: {"a":"x: y"}\n\ndata:no name\n\nevent: cut\ndata: {';

it.each([1, 2, 3, 7, 1000])("events are whole however they are cut, by %i bytes", async (size) => {
  const bytes = new TextEncoder().encode(STREAM);
  const body = new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  const events = [];
  for await (const event of readEvents(body)) events.push(event);
  expect(events).toEqual([
    { name: "progress", data: '{"phase":"运行"}' },
    { name: "trace", data: '{"a":"x: y"}' },
    { name: "message", data: "no name" },
  ]);
});
