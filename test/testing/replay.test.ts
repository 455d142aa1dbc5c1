import { Client as OfficialClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { testClient } from "@mcp-codegen/testing";
import { revisions } from "@mcp-codegen/universal/revisions";
import { listenReplay } from "../../runtime/testing/replay/serve-http.js";
import { createReplay, type ReplayRequest } from "../../runtime/testing/replay/replay.js";
import { projectedServer } from "../../runtime/testing/replay/projected-server.js";
import { readScript } from "../../runtime/testing/replay/tape-script.js";
import {
  c,
  linesOf,
  meta,
  opened,
  s,
  type Sent,
  SESSION,
  STATELESS,
} from "./support/conversation.js";

const form = {
  mode: "form",
  message: "How old?",
  requestedSchema: { type: "object", properties: { age: { type: "integer" } } },
};
const accepted = { action: "accept", content: { age: 7 } };
const tools = [{ name: "age", inputSchema: { type: "object" } }];
const result = { content: [{ type: "text", text: "seven" }] };

const session: Sent[] = [
  ...opened(),
  c({ id: 2, method: "tools/list" }),
  s({ id: 2, result: { tools } }),
  c({ id: 3, method: "tools/call", params: { name: "age", arguments: { of: "Ada" } } }),
  s({ id: 0, method: "elicitation/create", params: form }),
  c({ id: 0, result: accepted }),
  s({ id: 3, result }),
  c({ id: 4, method: "tools/call", params: { name: "age", arguments: { of: "Bob" } } }),
  s({ id: 4, result: { content: [{ type: "text", text: "1" }] } }),
  c({ id: 5, method: "tools/call", params: { name: "age", arguments: { of: "Bob" } } }),
  s({ id: 5, result: { content: [{ type: "text", text: "2" }] } }),
];

const stateless: Sent[] = [
  c({ id: 1, method: "server/discover", params: { _meta: meta() } }),
  s({
    id: 1,
    result: {
      resultType: "complete",
      supportedVersions: [STATELESS],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } },
    },
  }),
  c({ id: 2, method: "tools/list", params: { _meta: meta() } }),
  s({ id: 2, result: { resultType: "complete", ttlMs: 0, cacheScope: "private", tools } }),
  c({
    id: 3,
    method: "tools/call",
    params: { name: "age", arguments: { of: "Ada" }, _meta: meta() },
  }),
  s({
    id: 3,
    result: {
      resultType: "input_required",
      requestState: "x",
      inputRequests: { age: { method: "elicitation/create", params: form } },
    },
  }),
  c({
    id: 4,
    method: "tools/call",
    params: {
      name: "age",
      arguments: { of: "Ada" },
      inputResponses: { age: accepted },
      requestState: "x",
      _meta: meta(),
    },
  }),
  s({ id: 4, result: { resultType: "complete", ...result } }),
];

const scriptOf = (sent: readonly Sent[]) =>
  readScript([
    '{"tape":1,"command":["s"],"transport":"stdio"}\n',
    ...linesOf(sent).map((line) => `${JSON.stringify(line)}\n`),
  ]);

/** Returns the messages that a replay sends for the requests of one connection. */
async function replayed(
  sent: readonly Sent[],
  requests: readonly ReplayRequest[],
  loose = false,
): Promise<unknown[]> {
  const connection = createReplay(await scriptOf(sent), { fast: true, loose }).connect();
  const found: unknown[] = [];
  for (const request of requests) {
    await connection.play(request, connection.find(request), (text) => {
      const message = JSON.parse(text) as { id: string; method?: string };
      found.push(message);
      if (message.method === "elicitation/create")
        connection.answer({ jsonrpc: "2.0", id: message.id, result: accepted } as never);
    });
  }
  return found;
}

const callOf = (id: number, of: string): ReplayRequest => ({
  id,
  method: "tools/call",
  params: { name: "age", arguments: { of }, _meta: { progressToken: id } },
});

describe("a replay", () => {
  it("responds with the id of the request, after its questions", async () => {
    expect(await replayed(session, [callOf(70, "Ada")])).toEqual([
      { jsonrpc: "2.0", id: "replay-1", method: "elicitation/create", params: form },
      { jsonrpc: "2.0", id: 70, result },
    ]);
  });

  it("responds to equal requests in their order, and then with an error or, if loose, the last response", async () => {
    const requests = [callOf(1, "Bob"), callOf(2, "Bob"), callOf(3, "Bob")];
    const strict = await replayed(session, requests);
    expect(strict.slice(0, 2)).toMatchObject([
      { result: { content: [{ text: "1" }] } },
      { result: { content: [{ text: "2" }] } },
    ]);
    expect(strict[2]).toMatchObject({
      id: 3,
      error: { message: expect.stringContaining("2 times (line 10, 12)") },
    });
    expect((await replayed(session, requests, true))[2]).toMatchObject({
      id: 3,
      result: { content: [{ text: "2" }] },
    });
  });

  it("names the nearest line and the place that differs", async () => {
    const [error] = await replayed(session, [callOf(1, "Eve")]);
    expect(error).toMatchObject({
      error: {
        code: -32602,
        message:
          'The tape has no tools/call with these parameters. Line 6 is the nearest. It differs at /params/arguments/of: recorded "Ada", received "Eve".',
      },
    });
    expect(await replayed(session, [{ id: 1, method: "prompts/list" }])).toMatchObject([
      { error: { code: -32601, message: "The tape has no prompts/list." } },
    ]);
  });

  it("takes any value for a masked one, and renames progress tokens", async () => {
    const masked = [
      ...opened(),
      c({
        id: 2,
        method: "tools/call",
        params: { name: "a", arguments: { token: "«masked:1»" }, _meta: { progressToken: "old" } },
      }),
      s({ method: "notifications/progress", params: { progressToken: "old", progress: 1 } }),
      s({ id: 2, result }),
    ];
    const params = { name: "a", arguments: { token: "abc" }, _meta: { progressToken: "new" } };
    expect(await replayed(masked, [{ id: 9, method: "tools/call", params }])).toMatchObject([
      { params: { progressToken: "new" } },
      { id: 9, result },
    ]);
  });
});

describe.each([
  ["a session", session],
  ["stateless requests", stateless],
])("a tape of %s", (_, sent) => {
  it.each(revisions.map(({ id }) => [id]))("is replayed at %s", async (id) => {
    const revision = revisions.find((one) => one.id === id)!;
    const script = await scriptOf(sent);
    const hasForms = revision.methods.has("elicitation/create");
    const client = await testClient(projectedServer(script, revision, { fast: true }), {
      revision: id,
      failOnError: false,
      ...(hasForms && { answers: [accepted as never] }),
    });
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(["age"]);
    const { content } = await client.callTool("age", { of: "Ada" });
    expect(content).toEqual([
      hasForms
        ? { type: "text", text: "seven" }
        : { type: "text", text: expect.stringContaining("elicitation/create") },
    ]);
    await client.close();
  });
});

describe("a replay over HTTP", () => {
  const headers = { "mcp-session-id": "«masked:1»" };
  const recorded = session.map(([from, message]): Sent => [
    from,
    message,
    from === "server" ? { http: { headers } } : {},
  ]);

  it("serves an official client, in sessions of its own, with questions and answers", async () => {
    const script = await scriptOf(recorded);
    const listener = await listenReplay(script, createReplay(script, { fast: true }), 0);
    try {
      for (const name of ["first", "second"]) {
        const client = new OfficialClient(
          { name, version: "1" },
          { capabilities: { elicitation: {} } },
        );
        client.setRequestHandler(ElicitRequestSchema, () => accepted as never);
        await client.connect(new StreamableHTTPClientTransport(new URL(listener.url)) as never);
        if (name === "first") {
          expect(await client.callTool({ name: "age", arguments: { of: "Ada" } })).toEqual(result);
        }
        await expect(client.callTool({ name: "age", arguments: { of: "Eve" } })).rejects.toThrow(
          "Line 6 is the nearest",
        );
        await client.close();
      }
    } finally {
      await listener.close();
    }
  });

  it("refuses other hosts, other origins and sessions that it has not opened", async () => {
    const script = await scriptOf(recorded);
    const listener = await listenReplay(script, createReplay(script), 0);
    try {
      const post = (more: Record<string, string>) =>
        fetch(listener.url, {
          method: "POST",
          body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
          headers: more,
        });
      expect((await post({ origin: "https://evil.test" })).status).toBe(403);
      expect((await post({ "mcp-session-id": "none" })).status).toBe(404);
      expect((await post({ origin: "http://localhost:1" })).status).toBe(200);
      expect((await fetch(listener.url)).status).toBe(405);
    } finally {
      await listener.close();
    }
  });
});

it("a tape names its revision", async () => {
  expect((await scriptOf(session)).revision.id).toBe(SESSION);
  expect((await scriptOf(stateless)).revision.id).toBe(STATELESS);
});
