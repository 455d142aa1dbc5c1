import { describe, expect, it } from "vitest";
import { MemoryEventStore } from "../../../runtime/http/server/sharing/index.js";
import { dataOf, opened } from "./opened.js";
import { EventReader, tool, WAYS } from "./serve.js";

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

describe.each(WAYS)("messages in a stream, over $way", ({ reach }) => {
  it("cannot break out of their event (H25)", async () => {
    const { client } = await opened(reach, "2025-06-18");
    const text = "a\n\nid: 5\nevent: evil\ndata: {}\r\n\rdata: \u2028\u2029\u0000\ud800 end";
    const reader = new EventReader(await client.post(tool(1, "log", { text })));
    expect(await dataOf(reader)).toBe(text);
    const events = await reader.rest();
    expect(events).toHaveLength(1);
    expect(reader.raw.split("\n").filter((line) => line.startsWith("event"))).toEqual([]);
  });

  it("are dropped if no client reads them, and the session continues (H07)", async () => {
    const store = new MemoryEventStore({ maxBytesPerSession: 10_000 });
    const options = { maxWaitingBytes: 200_000, eventStore: store };
    const { toy, client } = await opened(reach, "2025-06-18", options);
    const response = await client.get();
    const [session] = toy.server.sessions;
    const notify = session!.notify.bind(session) as unknown as (m: string, p: object) => unknown;
    const data = "x".repeat(100_000);
    for (let count = 0; count < 300; count++) {
      void notify("notifications/message", { level: "info", data });
      if (count % 10 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    await expect(response.text()).rejects.toThrow();
    expect(store.size).toBeLessThan(300_000);
    expect((await client.post(ping)).status).toBe(200);
  });

  it("make the sender wait for a slow reader", async () => {
    const { client, toy } = await opened(reach, "2025-06-18", { maxWaitingBytes: 1 << 30 });
    let written = 0;
    toy.tools["flood"] = async (_, { notify }) => {
      const send = notify as unknown as (m: string, p: object) => Promise<void>;
      for (; written < 300; written++) {
        await send("notifications/message", { level: "info", data: "x".repeat(100_000) });
      }
      return { content: [] };
    };
    const response = await client.post(tool(1, "flood"));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(written).toBeLessThan(300);
    await response.text();
    expect(written).toBe(300);
  });
});
