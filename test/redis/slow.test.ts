import { describe, expect, it, onTestFinished } from "vitest";
import { redis } from "@mcp-codegen/redis";
import { instances, RoamingClient, Shared } from "../http/sharing/support/instances.js";
import { EventReader, tool, type Wire } from "../http/server/serve.js";
import { noRedis, RedisServer } from "../support/redis-server.js";
import { libraries } from "./clients.js";
import { Door } from "./faults.js";

const progressing = { progressToken: "p" };

describe.skipIf(noRedis).each(Object.entries(libraries))("a slow Redis, with %s", (_, connect) => {
  /** Starts three instances whose Redis is behind a door. */
  async function slowed(timeout: number) {
    const server = await RedisServer.start();
    onTestFinished(() => server.stop());
    const door = await Door.open(server.port);
    onTestFinished(() => door.close());
    const { client, close } = await connect([door.port]);
    onTestFinished(close);
    const errors: Error[] = [];
    const stores = redis(client, { timeout, onerror: (error) => void errors.push(error) });
    onTestFinished(() => stores.close());
    const all = instances(3, { shared: new Shared(stores), timeout: 30_000 });
    const session = await new RoamingClient(all).open("2025-11-25");
    return { all, door, session, errors };
  }

  it("slows requests, requests to the client, streams and ends of sessions, and nothing else", async () => {
    const { all, door, session, errors } = await slowed(30_000);
    door.delay = 200;
    const listening = new EventReader(await session.at(2).get());
    const asking = new EventReader(await session.at(0).post(tool(1, "ask")));
    const question: Wire = await asking.message();
    const answer = { jsonrpc: "2.0", id: question.id, result: { roots: [] } };
    expect((await session.at(1).post(answer)).status).toBe(202);
    expect((await asking.message()).result.content[0].text).toBe("0");

    const waiting = new EventReader(await session.at(0).post(tool(2, "wait", {}, progressing)));
    await waiting.next();
    const { id, data } = (await waiting.next())!;
    expect(JSON.parse(data!)).toHaveProperty("method", "notifications/progress");
    const resumed = new EventReader(await session.at(1).get({ "Last-Event-ID": id! }));
    all[0]!.gate.open();
    expect((await resumed.message()).result.content[0].text).toBe("waited");

    expect((await session.at(1).delete()).status).toBe(200);
    expect(await listening.message()).toBeUndefined();
    expect((await session.at(2).post(tool(4, "echo", { text: "" }))).status).toBe(404);
    expect(errors).toEqual([]);
  }, 60_000);

  it("counts as unavailable beyond its timeout, and is used again when it is fast", async () => {
    const { door, session, errors } = await slowed(1500);
    door.delay = 4000;
    const refused = await session.at(1).post(tool(1, "echo", { text: "" }));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(errors).toHaveLength(1);
    expect(errors[0]!.message).toContain("1500 ms (option timeout)");
    door.delay = 0;
    await expect
      .poll(async () => (await session.at(1).post(tool(2, "echo", { text: "" }))).status, {
        timeout: 30_000,
      })
      .toBe(200);
  }, 60_000);
});
