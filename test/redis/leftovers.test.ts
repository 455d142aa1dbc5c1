import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redis, type RedisStores } from "@mcp-codegen/redis";
import { noRedis, RedisServer } from "../support/redis-server.js";
import { libraries, type TestClient } from "./clients.js";

const TTL = 1000;
const RECORD = { revision: "r", opening: "{}" };
const WRITER = { instance: "i1", requests: [1], isBatch: false };

/** Uses everything that leaves keys behind. */
async function use({ sessions, streams, mail, bus, redeem, tasks }: RedisStores): Promise<void> {
  await mail.beat("i1", TTL);
  await mail.send("i1", "text");
  for (const session of ["kept", "ended", "odd {}} id"]) {
    await sessions.create(session, RECORD);
    await sessions.remember(session, "message", 10);
    await sessions.count(session);
    await streams.open(session, "session");
    await streams.push(session, "session", "text");
    for (const stream of ["over", "not over", "settled"]) {
      await streams.open(session, stream, WRITER);
      await streams.append(session, stream, { index: 1, data: "{}" });
    }
    await streams.end(session, "over", 1);
    await streams.settle(session, "settled", "{}");
  }
  await sessions.end("ended");
  await bus.publish({ method: "notifications/tools/list_changed" });
  await redeem("id", Date.now() + TTL);
  for (const [taskId, ttl] of [
    ["1", TTL],
    ["endless", null],
    ["\ud800 {odd}", TTL],
  ] as const) {
    const times = { createdAt: new Date().toISOString(), lastUpdatedAt: "", ttl };
    const task = { taskId, status: "working", ...times } as const;
    await tasks.add({ owner: "ada", version: 0, task });
    await tasks.update({ owner: "ada", version: 1, task: { ...task, status: "completed" } });
  }
}

describe.skipIf(noRedis).each(Object.entries(libraries))("keys, with %s", (_name, connect) => {
  let server: RedisServer;
  let client: TestClient;
  beforeAll(async () => {
    server = await RedisServer.start();
    client = await connect([server.port]);
  });
  afterAll(async () => {
    client.close();
    await server.stop();
  });

  it("have a prefix and an expiry each, and are all gone after their expiry", async () => {
    const options = { prefix: "app:", sessionTtl: TTL, eventTtl: TTL };
    const stores = redis(client.client, { ...options, tasks: { unlimitedTtl: TTL } });
    await use(stores);
    const keys = await server.keys();
    expect(keys.length).toBeGreaterThan(20);
    expect(keys.filter((key) => !key.startsWith("app:"))).toEqual([]);
    const endless = [];
    for (const key of keys) if ((await server.cli("pttl", key)) === "-1") endless.push(key);
    expect(endless).toEqual([]);
    // Matches keys that are kept for longer than they are needed.
    const longer = /:r$|:k$|:log$/;
    const left = async (): Promise<string[]> =>
      (await server.keys()).filter((key) => !longer.test(key));
    await expect.poll(left, { interval: 200 }).toEqual([]);
    for (const key of await server.keys())
      expect(Number(await server.cli("pttl", key)), key).toBeLessThanOrEqual(61_000);
    stores.close();
  }, 30_000);

  it("expire after ten years at the latest", async () => {
    const stores = redis(client.client, { prefix: "long:", tasks: { unlimitedTtl: Infinity } });
    const createdAt = new Date().toISOString();
    const task = { taskId: "1", createdAt, lastUpdatedAt: createdAt, ttl: null } as const;
    await stores.tasks.add({ owner: "ada", version: 0, task: { ...task, status: "working" } });
    await stores.tasks.update({ owner: "ada", version: 1, task: { ...task, status: "completed" } });
    const [key] = (await server.keys()).filter((name) => /^long:.*1/.test(name));
    expect(Number(await server.cli("pttl", key!))).toBeGreaterThan(3_649 * 86_400_000);
    stores.close();
  });
});
