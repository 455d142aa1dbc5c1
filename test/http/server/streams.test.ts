import { describe, expect, it } from "vitest";
import { dataOf, opened } from "./opened.js";
import { EventReader, tool, WAYS } from "./serve.js";

describe.each(WAYS)("the GET stream over $way", ({ reach }) => {
  it("carries messages that belong to no request (HTTP-22, HTTP-24, HTTP-25)", async () => {
    const { client, announce } = await opened(reach, "2025-06-18");
    const response = await client.get();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const reader = new EventReader(response);
    await announce("one");
    expect(await dataOf(reader)).toBe("one");
    await reader.cancel();
  });

  it("must be accepted by the client (HTTP-23)", async () => {
    const { client } = await opened(reach);
    expect((await client.get({ Accept: "application/json" })).status).toBe(406);
  });

  it("never carries answers, nor messages of a request (HTTP-26, HTTP-29)", async () => {
    const { client, announce } = await opened(reach, "2025-06-18");
    const reader = new EventReader(await client.get());
    const messages = (await (await client.post(tool(1, "log", { count: 2 }))).text()).match(
      /data:/g,
    );
    expect(messages).toHaveLength(3);
    await announce("last");
    expect(await dataOf(reader)).toBe("last");
    await reader.cancel();
  });

  it("carries earlier messages, up to a limit", async () => {
    const { client, announce } = await opened(reach, "2025-06-18", { maxQueued: 2 });
    for (const data of [1, 2, 3]) await announce(data);
    const reader = new EventReader(await client.get());
    expect([await dataOf(reader), await dataOf(reader)]).toEqual([2, 3]);
    await reader.cancel();
  });

  it("replaces the previous one (H14)", async () => {
    const { client, announce } = await opened(reach, "2025-06-18");
    const first = new EventReader(await client.get());
    const second = new EventReader(await client.get());
    expect(await first.next()).toBeUndefined();
    await announce("to the second");
    expect(await dataOf(second)).toBe("to the second");
    await second.cancel();
  });

  it("is kept alive by comments", async () => {
    const { client, announce } = await opened(reach, "2025-06-18", { keepAlive: 15 });
    const reader = new EventReader(await client.get());
    const next = dataOf(reader);
    await expect.poll(() => reader.raw).toMatch(/(: \n\n){2}/);
    await announce("after");
    expect(await next).toBe("after");
    await reader.cancel();
  });

  it("carries requests of the server that belong to no other request", async () => {
    const { toy, client } = await opened(reach, "2025-06-18");
    const [session] = toy.server.sessions;
    const ask = session!.request.bind(session) as unknown as (method: string) => Promise<unknown>;
    await expect(ask("ping")).rejects.toThrow("cannot reach the peer now");
    const reader = new EventReader(await client.get());
    const requested = ask("ping");
    const { id, method } = await reader.message();
    expect(method).toBe("ping");
    await client.post({ jsonrpc: "2.0", id, result: {} });
    expect(await requested).toEqual({});
    await reader.cancel();
  });
});

describe.each(WAYS)("a flood of GET, over $way (H14)", ({ reach }) => {
  it("leaves one stream open, the last", async () => {
    const { client, announce } = await opened(reach);
    const readers = [];
    for (let count = 0; count < 200; count++) readers.push(new EventReader(await client.get()));
    const last = readers.pop()!;
    for (const reader of readers) expect((await reader.rest()).length).toBeLessThanOrEqual(1);
    await announce("still here");
    expect(await dataOf(last)).toBe("still here");
    await last.cancel();
  });
});
