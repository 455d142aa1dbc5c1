import { createClient } from "@redis/client";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redis, type RedisClient, type RedisStores } from "@mcp-codegen/redis";
import { busCases, mailCases, streamCases } from "@mcp-codegen/testing/stores";
import { noRedis, RedisServer } from "../support/redis-server.js";

describe("redis()", () => {
  it.each([
    ["nothing", undefined],
    ["a URL", "redis://127.0.0.1"],
    ["an object", {}],
    ["a class", Redis],
    ["an old client", { get: () => {}, set: () => {}, duplicate: () => {} }],
  ])("rejects %s, and names what it accepts", (_name, client) => {
    expect(() => redis(client as unknown as RedisClient)).toThrow(TypeError);
    expect(() => redis(client as unknown as RedisClient)).toThrow(/@redis\/client.*ioredis/);
  });

  it.each(["sessionTtl", "eventTtl", "maxEvents", "timeout"])("rejects a %s of 0", (name) => {
    const client = createClient();
    expect(() => redis(client, { [name]: 0 })).toThrow(`${name} must be a whole number above 0`);
  });
});

describe.skipIf(noRedis)("clients of all kinds", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server?.stop());

  /** Clients with options that change what they send or receive. */
  const kinds: Readonly<Record<string, () => Promise<[RedisClient, () => void]>>> = {
    "@redis/client with RESP 2": async () => {
      const client = await createClient({ url: server.url, RESP: 2 }).connect();
      return [client, () => client.destroy()];
    },
    "ioredis with a prefix of its own": async () => {
      const client = new Redis(server.port, { keyPrefix: "own:" });
      return [client, () => client.disconnect()];
    },
    "ioredis that connects when it has to": async () => {
      const client = new Redis(server.port, { lazyConnect: true });
      return [client, () => client.disconnect()];
    },
    "ioredis that collects commands": async () => {
      const client = new Redis(server.port, { enableAutoPipelining: true });
      return [client, () => client.disconnect()];
    },
  };

  it.each(Object.entries(kinds))("work equally: %s", async (_name, connect) => {
    const [client, close] = await connect();
    const notifies = streamCases.find(({ name }) => name.startsWith("notifies"))!;
    const passes = async (run: (make: () => RedisStores) => Promise<void>): Promise<void> => {
      const made: RedisStores[] = [];
      await run(() => {
        const stores = redis(client, { prefix: "kinds:" });
        made.push(stores);
        return stores;
      });
      for (const stores of made) stores.close();
    };
    for (const { run } of busCases) await passes((make) => run(() => make().bus));
    for (const { run } of [...mailCases.slice(0, 2), ...streamCases.slice(0, 2), notifies])
      await passes(run);
    close();
  });
});
