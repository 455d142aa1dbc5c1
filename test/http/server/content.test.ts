import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { accepted, isJson } from "../../../runtime/http/server/media-types.js";
import { initialize, serve, WAYS } from "./serve.js";
import { ToyServer } from "./toy-server.js";

describe("H04 Content-Type", () => {
  it.each([
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json ; version=1",
  ])("%s is JSON", (field) => expect(isJson(field)).toBe(true));

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
  ])("%s is not", (field) => expect(isJson(field)).toBe(false));
});

describe("H05 Accept (HTTP-07)", () => {
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
  ])("%s", (field, json, events) => expect(accepted(field)).toEqual({ json, events }));
});

describe.each(WAYS)("what a POST brings, over $way", ({ reach }) => {
  it.each(["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1"])(
    "H04 as %s gets 415 (HTTP-21)",
    async (type) => {
      const client = await serve(new ToyServer().server, {}, reach);
      const response = await client.post(initialize("2025-06-18"), { "Content-Type": type });
      expect(response.status).toBe(415);
      expect((await response.json()).error.message).toContain("application/json");
    },
  );

  it("H06 compressed gets 415, whatever it would grow to", async () => {
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
  ])("H05 with Accept: %s gets 406", async (accept) => {
    const client = await serve(new ToyServer().server, {}, reach);
    expect((await client.post(initialize("2025-06-18"), { Accept: accept })).status).toBe(406);
  });

  it.each([
    ["application/json", "application/json"],
    ["text/event-stream", "text/event-stream"],
    ["*/*", "application/json"],
  ])("H05 with Accept: %s is answered as %s, leniently", async (accept, type) => {
    const client = await serve(new ToyServer().server, { lenientAccept: true }, reach);
    const opened = await client.post(initialize("2025-06-18"), { Accept: accept });
    expect(opened.headers.get("content-type")).toBe(type);
    expect(opened.headers.get("mcp-session-id")).toBeTruthy();
    const text = await opened.text();
    expect(text).toContain('"protocolVersion":"2025-06-18"');
    expect((await client.post(initialize("2025-06-18"), { Accept: "text/html" })).status).toBe(406);
  });

  it.each(["{", "", "\u0000", '{"a":1}{"b":2}', "undefined"])(
    "F01 %j gets 400 and -32700 (HTTP-21)",
    async (body) => {
      const client = await serve(new ToyServer().server, {}, reach);
      for (const prepare of [() => {}, () => client.initialize("2025-06-18")]) {
        await prepare();
        const response = await client.post(body);
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ id: null, error: { code: -32700 } });
      }
      expect(await client.call(1, "ping")).toMatchObject({ result: {} });
    },
  );

  it("F11 in invalid UTF-8 gets 400 and -32700, nothing is replaced", async () => {
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
  ])("F02, I04 %s gets 400 and -32600", async (body, id) => {
    const client = await serve(new ToyServer().server, {}, reach);
    for (const prepare of [() => {}, () => client.initialize("2025-06-18")]) {
      await prepare();
      const response = await client.post(body);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ id, error: { code: -32600 } });
    }
    expect(await client.call(1, "ping")).toMatchObject({ result: {} });
  });

  it("F13 nested without end gets 400 and -32600", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(3e4)}${"]".repeat(3e4)}}`;
    for (const prepare of [() => {}, () => client.initialize("2025-06-18")]) {
      await prepare();
      const response = await client.post(deep);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { code: -32600 } });
    }
  });

  it("H06, F08 beyond the limit gets 413, at the limit it does not", async () => {
    const client = await serve(new ToyServer().server, { maxBodyBytes: 1000 }, reach);
    const body = JSON.stringify(initialize("2025-06-18")).padEnd(1000, " ");
    expect((await client.post(body)).status).toBe(200);
    expect((await client.post(`${body} `)).status).toBe(413);
    const chunks = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode(" ".repeat(600))),
    });
    const init = { body: chunks, duplex: "half" } as RequestInit;
    expect((await client.post("", {}, init)).status).toBe(413);
  });

  it("F09 may begin with a byte order mark", async () => {
    const client = await serve(new ToyServer().server, {}, reach);
    expect((await client.post(`\ufeff${JSON.stringify(initialize("2025-06-18"))}`)).status).toBe(
      200,
    );
  });

  it("F15 with a member twice is refused on demand", async () => {
    const twice = '{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}';
    const lax = await serve(new ToyServer().server, {}, reach);
    await lax.initialize("2025-06-18");
    expect((await (await lax.post(twice)).json()).result.tools).toEqual([]);
    const strict = await serve(new ToyServer().server, { duplicateKeys: "refuse" }, reach);
    await strict.initialize("2025-06-18");
    const response = await strict.post(twice);
    expect([response.status, (await response.json()).error.code]).toEqual([400, -32600]);
  });

  it("is taken as it was parsed before, as text and as bytes", async () => {
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

  it.each(["PUT", "PATCH", "HEAD"])("H24 %s gets 405 with Allow", async (method) => {
    const { reached } = await serve(new ToyServer().server, {}, reach);
    const response = await reached.fetch({ method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, POST, DELETE, OPTIONS");
  });
});
