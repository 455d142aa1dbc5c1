import { describe, expect, it, onTestFinished } from "vitest";
import { redis } from "@mcp-codegen/redis";
import { instances, RoamingClient, Shared } from "../http/sharing/support/instances.js";
import { answerIn, EventReader, tool, type Wire } from "../http/server/serve.js";
import { eventually } from "../support/eventually.js";
import { noRedis, RedisServer } from "../support/redis-server.js";
import { libraries } from "./clients.js";
import { Door } from "./faults.js";

const progressing = { progressToken: "p" };

interface Place {
  readonly server: RedisServer;
  readonly door: Door;
}

/** Faults that make Redis lose sessions while the instances keep running. */
const faults: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  "FLUSHALL, with all connections cut": async ({ server, door }) => {
    await server.cli("flushall");
    door.cut();
  },
  "FLUSHALL alone": ({ server }) => server.cli("flushall"),
  "the eviction of the session": async ({ server }) => evict(server, /:s$/),
  "the eviction of its streams": async ({ server }) => evict(server, /:e:/),
  "a failover to a replica that has received nothing": async ({ door }) => {
    const replica = await RedisServer.start();
    onTestFinished(() => replica.stop());
    door.lead(replica.port);
  },
  "a failover to a replica that lags behind by the events of the streams": async ({
    server,
    door,
  }) => {
    const replica = await RedisServer.start({ replicaOf: server });
    onTestFinished(() => replica.stop());
    await eventually(async () => expect(await replica.keys()).toEqual(await server.keys()));
    await replica.cli("replicaof", "no", "one");
    await evict(replica, /:e:/);
    door.lead(replica.port);
  },
};

async function evict(server: RedisServer, name: RegExp): Promise<void> {
  const keys = (await server.keys()).filter((key) => name.test(key));
  expect(keys).not.toEqual([]);
  await server.cli("del", ...keys);
}

async function text(reading: Promise<Wire>): Promise<unknown> {
  return (await reading)?.result?.content[0].text;
}

describe.skipIf(noRedis).each(Object.entries(libraries))(
  "pending calls when Redis loses their session, with %s",
  (_name, connect) => {
    it.each(Object.keys(faults))(
      "are answered with their results, and run once: %s",
      async (fault) => {
        const server = await RedisServer.start();
        onTestFinished(() => server.stop());
        const door = await Door.open(server.port);
        onTestFinished(() => door.close());
        const { client, close } = await connect([door.port]);
        onTestFinished(close);
        const stores = redis(client, { onerror: () => {} });
        onTestFinished(() => stores.close());
        const all = instances(2, { shared: new Shared(stores), timeout: 30_000 });
        const [one] = all;
        const session = await new RoamingClient(all).open("2025-11-25");
        const plain = session.at(0).post(tool(1, "wait"));
        const stream = new EventReader(await session.at(0).post(tool(2, "wait", {}, progressing)));
        expect(await stream.message()).toMatchObject({ method: "notifications/progress" });
        await expect.poll(() => one!.called).toHaveLength(2);

        await faults[fault]!({ server, door });
        const isLost = !/streams/.test(fault);
        for (const index of [0, 1]) {
          const request = () => session.at(index).post(tool(9, "echo", { text: "" }));
          await expect
            .poll(async () => (await request()).status, { timeout: 20_000 })
            .toBe(isLost ? 404 : 200);
        }
        one!.gate.open();
        const response = await plain;
        expect([response.status, await text(answerIn(response))]).toEqual([200, "waited"]);
        expect(await text(stream.message())).toBe("waited");
        expect(await stream.message()).toBeUndefined();
        expect([one!.called, one!.aborted]).toEqual([["wait", "wait"], []]);
      },
      60_000,
    );
  },
);
