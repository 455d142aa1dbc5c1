import {
  InMemoryTransport,
  type JSONRPCMessage,
  NativeTransport,
  runtimeTransport,
} from "@mcp-codegen/sdk/core";
import { memoryPair } from "@mcp-codegen/runtime";
import { connect, McpServer, type McpClient } from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";

function greeter(): McpServer {
  const server = new McpServer({ name: "greeter", version: "1.0.0" });
  server.registerTool("greet", {}, () => "Hello");
  return server;
}

const ends: [
  string,
  () => [InMemoryTransport | NativeTransport, InMemoryTransport | NativeTransport],
][] = [
  ["InMemoryTransport", () => InMemoryTransport.createLinkedPair()],
  [
    "a transport of ours in the SDK's shape",
    () => {
      const [first, second] = memoryPair();
      return [new NativeTransport(first), new NativeTransport(second)];
    },
  ],
];

describe.each(ends)("%s", (_, pair) => {
  it("carries a session between our client and our server", async () => {
    const [a, b] = pair();
    void greeter().connect(runtimeTransport(b));
    const client: McpClient = await connect(runtimeTransport(a));
    expect(await client.callTool("greet")).toMatchObject({ content: [{ text: "Hello" }] });
    await client.close();
  });

  it("calls the earlier callbacks, and lets later ones see each message", async () => {
    const [a, b] = pair();
    const seen: string[] = [];
    a.onmessage = () => void seen.push("before");
    a.onclose = () => void seen.push("closed");
    void greeter().connect(runtimeTransport(b));
    const client = await connect(runtimeTransport(a));
    const { onmessage } = a;
    a.onmessage = (message, extra) => {
      seen.push("after");
      onmessage?.(message, extra);
    };
    seen.length = 0;
    await client.callTool("greet");
    expect(seen).toEqual(["after", "before"]);
    await client.close();
    expect(seen).toEqual(["after", "before", "closed"]);
  });

  it("passes each sent message to a function that replaces send", async () => {
    const [a, b] = pair();
    void greeter().connect(runtimeTransport(b));
    const sent: JSONRPCMessage[] = [];
    const send = a.send.bind(a);
    a.send = (message: JSONRPCMessage, options?: object) => {
      sent.push(message);
      return send(message, options);
    };
    const client = await connect(runtimeTransport(a));
    await client.callTool("greet");
    expect(sent).toContainEqual(expect.objectContaining({ method: "tools/call" }));
    await client.close();
  });

  it("is connected also if the program has started it", async () => {
    const [a, b] = pair();
    void greeter().connect(runtimeTransport(b));
    await a.start();
    const client = await connect(runtimeTransport(a));
    expect(await client.callTool("greet")).toMatchObject({ content: [{ text: "Hello" }] });
    await client.close();
  });

  it("can be used directly", async () => {
    const [a, b] = pair();
    const received: unknown[] = [];
    b.onmessage = (message) => void received.push(message);
    await Promise.all([a.start(), b.start()]);
    await a.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    await new Promise((done) => setTimeout(done));
    expect(received).toEqual([{ jsonrpc: "2.0", method: "notifications/initialized" }]);
    await a.close();
    await expect(a.send({ jsonrpc: "2.0", method: "x" })).rejects.toMatchObject({
      code: "NOT_CONNECTED",
    });
  });
});
