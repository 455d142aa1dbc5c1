import {
  Client,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
  type TransportSendOptions,
} from "@mcp-codegen/sdk/client";
import { createMcpHandler, fromJsonSchema, McpServer } from "@mcp-codegen/sdk/server";
import { describe, expect, it } from "vitest";

const inputSchema = {
  type: "object",
  properties: { region: { type: "string", "x-mcp-header": "Region" } },
} as const;
const outputSchema = { type: "object", properties: { at: { type: "number" } } } as const;

function newHandler() {
  return createMcpHandler(() => {
    const server = new McpServer({ name: "regions", version: "1.0.0" });
    server.registerTool("visit", { inputSchema: fromJsonSchema(inputSchema as never) }, () => ({
      content: [],
      structuredContent: { at: "noon" },
    }));
    server.registerTool("wait", {}, ({ mcpReq }) => {
      return new Promise((resolve) => {
        mcpReq.signal.addEventListener("abort", () => resolve({ content: [] }));
      });
    });
    return server;
  });
}

const url = new URL("http://regions.example/mcp");
const auto = { versionNegotiation: { mode: "auto" } } as const;

describe("options of one request", () => {
  it("toolDefinition sets which arguments are repeated in headers, and the output schema", async () => {
    const handler = newHandler();
    const seen: Headers[] = [];
    const fetch = async (to: string | URL, init?: RequestInit): Promise<Response> => {
      seen.push(new Headers(init?.headers));
      return handler.fetch(new Request(to, init));
    };
    const client = new Client({ name: "visitor", version: "1.0.0" }, auto);
    await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
    seen.length = 0;
    const visit = { name: "visit", arguments: { region: "north" } };
    const toolDefinition = { name: "visit", inputSchema } as Tool;
    await client.callTool(visit, { toolDefinition });
    expect(seen.map((headers) => headers.get("mcp-param-region"))).toEqual(["north"]);
    const promising = { ...toolDefinition, outputSchema } as Tool;
    await expect(client.callTool(visit, { toolDefinition: promising })).rejects.toThrow(/\/at/);
    await client.close();
  });

  it("headers apply to one message", async () => {
    const handler = newHandler();
    const seen: (string | null)[] = [];
    const fetch = async (to: string | URL, init?: RequestInit): Promise<Response> => {
      seen.push(new Headers(init?.headers).get("x-trace"));
      return handler.fetch(new Request(to, init));
    };
    for (const mode of ["auto", "legacy"] as const) {
      const client = new Client(
        { name: "tracer", version: "1.0.0" },
        { versionNegotiation: { mode } },
      );
      await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
      seen.length = 0;
      await client.listTools(undefined, { headers: { "x-trace": "abc" }, cacheMode: "bypass" });
      await client.listTools(undefined, { cacheMode: "bypass" });
      expect(
        seen.filter((value) => value !== null),
        mode,
      ).toEqual(["abc"]);
      await client.close();
    }
  });
});

/** A custom transport that sends a request for each message. */
class PostTransport implements Transport {
  readonly hasPerRequestStream = true;
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly sent: {
    readonly method: unknown;
    readonly options: TransportSendOptions | undefined;
  }[] = [];
  readonly #fetch = newHandler().fetch;

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const method = "method" in message ? message.method : undefined;
    this.sent.push({ method, options });
    const name = "params" in message ? (message.params as { name?: string } | undefined)?.name : "";
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": String(method),
      ...(name ? { "mcp-name": name } : {}),
    };
    const body = JSON.stringify(message);
    const signal = options?.requestSignal ?? null;
    const requested = new Request(url, { method: "POST", headers, body, signal });
    const response = await this.#fetch(requested);
    const text = await response.text();
    for (const line of text.split("\n")) {
      const data = line.startsWith("data: ") ? line.slice(6) : line;
      if (data.startsWith("{")) this.onmessage?.(JSON.parse(data) as JSONRPCMessage);
    }
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.();
  }
}

describe("a custom transport with a stream for each request", () => {
  it("is notified when the caller aborts, in place of a notification to the peer", async () => {
    const client = new Client({ name: "waiting", version: "1.0.0" }, auto);
    const transport = new PostTransport();
    await client.connect(transport);
    const stop = new AbortController();
    const call = client.callTool({ name: "wait" }, { signal: stop.signal });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { options } = transport.sent.find(({ method }) => method === "tools/call")!;
    expect(options?.requestSignal?.aborted).toBe(false);
    stop.abort("enough");
    await expect(call).rejects.toThrow(/enough/);
    expect(options?.requestSignal?.aborted).toBe(true);
    expect(transport.sent.map(({ method }) => method)).not.toContain("notifications/cancelled");
    await client.close();
  });
});
