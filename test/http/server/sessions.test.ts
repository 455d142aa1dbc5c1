import { describe, expect, it } from "vitest";
import type { HttpHandlerOptions } from "../../../runtime/http/server/index.js";
import {
  answerIn,
  EventReader,
  initialize,
  RawClient,
  type Reach,
  serve,
  tool,
  WAYS,
} from "./serve.js";
import { ToyServer } from "./toy-server.js";

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const byHeader = ({ header }: { header(name: string): string | undefined }) => {
  const principal = header("x-user");
  return principal === undefined ? "anonymous" : { principal };
};

async function opened(
  options: HttpHandlerOptions,
  reach: Reach,
): Promise<{ toy: ToyServer; client: RawClient }> {
  const toy = new ToyServer();
  const client = await serve(toy.server, options, reach);
  await client.initialize("2025-11-25");
  return { toy, client };
}

describe.each(WAYS)("sessions over $way", ({ reach }) => {
  it("are needed for everything but initialize (SESS-05)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const refused = [await client.post(ping), await client.get(), await client.delete()];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await refused[0]!.json()).error.message).toContain("Mcp-Session-Id");
    expect(client.reached.handler.sessions).toBe(0);
  });

  it("have a random id of visible ASCII (SESS-02, SESS-03)", async () => {
    const { client } = await opened({}, reach);
    const other = new RawClient(client.reached);
    await other.initialize("2025-11-25");
    const ids = [client, other].map(({ headers }) => headers["Mcp-Session-Id"]!);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{32,}$/);
  });

  it("return the same 404 for a forged and a foreign id (H08, SESS-06)", async () => {
    const { client } = await opened({ authenticate: byHeader }, reach);
    const id = client.headers["Mcp-Session-Id"]!;
    const answers: unknown[] = [];
    for (const headers of [
      { "Mcp-Session-Id": "forged" },
      { "Mcp-Session-Id": id.toUpperCase() },
      { "Mcp-Session-Id": `${id},${id}` },
      { "Mcp-Session-Id": "x".repeat(8000) },
      { "X-User": "mallory" },
    ]) {
      for (const response of [
        await client.post(ping, headers),
        await client.get(headers),
        await client.delete(headers),
      ]) {
        expect(response.status).toBe(404);
        answers.push((await response.json()).error);
      }
    }
    expect(new Set(answers.map((error) => JSON.stringify(error))).size).toBe(1);
    expect((await client.post(ping)).status).toBe(200);
  });

  it("are never found by an id in the query (H08)", async () => {
    const { client } = await opened({}, reach);
    const query = `?Mcp-Session-Id=${client.headers["Mcp-Session-Id"]}`;
    const request = new Request(`http://localhost/mcp${query}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "*/*" },
      body: JSON.stringify(ping),
    });
    expect((await client.reached.handler(request)).status).toBe(400);
  });

  it("belong to a sender whose credentials may change (H10, SESS-11)", async () => {
    const tokens: Record<string, string> = { old: "ada", new: "ada", other: "bob" };
    const client = await serve(
      new ToyServer().server,
      {
        authenticate: ({ header }) => {
          const principal = tokens[header("authorization") ?? ""];
          return principal
            ? { principal }
            : { status: 401, headers: { "WWW-Authenticate": "Bearer" } };
        },
      },
      reach,
    );
    const refused = await client.post(initialize("2025-11-25"));
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    client.headers["Authorization"] = "old";
    await client.initialize("2025-11-25");
    expect((await client.post(ping, { Authorization: "new" })).status).toBe(200);
    expect((await client.post(ping, { Authorization: "other" })).status).toBe(404);
    expect((await client.post(ping, { Authorization: "" })).status).toBe(401);
  });

  it("end by DELETE, which answers running requests with errors, and later ones with 404 (H13, SESS-08, SESS-09)", async () => {
    const { toy, client } = await opened({ authenticate: byHeader }, reach);
    const running = client.post(tool(1, "wait"));
    const streaming = client.post(tool(2, "log-and-wait"));
    await expect.poll(() => toy.called).toHaveLength(2);
    expect((await client.delete({ "X-User": "stranger" })).status).toBe(404);
    expect((await client.delete()).status).toBe(200);
    expect(toy.aborted).toEqual(["tools/call"]);
    const ended = {
      error: { code: -32603, message: expect.stringContaining("ended the session") },
    };
    expect(await answerIn(await running)).toMatchObject({ id: 1, ...ended });
    const reader = new EventReader(await streaming);
    expect(await reader.message()).toMatchObject({ method: "notifications/message" });
    expect(await reader.message()).toMatchObject({ id: 2, ...ended });
    for (const again of [await client.delete(), await client.post(ping), await client.get()])
      expect(again.status).toBe(404);
    expect(client.reached.handler.sessions).toBe(0);
  });

  it("are removed when initialize fails (SESS-01)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const failing = { jsonrpc: "2.0", id: 5, method: "initialize", params: { protocolVersion: 1 } };
    const response = await client.post(failing);
    expect(response.headers.get("mcp-session-id")).toBeNull();
    expect(await response.json()).toMatchObject({ id: 5, error: { code: -32602 } });
    expect(client.reached.handler.sessions).toBe(0);
  });

  it("refuse a second initialize (I10)", async () => {
    const { client } = await opened({}, reach);
    expect(await answerIn(await client.post(initialize("2025-11-25", 9)))).toMatchObject({
      id: 9,
      error: { code: -32600 },
    });
  });

  it("end when idle; an open stream or a running request keeps them (H12)", async () => {
    const { toy, client } = await opened({ sessionTtl: 400, upgradeAfter: Infinity }, reach);
    const running = client.post(tool(1, "wait"));
    const [listener, idle] = [new RawClient(client.reached), new RawClient(client.reached)];
    await listener.initialize("2025-11-25");
    await idle.initialize("2025-11-25");
    const stream = new EventReader(await listener.get());
    await expect.poll(() => client.reached.handler.sessions).toBe(2);
    expect((await idle.post(ping)).status).toBe(404);
    expect((await listener.post(ping)).status).toBe(200);
    toy.gate.open();
    expect((await running).status).toBe(200);
    await stream.cancel();
    await expect.poll(() => client.reached.handler.sessions).toBe(0);
    expect((await client.post(ping)).status).toBe(404);
  });

  it("have their full idle time after a stream ends (H12)", async () => {
    const { client } = await opened({ sessionTtl: 500 }, reach);
    const stream = new EventReader(await client.get());
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await stream.cancel();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const again = new EventReader(await client.get());
    expect((await again.next())?.id).toBeDefined();
    await again.cancel();
    expect((await client.post(ping)).status).toBe(200);
  });

  it("stay while in constant use, before later sessions that were used once (H11)", async () => {
    const { client } = await opened({ maxSessions: 2 }, reach);
    const [idle, newest] = [1, 2].map(() => new RawClient(client.reached));
    await idle!.initialize("2025-11-25");
    expect((await client.post(ping)).status).toBe(200);
    await newest!.initialize("2025-11-25");
    expect((await client.post(ping)).status).toBe(200);
    expect((await idle!.post(ping)).status).toBe(404);
  });

  it("are replaced by new ones: the longest idle ends first, a busy one never (H11)", async () => {
    const { toy, client } = await opened({ maxSessions: 2 }, reach);
    const running = client.post(tool(1, "wait"));
    await expect.poll(() => toy.called).toHaveLength(1);
    const [second, third, fourth] = [1, 2, 3].map(() => new RawClient(client.reached));
    await second!.initialize("2025-11-25");
    await third!.initialize("2025-11-25");
    expect((await second!.post(ping)).status).toBe(404);
    const streaming = new EventReader(await third!.get());
    const refused = await fourth!.post(initialize("2025-11-25"));
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    toy.gate.open();
    expect((await running).status).toBe(200);
    await fourth!.initialize("2025-11-25");
    expect((await client.post(ping)).status).toBe(404);
    await streaming.cancel();
  });

  it("are limited per sender, whose own sessions end first (H11)", async () => {
    const { client } = await opened({ authenticate: byHeader, maxSessionsPerPrincipal: 2 }, reach);
    const ada = [1, 2, 3].map(() => new RawClient(client.reached));
    for (const one of ada) {
      one.headers["X-User"] = "ada";
      await one.initialize("2025-11-25");
    }
    expect(client.reached.handler.sessions).toBe(3);
    expect((await ada[0]!.post(ping)).status).toBe(404);
    for (const one of [client, ada[1]!, ada[2]!]) expect((await one.post(ping)).status).toBe(200);
  });

  it("pass their id to handlers", async () => {
    const { client } = await opened({}, reach);
    const { result } = await client.call(1, "tools/call", { name: "session" });
    expect(result.content[0].text).toBe(client.headers["Mcp-Session-Id"]);
  });

  it("let the client finish pending requests before they end (P04)", async () => {
    const { client } = await opened({}, reach);
    const reader = new EventReader(await client.post(tool(1, "ask")));
    const requested = await reader.message();
    const closed = client.reached.handler.close(5000);
    const answer = { jsonrpc: "2.0", id: requested.id, result: { roots: [] } };
    expect((await client.post(answer)).status).toBe(202);
    expect((await reader.message()).result.content[0].text).toBe('{"roots":[]}');
    await closed;
    expect((await client.post(answer)).status).toBe(503);
  });

  it("end with the handler, after pending requests (P04)", async () => {
    const { toy, client } = await opened({}, reach);
    const running = client.post(tool(1, "wait"));
    const stream = new EventReader(await client.get());
    await expect.poll(() => toy.called).toHaveLength(1);
    const closed = client.reached.handler.close(5000);
    const late = await client.post(ping);
    expect([late.status, late.headers.has("retry-after")]).toEqual([503, true]);
    toy.gate.open();
    expect((await answerIn(await running)).result.content[0].text).toBe("waited");
    await closed;
    expect((await stream.rest()).filter(({ data }) => data)).toEqual([]);
    expect(client.reached.handler.sessions).toBe(0);
  });
});

describe.each(WAYS)("MCP-Protocol-Version over $way", ({ reach }) => {
  it("may be absent, and must not contradict the agreed revision (I20, HTTP-34)", async () => {
    const { client } = await opened({}, reach);
    delete client.headers["MCP-Protocol-Version"];
    expect((await client.post(ping)).status).toBe(200);
    for (const version of ["2025-06-18", "9999-99-99", "", "2025-11-25, 2025-11-25"]) {
      const headers = { "MCP-Protocol-Version": version };
      const answers = [
        await client.post(ping, headers),
        await client.get(headers),
        await client.delete(headers),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    }
    expect((await client.post(ping)).status).toBe(200);
  });

  it("is ignored on initialize, and at revisions without it (HTTP-35)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const { result } = await client.initialize("2025-03-26", {
      "MCP-Protocol-Version": "nonsense",
    });
    expect(result.protocolVersion).toBe("2025-03-26");
    expect((await client.post(ping, { "MCP-Protocol-Version": "nonsense" })).status).toBe(200);
  });
});

it("a stream that a client requests while it ends its session is refused", async () => {
  const { client } = await opened({}, WAYS.find(({ way }) => way === "web")!.reach);
  const [ended, stream] = await Promise.all([client.delete(), client.get()]);
  expect([ended.status, stream.status]).toEqual([200, 404]);
});
