import { describe, expect, it } from "vitest";
import { type EventStore, type StoredEvent } from "../../../runtime/http/server/index.js";
import { MemoryEventStore } from "../../../runtime/http/server/sharing/index.js";
import { dataOf, opened } from "./opened.js";
import { answerIn, EventReader, overNode, RawClient, tool, WAYS } from "./serve.js";

/** An event store that answers late, as one on another machine would. */
class SlowStore implements EventStore {
  readonly #store = new MemoryEventStore();

  async append(session: string, stream: string, event: StoredEvent): Promise<void> {
    await this.#later();
    this.#store.append(session, stream, event);
  }

  async after(session: string, stream: string, index: number) {
    await this.#later();
    const events = this.#store.after(session, stream, index);
    await this.#later();
    return events;
  }

  async drop(session: string): Promise<void> {
    await this.#later();
    this.#store.drop(session);
  }

  #later(): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const stores = [
  { store: "memory", eventStore: () => new MemoryEventStore() },
  { store: "slow", eventStore: () => new SlowStore() },
];
const cases = WAYS.flatMap((way) => stores.map((store) => ({ ...way, ...store })));

describe.each(cases)("resumption over $way, store: $store", ({ reach, eventStore }) => {
  it("delivers the missed events of a GET stream, then the rest (H16, RSM-04, RSM-05)", async () => {
    const { client, announce } = await opened(reach, "2025-06-18", { eventStore: eventStore() });
    const first = new EventReader(await client.get());
    for (const data of [1, 2, 3]) await announce(data);
    const event = await first.next();
    expect(JSON.parse(event!.data!).params.data).toBe(1);
    await first.cancel();
    await announce(4);
    const again = new EventReader(await client.get({ "Last-Event-ID": event!.id! }));
    const seen = [await dataOf(again), await dataOf(again), await dataOf(again)];
    await announce(5);
    seen.push(await dataOf(again));
    expect(seen).toEqual([2, 3, 4, 5]);
    await again.cancel();
    const twice = new EventReader(await client.get({ "Last-Event-ID": event!.id! }));
    for (const expected of [2, 3, 4, 5]) expect(await dataOf(twice)).toBe(expected);
    await twice.cancel();
  });

  it("neither loses nor duplicates an event while events keep arriving (H16)", async () => {
    const { client, announce } = await opened(reach, "2025-11-25", { eventStore: eventStore() });
    let reader = new EventReader(await client.get());
    let last = (await reader.next())!.id!;
    const seen: number[] = [];
    const talking = (async () => {
      for (let count = 1; count <= 60; count++) {
        await announce(count);
        if (count % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    while (seen.at(-1) !== 60) {
      for (let events = 0; events < 7 && seen.at(-1) !== 60;) {
        const event = (await reader.next())!;
        last = event.id!;
        if (!event.data) continue;
        seen.push(JSON.parse(event.data).params.data);
        events += 1;
      }
      await reader.cancel();
      reader = new EventReader(await client.get({ "Last-Event-ID": last }));
    }
    await talking;
    await reader.cancel();
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
  });

  it("delivers the rest of a POST stream until its answer arrived (H16, RSM-04, HTTP-26)", async () => {
    const { toy, client } = await opened(reach, "2025-06-18", { eventStore: eventStore() });
    const abort = new AbortController();
    const response = await client.post(tool(7, "log-and-wait"), {}, { signal: abort.signal });
    const broken = new EventReader(response);
    const { id } = (await broken.next())!;
    await broken.cancel();
    abort.abort();
    const again = new EventReader(await client.get({ "Last-Event-ID": id! }));
    toy.gate.open();
    expect(await dataOf(again)).toBe("second");
    expect(await again.message()).toMatchObject({ id: 7, result: {} });
    expect(await again.next()).toBeUndefined();
    const late = new EventReader(await client.get({ "Last-Event-ID": id! }));
    expect(await late.rest()).toHaveLength(2);
  });

  it("supports polling: the server closes, the client reconnects (POLL-01, POLL-02, POLL-03)", async () => {
    const { toy, client } = await opened(reach, "2025-11-25", { eventStore: eventStore() });
    const response = await client.post(tool(1, "release"));
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const [primed, retry, ...more] = await new EventReader(response).rest();
    expect(primed).toMatchObject({ id: expect.any(String), data: "", retry: "1000" });
    expect([retry, more]).toEqual([{ retry: "50" }, []]);
    const polled = new EventReader(await client.get({ "Last-Event-ID": primed!.id! }));
    toy.gate.open();
    expect(await dataOf(polled)).toBe("while you were away");
    expect(await polled.message()).toMatchObject({ id: 1, result: {} });
    expect(await polled.next()).toBeUndefined();
  });

  it("omits polling at revisions without it: streams begin with the first message (GAP-26)", async () => {
    const { toy, client } = await opened(reach, "2025-06-18", { eventStore: eventStore() });
    toy.gate.open();
    const events = await new EventReader(await client.post(tool(1, "release"))).rest();
    expect(events.map(({ data }) => data?.slice(0, 9))).toEqual(['{"jsonrpc', '{"jsonrpc']);
  });

  it("never delivers events of another stream or session (H15, RSM-06)", async () => {
    const { client, announce } = await opened(reach, "2025-11-25", { eventStore: eventStore() });
    const mine = new EventReader(await client.get());
    const { id } = (await mine.next())!;
    await announce("mine");
    const other = new RawClient(client.reached);
    await other.initialize("2025-11-25");
    const theirs = new EventReader(await other.get());
    const foreign = (await theirs.next())!.id!;
    const [, stream, index] = /^(.+)_(.+)$/.exec(id!)!;
    for (const lastEventId of [
      foreign,
      "unknown",
      `${stream}`,
      `${stream}_`,
      `${stream}_0`,
      `${stream}_-1`,
      `${stream}_zzzzz`,
      `${stream}_${"9".repeat(400)}`,
      `${stream}x_${index}`,
      `__proto___1`,
      "x".repeat(8000),
    ]) {
      const response = await client.get({ "Last-Event-ID": lastEventId });
      expect([lastEventId, response.status]).toEqual([lastEventId, 400]);
      expect((await response.json()).error.message).toContain("Last-Event-ID");
    }
    await announce("still here");
    expect([await dataOf(mine), await dataOf(mine)]).toEqual(["mine", "still here"]);
    await mine.cancel();
    await theirs.cancel();
  });
});

describe("a client that stops resuming", () => {
  it("does not take the stream away from its new connection (H16)", async () => {
    const store = new SlowStore();
    const { client, announce } = await opened(overNode, "2025-11-25", { eventStore: store });
    const first = new EventReader(await client.get());
    const id = (await first.next())!.id!;
    await first.cancel();
    const after = store.after.bind(store);
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    store.after = async (...given) => {
      await held;
      return after(...given);
    };
    const abort = new AbortController();
    const given = client.get({ "Last-Event-ID": id }, { signal: abort.signal });
    await new Promise((resolve) => setTimeout(resolve, 50));
    abort.abort();
    await expect(given).rejects.toThrow();
    store.after = after;
    const second = new EventReader(await client.get({ "Last-Event-ID": id }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    release();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await announce("to the second");
    expect(await dataOf(second)).toBe("to the second");
    await second.cancel();
  });
});

describe.each(WAYS)("without an event store, over $way", ({ reach }) => {
  it("streams have no event ids, are not resumed and are not closed early (HTTP-15)", async () => {
    const { toy, client, announce } = await opened(reach, "2025-11-25", { eventStore: null });
    const reader = new EventReader(await client.get());
    await announce("hello");
    expect(await reader.next()).toEqual({ data: expect.stringContaining("hello") });
    expect((await client.get({ "Last-Event-ID": "0_1" })).status).toBe(400);
    toy.gate.open();
    const answer = await answerIn(await client.post(tool(1, "release")));
    expect(answer.result.content[0].text).toBe("released");
    await reader.cancel();
  });
});
