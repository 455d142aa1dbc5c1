import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { initialize } from "../serve.js";
import {
  ask,
  envelope,
  type Fields,
  fieldsOf,
  META,
  post,
  read,
  request,
  type Wire,
} from "./support/raw-http.js";
import { serveBoth, type Served, serveStateless } from "./support/served.js";

const LEGACY = "2025-11-25";
const PLAIN: Fields = [
  ["Content-Type", "application/json"],
  ["Accept", "application/json, text/event-stream"],
];

/** Opens a session and returns its headers. */
async function open({ url }: Served): Promise<Fields> {
  const { headers, message } = await post(url, initialize(LEGACY), PLAIN);
  expect(message.result.protocolVersion).toBe(LEGACY);
  const fields: Fields = [
    ...PLAIN,
    ["Mcp-Session-Id", headers["mcp-session-id"] as string],
    ["MCP-Protocol-Version", LEGACY],
  ];
  await post(url, { jsonrpc: "2.0", method: "notifications/initialized" }, fields);
  return fields;
}

const echo = (id: unknown): Wire => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "echo", arguments: { a: 1 } },
});

async function send(url: string, method: string): Promise<{ status: number; allow?: string }> {
  const response = await new Promise<Parameters<typeof read>[0]>((resolve, reject) => {
    const outgoing = httpRequest(
      url,
      { method, headers: { Accept: "text/event-stream" } },
      resolve,
    );
    outgoing.on("error", reject).end();
  });
  const { status, headers } = await read(response);
  return { status, ...(headers.allow && { allow: headers.allow }) };
}

describe("one URL for sessions and stateless requests", () => {
  test("serves sessions and stateless requests side by side (ERA-14, ERA-15, ERA-16)", async () => {
    const served = await serveBoth();
    const fields = await open(served);
    const [old, now] = await Promise.all([
      post(served.url, echo(1), fields),
      ask(served.url, "tools/call", { name: "echo", arguments: { a: 1 } }),
    ]);
    expect([old.message.id, now.message.id]).toEqual([1, 1]);
    expect(old.message.result).toEqual({ content: [{ type: "text", text: '{"a":1}' }] });
    expect(now.message.result).toMatchObject({ resultType: "complete" });
    expect(served.handler.sessions).toBe(1);
  });

  test("serves a stateless request that carries a session id (ERA-14)", async () => {
    const served = await serveBoth();
    const fields = Object.fromEntries(await open(served));
    const session = { "Mcp-Session-Id": fields["Mcp-Session-Id"]! };
    const answer = await ask(served.url, "tools/list", {}, { fields: session });
    expect(answer.message.result.resultType).toBe("complete");
    const gone = await ask(served.url, "tools/list", {}, { fields: { "Mcp-Session-Id": "gone" } });
    expect(gone.status).toBe(200);
  });

  test.each([
    ["with its version in the header", { "MCP-Protocol-Version": LEGACY }],
    ["and a method in the header", { "Mcp-Method": "initialize" }],
    ["with the version of a stateless revision in its params", {}, "2026-07-28"],
  ])("opens a session for initialize %s (ERA-15, ERA-24)", async (_, more, version = LEGACY) => {
    const { url } = await serveBoth();
    const { status, message, headers } = await post(url, initialize(version), [
      ...PLAIN,
      ...Object.entries(more as Record<string, string>),
    ]);
    expect([status, message.result.protocolVersion]).toEqual([200, LEGACY]);
    expect(headers["mcp-session-id"]).toBeDefined();
  });

  test("refuses a stateless initialize (ERA-17, HDR-04)", async () => {
    const { url, handler } = await serveBoth();
    const { params } = initialize(LEGACY);
    const { status, message } = await ask(url, "initialize", params);
    expect([status, message.error.code, handler.sessions]).toEqual([404, -32601, 0]);
  });

  test.each([
    ["the version in the header", { "MCP-Protocol-Version": "2026-07-28" }, "tools/list"],
    ["a method in the header", { "Mcp-Method": "tools/list" }, "tools/list"],
    ["both", { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list" }, "tools/list"],
    ["and initialize", { "MCP-Protocol-Version": "2026-07-28" }, "initialize"],
  ])("refuses %s without an envelope in the body (ERA-18, ERA-19)", async (_, more, method) => {
    const { url } = await serveBoth();
    const body = { jsonrpc: "2.0", id: 4, method, params: {} };
    const { status, message } = await post(url, body, [...PLAIN, ...Object.entries(more)]);
    expect([status, message.id, message.error.code]).toEqual([400, 4, -32602]);
  });

  test.each([
    ["no version in the header", {}],
    ["the version of a session in the header", { "MCP-Protocol-Version": LEGACY }],
  ])("refuses %s with an envelope in the body (ERA-18)", async (_, more) => {
    const { url } = await serveBoth();
    const fields = [...PLAIN, ["Mcp-Method", "tools/list"] as const, ...Object.entries(more)];
    const { status, message } = await post(url, request("tools/list"), fields);
    expect([status, message.error.code]).toEqual([400, -32020]);
  });

  test("refuses the same inside a session (ERA-18)", async () => {
    const served = await serveBoth();
    const fields = await open(served);
    const { status, message } = await post(served.url, request("tools/list"), fields);
    expect([status, message.error.code]).toEqual([400, -32020]);
    const batch = await post(served.url, [request("tools/list")], fields);
    expect([batch.status, batch.message.error.code]).toEqual([400, -32600]);
  });

  test("treats methods of stateless revisions as stateless requests (ERA-19)", async () => {
    const { url } = await serveBoth();
    for (const method of ["server/discover", "subscriptions/listen"]) {
      const body = { jsonrpc: "2.0", id: 5, method, params: {} };
      const bare = await post(url, body, PLAIN);
      expect([bare.status, bare.message.id, bare.message.error.code]).toEqual([400, 5, -32020]);
      const named = await post(url, body, [...PLAIN, ["MCP-Protocol-Version", LEGACY]]);
      expect([named.status, named.message.error.code]).toEqual([400, -32602]);
    }
  });

  test("treats messages without any sign of an era as messages of a session (ERA-19)", async () => {
    const { url } = await serveBoth();
    const { status, message } = await post(url, echo(1), PLAIN);
    expect([status, message.error.message]).toEqual([400, expect.stringContaining("initialize")]);
    const unknown = await post(url, echo(1), [...PLAIN, ["MCP-Protocol-Version", "v999.0.0"]]);
    expect(unknown.status).toBe(400);
  });

  test("treats an unknown version with other signs as a stateless request (ERA-19)", async () => {
    const { url } = await serveBoth();
    const meta = envelope({}, "v999.0.0");
    const fields = { "MCP-Protocol-Version": "v999.0.0" };
    const { message } = await ask(url, "tools/list", {}, { meta, fields });
    expect(message.error.code).toBe(-32022);
  });

  test("refuses the version of a session revision in a stateless request (VER-02)", async () => {
    const { url } = await serveBoth();
    const meta = envelope({}, LEGACY);
    const fields = { "MCP-Protocol-Version": LEGACY };
    const { status, message } = await ask(url, "tools/list", {}, { meta, fields });
    expect([status, message.error.code]).toEqual([400, -32022]);
  });

  test("ignores a method header in a request of a session (ERA-19)", async () => {
    const served = await serveBoth();
    const fields = await open(served);
    const { message } = await post(served.url, echo(9), [...fields, ["Mcp-Method", "wrong"]]);
    expect(message.result.content[0].text).toBe('{"a":1}');
  });

  test("treats GET and DELETE as requests of a session (ERA-20)", async () => {
    const { url } = await serveBoth();
    expect((await send(url, "GET")).status).toBe(400);
    expect((await send(url, "DELETE")).status).toBe(400);
    expect((await send(url, "PUT")).status).toBe(405);
  });

  test("does not remember what a request says about its client (STATE-01)", async () => {
    const { url } = await serveBoth();
    await ask(url, "tools/list", {}, { meta: envelope({ [META.logLevel]: "debug" }) });
    const { headers, message } = await ask(url, "tools/call", { name: "echo" });
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["mcp-session-id"]).toBeUndefined();
    expect(message.result.content[0].text).toBe("{}");
  });

  test("accepts long stateless bodies, which open no session", async () => {
    const { url } = await serveBoth();
    const long = "x".repeat(200_000);
    const big = { name: "echo", arguments: { long } };
    expect((await ask(url, "tools/call", big)).status).toBe(200);
    const opening = initialize(LEGACY);
    opening.params.clientInfo.version = long;
    expect((await post(url, opening, PLAIN)).status).toBe(413);
  });
});

describe("a stateless server", () => {
  test("refuses GET and DELETE (SHTTP-01, SHTTP-04, ERA-21)", async () => {
    const { url } = await serveStateless();
    for (const method of ["GET", "DELETE", "PUT"]) {
      expect(await send(url, method)).toEqual({ status: 405, allow: "POST, OPTIONS" });
    }
  });

  test("names its versions in the response to initialize (VER-08, ERA-21)", async () => {
    const { url } = await serveStateless();
    for (const fields of [PLAIN, [...PLAIN, ["MCP-Protocol-Version", LEGACY] as const]]) {
      const { status, message } = await post(url, initialize(LEGACY), fields);
      expect([status, message.id]).toEqual([400, 0]);
      expect(JSON.stringify(message.error)).toContain("2026-07-28");
    }
  });

  test("refuses a request without a version (HDR-06)", async () => {
    const { url } = await serveStateless();
    const { status, message } = await post(url, echo(1), PLAIN);
    expect([status, message.id, message.error.code]).toEqual([400, 1, -32020]);
    expect(message.error.message).toContain("2026-07-28");
  });

  test("answers server/discover without an earlier request (DISC-06)", async () => {
    const { url } = await serveStateless();
    const { status, message } = await ask(url, "server/discover");
    expect([status, message.result.supportedVersions]).toEqual([200, ["2026-07-28"]]);
  });
});

describe("notifications", () => {
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  const notifications = { jsonrpc: "2.0", method: "acme/news", params: {} };

  test.each([
    ["stateless", serveStateless],
    ["both", serveBoth],
  ])("are accepted without a method header, %s (SHTTP-09, SHTTP-10)", async (_, serve) => {
    const { url } = await serve();
    for (const body of [
      cancel,
      notifications,
      { ...notifications, params: { _meta: envelope() } },
    ]) {
      const version = ["MCP-Protocol-Version", "2026-07-28"] as const;
      const answer = await post(url, body, [...PLAIN, version]);
      expect([answer.status, answer.text]).toEqual([202, ""]);
    }
  });

  test("cannot cancel requests of others (CANC-09)", async () => {
    const served = await serveBoth();
    const waiting = ask(served.url, "tools/call", { name: "wait" }, { id: 1 });
    while (served.called.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const requestId of [1, 2, 3, "1"]) {
      for (const meta of [undefined, envelope()]) {
        const body = { ...cancel, params: { requestId, ...(meta && { _meta: meta }) } };
        await post(served.url, body, fieldsOf(body));
      }
    }
    served.gate.open();
    expect((await waiting).message.result.content[0].text).toBe("waited");
    expect(served.aborted).toEqual([]);
  });
});
