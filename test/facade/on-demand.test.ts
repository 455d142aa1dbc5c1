import type { Receiver } from "@mcp-codegen/runtime";
import { onDemand, type Revision } from "@mcp-codegen/runtime/codegen";
import { HttpClientTransport } from "@mcp-codegen/runtime/http/client";
import { memoryPair } from "@mcp-codegen/runtime/memory";
import { McpServer } from "@mcp-codegen/universal/bare/server";
import { connect } from "@mcp-codegen/universal/client";
import { createHttpHandler } from "@mcp-codegen/universal/http";
import { revision as newest } from "@mcp-codegen/universal/2026-07-28";
import { expect, it, vi } from "vitest";
import { before1, before2 } from "../../generated/universal/summaries.js";

const second = vi.fn(() => import("@mcp-codegen/universal/2025-11-25"));
const third = vi.fn(() => import("@mcp-codegen/universal/2025-06-18"));

function server(load = third, onerror?: (error: Error) => void): McpServer {
  const revisions = [newest, onDemand(before1, second), onDemand(before2, load)];
  const made = new McpServer(
    { name: "s", version: "1" },
    { revisions, ...(onerror && { onerror }) },
  );
  made.registerTool("greet", {}, () => "hello");
  return made;
}

const initialize = (protocolVersion: string, id = 1) => ({
  jsonrpc: "2.0",
  id,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "c", version: "1" } },
});
const metaOf = (id: string) => ({
  "io.modelcontextprotocol/protocolVersion": id,
  "io.modelcontextprotocol/clientCapabilities": {},
});
const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };

const ignore = (): void => undefined;
const names = (one: Revision): string[] => [...one.methods.keys()].toSorted();

interface Answer {
  readonly result: { readonly protocolVersion: string; readonly tools: readonly object[] };
  readonly error: { readonly code: number };
}

/** Sends messages to a server at once and returns its answers. */
async function answered(
  to: McpServer,
  messages: readonly object[],
  count: number,
): Promise<[Answer, Answer]> {
  const [near, far] = memoryPair();
  await to.fork().connect(far);
  const received: Answer[] = [];
  await near.start({
    message: (value) => received.push(value as Answer),
    malformed: ignore,
    failed: ignore,
    ended: ignore,
    closed: ignore,
  });
  for (const message of messages) void near.send(message as never);
  await vi.waitUntil(() => received.length === count);
  await near.close();
  return received as [Answer, Answer];
}

it("a summary has the facts of its revision that decide about connections", async () => {
  for (const [summary, load] of [
    [before1, second],
    [before2, third],
  ] as const) {
    const light = onDemand(summary, load);
    const { revision } = await load();
    expect(names(light)).toEqual(names(revision));
    for (const member of ["id", "traits", "conventions", "errorCodes", "families"] as const)
      expect(light[member]).toEqual(revision[member]);
    for (const [method, row] of light.methods)
      expect(revision.methods.get(method)).toMatchObject({
        ...row,
        paramsOptional: expect.any(Boolean),
      });
    await light.load!();
    expect(light).toEqual({ ...revision, load: undefined, hold: undefined });
  }
});

it("loads a revision once, when the first client requests it", async () => {
  second.mockClear();
  third.mockClear();
  const made = server();
  for (let time = 0; time < 2; time += 1) {
    const [{ result }] = await answered(made, [initialize("2025-06-18")], 1);
    expect(result.protocolVersion).toBe("2025-06-18");
  }
  expect(third).toHaveBeenCalledTimes(1);
  expect(second).not.toHaveBeenCalled();
});

it("offers the preferred revision to a client of an unknown one", async () => {
  const [{ result }] = await answered(server(), [initialize("1999-01-01")], 1);
  expect(result.protocolVersion).toBe("2025-11-25");
});

it("answers in order the messages that a client sends right after initialize", async () => {
  const ready = { jsonrpc: "2.0", method: "notifications/initialized" };
  const [first, next] = await answered(server(), [initialize("2025-06-18"), ready, list], 2);
  expect(first.result.protocolVersion).toBe("2025-06-18");
  expect(next.result.tools).toMatchObject([{ name: "greet" }]);
});

it("reports a revision that cannot be loaded, and tries again for the next client", async () => {
  const onerror = vi.fn();
  const load = vi.fn(third).mockRejectedValueOnce(new Error("no such file"));
  const made = server(load, onerror);
  const [{ error }] = await answered(made, [initialize("2025-06-18")], 1);
  expect(error.code).toBe(-32603);
  const [[reported]] = onerror.mock.calls as [[Error]];
  expect(reported).toMatchObject({
    message: "MCP 2025-06-18 could not be loaded",
    cause: { message: "no such file" },
  });
  const [{ result }] = await answered(made, [initialize("2025-06-18")], 1);
  expect(result.protocolVersion).toBe("2025-06-18");
});

it("answers stateless requests and initialize in order before the code for stateless requests is loaded", async () => {
  const stateless = { ...list, params: { _meta: metaOf(newest.id) } };
  const made = server();
  const [first, next] = await answered(made, [stateless, initialize("2025-06-18", 3)], 2);
  expect(first).toMatchObject({ id: 2, result: { tools: [{ name: "greet" }], ttlMs: 0 } });
  expect(next).toMatchObject({ id: 3, result: { protocolVersion: "2025-06-18" } });
});

const noteOf = (n: number) => ({
  jsonrpc: "2.0",
  id: `call ${n}`,
  method: "tools/call",
  params: { name: "note", arguments: { n }, _meta: metaOf(newest.id) },
});

it("handles what a client sends in reaction to an answer after all that it sent before", async () => {
  const calls: unknown[] = [];
  const made = server();
  made.registerTool("note", { inputSchema: { type: "object" } }, ({ n }) => void calls.push(n));
  let receiver: Receiver | undefined;
  await made.fork().connect({
    start: (given) => void (receiver = given),
    send: (frame) => {
      if ((frame as { readonly id?: unknown }).id === "call 1") receiver!.message(noteOf(4));
    },
    close: async () => {},
  });
  for (const n of [1, 2, 3]) receiver!.message(noteOf(n));
  expect(calls).toEqual([]);
  await vi.waitUntil(() => calls.length === 4);
  expect(calls).toEqual([1, 2, 3, 4]);
});

it("announces changes before a client has connected, without loading the code for stateless requests", async () => {
  const { server: below } = server();
  const [, far] = memoryPair();
  await below.connect(far);
  await below.notify("notifications/tools/list_changed");
  await expect(below.notify("notifications/message", { level: "info", data: 1 })).rejects.toThrow(
    "no client has initialized yet",
  );
  expect(() => below.statelessRequests()).toThrow("Wait for loadStateless() first");
  await below.loadStateless();
  expect(below.loadStateless()).toBeUndefined();
  await below.notify("notifications/tools/list_changed");
  await below.close();
});

it.each([true, false])("serves such a revision over HTTP, with sessions: %s", async (sessions) => {
  const handler = createHttpHandler(server(), { sessions });
  const fetch = (input: RequestInfo | URL, init?: RequestInit) => handler(new Request(input, init));
  const revisions = [onDemand(before2, third)];
  const client = await connect(new HttpClientTransport("http://localhost/mcp", { fetch }), {
    revisions,
  });
  expect(client.revision).toBe("2025-06-18");
  expect(await client.callTool("greet")).toMatchObject({ content: [{ text: "hello" }] });
  await client.close();
  await handler.close();
});
