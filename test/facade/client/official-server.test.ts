import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { expect, onTestFinished, test } from "vitest";
import { type ConnectOptions, type McpClient, revisions } from "@mcp-codegen/universal";
import { connect } from "./support/connecting.js";
import { eventually } from "../../support/eventually.js";

/** Starts the official server, which accepts stateless requests and sessions at one URL. */
function site() {
  const handler = createMcpHandler(() => {
    const server = new McpServer(
      { name: "official", version: "1.0.0" },
      { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } },
    );
    server.registerTool("hello", { description: "Greets" }, async () => ({
      content: [{ type: "text", text: "Hello" }],
    }));
    server.registerResource("text", "memory://text", {}, async (uri) => ({
      contents: [{ uri: uri.href, text: "text" }],
    }));
    return server;
  });
  onTestFinished(() => handler.close());
  const fetch = (url: URL, init: RequestInit): Promise<Response> =>
    handler.fetch(new Request(url, init));
  const visit = (options?: ConnectOptions): Promise<McpClient> =>
    connect("http://localhost/mcp", { http: { fetch }, ...options });
  return { handler, visit };
}

test("the official server at a URL is used without a session", async () => {
  const { handler, visit } = site();
  const client = await visit();
  expect(client.era).toBe("stateless");
  expect((await client.callTool("hello")).content).toEqual([{ type: "text", text: "Hello" }]);
  expect((await client.readResource("memory://text")).contents).toMatchObject([{ text: "text" }]);

  const received: string[] = [];
  client.on("toolsChanged", () => received.push("tools"));
  await client.subscribe("memory://text", (uri) => received.push(uri));
  handler.notify.toolsChanged();
  handler.notify.resourceUpdated("memory://text");
  await eventually(() => expect(received.toSorted()).toEqual(["memory://text", "tools"]));
});

test("the official server at a URL is used with a session if an option says so", async () => {
  const { visit } = site();
  const older = revisions.filter(({ traits }) => traits.lifecycle === "initialize");
  const client = await visit({ revisions: older });
  expect(client.era).toBe("session");
  expect((await client.listTools()).tools).toMatchObject([{ name: "hello" }]);
  expect((await client.callTool("hello")).content).toEqual([{ type: "text", text: "Hello" }]);
});
