import { describe, expect, it } from "vitest";
import { answerIn, EventReader, initialize, serve, tool, WAYS } from "./serve.js";
import { revision as stateless } from "../../../generated/2026-07-28/methods.js";
import { createSseHandler } from "../../../runtime/http/server/index.js";
import type { HandlerContext } from "../../../runtime/api/handlers.js";
import { serverOfAnyKind } from "../../../runtime/negotiation/index.js";
import { ServerBase } from "../../../runtime/engine/index.js";
import { REVISIONS, ToyServer } from "./toy-server.js";

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

describe.each(WAYS)("without sessions, over $way", ({ reach }) => {
  it("answers initialize without a session id (SESS-14)", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, { sessions: false }, reach);
    const response = await client.post(initialize("2025-06-18"));
    expect(response.headers.get("mcp-session-id")).toBeNull();
    expect((await response.json()).result.protocolVersion).toBe("2025-06-18");
    await expect.poll(() => toy.server.sessions.size).toBe(0);
  });

  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "serves each request at the revision that it names: %s (HTTP-33)",
    async (revision) => {
      const toy = new ToyServer();
      const client = await serve(toy.server, { sessions: false }, reach);
      client.headers["MCP-Protocol-Version"] = revision;
      toy.tools["revision"] = (_, { session }) => ({
        content: [{ type: "text", text: session.revision.id }],
      });
      const { result } = await client.call(1, "tools/call", { name: "revision" });
      expect(result.content[0].text).toBe(revision);
      const note = { jsonrpc: "2.0", method: "notifications/initialized" };
      expect((await client.post(note)).status).toBe(202);
      await expect.poll(() => toy.server.sessions.size).toBe(0);
    },
  );

  it("serves a request without a revision as 2025-03-26, also a batch (HTTP-33)", async () => {
    const client = await serve(new ToyServer().server, { sessions: false }, reach);
    const answers = await answerIn(await client.post([ping, { ...ping, id: 2 }]));
    expect(answers).toHaveLength(2);
  });

  it("answers 400 with the known revisions to an unknown one (I20, HTTP-34)", async () => {
    const client = await serve(new ToyServer().server, { sessions: false }, reach);
    const response = await client.post(ping, { "MCP-Protocol-Version": "9999-99-99" });
    expect(response.status).toBe(400);
    expect((await response.json()).error.message).toContain("2025-11-25, 2025-06-18");
  });

  it("needs no revision header for an early revision, and needs it for a later one", async () => {
    const single = await serve(new ToyServer(["2025-03-26"]).server, { sessions: false }, reach);
    expect((await single.post(ping)).status).toBe(200);
    const later = await serve(
      new ToyServer(["2025-11-25", "2025-06-18"]).server,
      { sessions: false },
      reach,
    );
    expect((await later.post(ping)).status).toBe(400);
  });

  it("lets the handler of a notification finish (HTTP-09)", async () => {
    const reactions: string[] = [];
    const toy = new ToyServer(
      undefined,
      {},
      {
        "notifications/roots/list_changed": async (_: unknown, { signal }: HandlerContext) => {
          await new Promise((resolve) => setTimeout(resolve, 30));
          reactions.push(signal.aborted ? "aborted" : "done");
        },
      },
    );
    const client = await serve(toy.server, { sessions: false }, reach);
    const note = { jsonrpc: "2.0", method: "notifications/roots/list_changed" };
    expect((await client.post(note)).status).toBe(202);
    expect((await client.post([note, ping])).status).toBe(200);
    await expect.poll(() => reactions).toEqual(["done", "done"]);
    await expect.poll(() => toy.server.sessions.size).toBe(0);
  });

  it("refuses the header of a stateless revision without its envelope (I20, ERA-18)", async () => {
    const server = new ServerBase(
      [REVISIONS["2025-11-25"]!, stateless],
      { name: "both", version: "1" },
      {},
      {},
      serverOfAnyKind,
    );
    const client = await serve(server, { sessions: false }, reach);
    const response = await client.post(ping, { "MCP-Protocol-Version": stateless.id });
    expect(response.status).toBe(400);
    expect((await response.json()).error.message).toContain("/_meta");
  });

  it("has neither GET nor DELETE (HTTP-24, SESS-09)", async () => {
    const client = await serve(new ToyServer().server, { sessions: false }, reach);
    for (const response of [await client.get(), await client.delete()]) {
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    }
  });

  it("can notify the client during a request, but not send it requests", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, { sessions: false }, reach);
    const messages = await new EventReader(
      await client.post(tool(1, "progress", { count: 1 }, { progressToken: 0 })),
    ).rest();
    expect(messages).toHaveLength(2);
    expect(messages[0]).not.toHaveProperty("id");
    expect((await client.call(2, "tools/call", { name: "ask" })).error.code).toBe(-32603);
    expect(toy.errors).toHaveLength(1);
    await expect.poll(() => toy.server.sessions.size).toBe(0);
  });

  it("waits for pending requests when it closes, then aborts them (P04)", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, { sessions: false }, reach);
    const running = client.post(tool(1, "wait"));
    await expect.poll(() => toy.called).toHaveLength(1);
    await client.reached.handler.close(20);
    expect(await answerIn(await running)).toMatchObject({ id: 1, error: { code: -32603 } });
    expect(toy.aborted).toEqual(["tools/call"]);
  });
});

it("HTTP+SSE is refused for a server with stateless revisions only", () => {
  const info = { name: "new", version: "1" };
  const server = new ServerBase([stateless], info, {}, {}, serverOfAnyKind);
  expect(() => createSseHandler(server)).toThrow(/handshake, but 2026-07-28 has none/);
});
