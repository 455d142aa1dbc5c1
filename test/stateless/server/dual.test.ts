import { revision as handshake } from "@mcp-codegen/2025-11-25";
import { revision as batching } from "@mcp-codegen/2025-03-26";
import { revision } from "@mcp-codegen/2026-07-28";
import { Tools } from "@mcp-codegen/2026-07-28/features";
import { afterEach, describe, expect, it } from "vitest";
import type { HandlerContext } from "../../../runtime/api/handlers.js";
import { RawPeer } from "../../engine/support/raw-peer.js";
import { envelope, META, RawClient, tagOf, type Wire } from "./support/raw-client.js";
import { RevisionsServer } from "./support/servers.js";

const info = { name: "test", version: "1" };
const both = [handshake, revision];

type Ask = (method: string) => Promise<unknown>;

let client: RawClient;

afterEach(() => {
  expect(client.problems).toEqual([]);
});

async function initialize(id: unknown = "init", protocolVersion = handshake.id): Promise<Wire> {
  const params = { protocolVersion, capabilities: { roots: {} }, clientInfo: info };
  client.say({ id, method: "initialize", params });
  const answer = await client.answerTo(id);
  client.tell("notifications/initialized");
  return answer;
}

function whoAsks(): RevisionsServer {
  const handlers = {
    "tools/call": (_params: unknown, { session, id, method }: HandlerContext) => {
      const { revision: served, peer } = session;
      const seen = { served: served.id, peer: peer.info, can: peer.capabilities, id, method };
      return { content: [{ type: "text", text: JSON.stringify(seen) }] };
    },
    "tools/list": () => ({ tools: [] }),
  };
  return new RevisionsServer(both, info, handlers);
}

const seenIn = ({ result }: Wire): Wire => JSON.parse(result.content[0].text);

describe("a server of both eras", () => {
  it("accepts stateless requests before and after a handshake (ERA-14, ERA-16, STATE-01)", async () => {
    client = await RawClient.of(whoAsks(), ...both);
    const alone = { served: "2026-07-28", peer: { name: "raw", version: "1" }, can: {} };
    expect(seenIn(await client.call(1, "tools/call", { name: "t" }))).toMatchObject(alone);
    await initialize();
    expect(seenIn(await client.call(2, "tools/call", { name: "t" }))).toMatchObject(alone);
    client.say({ id: 3, method: "tools/call", params: { name: "t" } });
    const inSession = { served: "2025-11-25", peer: info, can: { roots: {} } };
    expect(seenIn(await client.answerTo(3))).toMatchObject(inSession);
  });

  it("offers session revisions in a handshake, whatever the client requests (ERA-15, ERA-24, LIFE-08)", async () => {
    client = await RawClient.of(whoAsks(), ...both);
    const { result } = await initialize(1, "2026-07-28");
    expect(result.protocolVersion).toBe("2025-11-25");
  });

  it("refuses requests of a session before its handshake (ERA-15)", async () => {
    client = await RawClient.of(whoAsks(), ...both);
    await client.call(1, "tools/list");
    client.say({ id: 2, method: "tools/list" });
    expect((await client.answerTo(2)).error.code).toBe(-32600);
    client.say({ id: 3, method: "ping" });
    expect((await client.answerTo(3)).result).toEqual({});
  });

  it.each(["initialize", "ping", "logging/setLevel", "resources/subscribe"])(
    "answers a stateless %s with -32601, and the session continues (ERA-17)",
    async (method) => {
      client = await RawClient.of(whoAsks(), ...both);
      await initialize();
      const params = { protocolVersion: handshake.id, uri: "a:b", level: "info" };
      expect((await client.call(1, method, params)).error.code).toBe(-32601);
      client.say({ id: 2, method: "ping" });
      expect((await client.answerTo(2)).result).toEqual({});
    },
  );

  it("answers a stateless method without an envelope with -32602 (ERA-18)", async () => {
    client = await RawClient.of(whoAsks(), ...both);
    for (const method of ["server/discover", "subscriptions/listen"]) {
      client.say({ id: method, method, params: {} });
      expect((await client.answerTo(method)).error.code).toBe(-32602);
    }
  });

  it("names all versions when it refuses one (VER-02, VER-06, DISC-06)", async () => {
    client = await RawClient.of(whoAsks(), ...both);
    const params = { _meta: envelope({}, "2025-11-25") };
    client.say({ id: 1, method: "tools/list", params });
    expect((await client.answerTo(1)).error).toMatchObject({
      code: -32022,
      data: { supported: ["2026-07-28", "2025-11-25"], requested: "2025-11-25" },
    });
  });

  it("interleaves requests of both kinds, each with its own client (ERA-22, STATE-02)", async () => {
    const waiting: (() => void)[] = [];
    const handlers = {
      "tools/call": async (_params: unknown, { session }: HandlerContext) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        const text = `${session.revision.id} ${(session.peer.info as Wire).name}`;
        return { content: [{ type: "text", text }] };
      },
    };
    client = await RawClient.of(new RevisionsServer(both, info, handlers), ...both);
    await initialize();
    const expected: [number, string][] = [];
    for (let id = 0; id < 40; id++) {
      const params = { name: "t" };
      if (id % 2 === 0) client.say({ id, method: "tools/call", params });
      else
        client.ask(id, "tools/call", params, {
          [META.clientInfo]: { name: `c${id}`, version: "1" },
        });
      expected.push([id, id % 2 === 0 ? "2025-11-25 test" : `2026-07-28 c${id}`]);
    }
    await client.rest();
    for (const answer of waiting.toReversed()) answer();
    const answers = await client.rest();
    const seen = answers.map(({ id, result }) => [id, result.content[0].text]);
    expect(seen.toSorted(([a], [b]) => a - b)).toEqual(expected);
  });

  it("sends its own requests to the client of a session only (ERA-22)", async () => {
    const outcomes: unknown[] = [];
    const handlers = {
      "tools/call": async (_params: unknown, context: HandlerContext) => {
        const { roots } = (await (context.request as Ask)("roots/list")) as Wire;
        return { content: [{ type: "text", text: roots[0].uri }] };
      },
    };
    client = await RawClient.of(new RevisionsServer(both, info, handlers), ...both);
    await initialize();
    client.say({ id: 1, method: "tools/call", params: { name: "t" } });
    const { id } = await client.notified("roots/list");
    client.say({ id, result: { roots: [{ uri: "file:///a" }] } } as Wire);
    outcomes.push((await client.answerTo(1)).result.content[0].text);
    expect(outcomes).toEqual(["file:///a"]);
    const before = client.received.filter(({ method }) => method === "roots/list").length;
    const meta = { [META.clientCapabilities]: { roots: {} } };
    const { result } = await client.call(2, "tools/call", { name: "t" }, meta);
    expect(result.resultType).toBe("input_required");
    expect(Object.values<Wire>(result.inputRequests).map(({ method }) => method)).toEqual([
      "roots/list",
    ]);
    const after = client.received.filter(({ method }) => method === "roots/list").length;
    expect(after).toBe(before);
  });

  it("sends a change notification untagged to sessions and tagged to subscriptions (T6, ERA-22)", async () => {
    const tools = new Tools();
    client = await RawClient.of(
      new RevisionsServer(both, info, {}, { features: [tools] }),
      ...both,
    );
    await initialize();
    client.ask(1, "subscriptions/listen", { notifications: { toolsListChanged: true } });
    await client.rest();
    tools.add({ name: "t", inputSchema: { type: "object" } }, () => ({ content: [] }));
    const reported = await client.rest();
    expect(reported.map(({ method }) => method)).toEqual(
      Array(2).fill("notifications/tools/list_changed"),
    );
    expect(reported.map((message) => tagOf(message) ?? "session").toSorted()).toEqual([
      1,
      "session",
    ]);
  });

  it("sends its own notifications to both (T6)", async () => {
    const options = { capabilities: { tools: { listChanged: true } } };
    const server = new RevisionsServer(
      both,
      info,
      { "tools/list": () => ({ tools: [] }) },
      options,
    );
    client = await RawClient.of(server, ...both);
    client.ask(1, "subscriptions/listen", { notifications: { toolsListChanged: true } });
    await client.rest();
    await server.tell("notifications/tools/list_changed");
    expect(await client.rest()).toHaveLength(1);
    await initialize();
    await client.rest();
    await server.tell("notifications/tools/list_changed");
    expect(await client.rest()).toHaveLength(2);
  });

  it("cancels requests of both eras", async () => {
    const aborted: unknown[] = [];
    const handlers = {
      "tools/call": (_params: unknown, { signal, id }: HandlerContext) =>
        new Promise<never>(() => {
          signal.addEventListener("abort", () => aborted.push(id));
        }),
    };
    client = await RawClient.of(new RevisionsServer(both, info, handlers), ...both);
    client.ask(1, "tools/call", { name: "t" });
    await client.rest();
    client.tell("notifications/cancelled", { requestId: 1 });
    await client.rest();
    await initialize();
    client.ask(2, "tools/call", { name: "t" });
    client.say({ id: 3, method: "tools/call", params: { name: "t" } });
    await client.rest();
    client.tell("notifications/cancelled", { requestId: 2 });
    client.tell("notifications/cancelled", { requestId: 3, _meta: envelope() });
    expect(await client.rest()).toEqual([]);
    expect(aborted).toEqual([1, 2, 3]);
  });

  it("refuses stateless requests in a batch, with a response each (BATCH-01)", async () => {
    const server = new RevisionsServer([batching, revision], info, {
      "tools/list": () => ({ tools: [] }),
    });
    const peer = new RawPeer();
    await server.connect(peer);
    const hello = { protocolVersion: batching.id, capabilities: {}, clientInfo: info };
    await peer.call("init", "initialize", hello);
    peer.tell("notifications/initialized");
    const filter = { notifications: {}, _meta: envelope() };
    peer.say([
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { jsonrpc: "2.0", id: 2, method: "tools/list", params: { _meta: envelope() } },
      { jsonrpc: "2.0", id: 3, method: "subscriptions/listen", params: filter },
    ]);
    const answers = await peer.next();
    expect(answers).toHaveLength(3);
    const outcomes = answers.map(({ id, result, error }: Wire) => [
      id,
      error?.code ?? result.tools,
    ]);
    expect(outcomes.toSorted()).toEqual([
      [1, []],
      [2, -32600],
      [3, -32600],
    ]);
  });
});
