import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { redis, type RedisStores } from "@mcp-codegen/redis";
import { connect, createHttpHandler, McpServer, revisions } from "@mcp-codegen/universal";
import { noRedis, RedisServer } from "../support/redis-server.js";
import { libraries, type TestClient } from "./clients.js";

type Client = Awaited<ReturnType<typeof connect>>;

const outcomes = (caller: Client, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, () =>
      caller.callTool("work").then(
        () => "done",
        (error: Error) => error.message,
      ),
    ),
  );

describe.skipIf(noRedis).each(Object.entries(libraries))("limits, with %s", (_name, library) => {
  let server: RedisServer;
  let client: TestClient;
  const errors: Error[] = [];
  const onerror = (error: Error): void => void errors.push(error);
  let stores: RedisStores;
  const open: { close(): Promise<unknown> }[] = [];

  beforeAll(async () => {
    server = await RedisServer.start();
    client = await library([server.port]);
    stores = redis(client.client, { prefix: "app:", timeout: 2000, onerror });
  });
  afterAll(async () => {
    for (const one of open.toReversed()) await one.close();
    stores.close();
    client.close();
    await server.stop();
  });

  /** Connects a sender's client, whose requests go to two instances in turn. */
  async function sender(name: string): Promise<Client> {
    const instances = [1, 2].map(() => {
      const middleware = [stores.limits({ "tools/call": { perSecond: 1, burst: 5 } })];
      const instance = new McpServer({ name: "limited", version: "1" }, { middleware });
      instance.registerTool("work", {}, () => "done");
      const handler = createHttpHandler(instance, { authenticate: () => ({ principal: name }) });
      open.push(handler);
      return handler;
    });
    let turn = 0;
    const fetch = (url: string | URL, init?: RequestInit) =>
      instances[turn++ % 2]!(new Request(url, init));
    const caller = await connect("http://localhost/mcp", { http: { fetch } });
    open.push(caller);
    return caller;
  }

  it("count the requests of a sender at all instances together", async () => {
    const [ada, bob] = [await sender("ada"), await sender("bob")];
    const said = await outcomes(ada, 8);
    expect(said.filter((each) => each === "done")).toHaveLength(5);
    // They arrive at the same time, so any three of them can exceed the limit.
    const rejected = said.filter((each) => each !== "done");
    expect(rejected).toHaveLength(3);
    for (const each of rejected)
      expect(each).toContain("more than 1 requests of this method per second");
    expect(await outcomes(bob, 2)).toEqual(["done", "done"]);
    const keys = await server.keys();
    expect(keys.map((key) => key.replace(/\{.*\}/, ""))).toEqual(
      Array.from({ length: 2 }, () => "app::q:tools/call"),
    );
    for (const key of keys) expect(Number(await server.cli("pttl", key))).toBeGreaterThan(0);
  });

  it("count anonymous senders together, whatever session ids they invent", async () => {
    const limit = { perSecond: 5, burst: 5, anonymous: true };
    const instance = new McpServer(
      { name: "anonymous", version: "1" },
      { middleware: [stores.limits({ "tools/call": limit })] },
    );
    instance.registerTool("work", {}, () => "done");
    const handler = createHttpHandler(instance);
    open.push(handler);
    const before = (await server.keys()).length;
    let invented = 0;
    const fetch = (url: string | URL, init?: RequestInit) => {
      const request = new Request(url, init);
      request.headers.set("mcp-session-id", `invented-${(invented += 1)}`);
      return handler(request);
    };
    const caller = await connect("http://localhost/mcp", {
      http: { fetch },
      revisions: revisions.slice(0, 1),
    });
    open.push(caller);
    const said = await outcomes(caller, 40);
    // The one-second window may change once in the meantime.
    expect(said.filter((each) => each === "done").length).toBeLessThanOrEqual(10);
    expect((await server.keys()).length - before).toBeLessThanOrEqual(2);
  });

  it("let requests pass while Redis is unavailable, report it once, and apply again afterwards", async () => {
    const eve = await sender("eve");
    errors.length = 0;
    await server.kill();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const before = performance.now();
    expect(new Set(await outcomes(eve, 20))).toEqual(new Set(["done"]));
    // Redis is paused now. Waiting for it would never end, because time stands still.
    const clock = vi.spyOn(performance, "now").mockReturnValue(before);
    expect(await outcomes(eve, 1)).toEqual(["done"]);
    clock.mockRestore();
    expect(errors).toHaveLength(1);
    await server.start();
    await expect
      .poll(async () => (await outcomes(eve, 8)).filter((each) => each !== "done").length, {
        timeout: 15_000,
        interval: 300,
      })
      .toBeGreaterThan(0);
  }, 30_000);
});
