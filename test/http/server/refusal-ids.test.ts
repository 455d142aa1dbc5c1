import { describe, expect, test } from "vitest";
import * as r20241105 from "../../../generated/universal/revisions/2024-11-05.js";
import * as r20250326 from "../../../generated/universal/revisions/2025-03-26.js";
import * as r20250618 from "../../../generated/universal/revisions/2025-06-18.js";
import * as r20251125 from "../../../generated/universal/revisions/2025-11-25.js";
import * as r20260728 from "../../../generated/universal/revisions/2026-07-28.js";
import { McpServer } from "../../../generated/universal/index.js";
import { memoryPair } from "../../../runtime/memory/index.js";
import {
  createHttpHandler,
  createSseHandler,
  type HttpHandler,
  type HttpHandlerOptions,
} from "../../../runtime/http/server/index.js";
import { ACCEPT, initialize } from "./serve.js";

const all = [r20260728, r20251125, r20250618, r20250326, r20241105].map(({ revision }) => revision);
const newest = all[0]!;

/** Every set of consecutive revisions. */
const SETS = all.flatMap((_, from) =>
  all.slice(from).map((__, length) => all.slice(from, from + length + 1)),
);
const idsOf = (revisions: typeof all): string => revisions.map(({ id }) => id).join(" ");
const NO_NULL = new Set(all.filter(({ traits }) => traits.errorId === "optional"));

const serverOf = (revisions: typeof all): McpServer =>
  new McpServer({ name: "s", version: "1" }, { revisions, onerror() {} });

const JSON_TYPE = { "Content-Type": "application/json", Accept: ACCEPT };
const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

/** Requests that are refused before their message matters. */
const REFUSED: Record<string, [RequestInit, HttpHandlerOptions?]> = {
  "a method": [{ method: "PUT" }],
  "a host": [{ method: "POST" }, { allowedHosts: ["example.com"] }],
  "an origin": [{ method: "POST", headers: { Origin: "https://evil.example" } }],
  "a sender": [{ method: "POST" }, { authenticate: () => undefined as never }],
  "a media type": [{ method: "POST", headers: { Accept: ACCEPT }, body: "x" }],
  "what is accepted": [{ method: "POST", headers: { ...JSON_TYPE, Accept: "text/html" } }],
  "a body that is too long": [
    { method: "POST", headers: JSON_TYPE, body: ping },
    { maxBodyBytes: 4 },
  ],
  "no JSON": [{ method: "POST", headers: JSON_TYPE, body: "{" }],
  "no message": [{ method: "POST", headers: JSON_TYPE, body: "{}" }],
  "a notification without a session": [
    { method: "POST", headers: JSON_TYPE, body: '{"jsonrpc":"2.0","method":"notifications/x"}' },
  ],
};

async function bodyOf(
  handler: HttpHandler,
  init: RequestInit,
  path = "/mcp",
): Promise<Record<string, unknown> | undefined> {
  const response = await handler(new Request(`http://localhost${path}`, init));
  const text = await response.text();
  await handler.close(0);
  return text === "" ? undefined : (JSON.parse(text) as Record<string, unknown>);
}

describe("an error that belongs to no request", () => {
  test.each(SETS.map((revisions) => [idsOf(revisions), revisions] as const))(
    "has no `id: null` over HTTP if a revision forbids it: %s (BASE-09, GAP-08)",
    async (_, revisions) => {
      const mayBeNull = !revisions.some((one) => NO_NULL.has(one));
      for (const [what, [init, options]] of Object.entries(REFUSED)) {
        const handler = createHttpHandler(serverOf(revisions), { onerror() {}, ...options });
        const body = await bodyOf(handler, init);
        if (body === undefined || !("error" in body)) continue;
        expect([what, "id" in body]).toEqual([what, mayBeNull]);
      }
    },
  );

  test("has no id over HTTP if the header names a revision that forbids `id: null` (BASE-09)", async () => {
    for (const [what, [init, options]] of Object.entries(REFUSED)) {
      const headers = { ...init.headers, "MCP-Protocol-Version": newest.id };
      const handler = createHttpHandler(serverOf(all), { onerror() {}, ...options });
      const body = await bodyOf(handler, { ...init, headers });
      if (body && "error" in body) expect([what, body["id"]]).toEqual([what, undefined]);
    }
  });

  test("has no id over HTTP+SSE if a revision with sessions forbids `id: null` (BASE-09)", async () => {
    for (const { id } of all.slice(1)) {
      const revisions = all.filter((one) => one.id === id);
      const handler = createSseHandler(serverOf(revisions), { onerror() {} });
      const init = { method: "POST", headers: JSON_TYPE, body: ping };
      const body = await bodyOf(handler, init, "/messages?sessionId=x");
      expect([id, "id" in body!]).toEqual([id, !NO_NULL.has(revisions[0]!)]);
    }
  });

  test.each(SETS.map((revisions) => [idsOf(revisions), revisions] as const))(
    "has no `id: null` on a connection before a revision is agreed on: %s (BASE-09)",
    async (_, revisions) => {
      const [ours, theirs] = memoryPair();
      const received: Record<string, unknown>[] = [];
      await theirs.start({
        message: (value: unknown) => void received.push(value as Record<string, unknown>),
        malformed() {},
        ended() {},
        closed() {},
        failed() {},
      } as never);
      const server = serverOf(revisions);
      await server.connect(ours);
      if (revisions.length > 1 && revisions[0] === newest) {
        const version = "io.modelcontextprotocol/protocolVersion";
        const params = { _meta: { [version]: newest.id } };
        await theirs.send({ jsonrpc: "2.0", id: 1, method: "server/discover", params });
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      received.length = 0;
      await theirs.send({ jsonrpc: "2.0", id: {}, method: 5 } as never);
      await new Promise((resolve) => setTimeout(resolve, 1));
      const mayBeNull = !revisions.some((one) => NO_NULL.has(one));
      expect(received.map((answer) => "id" in answer)).toEqual([mayBeNull]);
      await server.close();
    },
  );
});

describe("a request without a session that names no revision", () => {
  const list = { jsonrpc: "2.0", id: "a", method: "tools/list" };
  const both = SETS.filter(([first]) => first === newest);

  test.each(
    both.flatMap((revisions) =>
      [true, false].map((sessions) => [idsOf(revisions), sessions, revisions] as const),
    ),
  )(
    "is a header mismatch with its id if every revision requires the header: %s, sessions %s (HDR-06, HDR-13)",
    async (_, sessions, revisions) => {
      const headers = JSON_TYPE;
      const handler = createHttpHandler(serverOf(revisions), { sessions, onerror() {} });
      const response = await handler(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers,
          body: JSON.stringify(list),
        }),
      );
      const body = (await response.json()) as Record<string, unknown>;
      await handler.close(0);
      const isNamedByAll = revisions.every(({ conventions }) => conventions.versionHeader);
      if (isNamedByAll) {
        expect([response.status, body]).toMatchObject([400, { id: "a", error: { code: -32020 } }]);
      } else if (sessions) {
        expect([response.status, body]).toMatchObject([400, { error: { code: -32600 } }]);
      } else {
        expect(response.status).toBe(200);
      }
    },
  );

  test("opens a session if it is initialize (HDR-06, LIFE-01)", async () => {
    const handler = createHttpHandler(serverOf(all.slice(0, 3)), { onerror() {} });
    const init = { method: "POST", headers: JSON_TYPE };
    const body = JSON.stringify(initialize(all[1]!.id));
    const response = await handler(new Request("http://localhost/mcp", { ...init, body }));
    expect(response.status).toBe(200);
    await handler.close(0);
  });

  test("is not treated as one of the only revision if that requires the header (HTTP-33)", async () => {
    for (const revision of all.slice(1)) {
      const options = { sessions: false, onerror() {} };
      const handler = createHttpHandler(serverOf([revision]), options);
      const init = { method: "POST", headers: JSON_TYPE, body: ping };
      const response = await handler(new Request("http://localhost/mcp", init));
      const expected = revision.conventions.versionHeader ? 400 : 200;
      expect([revision.id, response.status]).toEqual([revision.id, expected]);
      await handler.close(0);
    }
  });
});
