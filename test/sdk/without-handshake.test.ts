import { Client } from "@mcp-codegen/sdk/client";
import { InMemoryTransport, type JSONRPCMessage, type Transport } from "@mcp-codegen/sdk/core";
import { McpServer, Server } from "@mcp-codegen/sdk/server";
import { describe, expect, it } from "vitest";

const info = { name: "tiny", version: "1.0.0" };

/** The transport of a host that creates a server for each request; it keeps what the server has sent. */
class HostTransport implements Transport {
  readonly sent: JSONRPCMessage[] = [];
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  #arrived = (): void => {};

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    this.sent.push(message);
    this.#arrived();
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  /** Delivers a request and resolves with its response. */
  async request(message: object, headers: Record<string, string> = {}): Promise<JSONRPCMessage> {
    const arrived = new Promise<void>((resolve) => (this.#arrived = resolve));
    this.onmessage?.({ jsonrpc: "2.0", id: 1, ...message } as never, { requestInfo: { headers } });
    await arrived;
    return this.sent.at(-1)!;
  }
}

function tiny(): McpServer {
  const server = new McpServer(info);
  server.registerTool("greet", { title: "Greeter" }, () => ({
    content: [{ type: "text", text: "Hello" }],
  }));
  return server;
}

async function connected(server: McpServer | Server): Promise<HostTransport> {
  const transport = new HostTransport();
  await server.connect(transport);
  return transport;
}

async function listed(version: string): Promise<object> {
  const transport = await connected(tiny());
  return transport.request({ method: "tools/list" }, { "mcp-protocol-version": version });
}

function lowLevel(): Server {
  return new Server(info, { capabilities: { tools: {} } });
}

describe("a server over a custom transport", () => {
  it("answers a request without a handshake before it", async () => {
    const transport = await connected(tiny());
    const message = { method: "tools/call", params: { name: "greet", arguments: {} } };
    expect(await transport.request(message)).toMatchObject({
      id: 1,
      result: { content: [{ text: "Hello" }] },
    });
    expect(await transport.request({ id: 2, method: "tools/list" })).toMatchObject({ id: 2 });
  });

  it("answers at the revision that the header names", async () => {
    expect(await listed("2025-06-18")).toMatchObject({ result: { tools: [{ title: "Greeter" }] } });
    expect(await listed("2025-03-26")).not.toHaveProperty("result.tools[0].title");
  });

  it("still opens a session for a client that starts with a handshake, or with a ping", async () => {
    const transport = await connected(tiny());
    expect(await transport.request({ method: "ping" })).toMatchObject({ result: {} });
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: info };
    expect(await transport.request({ id: 2, method: "initialize", params })).toMatchObject({
      result: { protocolVersion: "2025-06-18" },
    });
  });

  it("can be closed before the first message", async () => {
    const server = tiny();
    let closed = 0;
    server.server.onclose = () => void (closed += 1);
    await connected(server);
    await server.close();
    expect(closed).toBe(1);
    expect(server.isConnected()).toBe(false);
  });
});

describe("handlers for methods that the engine handles itself", () => {
  it("see the client open the session, and can add to the result", async () => {
    const server = lowLevel();
    const names: string[] = [];
    server.setRequestHandler("initialize", ({ params }) => {
      names.push(params.clientInfo.name);
      const { protocolVersion } = params;
      return { protocolVersion, capabilities: { tools: {} }, serverInfo: info, instructions: "Hi" };
    });
    server.setNotificationHandler("notifications/initialized", () => void names.push("ready"));
    server.setRequestHandler("tools/list", () => ({ tools: [] }));
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client({ name: "visitor", version: "1.0.0" });
    await client.connect(near);
    expect(client.getInstructions()).toBe("Hi");
    expect(await client.listTools()).toMatchObject({ tools: [] });
    expect(names).toEqual(["visitor", "ready"]);
    await client.close();
  });

  it("choose the revision of the session", async () => {
    const server = lowLevel();
    server.setRequestHandler("initialize", () => ({
      protocolVersion: "2025-03-26",
      capabilities: {},
      serverInfo: info,
    }));
    const transport = await connected(server);
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info };
    const response = await transport.request({ method: "initialize", params });
    expect(response).toMatchObject({ result: { protocolVersion: "2025-03-26" } });
    expect(server.getNegotiatedProtocolVersion()).toBe("2025-03-26");
  });

  it("refuse a client by throwing", async () => {
    const server = lowLevel();
    server.setRequestHandler("initialize", () => {
      throw Object.assign(new Error("Closed on Sundays"), { code: -32602 });
    });
    const transport = await connected(server);
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info };
    expect(await transport.request({ method: "initialize", params })).toMatchObject({
      error: { code: -32602, message: "Closed on Sundays" },
    });
  });

  it("answer pings, until they are removed", async () => {
    const server = lowLevel();
    let pings = 0;
    server.setRequestHandler("ping", () => {
      pings += 1;
      return {};
    });
    const transport = await connected(server);
    await transport.request({ method: "ping" });
    server.removeRequestHandler("ping");
    expect(await transport.request({ id: 2, method: "ping" })).toMatchObject({ id: 2, result: {} });
    expect(pings).toBe(1);
  });
});
