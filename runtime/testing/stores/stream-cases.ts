import type { SharedStores, StreamReading, StreamWriter } from "@mcp-codegen/runtime/http/sharing";
import {
  type SharedCaseOptions,
  type StoreCase,
  becomes,
  casesOf,
  equal,
  newId,
  numbers,
  pause,
} from "./store-case.js";

const WRITER: StreamWriter = { instance: "i1", requests: [1, "two"], isBatch: true };

const event = (index: number): { index: number; data: string } => ({
  index,
  data: `{"number":${index},"text":"é 😀"}`,
});

const indexes = (reading: StreamReading | undefined): number[] | undefined =>
  reading?.events.map(({ index }) => index);

/** The cases that the `streams` of {@link SharedStores} must pass. */
export const streamCases: readonly StoreCase<SharedStores, SharedCaseOptions>[] = casesOf({
  "has the events of a stream for all instances, in order": async (make) => {
    const [{ streams }, { streams: others }] = [await make(), await make()];
    const session = newId();
    equal(await others.read(session, "1", 0), undefined, "a stream that never existed");
    // Callers do not wait for earlier calls for the same stream.
    const calls = [
      streams.open(session, "1", WRITER),
      ...[1, 2, 3].map((index) => streams.append(session, "1", event(index))),
    ];
    equal((await Promise.all(calls)).slice(1), [true, true, true], "appended");
    const reading = { events: [1, 2, 3].map(event), last: 3, isOver: false, writer: WRITER };
    equal(await others.read(session, "1", 0), reading, "all");
    equal(indexes(await others.read(session, "1", 2)), [3], "events after the second");
    equal(indexes(await others.read(session, "1", 3)), [], "events after the last");
    equal(await others.read(session, "1", 4), undefined, "events after one that never existed");
    equal(await streams.end(session, "1", 3), true, "ended");
    equal((await others.read(session, "1", 3))?.isOver, true, "over");
  },

  "adds an event once, and none without the one before it": async (make) => {
    const { streams } = await make();
    const session = newId();
    equal(await streams.append(session, "1", event(1)), undefined, "before the stream exists");
    await streams.open(session, "1", WRITER);
    equal(await streams.append(session, "1", event(1)), true, "the first");
    equal(await streams.append(session, "1", event(1)), true, "the first one again");
    equal(await streams.append(session, "1", event(3)), undefined, "one after a gap");
    await streams.open(session, "1", WRITER);
    equal(await streams.append(session, "1", event(2)), true, "the second");
    equal(indexes(await streams.read(session, "1", 0)), [1, 2], "events");
    const last = streams.append(session, "1", event(3));
    await Promise.all([last, streams.end(session, "1", 3)]);
    equal(await last, true, "one before the end");
    equal(await streams.append(session, "1", event(4)), false, "one after the end");
    equal(indexes(await streams.read(session, "1", 0)), [1, 2, 3], "events in the end");
  },

  "ends a stream only when it has all of its events": async (make) => {
    const { streams } = await make();
    const session = newId();
    equal(await streams.end(session, "1", 1), true, "a stream that never existed");
    await streams.open(session, "1", WRITER);
    equal(await streams.end(session, "1", 1), false, "without its event");
    equal((await streams.read(session, "1", 0))?.isOver, false, "over");
    equal(await streams.append(session, "1", event(1)), true, "its event");
    equal(await streams.end(session, "1", 1), true, "with its event");
    equal(await streams.end(session, "1", 2), true, "once more");
    equal((await streams.read(session, "1", 0))?.isOver, true, "over");
  },

  "accepts many concurrent events": async (make) => {
    const { streams } = await make({ maxEvents: 5000 });
    const session = newId();
    await streams.open(session, "1", WRITER);
    const calls = numbers(1, 2500).map((index) => streams.append(session, "1", event(index)));
    equal((await Promise.all(calls)).every(Boolean), true, "appended");
    equal(indexes(await streams.read(session, "1", 0)), numbers(1, 2500), "events");
  },

  "removes the oldest events, and reports that": async (make) => {
    const { streams } = await make({ maxEvents: 5 });
    const session = newId();
    await streams.open(session, "1", WRITER);
    for (const index of numbers(1, 205)) await streams.append(session, "1", event(index));
    equal(await streams.read(session, "1", 0), undefined, "events of which some are gone");
    equal(await streams.read(session, "1", 1), undefined, "events of which some are gone");
    equal(indexes(await streams.read(session, "1", 200)), numbers(201, 205), "the newest events");
  },

  "counts the events that all instances push": async (make) => {
    const instances = [await make(), await make()];
    const session = newId();
    await instances[0]!.streams.open(session, "common");
    const pushes = numbers(1, 20).map((number) =>
      instances[number % 2]!.streams.push(session, "common", `${number}`),
    );
    await Promise.all(pushes);
    const reading = await instances[1]!.streams.read(session, "common", 0);
    equal(indexes(reading), numbers(1, 20), "indexes");
    const texts = reading!.events.map(({ data }) => Number(data)).toSorted((a, b) => a - b);
    equal(texts, numbers(1, 20), "texts");
    equal("writer" in reading! && reading.writer !== undefined, false, "has a writer");
  },

  "pushes an event with a key once": async (make) => {
    const instances = [await make(), await make()];
    const [session, other] = [newId(), newId()];
    for (const id of [session, other]) await instances[0]!.streams.open(id, "common");
    const key = "a key: with {marks}";
    await Promise.all(instances.map(({ streams }) => streams.push(session, "common", "once", key)));
    await instances[1]!.streams.push(session, "common", "other", "other key");
    await instances[1]!.streams.push(other, "common", "once", key);
    const reading = await instances[0]!.streams.read(session, "common", 0);
    equal(
      reading?.events.map(({ data }) => data),
      ["once", "other"],
      "texts",
    );
    equal((await instances[0]!.streams.read(other, "common", 0))?.last, 1, "of another session");
  },

  "returns unseen events to the next reader": async (make) => {
    const [{ streams }, { streams: others }] = [await make(), await make()];
    const session = newId();
    await streams.open(session, "common");
    for (const number of [1, 2, 3]) await streams.push(session, "common", `${number}`);
    equal(indexes(await streams.read(session, "common", "unseen")), [1, 2, 3], "not seen");
    equal(indexes(await streams.read(session, "common", 0, true)), [1, 2, 3], "seen now");
    await streams.push(session, "common", "4");
    equal(indexes(await others.read(session, "common", "unseen", true)), [4], "not seen");
    equal(indexes(await streams.read(session, "common", "unseen")), [], "not seen");
    equal((await streams.read(session, "common", "unseen"))?.last, 4, "the newest");
  },

  "returns those unseen events that it still has": async (make) => {
    const { streams } = await make({ maxEvents: 5 });
    const session = newId();
    await streams.open(session, "common");
    for (const number of numbers(1, 205)) await streams.push(session, "common", `${number}`);
    const left = indexes(await streams.read(session, "common", "unseen"))!;
    equal(left.at(-1), 205, "the last");
    equal(left.length >= 5 && left.length < 205, true, "some are left");
    equal(left, numbers(left[0]!, 205), "without gaps");
  },

  "ends a stream whose writer is gone once, for the first caller": async (make) => {
    const instances = [await make(), await make(), await make()];
    const session = newId();
    const { streams } = instances[0]!;
    await streams.open(session, "1", WRITER);
    await streams.append(session, "1", event(1));
    const settled = await Promise.all(
      instances.map((each, index) => each.streams.settle(session, "1", `end ${index}`)),
    );
    equal(settled.filter(Boolean).length, 1, "callers that have ended it");
    const reading = await streams.read(session, "1", 1);
    equal([reading?.last, reading?.isOver], [2, true], "the stream");
    equal(reading!.events[0]!.data, `end ${settled.indexOf(true)}`, "its last event");
    equal(await streams.append(session, "1", event(2)), false, "an event of the writer");
    equal(await streams.settle(session, "1", "again"), false, "its second end");
    equal(await streams.settle(session, "2", "none"), false, "a stream that never existed");
  },

  "does not settle a stream that is over": async (make) => {
    const { streams } = await make();
    const session = newId();
    await streams.open(session, "1", WRITER);
    await streams.end(session, "1", 0);
    equal(await streams.settle(session, "1", "end"), false, "its end");
    equal((await streams.read(session, "1", 0))?.last, 0, "events");
  },

  "notifies the watchers at all instances": async (make) => {
    const [{ streams }, { streams: others }] = [await make(), await make()];
    const session = newId();
    let calls = 0;
    const stop = others.watch(session, () => (calls += 1));
    const wakes = async (work: () => Promise<unknown>, about: string): Promise<void> => {
      await pause(60);
      const before = calls;
      await work();
      await becomes(() => calls > before, true, about);
    };
    await streams.open(session, "1", WRITER);
    await streams.open(session, "common");
    await pause(200);
    await wakes(() => streams.append(session, "1", event(1)), "an event");
    await wakes(() => streams.push(session, "common", "text"), "a pushed event");
    await wakes(() => streams.end(session, "1", 1), "an end");
    stop();
    await pause(60);
    const before = calls;
    await streams.push(session, "common", "text");
    await pause(60);
    equal(calls, before, "calls after it was stopped");
  },

  "keeps a stream that is opened repeatedly, and deletes it afterwards": async (make) => {
    const { streams } = await make({ sessionTtl: 300, eventTtl: 300 });
    const session = newId();
    await streams.open(session, "1", WRITER);
    for (let round = 0; round < 4; round++) {
      await pause(120);
      await streams.open(session, "1", WRITER);
    }
    equal(await streams.append(session, "1", event(1)), true, "its first event");
    await pause(450);
    equal(await streams.read(session, "1", 0), undefined, "an unused stream");
    equal(await streams.append(session, "1", event(2)), undefined, "its second event");
  },

  "ends all streams with their session": async (make) => {
    const [{ sessions, streams }, { streams: others }] = [await make(), await make()];
    const [session, other] = [newId(), newId()];
    for (const id of [session, other]) {
      await sessions.create(id, { revision: "some-revision", opening: "{}" });
      await streams.open(id, "1", WRITER);
      await streams.open(id, "common");
      await streams.append(id, "1", event(1));
    }
    await sessions.end(session);
    for (const stream of ["1", "common"])
      equal(await others.read(session, stream, 0), undefined, `stream ${stream}`);
    equal(await streams.append(session, "1", event(2)), undefined, "an event of the writer");
    equal(await streams.settle(session, "1", "end"), false, "its settlement");
    equal((await others.read(other, "1", 0))?.last, 1, "a stream of another session");
  },

  "keeps the streams of all instances as long as their session": async (make) => {
    const { sessions, streams } = await make({ sessionTtl: 600, eventTtl: 200 });
    const session = newId();
    await sessions.create(session, { revision: "some-revision", opening: "{}" });
    await streams.open(session, "common");
    await streams.push(session, "common", "text");
    await streams.open(session, "1", WRITER);
    await streams.end(session, "1", 0);
    for (let round = 0; round < 5; round++) {
      await pause(200);
      await sessions.use(session, 0);
    }
    equal((await streams.read(session, "common", 0))?.last, 1, "common");
    equal(await streams.read(session, "1", 0), undefined, "a stream that was over for long");
    await streams.push(session, "common", "more");
    equal((await streams.read(session, "common", 0))?.last, 2, "common");
  },
});
