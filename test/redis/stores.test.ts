import { afterAll, beforeAll, describe, it } from "vitest";
import { redis, type RedisOptions, type RedisStores } from "@mcp-codegen/redis";
import {
  busCases,
  mailCases,
  redeemCases,
  sessionCases,
  type StoreCase,
  streamCases,
  taskCases,
} from "@mcp-codegen/testing/stores";
import { noRedis, RedisCluster, RedisServer } from "../support/redis-server.js";
import { libraries, type TestClient } from "./clients.js";

const servers = {
  "one server": async () => {
    const server = await RedisServer.start();
    return { ports: [server.port], stop: () => server.stop() };
  },
  "a cluster of three": async () => {
    const cluster = await RedisCluster.start();
    return { ports: cluster.servers.map(({ port }) => port), stop: () => cluster.stop() };
  },
};

describe.skipIf(noRedis).each(Object.entries(servers))("%s", (_name, start) => {
  let running: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    running = await start();
  });
  afterAll(() => running?.stop());

  describe.each(Object.entries(libraries))("%s", (library, connect) => {
    let clients: readonly TestClient[] = [];
    beforeAll(async () => {
      clients = await Promise.all([connect(running.ports), connect(running.ports)]);
    });
    afterAll(() => {
      for (const client of clients) client.close();
    });

    describe.each([
      ["with a prefix", (count: number) => `app ${library}:${count}:`],
      ["without a prefix", () => ""],
    ])("%s", (_prefix, prefixOf) => {
      let count = 0;

      /** Runs a case with the stores of several instances, which use the clients in turn. */
      async function passes<Store, Options>(
        { run }: StoreCase<Store, Options>,
        pick: (stores: RedisStores) => Store,
        optionsOf: (options?: Options) => RedisOptions = () => ({}),
      ): Promise<void> {
        const prefix = prefixOf((count += 1));
        const made: RedisStores[] = [];
        try {
          await run((options) => {
            const { client } = clients[made.length % clients.length]!;
            const one = redis(client, { prefix, ...optionsOf(options) });
            made.push(one);
            return pick(one);
          });
        } finally {
          for (const stores of made) stores.close();
        }
      }

      it.concurrent.each(busCases)("bus: $name", (each) => passes(each, ({ bus }) => bus));
      it.concurrent.each(redeemCases)("redeem: $name", (each) =>
        passes(each, ({ redeem }) => redeem),
      );
      it.concurrent.each([...sessionCases, ...streamCases])("$name", (each) =>
        passes(
          each,
          (stores) => stores,
          (options) => options ?? {},
        ),
      );
      // Messages to all instances reach those of other cases as well.
      it.each(mailCases)("mail: $name", (each) => passes(each, (stores) => stores));
      // Their limits apply to all tasks under one prefix.
      it.each(taskCases)("tasks: $name", async (each) => {
        await clients[0]!.clear();
        await passes(
          each,
          ({ tasks }) => tasks,
          (tasks) => ({ tasks }),
        );
      });
    });
  });
});
