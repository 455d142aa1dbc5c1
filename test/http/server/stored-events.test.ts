import { describe, expect, it, onTestFinished } from "vitest";
import { type EventStore } from "../../../runtime/http/server/index.js";
import { MemoryEventStore } from "../../../runtime/http/server/sharing/index.js";
import { memoryStores } from "@mcp-codegen/testing/stores";
import { instances, RoamingClient, Shared } from "../sharing/support/instances.js";
import { EventReader, overWeb, serve, type SseEvent, tool } from "./serve.js";
import { ToyServer } from "./toy-server.js";

const INJECTED = [
  '{"jsonrpc":"2.0",\r\n"method":"notifications/message"}\n\nid: x_9\ndata: {"id":1}',
  '{}\n\nevent: endpoint\ndata: "https://evil.example"',
  "{}\r\rdata: {}",
];

/** Returns the texts of a resumed stream's events, without those that only have an id. */
function texts(events: readonly SseEvent[]): string[] {
  return events.flatMap(({ data }) => data ?? []).filter((data) => data !== "");
}

describe.each(INJECTED)("an event with line breaks in a store: %j", (injected) => {
  const expected = injected.replaceAll(/[\r\n]+/g, " ");

  it("stays one event if a stream of one instance is resumed", async () => {
    const events = new MemoryEventStore();
    const store: EventStore = {
      append: (...given) => events.append(...given),
      after: (...given) => events.after(...given)?.map((one) => ({ ...one, data: injected })),
      drop: (session) => events.drop(session),
    };
    const client = await serve(new ToyServer().server, { eventStore: store }, overWeb);
    await client.initialize("2025-11-25");
    const first = new EventReader(await client.post(tool(9, "log-and-wait")));
    const { id } = (await first.next())!;
    await first.cancel();
    const again = new EventReader(await client.get({ "Last-Event-ID": id! }));
    const event = (await again.next())!.data ? undefined : await again.next();
    expect(event?.data).toBe(expected);
    expect(event?.event).toBeUndefined();
    await again.cancel();
  });

  it("stays one event if another instance reads the stream", async () => {
    const stores = memoryStores();
    const { read } = stores.streams;
    stores.streams.read = async (...given) => {
      const reading = await read.apply(stores.streams, given);
      const events = reading?.events.map((one) => ({ ...one, data: injected }));
      return reading && { ...reading, events: events! };
    };
    const all = instances(2, { shared: new Shared(stores) });
    const client = await new RoamingClient(all).open("2025-11-25");
    const meta = { progressToken: "p" };
    const first = new EventReader(await client.at(0).post(tool(9, "wait", {}, meta)));
    const { id } = (await first.next())!;
    await first.cancel();
    onTestFinished(() => all[0]!.gate.open());
    const again = new EventReader(await client.at(1).get({ "Last-Event-ID": id! }));
    all[0]!.gate.open();
    expect(texts(await again.rest())).toEqual([expected, expected]);
  });
});

it.each<[string, () => Promise<void>]>([
  [
    "throws",
    () => {
      throw new Error("away");
    },
  ],
  ["rejects", () => Promise.reject(new Error("away"))],
])(
  "a store that %s when a session ends is reported, and the session has ended",
  async (_, drop) => {
    const errors: Error[] = [];
    const eventStore: EventStore = { append() {}, after: () => undefined, drop };
    const onerror = (error: Error): void => void errors.push(error);
    const client = await serve(new ToyServer().server, { eventStore, onerror }, overWeb);
    await client.initialize("2025-11-25");
    expect((await client.delete()).status).toBe(200);
    await expect.poll(() => errors.map(({ message }) => message)).toEqual(["away"]);
    expect(client.reached.handler.sessions).toBe(0);
  },
);
