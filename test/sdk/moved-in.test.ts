import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@mcp-codegen/sdk/client";
import {
  createMcpHandler,
  inputRequired,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from "@mcp-codegen/sdk/server";
import { McpError } from "@mcp-codegen/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";

/*
 * Behaviour that programs of the official SDK rely on, where ours has another default: rows of "The same as before" in
 * runtime/docs/migration.md.
 */

const NAME = { type: "object", properties: { name: { type: "string" } } } as const;
const misfit = () => ({ content: [], structuredContent: { sum: "three" } });

const eras = [
  ["a session", "legacy"],
  ["stateless requests", "auto"],
] as const;

const says = (words: string) => ({ content: [{ type: "text" as const, text: words }] });
const read = (words: string) => () => ({ contents: [{ uri: "note://1", text: words }] });

const throwing = (error: Error) => () => {
  throw error;
};

describe.each(eras)("a migrated server and client, over %s", (_, mode) => {
  async function pairOf(prepare: (server: McpServer) => void) {
    const server = new McpServer(
      { name: "moved", version: "1.0.0" },
      { capabilities: { logging: {} } },
    );
    prepare(server);
    const client = new Client(
      { name: "moved", version: "1.0.0" },
      { versionNegotiation: { mode } },
    );
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    onTestFinished(() => client.close());
    return { client, server };
  }

  async function resultOf(handler: () => unknown, config: object = {}) {
    const { client } = await pairOf((server) => {
      server.registerTool("tool", config, handler as never);
    });
    return client.callTool({ name: "tool", arguments: {} });
  }

  it("ignore options, and members of what is registered, that the SDK does not know", async () => {
    const { client } = await pairOf((server) => {
      const all = new McpServer({ name: "moved", version: "1.0.0" }, { verbose: true } as never);
      expect(all.isConnected()).toBe(false);
      const config = { description: "Tries", category: "trials" };
      server.registerTool("tool", config, () => ({ content: [] })).update({ title: "Tool" });
      server.registerPrompt("prompt", config, () => ({ messages: [] }));
      server.registerResource("resource", "trial://1", config, () => ({ contents: [] }));
    });
    const described = { description: "Tries" };
    expect((await client.listTools()).tools).toEqual([
      { name: "tool", title: "Tool", ...described, inputSchema: expect.anything() },
    ]);
    expect((await client.listPrompts()).prompts).toEqual([{ name: "prompt", ...described }]);
    expect((await client.listResources()).resources).toEqual([
      { name: "resource", uri: "trial://1", ...described },
    ]);
  });

  it("replace metadata, callbacks and schemas of what is registered", async () => {
    const { client } = await pairOf((server) => {
      server
        .registerTool("tool", { inputSchema: { a: z.string() } }, () => says("before"))
        .update({
          paramsSchema: { b: z.number() },
          callback: (args: unknown) => says(JSON.stringify(args)),
        });
      server
        .registerPrompt("prompt", { title: "A" }, () => ({ description: "before", messages: [] }))
        .update({ callback: () => ({ description: "after", messages: [] }) });
      server
        .registerResource(
          "note",
          "note://1",
          { title: "A", mimeType: "text/plain" },
          read("before"),
        )
        .update({ metadata: { title: "B" }, callback: read("after") });
    });
    expect(await client.callTool({ name: "tool", arguments: { b: 1 } })).toMatchObject(
      says('{"b":1}'),
    );
    expect(await client.getPrompt({ name: "prompt" })).toMatchObject({ description: "after" });
    expect((await client.listResources()).resources).toEqual([
      { name: "note", uri: "note://1", title: "B", mimeType: "text/plain" },
    ]);
    expect((await client.readResource({ uri: "note://1" })).contents).toEqual(
      read("after")().contents,
    );
  });

  it("return results without members that only the transport needs", async () => {
    const { client } = await pairOf((server) => {
      server.registerTool("tool", {}, () => ({ content: [] }));
    });
    for (const result of [
      await client.callTool({ name: "tool" }),
      await client.listTools(),
      await client.request({ method: "tools/list" }),
    ]) {
      expect(result).not.toHaveProperty("resultType");
      if (mode === "legacy") expect(result).not.toHaveProperty("ttlMs");
    }
  });

  it("let the model read the message of an error in a tool", async () => {
    expect(await resultOf(throwing(new Error("no such note")))).toMatchObject(
      failed("no such note"),
    );
  });

  it("turn a protocol error in a tool into a result", async () => {
    const error = new ProtocolError(ProtocolErrorCode.InvalidParams, "no such note");
    expect(await resultOf(throwing(error))).toMatchObject(failed("no such note"));
    expect(await resultOf(throwing(new McpError(-32602, "no such note")))).toMatchObject(
      failed("MCP error -32602: no such note"),
    );
  });

  it("turn invalid structured content into a result", async () => {
    const { isError, content } = await resultOf(misfit, {
      outputSchema: z.object({ sum: z.number() }),
    });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining("sum: ")]);
  });

  it("let the model read why a value is not a result", async () => {
    const types = { number: 5, null: null, object: { a: 1 } };
    for (const [type, value] of Object.entries(types)) {
      const problem = `Tool tool returned a value of type ${type}, which is not a result`;
      expect(await resultOf(() => value)).toMatchObject(failed(problem));
    }
  });

  it("return the message of an error in a resource or a prompt", async () => {
    const { client } = await pairOf((server) => {
      server.registerResource("note", "note://1", {}, throwing(new Error("no such note")));
      server.registerPrompt("prompt", {}, throwing(new Error("no such note")));
    });
    for (const requested of [
      client.readResource({ uri: "note://1" }),
      client.getPrompt({ name: "prompt" }),
    ])
      await expect(requested).rejects.toThrow("no such note");
  });
});

const failed = (text: string) => ({ isError: true, content: [{ type: "text", text }] });

describe("a migrated server", () => {
  it("continues a round that another server of its factory began", async () => {
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: "moved", version: "1.0.0" });
      server.registerTool("ask", {}, (ctx) =>
        ctx.mcpReq.inputResponses?.["name"]
          ? { content: [{ type: "text", text: "done" }] }
          : inputRequired({
              inputRequests: {
                name: inputRequired.elicit({ message: "Name?", requestedSchema: NAME }),
              },
            }),
      );
      return server;
    });
    const client = new Client(
      { name: "moved", version: "1.0.0" },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: "auto" } },
    );
    client.setRequestHandler("elicitation/create", () => ({
      action: "accept",
      content: { name: "Ann" },
    }));
    const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
    await client.connect(
      new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }),
    );
    expect((await client.callTool({ name: "ask" })).content).toMatchObject([{ text: "done" }]);
    await client.close();
  });

  it("is notified when a client is ready", async () => {
    const server = new McpServer({ name: "moved", version: "1.0.0" });
    const received = new Promise<void>((resolve) => {
      server.server.oninitialized = resolve;
    });
    const client = new Client({ name: "moved", version: "1.0.0" });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    await received;
    expect(server.server.getClientVersion()).toMatchObject({ name: "moved" });
    await client.close();
  });
});

it("servers that a factory creates for each request accept one another's rounds", async () => {
  let made = 0;
  const handler = createMcpHandler(() => {
    made += 1;
    const server = new McpServer({ name: "moved", version: "1.0.0" });
    server.registerTool("greet", {}, (ctx) => {
      const answer = ctx.mcpReq.inputResponses?.["who"] as { content?: { name: string } };
      if (ctx.mcpReq.requestState() === "asked") {
        return { content: [{ type: "text", text: `Hello, ${answer?.content?.name}` }] };
      }
      const who = inputRequired.elicit({ message: "Who?", requestedSchema: NAME as never });
      return inputRequired({ inputRequests: { who }, requestState: "asked" });
    });
    return server;
  });
  onTestFinished(() => handler.close());
  const client = new Client(
    { name: "moved", version: "1.0.0" },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: "auto" } },
  );
  client.setRequestHandler("elicitation/create", () => ({
    action: "accept",
    content: { name: "Ada" },
  }));
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    fetch: (url, init) =>
      handler.fetch(new Request(url, { headers: { host: "localhost" }, ...init })),
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const { content } = await client.callTool({ name: "greet" });
  expect(content).toEqual([{ type: "text", text: "Hello, Ada" }]);
  expect(made).toBeGreaterThan(2);
});

/** Returns the number of log messages that a client receives without setting a level. */
async function unaskedLogs(options: object): Promise<number> {
  const server = new McpServer(
    { name: "moved", version: "1.0.0" },
    { capabilities: { logging: {} }, ...options },
  );
  server.registerTool("work", {}, async (ctx) => {
    const params = { level: "info", data: "step" };
    await ctx.mcpReq.notify({ method: "notifications/message", params });
    return { content: [] };
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  let logs = 0;
  const count = near.onmessage;
  const client = new Client(
    { name: "moved", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  near.onmessage = (message, extra) => {
    if ("method" in message && message.method === "notifications/message") logs += 1;
    count?.(message, extra);
  };
  await client.connect(near);
  await client.callTool({ name: "work" });
  await client.close();
  return logs;
}

it("log messages of a handler are sent without a level, unless an option disables it", async () => {
  expect(await unaskedLogs({})).toBe(1);
  expect(await unaskedLogs({ unaskedLogs: false })).toBe(0);
});

it("a caller may answer the input requests of a result itself", async () => {
  const server = new McpServer({ name: "moved", version: "1.0.0" });
  server.registerTool("greet", {}, (ctx) => {
    const who = ctx.mcpReq.inputResponses?.["who"] as { content?: { name: string } } | undefined;
    if (who) return { content: [{ type: "text", text: `Hello, ${who.content?.name}` }] };
    const requested = inputRequired.elicit({ message: "Who?", requestedSchema: NAME as never });
    return inputRequired({ inputRequests: { who: requested } });
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client(
    { name: "moved", version: "1.0.0" },
    {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode: "auto" },
      inputRequired: { autoFulfill: false },
    },
  );
  await client.connect(near);
  onTestFinished(() => client.close());
  const call = { name: "greet" };
  const first = await client.request({ method: "tools/call", params: call });
  expect(first).toMatchObject({ resultType: "input_required", inputRequests: { who: {} } });
  const { requestState } = first as { requestState?: string };
  const inputResponses = { who: { action: "accept", content: { name: "Ada" } } };
  const params = { ...call, inputResponses, ...(requestState ? { requestState } : {}) };
  const last = await client.request({ method: "tools/call", params });
  expect(last).toEqual(
    expect.objectContaining({ content: [{ type: "text", text: "Hello, Ada" }] }),
  );
  expect(last).not.toHaveProperty("resultType");
});

it("a connected server sets the handler of a notification", async () => {
  const server = new McpServer({ name: "moved", version: "1.0.0" });
  const capabilities = { roots: { listChanged: true } };
  const client = new Client({ name: "moved", version: "1.0.0" }, { capabilities });
  client.setRequestHandler("roots/list", () => ({ roots: [] }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  const method = "notifications/roots/list_changed";
  const received: string[] = [];
  server.server.setNotificationHandler(method, (one) => void received.push(one.method));
  await client.sendRootsListChanged();
  await expect.poll(() => received).toEqual([method]);
});
