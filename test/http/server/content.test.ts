import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { acceptedTypes, isJson } from "../../../runtime/http/server/requests/body.js";
import { initialize, serve, WAYS } from "./serve.js";
import { ToyServer } from "./toy-server.js";

describe("Content-Type (H04)", () => {
  it.each([
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json ; version=1",
  ])("is JSON for %s", (field) => expect(isJson(field)).toBe(true));

  it.each([
    undefined,
    "",
    "text/plain",
    "text/plain; x=application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/json-patch+json",
    "application/json; charset=utf-16",
    "application/json, text/plain",
  ])("is not JSON for %s", (field) => expect(isJson(field)).toBe(false));
});

describe("Accept (H05, HTTP-07)", () => {
  it.each([
    ["application/json, text/event-stream", true, true],
    ["text/event-stream;q=0.5,application/json;q=0.1", true, true],
    ["*/*", true, true],
    ["application/*, text/*", true, true],
    ["APPLICATION/JSON", true, false],
    ["text/event-stream", false, true],
    ["*/*, text/event-stream;q=0", true, false],
    ["application/json;q=0.0, */*", false, true],
    ["text/html", false, false],
    ["", false, false],
    [undefined, false, false],
  ])("%s", (field, json, events) => expect(acceptedTypes(field)).toEqual({ json, events }));
});

describe.each(WAYS)("the body of a POST over $way", ({ reach }) => {
  it.each(["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1"])(
    "gets 415 as %s (H04, HTTP-21)",
    async (type) => {
      const client = await serve(new ToyServer().server, {}, reach);
      const response = await client.post(initialize("2025-06-18"), { "Content-Type": type });
      expect(response.status).toBe(415);
      expect((await response.json()).error.message).toContain("application/json");
    },
  );

  it("gets 415 if it is compressed, whatever its size (H06)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const body = new Uint8Array(gzipSync(Buffer.alloc(1 << 20, " ")));
    const headers = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
    const response = await client.reached.fetch({ method: "POST", headers, body });
    expect(response.status).toBe(415);
  });

  it.each([
    "application/json",
    "text/event-stream",
    "text/html",
    "application/json, text/event-stream;q=0",
  ])("gets 406 with Accept: %s (H05)", async (accept) => {
    const client = await serve(new ToyServer().server, {}, reach);
    expect((await client.post(initialize("2025-06-18"), { Accept: accept })).status).toBe(406);
  });

  it.each([
    ["application/json", "application/json"],
    ["text/event-stream", "text/event-stream"],
    ["*/*", "application/json"],
  ])("is accepted leniently with Accept: %s, and answered as %s (H05)", async (accept, type) => {
    const client = await serve(new ToyServer().server, { lenientAccept: true }, reach);
    const opened = await client.post(initialize("2025-06-18"), { Accept: accept });
    expect(opened.headers.get("content-type")).toBe(type);
    expect(opened.headers.get("mcp-session-id")).toBeTruthy();
    const text = await opened.text();
    expect(text).toContain('"protocolVersion":"2025-06-18"');
    expect((await client.post(initialize("2025-06-18"), { Accept: "text/html" })).status).toBe(406);
  });

  it.each(["{", "", "\u0000", '{"a":1}{"b":2}', "undefined"])(
    "gets 400 and -32700 for %j (F01, HTTP-21)",
    async (body) => {
      const client = await serve(new ToyServer().server, {}, reach);
      for (const unknown of [undefined, null]) {
        if (unknown === null) await client.initialize("2025-06-18");
        const response = await client.post(body);
        expect(response.status).toBe(400);
        const answer = await response.json();
        expect([answer.id, answer.error.code]).toEqual([unknown, -32700]);
      }
      expect(await client.call(1, "ping")).toMatchObject({ result: {} });
    },
  );

  it("gets 400 and -32700 in invalid UTF-8, without replacement (F11)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const body = new Uint8Array(
      Buffer.from('{"jsonrpc":"2.0","id":"\xff","method":"ping"}', "latin1"),
    );
    const response = await client.post("", {}, { body });
    expect([response.status, (await response.json()).error.code]).toEqual([400, -32700]);
  });

  it.each([
    ["{}", null],
    ["42", null],
    ['"x"', null],
    ["null", null],
    ['{"jsonrpc":"2.0","id":7,"method":5}', 7],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null],
    ['{"jsonrpc":"1.0","id":"a","method":"ping"}', "a"],
  ])("gets 400 and -32600 for %s (F02, I04)", async (body, id) => {
    const client = await serve(new ToyServer().server, {}, reach);
    // The newest revision omits an id that it does not know; in this session, the id is null.
    for (const unknown of [undefined, null]) {
      if (unknown === null) await client.initialize("2025-06-18");
      const response = await client.post(body);
      expect(response.status).toBe(400);
      const answer = await response.json();
      expect([answer.id, answer.error.code]).toEqual([id ?? unknown, -32600]);
    }
    expect(await client.call(1, "ping")).toMatchObject({ result: {} });
  });

  it("gets 400 and -32600 if it is nested too deeply (F13)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(3e4)}${"]".repeat(3e4)}}`;
    for (const prepare of [() => {}, () => client.initialize("2025-06-18")]) {
      await prepare();
      const response = await client.post(deep);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: -32600 } });
    }
  });

  it("gets 413 above the limit, but not at it (H06, F08)", async () => {
    const client = await serve(new ToyServer().server, { maxBodyBytes: 1000 }, reach);
    const body = JSON.stringify(initialize("2025-06-18")).padEnd(1000, " ");
    expect((await client.post(body)).status).toBe(200);
    const refused = await client.post(`${body} `);
    expect(refused.status).toBe(413);
    expect((await refused.json()).error.message).toContain("maxBodyBytes");
    const chunks = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(" ".repeat(600))),
    });
    const init = { body: chunks, duplex: "half" } as RequestInit;
    expect((await client.post("", {}, init)).status).toBe(413);
  });

  it("may begin with a byte order mark (F09)", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    expect((await client.post(`\ufeff${JSON.stringify(initialize("2025-06-18"))}`)).status).toBe(
      200,
    );
  });

  it("is refused for a duplicate key in strict mode (F15)", async () => {
    const twice = '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}';
    const lax = await serve(new ToyServer().server, {}, reach);
    await lax.initialize("2025-06-18");
    expect((await (await lax.post(twice)).json()).result.tools).toEqual([]);
    const strict = await serve(new ToyServer().server, { duplicateKeys: "refuse" }, reach);
    await strict.initialize("2025-06-18");
    const response = await strict.post(twice);
    expect([response.status, (await response.json()).error.code]).toEqual([400, -32600]);
  });

  it("may be passed in parsed, as text or as bytes", async () => {
    const { reached } = await serve(new ToyServer().server, {}, reach);
    const message = initialize("2025-06-18");
    const text = JSON.stringify(message);
    const post = (body: unknown) => {
      const headers = { "Content-Type": "application/json", Accept: "*/*" };
      const request = new Request("http://localhost/", { method: "POST", headers, body: "spent" });
      return reached.handler(request, { body });
    };
    for (const body of [message, text, new TextEncoder().encode(text)]) {
      expect((await post(body)).status).toBe(200);
    }
    let deep: unknown = [];
    for (let depth = 0; depth < 300; depth++) deep = [deep];
    for (const body of ["{", Uint8Array.of(0xff), null, deep]) {
      expect((await post(body)).status).toBe(400);
    }
  });

  it("is not read twice", async () => {
    const { reached } = await serve(new ToyServer().server, {}, reach);
    const headers = { "Content-Type": "application/json", Accept: "*/*" };
    const request = new Request("http://localhost/", { method: "POST", headers, body: "{}" });
    await request.text();
    const response = await reached.handler(request);
    expect(response.status).toBe(500);
    expect((await response.json()).error.message).toContain("was read before");
  });

  it.each(["PUT", "PATCH", "HEAD"])("gets 405 with Allow for %s (H24)", async (method) => {
    const { reached } = await serve(new ToyServer().server, {}, reach);
    const response = await reached.fetch({ method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, POST, DELETE, OPTIONS");
  });
});
