import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { SharedSessions } from "@mcp-codegen/runtime/http/sharing";
import { createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { redis, type RedisError, type RedisOptions, type RedisStores } from "@mcp-codegen/redis";
import { ACCEPT, initialize } from "../http/server/serve.js";
import { noRedis, RedisServer, type RedisServerOptions } from "../support/redis-server.js";
import { libraries, type TestClient } from "./clients.js";
import { Door } from "./faults.js";

const TIMEOUT = 1000;
const WRITER = { instance: "i1", requests: [1], isBatch: false };
const RECORD = { revision: "r", opening: "{}" };
const MINUTE = 60_000;

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeAll(() => void process.on("unhandledRejection", note));
afterAll(() => void process.off("unhandledRejection", note));

/** Calls to the stores that fail while Redis is away. */
const calls: Readonly<Record<string, (stores: RedisStores) => Promise<unknown>>> = {
  "a session is opened": ({ sessions }) => sessions.create("s", RECORD),
  "a session is used": ({ sessions }) => sessions.use("s"),
  "sessions are touched": ({ sessions }) => sessions.touch(["s", "t"]),
  "a session is ended": ({ sessions }) => sessions.end("other"),
  "a stream is opened": ({ streams }) => streams.open("s", "1", WRITER),
  "an event is added": ({ streams }) => streams.append("s", "1", { index: 1, data: "{}" }),
  "events are added": ({ streams }) => streams.push("s", "session", "{}"),
  "a stream is read": ({ streams }) => streams.read("s", "1", 0),
  "an instance gives a sign of life": ({ mail }) => mail.beat("i1", MINUTE),
  "an instance is looked for": ({ mail }) => mail.isAlive("i1"),
  "mail is sent": ({ mail }) => mail.send("i1", "text"),
  "mail is sent to all": ({ mail }) => mail.sendAll("text", "i2"),
  "something is used once": ({ redeem }) => redeem("id", Date.now() + MINUTE),
  "a task is read": ({ tasks }) => tasks.get("t"),
  "tasks are listed": ({ tasks }) => tasks.list("ada"),
  "a task is deleted": ({ tasks }) => tasks.delete("other"),
};

/** Returns the error of a call that must fail. A call that never ends exceeds the test's time limit. */
function failure(work: Promise<unknown>): Promise<RedisError> {
  return work.then(
    (value) => {
      throw new Error(`it should have failed, but is ${JSON.stringify(value)}`);
    },
    (reason: RedisError) => reason,
  );
}

async function eventually(check: () => Promise<unknown>): Promise<void> {
  await expect.poll(() => check().catch(String)).toBe("done");
}

describe.skipIf(noRedis).each(Object.entries(libraries))("an outage, with %s", (_name, connect) => {
  const open: (() => unknown)[] = [];
  let errors: Error[] = [];

  beforeEach(() => {
    errors = [];
    unhandled.length = 0;
  });
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
    // A late part of a call would arrive now.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(unhandled).toEqual([]);
  });

  const onerror = (error: Error): void => void errors.push(error);

  async function server(options?: RedisServerOptions): Promise<RedisServer> {
    const started = await RedisServer.start(options);
    open.push(() => started.stop());
    return started;
  }

  async function stores(port: number, options: RedisOptions = {}): Promise<RedisStores> {
    const client: TestClient = await connect([port]);
    open.push(() => client.close());
    const made = redis(client.client, { timeout: TIMEOUT, onerror, ...options });
    open.push(() => made.close());
    return made;
  }

  it("is one line in the log, also with shared sessions", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    open.push(() => log.mockRestore());
    const running = await server();
    const one = await stores(running.port, { onerror: undefined });
    const handler = createHttpHandler(new McpServer({ name: "log", version: "1.0.0" }), {
      sessions: new SharedSessions(one),
    });
    open.push(() => handler.close(0));
    const ask = async (): Promise<number> => {
      const headers = { "Content-Type": "application/json", Accept: ACCEPT };
      const body = JSON.stringify(initialize("2025-11-25"));
      const request = new Request("http://localhost/mcp", { method: "POST", headers, body });
      return (await handler(request)).status;
    };
    expect(await ask()).toBe(200);
    await running.kill();
    expect([await ask(), await ask()]).toEqual([503, 503]);
    expect(log.mock.calls).toEqual([
      [expect.stringMatching(/^@mcp-codegen\/redis: Redis (did not answer|cannot be reached)/)],
    ]);
  });

  it("rejects every call in time, is reported once, and ends without a restart", async () => {
    const running = await server({ appendOnly: true });
    const one = await stores(running.port);
    const task = { taskId: "t", status: "working", ttl: MINUTE, createdAt: "", lastUpdatedAt: "" };
    await one.sessions.create("s", RECORD);
    await one.streams.open("s", "1", WRITER);
    await one.tasks.add({ owner: "ada", version: 0, task: { ...task, status: "working" } });
    expect(await one.redeem("used", Date.now() + MINUTE)).toBe(true);
    let lost = 0;
    const received: string[] = [];
    const stop = one.bus.subscribe(
      ({ method }) => void received.push(method),
      () => (lost += 1),
    );
    open.push(stop);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await running.kill();

    const failures = Object.entries(calls).map(async ([about, call]) => {
      const error = await failure(call(one));
      expect(error, about).toMatchObject({ name: "RedisError" });
      expect(["unreachable", "unanswered"], about).toContain(error.code);
      expect(error.message, about).toContain("Redis");
    });
    await Promise.all(failures);
    // Change notifications do not fail, and the instance that sent them receives them.
    await one.bus.publish({ method: "notifications/tools/list_changed" });
    expect(received).toEqual(["notifications/tools/list_changed"]);
    expect(errors).toHaveLength(1);

    await running.start();
    await eventually(async () => (await one.sessions.use("s", 0)) && "done");
    expect(await one.streams.append("s", "1", { index: 1, data: "{}" })).toBe(true);
    expect(await one.tasks.get("t")).toMatchObject({ owner: "ada" });
    expect(await one.redeem("used", Date.now() + MINUTE)).toBe(false);
    await expect.poll(() => lost).toBeGreaterThan(0);
    // The next outage is reported again.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await one.mail.isAlive("i1");
    await running.kill();
    await failure(one.mail.isAlive("i1"));
    expect(errors.length).toBeGreaterThan(1);
  }, 60_000);

  it("does not run an operation later that was rejected", async () => {
    const running = await server({ appendOnly: true });
    const one = await stores(running.port);
    await one.redeem("first", Date.now() + MINUTE);
    await running.kill();
    // Once the client has noticed the outage, it has nothing left to send later.
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const call of [
      () => one.redeem("given up", Date.now() + MINUTE),
      () => one.sessions.create("given up", RECORD),
    ]) {
      expect((await failure(call())).code).toBe("unreachable");
    }
    await running.start();
    await eventually(async () => (await one.redeem("first", 0)) || "done");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await one.redeem("given up", Date.now() + MINUTE)).toBe(true);
    expect(await one.sessions.use("given up")).toBeUndefined();
  }, 60_000);

  it("rejects in time while Redis is paused, and ends afterwards", async () => {
    const running = await server();
    const one = await stores(running.port);
    await one.sessions.create("s", RECORD);
    await one.streams.open("s", "1", WRITER);
    running.pause();
    const error = await failure(one.sessions.use("s"));
    expect(error).toMatchObject({ code: "unanswered" });
    expect(error.message).toContain(`${TIMEOUT} ms (option timeout)`);
    const appended = one.streams.append("s", "1", { index: 1, data: "{}" });
    expect((await failure(appended)).code).toBe("unanswered");
    running.resume();
    await eventually(async () => (await one.sessions.use("s", 0)) && "done");
    // It may have run after it was rejected; running it again does not duplicate it.
    expect(await one.streams.append("s", "1", { index: 1, data: "{}" })).toBe(true);
    expect((await one.streams.read("s", "1", 0))?.events).toHaveLength(1);
    expect(errors).toHaveLength(1);
  }, 60_000);

  it("reports that Redis is out of memory, changes nothing, and still ends sessions", async () => {
    const running = await server();
    const one = await stores(running.port);
    await one.sessions.create("s", RECORD);
    await one.streams.open("s", "1", WRITER);
    await one.streams.append("s", "1", { index: 1, data: "{}" });
    await running.cli("config", "set", "maxmemory", "1");
    for (const call of [
      () => one.streams.append("s", "1", { index: 2, data: "{}" }),
      () => one.streams.push("s", "1", "{}", "once"),
      () => one.redeem("id", Date.now() + MINUTE),
      () => one.sessions.create("t", RECORD),
      () => one.sessions.remember("s", "a", 9),
      () => one.mail.beat("i1", MINUTE),
    ]) {
      const error = await failure(call());
      expect(error).toMatchObject({ name: "RedisError", code: "refused" });
      expect(error.message).toContain("maxmemory");
      // What was sent must not appear in logs.
      expect(error.cause).toBeUndefined();
    }
    expect((await one.streams.read("s", "1", 0))?.last).toBe(1);
    expect(await one.sessions.use("s", 0)).toBe("known");
    expect(errors).toHaveLength(1);
    expect(await one.sessions.end("s")).toBe(true);
    await running.cli("config", "set", "maxmemory", "0");
    expect(await one.redeem("id", Date.now() + MINUTE)).toBe(true);
    await one.sessions.create("t", RECORD);
    expect(await one.sessions.use("t", 0)).toBe("known");
  }, 60_000);

  it("continues with a replica, and refuses a stream whose last events the replica does not have", async () => {
    const first = await server();
    const second = await server({ replicaOf: first });
    const door = await Door.open(first.port);
    open.push(() => door.close());
    const one = await stores(door.port);
    await one.sessions.create("s", RECORD);
    await one.streams.open("s", "1", WRITER);
    for (const index of [1, 2]) await one.streams.append("s", "1", { index, data: "{}" });
    await expect.poll(() => second.cli("dbsize")).not.toBe("0");
    const link = async (): Promise<boolean> =>
      (await second.cli("info", "replication")).includes("master_link_status:up");
    await expect.poll(link).toBe(true);
    await first.cli("wait", "1", "1000");
    // The replica does not receive the third event.
    second.pause();
    await one.streams.append("s", "1", { index: 3, data: "{}" });
    await first.kill();
    second.resume();
    await second.cli("replicaof", "no", "one");
    door.lead(second.port);
    await eventually(async () => (await one.sessions.use("s", 0)) && "done");
    const reading = await one.streams.read("s", "1", 0);
    if (reading?.last === 2) {
      expect(await one.streams.read("s", "1", 3)).toBeUndefined();
      expect(await one.streams.append("s", "1", { index: 4, data: "{}" })).toBeUndefined();
    }
    expect(await one.streams.append("s", "1", { index: 3, data: "{}" })).toBe(true);
    expect(await one.streams.append("s", "1", { index: 4, data: "{}" })).toBe(true);
  }, 60_000);
});
