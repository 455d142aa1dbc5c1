import { describe, expect, it } from "vitest";
import { revision as handshake } from "../../../../generated/2025-11-25/index.js";
import { serve as serveSessions } from "../support/mcp-server.js";
import { end, serve, stream, until, Wire } from "./support/wire.js";

const initialize = {
  jsonrpc: "2.0",
  id: "open",
  method: "initialize",
  params: {
    protocolVersion: handshake.id,
    capabilities: {},
    clientInfo: { name: "c", version: "1" },
  },
} as const;

describe("after a server has refused a stateless request,", () => {
  it("the same transport opens a session (ERA-07)", async () => {
    const server = await serveSessions({
      sessions: ["s1"],
      on: { "server/discover": (_, response) => end(response, 400) },
    });
    const wire = new Wire(server.url);
    await expect(wire.request("server/discover")).rejects.toMatchObject({ status: 400 });
    wire.transport.send(initialize);
    await until(() => wire.messages.length === 1);
    wire.transport.agreed(handshake);
    await wire.transport.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    wire.transport.send({ jsonrpc: "2.0", id: "after", method: "ping" });
    await until(() => wire.messages.some(({ id }) => id === "after"));
    const { headers } = server.of("ping")[0]!;
    expect(headers).toMatchObject({
      "mcp-session-id": "s1",
      "mcp-protocol-version": handshake.id,
    });
    expect(headers["mcp-method"]).toBeUndefined();
    expect(server.of("initialize")[0]!.headers["mcp-method"]).toBeUndefined();
  });

  it("it finds HTTP+SSE (ERA-09)", async () => {
    const server = await serve({
      "server/discover": (_, response) => end(response, 405),
      initialize: (_, response) => end(response, 405),
      GET: (_, response) => stream(response, "event: endpoint\ndata: /messages\n\n"),
    });
    const wire = new Wire(server.url);
    await expect(wire.request("server/discover")).rejects.toMatchObject({ status: 405 });
    wire.transport.send(initialize);
    await until(() => server.seen.some(({ path }) => path === "/messages"));
    expect(server.seen.at(-1)!.body.method).toBe("initialize");
  });

  it("it uses only HTTP+SSE if the options say so (ERA-11)", async () => {
    const server = await serve({
      GET: (_, response) => stream(response, "event: endpoint\ndata: /messages\n\n"),
      "server/discover": (_, response) => end(response, 202),
    });
    const wire = new Wire(server.url, { sse: "only" });
    await server.nth("GET", 1);
    await expect
      .poll(() => {
        wire.send("server/discover");
        return server.of("server/discover").length;
      })
      .toBeGreaterThan(0);
    const { path, headers } = server.of("server/discover")[0]!;
    expect(path).toBe("/messages");
    expect(headers["mcp-method"]).toBeUndefined();
  });
});
