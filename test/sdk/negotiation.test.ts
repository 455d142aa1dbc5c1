import { Client, InMemoryTransport } from "@mcp-codegen/sdk/client";
import { StdioClientTransport } from "@mcp-codegen/sdk/client/stdio";
import { McpServer } from "@mcp-codegen/sdk/server";
import { revisions } from "@mcp-codegen/universal";
import { describe, expect, it } from "vitest";
import { root } from "../support/pack.js";

const ids = revisions.map(({ id }) => id);
const stateless = ids[0]!;

/** Creates a server with a handler for everything that any revision has. */
function newServer(options: object): McpServer {
  const capabilities = { logging: {}, resources: { subscribe: true }, completions: {} };
  const server = new McpServer({ name: "any", version: "1.0.0" }, { ...options, capabilities });
  server.registerTool("here", {}, () => ({ content: [] }));
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setNotificationHandler("notifications/roots/list_changed", () => {});
  return server;
}

/** Connects a client that handles everything that any revision has. */
async function connected(options: object, ofServer: object = {}): Promise<Client> {
  const server = newServer(ofServer);
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {} };
  const client = new Client({ name: "one", version: "1.0.0" }, { ...options, capabilities });
  client.setRequestHandler("roots/list", () => ({ roots: [] }));
  client.setRequestHandler("elicitation/create", () => ({ action: "decline" }));
  client.setNotificationHandler("notifications/resources/list_changed", () => {});
  client.setNotificationHandler("notifications/elicitation/complete", () => {});
  await client.connect(near);
  return client;
}

describe("a migrated client", () => {
  it.each(ids)("offers only %s, whatever handlers it has", async (id) => {
    const pinned = await connected({ versionNegotiation: { mode: { pin: id } } });
    expect(pinned.getNegotiatedProtocolVersion()).toBe(id);
    expect((await pinned.listTools()).tools).toHaveLength(1);
    await pinned.close();
    if (id === stateless) return;
    const supporting = await connected({ supportedProtocolVersions: [id] });
    expect(supporting.getNegotiatedProtocolVersion()).toBe(id);
    await supporting.close();
  });
});

/** A program that takes a while before it serves. */
const SLOW = `
await new Promise((resolve) => setTimeout(resolve, 1500));
const { McpServer } = await import("@mcp-codegen/sdk/server");
const { serveStdio } = await import("@mcp-codegen/sdk/server/stdio");
serveStdio(() => new McpServer({ name: "slow", version: "1.0.0" }));
`;

describe("a client that accepts every revision of the server", () => {
  it.each([
    ["waits for a process that starts slowly, as with the SDK", {}, stateless],
    ["offers it no older revision after a short probe", { timeoutMs: 200 }, stateless],
  ])("%s", async (_, probe, id) => {
    const args = ["--input-type=module", "-e", SLOW];
    const client = new Client(
      { name: "patient", version: "1.0.0" },
      { versionNegotiation: { mode: "auto", probe } },
    );
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: root }));
    expect(client.getNegotiatedProtocolVersion()).toBe(id);
    await client.close();
  });
});

describe("a migrated server", () => {
  it.each(ids.slice(1))("opens sessions of %s only, if the program says so", async (id) => {
    const client = await connected({}, { supportedProtocolVersions: [id] });
    expect(client.getNegotiatedProtocolVersion()).toBe(id);
    expect((await client.listTools()).tools).toHaveLength(1);
    await client.close();
  });
});
