import { describe, expect, it, onTestFinished } from "vitest";
import { redis, type RedisOptions } from "@mcp-codegen/redis";
import { instances, RoamingClient, Shared } from "../http/sharing/support/instances.js";
import { tool } from "../http/server/serve.js";
import { noRedis, RedisServer } from "../support/redis-server.js";
import { libraries } from "./clients.js";

const echo = tool(1, "echo", { text: "" });
const PROBLEM = expect.stringContaining("the same Redis server and prefix");

async function server(): Promise<RedisServer> {
  const started = await RedisServer.start();
  onTestFinished(() => started.stop());
  return started;
}

describe.skipIf(noRedis).each(Object.entries(libraries))(
  "instances whose Redis differs, with %s",
  (_name, connect) => {
    async function instance({ port }: RedisServer, options: RedisOptions = {}, lease?: number) {
      const { client, close } = await connect([port]);
      onTestFinished(close);
      const stores = redis(client, { onerror: () => {}, ...options });
      onTestFinished(() => stores.close());
      const given = { shared: new Shared(stores), timeout: 30_000 };
      const [one] = instances(1, lease === undefined ? given : { ...given, lease });
      return one!;
    }

    async function messagesAt(here: Awaited<ReturnType<typeof instance>>, there: typeof here) {
      const client = await new RoamingClient([here, here]).open("2025-11-25");
      const elsewhere = new RoamingClient([there], client.headers);
      const { status } = await elsewhere.at(0).post(echo);
      await elsewhere.at(0).post(echo);
      return { status, messages: there.errors.map(({ message }) => message) };
    }

    it("report another server and another prefix, and nothing if both are the same", async () => {
      const first = await server();
      const here = await instance(first);
      const same = await instance(first);
      const otherServer = await instance(await server());
      const otherPrefix = await instance(first, { prefix: "other:" });
      expect(await messagesAt(here, same)).toEqual({ status: 200, messages: [] });
      for (const there of [otherServer, otherPrefix])
        expect(await messagesAt(here, there)).toEqual({ status: 404, messages: [PROBLEM] });
      expect(here.errors).toEqual([]);
    }, 60_000);

    it("report sessions of a Redis that has lost its data", async () => {
      const running = await server();
      const one = await instance(running, {}, 300);
      const client = await new RoamingClient([one, one]).open("2025-11-25");
      expect((await client.at(0).post(echo)).status).toBe(200);
      await running.cli("flushall");
      expect((await client.at(0).post(echo)).status).toBe(404);
      await expect
        .poll(async () => {
          await client.at(0).post(echo);
          return one.errors.map(({ message }) => message);
        })
        .toEqual([PROBLEM]);
    }, 60_000);
  },
);
