import { describe, expect, it, onTestFinished } from "vitest";
import { connect, connectInMemory, McpServer } from "../../generated/universal/index.js";
import * as r20251125 from "../../generated/2025-11-25/index.js";
import { revisions } from "../../generated/universal/revisions.js";
import { metrics } from "../../runtime/opentelemetry/index.js";
import { RpcError } from "../../runtime/wire/index.js";
import { memoryPair } from "../../runtime/memory/memory-pair.js";
import { callWithQuestion } from "./call-with-question.js";
import { Meters } from "./meters.js";

const info = { name: "test", version: "1.0.0" };

const attributesOf = (meters: Meters, name: string) =>
  meters.named(name).map(({ attributes }) => attributes);

/** Returns the attributes of one tool call in each direction. */
const callOf = (revision: string, more: object = {}) => ({
  "mcp.method.name": "tools/call",
  "mcp.protocol.version": revision,
  "gen_ai.operation.name": "execute_tool",
  ...more,
});

describe.each(revisions.map(({ id }) => id))("metrics at %s", (id) => {
  async function pair() {
    const [ours, theirs] = [new Meters(), new Meters()];
    const chosen = revisions.filter((revision) => revision.id === id);
    const server = new McpServer(info, {
      revisions: chosen,
      features: [metrics({ meterProvider: theirs.provider })],
      onerror: () => {},
    });
    server.registerTool("fine", {}, () => "fine");
    server.registerTool("broken", {}, () => {
      throw new Error("a secret");
    });
    const client = await connect(await connectInMemory(server), {
      revisions: chosen,
      features: [metrics({ meterProvider: ours.provider })],
    });
    onTestFinished(() => client.close());
    return { ours, theirs, client };
  }

  it("have the duration of each message at both sides, in seconds, with its outcome", async () => {
    const { ours, theirs, client } = await pair();
    await client.callTool("fine");
    await client.callTool("broken");
    await client.callTool("absent").catch(() => {});
    const names = ["fine", "broken", "_OTHER"];
    const errors = [{}, { "error.type": "tool_error" }, expect.anything()];
    for (const [meters, side] of [
      [ours, "client"],
      [theirs, "server"],
    ] as const) {
      const name = `mcp.${side}.operation.duration`;
      const calls = attributesOf(meters, name).filter(
        (one) => one["mcp.method.name"] === "tools/call",
      );
      expect(calls.map((one) => one["gen_ai.tool.name"])).toEqual(names);
      expect(calls.slice(0, 2)).toEqual(
        [0, 1].map((index) => callOf(id, { "gen_ai.tool.name": names[index], ...errors[index] })),
      );
      expect(calls[2]).toMatchObject({
        "error.type": "-32602",
        "rpc.response.status_code": "-32602",
      });
      for (const { value } of meters.named(name)) expect(value).toBeGreaterThanOrEqual(0);
      for (const { value } of meters.named(name)) expect(value).toBeLessThan(60);
      expect(meters.options.get(name)).toMatchObject({ unit: "s" });
      expect(meters.options.get(name)!.advice!.explicitBucketBoundaries!.at(-1)).toBe(300);
    }
    expect(JSON.stringify([ours.all, theirs.all])).not.toMatch(/secret|absent/);
  });

  it("have the duration of a session, and none of stateless requests", async () => {
    const { ours, theirs, client } = await pair();
    await client.callTool("fine");
    await client.close();
    const isSession = id !== "2026-07-28";
    for (const [meters, side] of [
      [ours, "client"],
      [theirs, "server"],
    ] as const) {
      const name = `mcp.${side}.session.duration`;
      await expect.poll(() => attributesOf(meters, name).length).toBe(isSession ? 1 : 0);
      if (isSession)
        expect(attributesOf(meters, name)[0]).toMatchObject({ "mcp.protocol.version": id });
      const other = side === "client" ? "server" : "client";
      expect(meters.named(`mcp.${other}.session.duration`)).toEqual([]);
    }
  });
});

it("each round of a request is counted at the server, and the request once at the client", async () => {
  const meters = new Meters();
  const client = await callWithQuestion(() => [metrics({ meterProvider: meters.provider })]);
  await client.close();
  const calls = (name: string) =>
    attributesOf(meters, name).filter((one) => one["mcp.method.name"] === "tools/call");
  expect(calls("mcp.client.operation.duration")).toEqual([
    callOf("2026-07-28", { "gen_ai.tool.name": "t" }),
  ]);
  await expect.poll(() => calls("mcp.server.operation.duration")).toHaveLength(2);
  for (const attributes of calls("mcp.server.operation.duration"))
    expect(attributes).not.toHaveProperty("error.type");
});

it("a request that is cancelled is counted once, also if its handler never returns", async () => {
  const meters = new Meters();
  const server = new r20251125.Server(
    info,
    { "tools/call": () => new Promise<never>(() => {}) },
    { features: [metrics({ meterProvider: meters.provider, attributes: { tenant: "a" } })] },
  );
  const client = new r20251125.Client(info, {});
  const [ours, theirs] = memoryPair();
  await server.connect(theirs);
  await client.connect(ours);
  const aborted = new AbortController();
  const calling = client.callTool({ name: "t" }, { signal: aborted.signal }).catch(() => {});
  setTimeout(() => aborted.abort(), 10);
  await calling;
  await expect.poll(() => meters.named("mcp.server.operation.duration")).toHaveLength(1);
  const [cancelled] = attributesOf(meters, "mcp.server.operation.duration");
  expect(cancelled).toMatchObject({ tenant: "a", "gen_ai.tool.name": "_OTHER" });
  expect(cancelled).toHaveProperty(["error.type"]);
  await client.close();
});

it.each([
  ["codes", (turn: number) => new RpcError(turn, "no")],
  ["names", (turn: number) => Object.assign(new Error("no"), { name: `Error at /orders/${turn}` })],
  ["long names", (turn: number) => Object.assign(new Error("no"), { name: `${turn}`.repeat(200) })],
  ["values that are no names", (turn: number) => Object.assign(new Error("no"), { name: turn })],
])("%s of errors have a limited number of values", async (_, errorOf) => {
  const meters = new Meters();
  const { middleware } = metrics({ meterProvider: meters.provider });
  const session = { revision: r20251125.revision, closed: new Promise(() => {}) };
  const context = { session, signal: new AbortController().signal };
  const call = { kind: "request", method: "ping", params: {}, context } as never;
  for (let turn = 0; turn < 200; turn++)
    await expect(middleware[0]!(call, () => Promise.reject(errorOf(turn)))).rejects.toThrow("no");
  for (const name of ["error.type", "rpc.response.status_code"]) {
    const all = attributesOf(meters, "mcp.server.operation.duration").map((one) => one[name]);
    expect(new Set(all).size).toBeLessThan(150);
    for (const value of all) expect(["string", "undefined"]).toContain(typeof value);
  }
});

it("names of unknown tools share one value, however many are called", async () => {
  const meters = new Meters();
  const { middleware } = metrics({ meterProvider: meters.provider });
  const session = { revision: r20251125.revision, closed: new Promise(() => {}) };
  const context = { session, signal: new AbortController().signal };
  for (let turn = 0; turn < 1100; turn++) {
    const params = { name: `t${turn}` };
    const call = { kind: "request", method: "tools/call", params, context } as never;
    await middleware[0]!(call, async () => ({ content: [] }));
  }
  const names = new Set(
    attributesOf(meters, "mcp.server.operation.duration").map((one) => one["gen_ai.tool.name"]),
  );
  expect(names.size).toBe(1001);
  expect(names.has("_OTHER")).toBe(true);
});
