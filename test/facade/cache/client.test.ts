import { afterEach, describe, expect, it } from "vitest";
import { Tools } from "../../../generated/2026-07-28/features.js";
import { Client, Server } from "../../../generated/2026-07-28/index.js";
import { ResponseCache } from "../../../runtime/facade/cache/index.js";
import { memoryPair } from "../../../runtime/memory/memory-pair.js";

const info = { name: "test", version: "1.0.0" };
const inputSchema = { type: "object" } as const;

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

interface Connected {
  readonly client: Client;
  readonly tools: Tools;
  /** Returns the number of tools/list requests that the server received. */
  requested(): number;
  names(): Promise<string[]>;
}

async function connected(): Promise<Connected> {
  let requested = 0;
  const tools = new Tools();
  tools.add({ name: "first", inputSchema }, () => ({ content: [] }));
  const freshness = { "tools/list": { ttlMs: 60_000 } };
  const server = new Server(info, {}, { features: [tools], freshness });
  const client = new Client(info, {}, { features: [new ResponseCache()] });
  open.push(client);
  const [ours, theirs] = memoryPair({
    ontext: (text) => {
      if (text.includes('"method":"tools/list"')) requested += 1;
    },
  });
  await server.connect(theirs);
  await client.connect(ours);
  const names = async (): Promise<string[]> =>
    (await client.listTools()).tools.map(({ name }) => name);
  return { client, tools, requested: () => requested, names };
}

/** Sends requests without types, because the request that opens a subscription is not a typed one. */
interface Untyped {
  request(method: string, params: object, options?: object): Promise<unknown>;
}

describe("a client with a cache", () => {
  it("requests a fresh result only once (CACHE-01)", async () => {
    const { requested, names } = await connected();
    expect([await names(), await names(), await names()]).toEqual([
      ["first"],
      ["first"],
      ["first"],
    ]);
    expect(requested()).toBe(1);
  });

  it("sends the request again after a change notification, with a handler or without (CACHE-09)", async () => {
    const { client, tools, requested, names } = await connected();
    const notifications = { toolsListChanged: true };
    const listening = (client as unknown as Untyped).request("subscriptions/listen", {
      notifications,
    });
    listening.catch(() => {});
    await names();
    tools.add({ name: "second", inputSchema }, () => ({ content: [] }));
    await expect.poll(names).toEqual(["first", "second"]);
    await names();
    expect(requested()).toBe(2);
  });

  it("passes on the option cache of a request", async () => {
    const { client, requested, names } = await connected();
    await names();
    await client.listTools({}, { cache: "no-store" });
    await client.listTools({}, { cache: "reload" });
    expect(requested()).toBe(3);
  });

  it("stores nothing that depends on the user's answers (CACHE-04)", async () => {
    let read = 0;
    const server = new Server(
      info,
      {
        "resources/read": async ({ uri }, { request }) => {
          if (uri === "a:asking") await request("roots/list");
          read += 1;
          return { contents: [] };
        },
      },
      { freshness: { "resources/read": { ttlMs: 60_000 } } },
    );
    const handlers = { "roots/list": () => ({ roots: [] }) };
    const client = new Client(info, handlers, { features: [new ResponseCache()] });
    open.push(client);
    const [ours, theirs] = memoryPair();
    await server.connect(theirs);
    await client.connect(ours);
    for (const uri of ["a:asking", "a:asking", "a:plain", "a:plain"]) {
      await client.readResource({ uri });
    }
    expect(read).toBe(3);
  });
});
