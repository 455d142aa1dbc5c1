import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import { afterEach, describe, expect, it } from "vitest";
import * as r20251125 from "../../generated/2025-11-25/index.js";
import * as r20260728 from "../../generated/2026-07-28/index.js";
import { RpcError } from "../../runtime/wire/errors.js";
import { HttpClientTransport } from "../../runtime/http/client/index.js";
import { createHttpHandler } from "../../runtime/http/server/index.js";
import { listen } from "../../runtime/http/node/index.js";
import { tracing } from "../../runtime/opentelemetry/index.js";
import { memoryPair } from "../../runtime/memory/memory-pair.js";
import { idOf, parentOf, setUp, Spans, traceOf } from "./support.js";

setUp();

/** The parts of both packages that these tests use. */
type Package = Pick<typeof r20251125, "Client" | "Server">;
const packages: Readonly<Record<string, Package>> = {
  "2025-11-25": r20251125,
  "2026-07-28": r20260728 as unknown as Package,
};

const info = { name: "test", version: "1.0.0" };
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Traced {
  readonly client: r20251125.Client;
  readonly client_: Spans;
  readonly server: Spans;
}

const handlers: r20251125.Handlers = {
  "tools/list": () => ({ tools: [] }),
  "tools/call": async ({ name }, { session }) => {
    if (name === "broken") throw new TypeError("a secret");
    if (name === "refused") throw new RpcError(-32602, "No such tool");
    if (name === "gives up") return { content: [], isError: true };
    await Promise.resolve();
    return { content: [{ type: "text", text: session.revision.id }] };
  },
  "prompts/get": () => ({ messages: [] }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: "" }] }),
};

const onerror = (): void => {};
const features = (spans: Spans) => [tracing({ tracerProvider: spans.provider })];

async function traced({ Client, Server }: Package, over: "memory" | "HTTP"): Promise<Traced> {
  const [client_, server] = [new Spans(), new Spans()];
  const capabilities = { resources: {}, prompts: {}, tools: {} };
  const serving = new Server(info, handlers, { capabilities, onerror, features: features(server) });
  const client = new Client(info, {}, { features: features(client_), onerror });
  if (over === "memory") {
    const [ours, theirs] = memoryPair();
    await serving.connect(theirs);
    await client.connect(ours);
  } else {
    const { url, close } = await listen(createHttpHandler(serving));
    closing.push(close);
    await client.connect(new HttpClientTransport(url));
  }
  closing.push(() => client.close());
  return { client, client_, server };
}

describe.each(Object.keys(packages))("client and server of %s", (revision) => {
  describe.each(["memory", "HTTP"] as const)("over %s", (over) => {
    it("have one trace across both sides (META-17)", async () => {
      const { client, client_, server } = await traced(packages[revision]!, over);
      await client.callTool({ name: "add", arguments: {} });
      const [asking, answering] = [client_.named("tools/call add"), server.named("tools/call add")];
      expect(parentOf(answering)).toBe(idOf(asking));
      expect(traceOf(answering)).toBe(traceOf(asking));
      expect([asking.kind, answering.kind]).toEqual([SpanKind.CLIENT, SpanKind.SERVER]);
    });

    it("record the subject of a request", async () => {
      const { client, client_, server } = await traced(packages[revision]!, over);
      await client.callTool({ name: "add", arguments: { secret: "s" } });
      await client.getPrompt({ name: "greet" });
      await client.readResource({ uri: "file:///a" });
      const common = { "mcp.protocol.version": revision };
      const tool = { "gen_ai.tool.name": "add", "gen_ai.operation.name": "execute_tool" };
      const { attributes } = server.named("tools/call add");
      expect(attributes).toMatchObject({ ...common, ...tool, "mcp.method.name": "tools/call" });
      expect(attributes["jsonrpc.request.id"]).toMatch(/^\d+$/);
      expect(client_.named("tools/call add").attributes).toMatchObject({ ...common, ...tool });
      expect(JSON.stringify(attributes)).not.toContain("secret");
      expect(client_.named("prompts/get greet").attributes["gen_ai.prompt.name"]).toBe("greet");
      expect(server.named("resources/read").attributes["mcp.resource.uri"]).toBe("file:///a");
      expect(attributes).not.toHaveProperty(["mcp.session.id"]);
    });
  });

  it.each([
    ["gives up", { "error.type": "tool_error" }, undefined],
    ["refused", { "error.type": "-32602", "rpc.response.status_code": "-32602" }, "No such tool"],
  ])("records the outcome: %s", async (name, expected, message) => {
    const { client, client_, server } = await traced(packages[revision]!, "memory");
    await client.callTool({ name, arguments: {} }).catch(() => {});
    for (const spans of [client_, server]) {
      const { attributes, status } = spans.named(`tools/call ${name}`);
      expect(attributes).toMatchObject(expected);
      expect(status).toEqual({ code: SpanStatusCode.ERROR, ...(message && { message }) });
    }
  });

  it("keeps error texts of the application out of traces (A16)", async () => {
    const { client, client_, server } = await traced(packages[revision]!, "memory");
    await expect(client.callTool({ name: "broken", arguments: {} })).rejects.toThrow(RpcError);
    const { attributes, status, events } = server.named("tools/call broken");
    expect(attributes["error.type"]).toBe("TypeError");
    expect(JSON.stringify([attributes, status, events])).not.toContain("secret");
    expect(client_.named("tools/call broken").attributes["error.type"]).toBe("-32603");
  });

  it("records the session only if an option says so (A16)", async () => {
    const { Client, Server } = packages[revision]!;
    const spans = new Spans();
    const wanted = [tracing({ tracerProvider: spans.provider, sessionIds: true })];
    const serving = new Server(info, handlers, { features: wanted, onerror });
    const { url, close } = await listen(createHttpHandler(serving));
    closing.push(close);
    const client = new Client(info, {}, { features: wanted, onerror });
    const transport = new HttpClientTransport(url);
    await client.connect(transport);
    closing.push(() => client.close());
    await client.callTool({ name: "add", arguments: {} });
    const { sessionId } = transport;
    expect(sessionId === undefined).toBe(revision === "2026-07-28");
    for (const { attributes } of spans.all) expect(attributes["mcp.session.id"]).toBe(sessionId);
    const calls = spans.all.filter(({ name }) => name.startsWith("tools/call"));
    expect(calls).toHaveLength(2);
  });

  it("ends the span of a request that was cancelled", async () => {
    const { Client, Server } = packages[revision]!;
    const spans = new Spans();
    const stuck: r20251125.Handlers = { "tools/call": () => new Promise(() => {}) };
    const serving = new Server(info, stuck, { features: features(spans), onerror });
    const client = new Client(info, {}, { onerror });
    const [ours, theirs] = memoryPair();
    await serving.connect(theirs);
    await client.connect(ours);
    closing.push(() => client.close());
    const calling = client.callTool({ name: "x", arguments: {} }, { timeout: 50 });
    await expect(calling).rejects.toThrow("within 50 ms");
    const ended = () => spans.all.filter(({ name }) => name === "tools/call x");
    await expect.poll(ended).toHaveLength(1);
    expect(spans.named("tools/call x").attributes["error.type"]).toBe("REQUEST_CANCELLED");
  });
});
