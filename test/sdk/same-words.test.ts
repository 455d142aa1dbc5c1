import * as theirClient from "@modelcontextprotocol/client";
import * as theirServer from "@modelcontextprotocol/server";
import * as ourClient from "@mcp-codegen/sdk/client";
import { InMemoryTransport } from "@mcp-codegen/sdk/core";
import * as ourServer from "@mcp-codegen/sdk/server";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";

type Kit = typeof ourClient & typeof ourServer & { InMemoryTransport: typeof InMemoryTransport };

const ours = { ...ourClient, ...ourServer, InMemoryTransport } as Kit;
const theirs = { ...theirClient, ...theirServer } as unknown as Kit;

const info = { name: "words", version: "1.0.0" };
const text = (value: unknown) => ({ content: [{ type: "text" as const, text: String(value) }] });

async function joined(
  kit: Kit,
  server: { connect(to: never): Promise<void> },
  options: object = {},
) {
  const [near, far] = kit.InMemoryTransport.createLinkedPair();
  await server.connect(far as never);
  const client = new kit.Client(info, options);
  await client.connect(near);
  return client;
}

/** Returns a promise's value, or what programs read from its error. */
async function outcome(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    const { message, code } = error as { message: string; code?: unknown };
    return { failed: message, code };
  }
}

/** Returns the error of a synchronous call. */
function thrown(call: () => unknown): string {
  try {
    call();
    return "nothing";
  } catch (error) {
    return (error as Error).message;
  }
}

function populated(kit: Kit) {
  const server = new kit.McpServer(info);
  const add = { inputSchema: z.object({ a: z.number() }) };
  server.registerTool("add", add, ({ a }) => text(a));
  server.registerTool("off", {}, () => text("off")).disable();
  const sum = { outputSchema: z.object({ sum: z.number() }) };
  server.registerTool("none", sum, () => text("no structure"));
  server.registerTool("wrong", sum, () => ({ ...text(""), structuredContent: { sum: "1" } }));
  const args = {
    argsSchema: z.object({ city: kit.completable(z.string(), () => ["Rome"]), day: z.string() }),
  };
  server.registerPrompt("plan", args, ({ city }) => ({
    messages: [{ role: "user", content: { type: "text", text: city } }],
  }));
  server.registerPrompt("off", {}, () => ({ messages: [] })).disable();
  server.registerResource("motd", "notes://motd", {}, () => ({ contents: [] }));
  const template = new kit.ResourceTemplate("notes://{id}", {
    list: undefined,
    complete: { id: () => ["1"] },
  });
  server.registerResource("note", template, {}, () => ({ contents: [] }));
  return server;
}

const REQUESTS: Readonly<Record<string, (client: ourClient.Client) => Promise<unknown>>> = {
  "an unknown tool": (client) => client.callTool({ name: "missing", arguments: {} }),
  "a disabled tool": (client) => client.callTool({ name: "off", arguments: {} }),
  "a tool without structured content": (client) => client.callTool({ name: "none", arguments: {} }),
  "a tool with other structured content": (client) =>
    client.callTool({ name: "wrong", arguments: {} }),
  "an unknown prompt": (client) => client.getPrompt({ name: "missing" }),
  "a disabled prompt": (client) => client.getPrompt({ name: "off" }),
  "a prompt without its arguments": (client) => client.getPrompt({ name: "plan", arguments: {} }),
  "completion for an unknown prompt": (client) =>
    client.complete({
      ref: { type: "ref/prompt", name: "no" },
      argument: { name: "day", value: "" },
    }),
  "completion of an unknown variable": (client) =>
    client.complete({
      ref: { type: "ref/resource", uri: "notes://{id}" },
      argument: { name: "other", value: "" },
    }),
  "completion for an unknown template": (client) =>
    client.complete({
      ref: { type: "ref/resource", uri: "other://{id}" },
      argument: { name: "id", value: "" },
    }),
  "a call of a tool with other arguments": (client) =>
    client.callTool({ name: "add", arguments: { a: "one" } }),
};

/** The revisions that the SDK supports. */
const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** Connects a client at a revision, over HTTP, to a server with some of everything. */
async function visitor(kit: Kit, revision: string) {
  const handler = kit.createMcpHandler(() => populated(kit));
  const transport = new kit.StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
    fetch: async (url, init) => handler.fetch(new Request(url, init)),
  });
  const client = new kit.Client(info, {
    supportedProtocolVersions: [revision],
    versionNegotiation: { mode: revision === "2026-07-28" ? { pin: revision } : "legacy" },
  });
  await client.connect(transport);
  expect(client.getNegotiatedProtocolVersion()).toBe(revision);
  return client;
}

describe("a server has the words of the SDK for", () => {
  describe.each(REVISIONS)("clients of %s:", (revision) => {
    it.each(Object.entries(REQUESTS))("%s", async (_what, send) => {
      const [own, other] = await Promise.all(
        [ours, theirs].map(async (kit) => outcome(send(await visitor(kit, revision)))),
      );
      expect(own).toEqual(other);
    });
  });

  it("a name that is registered already", () => {
    const messages = [ours, theirs].map((kit) => {
      const server = populated(kit);
      return [
        thrown(() => server.registerTool("add", {}, () => text(""))),
        thrown(() => server.registerPrompt("plan", {}, () => ({ messages: [] }))),
        thrown(() =>
          server.registerResource("again", "notes://motd", {}, () => ({ contents: [] })),
        ),
      ];
    });
    expect(messages[0]).toEqual(messages[1]);
  });
});

describe("a server warns of a tool name that not all clients accept", () => {
  it("when it is registered", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    new ours.McpServer(info).registerTool("has space", {}, () => text(""));
    expect(warn.mock.calls.flat().join("\n")).toContain("has space");
    warn.mockRestore();
  });
});

describe("capabilities are those that a program declares", () => {
  it.each([
    { tools: {} },
    { tools: { listChanged: true }, resources: {} },
    { resources: { subscribe: true } },
    { prompts: { listChanged: true } },
  ])("%j", async (capabilities) => {
    const server = new ours.Server(info, { capabilities });
    const client = await joined(ours, server);
    const declared = Object.entries(client.getServerCapabilities() ?? {}).map(([name, members]) => [
      name,
      Object.fromEntries(Object.entries(members as object).filter(([, value]) => value !== false)),
    ]);
    expect(Object.fromEntries(declared)).toEqual(capabilities);
  });
});

/** Creates a server whose results fit none of its output schemas. */
function strict(kit: Kit) {
  const server = new kit.Server(info, { capabilities: { tools: {} } });
  const wrong = { $schema: "https://example.invalid/v99", type: "object" };
  const schemas = { sum: { type: "object", required: ["sum"] }, odd: wrong, slow: undefined };
  server.setRequestHandler("tools/list", () => ({
    tools: Object.entries(schemas).map(([name, outputSchema]) => ({
      name,
      inputSchema: { type: "object" as const },
      ...(outputSchema ? { outputSchema: outputSchema as never } : {}),
    })),
  }));
  server.setRequestHandler("tools/call", ({ params }) =>
    params.name === "slow" ? new Promise<never>(() => {}) : text("no structure"),
  );
  return server;
}

describe("a client has the words of the SDK", () => {
  it.each(["sum", "slow"])("for a result that does not fit, or does not come: %s", async (name) => {
    const [own, other] = await Promise.all(
      [ours, theirs].map(async (kit) => {
        const client = await joined(kit, strict(kit));
        await client.listTools();
        return outcome(client.callTool({ name, arguments: {} }, { timeout: 200 }));
      }),
    );
    expect(own).toEqual(other);
  });

  it("for an output schema that it cannot use", async () => {
    const client = await joined(ours, strict(ours));
    await client.listTools();
    await expect(client.callTool({ name: "odd", arguments: {} })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(
        /^Tool 'odd' has an invalid outputSchema: unsupported dialect/,
      ),
    });
  });

  it("for capabilities that the server does not have", async () => {
    const [own, other] = await Promise.all(
      [ours, theirs].map(async (kit) => {
        const client = await joined(kit, strict(kit), { enforceStrictCapabilities: true });
        return Promise.all([
          outcome(client.getPrompt({ name: "x" })),
          outcome(client.readResource({ uri: "x:y" })),
        ]);
      }),
    );
    expect(own).toEqual(other);
  });

  it("and its own validator, if it has one", async () => {
    const seen: unknown[] = [];
    const jsonSchemaValidator: ourServer.jsonSchemaValidator = {
      getValidator: () => (input) => {
        seen.push(input);
        return { valid: false, data: undefined, errorMessage: "no" };
      },
    };
    const server = new ours.McpServer(info);
    const sum = { outputSchema: z.object({ sum: z.number() }) };
    server.registerTool("sum", sum, () => ({ ...text(1), structuredContent: { sum: 1 } }));
    const client = await joined(ours, server, { jsonSchemaValidator });
    await client.listTools();
    await expect(client.callTool({ name: "sum", arguments: {} })).rejects.toThrow("no");
    expect(seen).toEqual([{ sum: 1 }]);
  });
});

describe("a client answers as the SDK's does", () => {
  it("a form with its defaults", async () => {
    const server = new ours.McpServer(info);
    const properties = {
      name: { type: "string" as const },
      age: { type: "integer" as const, default: 42 },
    };
    server.registerTool("ask", {}, async (ctx) => {
      const form = { message: "?", requestedSchema: { type: "object" as const, properties } };
      return text(JSON.stringify((await ctx.mcpReq.elicitInput(form)).content));
    });
    const capabilities = { elicitation: { form: { applyDefaults: true } } };
    const client = await joined(ours, server, { capabilities });
    const modes: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      modes.push(params.mode);
      return { action: "accept", content: { name: "Ada" } };
    });
    const { content } = await client.callTool({ name: "ask", arguments: {} });
    expect(JSON.parse((content[0] as { text: string }).text)).toEqual({ name: "Ada", age: 42 });
    expect(modes).toEqual(["form"]);
  });

  it("without tools, not with a list of content", async () => {
    const server = new ours.McpServer(info);
    server.registerTool("ask", {}, async (ctx) =>
      text(JSON.stringify(await ctx.mcpReq.requestSampling({ messages: [], maxTokens: 1 }))),
    );
    const client = await joined(ours, server, { capabilities: { sampling: {} } });
    client.setRequestHandler("sampling/createMessage", () => ({
      model: "m",
      role: "assistant",
      content: [{ type: "text", text: "one" }] as never,
    }));
    const { isError, content } = await client.callTool({ name: "ask", arguments: {} });
    expect([isError, JSON.stringify(content)]).toEqual([
      true,
      expect.stringContaining("Invalid sampling result"),
    ]);
  });
});

describe("what programs of the SDK observe", () => {
  it("a cancelled handler receives the reason of the client", async () => {
    let reason: unknown;
    const server = new ours.McpServer(info);
    const started = vi.fn<() => void>();
    server.registerTool("wait", {}, (ctx) => {
      started();
      return new Promise((_, reject) =>
        ctx.mcpReq.signal.addEventListener("abort", () => {
          reason = ctx.mcpReq.signal.reason;
          reject(new Error("stopped"));
        }),
      );
    });
    const client = await joined(ours, server);
    const controller = new AbortController();
    const call = client.callTool({ name: "wait", arguments: {} }, { signal: controller.signal });
    await expect.poll(() => started.mock.calls).toHaveLength(1);
    controller.abort(new Error("user cancelled"));
    await expect(call).rejects.toThrow("user cancelled");
    await expect.poll(() => String(reason)).toContain("user cancelled");
  });

  it("a handler of ping answers with its own result", async () => {
    const server = new ours.Server(info, { capabilities: {} });
    server.setRequestHandler("ping", () => ({ _meta: { own: true } }));
    expect(await (await joined(ours, server)).ping()).toEqual({ _meta: { own: true } });
  });

  it("a response to no request reaches onerror, with its id", async () => {
    const server = new ours.Server(info, { capabilities: {} });
    const errors: string[] = [];
    server.onerror = ({ message }) => errors.push(message);
    const client = await joined(ours, server);
    await client.transport!.send({ jsonrpc: "2.0", id: 99_999, result: {} });
    await expect.poll(() => errors.join()).toMatch(/unknown message ID.*99999/);
  });

  it("handlers of subscriptions can be set after the server was connected", async () => {
    const server = new ours.McpServer(info, { capabilities: { resources: { subscribe: true } } });
    server.registerResource("motd", "notes://motd", {}, () => ({ contents: [] }));
    const client = await joined(ours, server);
    const uris: string[] = [];
    server.server.setRequestHandler("resources/subscribe", ({ params }) => {
      uris.push(params.uri);
      return {};
    });
    await client.subscribeResource({ uri: "notes://motd" });
    expect(uris).toEqual(["notes://motd"]);
  });

  it("registrations can be read, and follow their changes", () => {
    const server = populated(ours);
    const { _registeredTools: tools } = server as unknown as {
      _registeredTools: Record<string, { enabled: boolean; handler: unknown }>;
    };
    expect(Object.keys(tools)).toEqual(["add", "off", "none", "wrong"]);
    expect([tools["off"]!.enabled, typeof tools["add"]!.handler]).toEqual([false, "function"]);
    const added = server.registerTool("more", {}, () => text(""));
    added.update({ name: "most" });
    expect(Object.keys(tools).slice(4)).toEqual(["most"]);
    added.remove();
    expect(Object.keys(tools)).toHaveLength(4);
  });

  it("a token endpoint without TLS receives no secret", () => {
    expect(() => ours.assertSecureTokenEndpoint("http://auth.example/token")).toThrow(
      ours.InsecureTokenEndpointError,
    );
    expect(() => ours.assertSecureTokenEndpoint("http://127.0.0.1:9/token")).not.toThrow();
  });

  it("a transport has the SDK's code for what HTTP requires of a request", async () => {
    const transport = new ours.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
    });
    await populated(ours).connect(transport);
    const answer = await transport.handleRequest(
      new Request("http://localhost/mcp", { method: "PUT" }),
    );
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, POST, DELETE"]);
    expect(await answer.json()).toMatchObject({ error: { code: -32000 } });
  });

  it.each([
    [{ httpMethod: "GET" }],
    [{ httpMethod: "POST", body: [] }],
    [{ httpMethod: "POST", body: [{ jsonrpc: "2.0", id: 1, method: "ping" }] }],
    [{ httpMethod: "POST", body: 7 }],
    [{ httpMethod: "POST", body: { jsonrpc: "2.0", id: 1, result: {} } }],
    [{ httpMethod: "POST", body: { jsonrpc: "2.0", method: "notifications/initialized" } }],
    [{ httpMethod: "POST", body: { jsonrpc: "2.0", id: 1, method: "tools/list" } }],
    [
      {
        httpMethod: "POST",
        body: {
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: { protocolVersion: "2025-06-18" },
        },
      },
    ],
    [{ httpMethod: "POST", protocolVersionHeader: "2026-07-28", body: stateless({}) }],
    [{ httpMethod: "POST", protocolVersionHeader: "2025-11-25", body: stateless({}) }],
    [
      {
        httpMethod: "POST",
        protocolVersionHeader: "2026-07-28",
        mcpMethodHeader: "tools/call",
        body: stateless({}),
      },
    ],
  ])("the kind of the request %j", (request) => {
    const [own, other] = [ours, theirs].map((kit) => kit.classifyInboundRequest(request));
    const seen = ({
      kind,
      reason,
      requestedVersion,
      code,
      httpStatus,
      classification,
    }: Outcome) => ({
      kind,
      reason,
      requestedVersion,
      code,
      httpStatus,
      classification,
    });
    expect(seen(own as Outcome)).toEqual(seen(other as Outcome));
  });
});

type Outcome = Readonly<Record<string, unknown>>;

/** Returns a stateless client's request. */
function stateless(params: object): object {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": info,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { jsonrpc: "2.0", id: 1, method: "tools/list", params: { ...params, _meta: meta } };
}
