import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { end, event, type Handle, resultFor, serve, stream, until, Wire } from "./support/wire.js";

const body =
  (status: number, type: string | undefined, text: string): Handle =>
  (_, response) => {
    response.writeHead(status, type === undefined ? {} : { "content-type": type });
    response.end(text);
  };

/** Writes the same chunk repeatedly for as long as the client reads it. */
function flood(response: ServerResponse, chunk: string, first = ""): void {
  if (!response.hasHeader("content-type")) response.setHeader("content-type", "text/event-stream");
  response.write(first);
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", more);
  more();
}

describe("an invalid response rejects its request with a typed error (H26)", () => {
  it.each<[string, Handle, object]>([
    ["HTML", body(200, "text/html", "<p>Hello"), { status: 200 }],
    ["204", (_, response) => end(response, 204), { status: 204 }],
    ["202", (_, response) => end(response, 202), { status: 202 }],
    ["no content type", body(200, undefined, "{}"), { status: 200 }],
    ["an empty body", body(200, "application/json", ""), { status: 200 }],
    ["no JSON", body(200, "application/json", "{"), { status: 200 }],
    [
      "the response to another request",
      body(200, "application/json", '{"id":99,"result":{}}'),
      { status: 200 },
    ],
    ["an array", body(200, "application/json", '[{"jsonrpc":"2.0","id":99,"result":{}}]'), {}],
    ["an HTML error", body(502, "text/html", "<p>Oops"), { status: 502, detail: "<p>Oops" }],
    ["an empty stream", body(200, "text/event-stream", ""), { name: "StreamEndedError" }],
    ["junk", body(200, "text/event-stream", "junk\n\ndata: {\n\n"), { name: "StreamEndedError" }],
    [
      "a redirect to another origin",
      (_, response) => void response.writeHead(307, { location: "http://127.0.0.1:9/" }).end(),
      { name: "RedirectError" },
    ],
    [
      "a broken body",
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
        response.write("{");
        setTimeout(() => response.destroy(), 20);
      },
      { status: undefined },
    ],
  ])("%s", async (_, handle, expected) => {
    const server = await serve({ "tools/call": handle });
    const wire = new Wire(server.url);
    await expect(wire.request("tools/call")).rejects.toMatchObject({ code: "HTTP", ...expected });
    expect((await wire.request("tools/list")).result).toBeDefined();
  });

  it.each<[string, Handle]>([
    [
      "a JSON body",
      (_, response) => {
        response.setHeader("content-type", "application/json");
        flood(response, "x".repeat(65_536));
      },
    ],
    ["an event", (_, response) => flood(response, "x".repeat(65_536), "data: ")],
    ["a comment", (_, response) => flood(response, "x".repeat(65_536), ": ")],
    [
      "a refusal",
      (_, response) => {
        response.statusCode = 400;
        response.setHeader("content-type", "application/json");
        flood(response, " ".repeat(65_536));
      },
    ],
  ])("%s without end is not read to the end", async (_, handle) => {
    const server = await serve({ "tools/call": handle });
    const wire = new Wire(server.url, { maxMessageBytes: 1_000_000 });
    await expect(wire.request("tools/call")).rejects.toMatchObject({ code: "HTTP" });
    await until(() => server.streaming() === 0);
  });

  it("is not read for long after the response on its stream", async () => {
    const server = await serve({
      "tools/call": (seen, response) => stream(response, event(resultFor(seen, { ok: true }))),
    });
    const wire = new Wire(server.url);
    expect((await wire.request("tools/call")).result).toEqual({ ok: true });
    await until(() => server.streaming() === 0);
    expect([...wire.failures, ...wire.reported]).toEqual([]);
  });

  it("handles deep schemas and many annotations", async () => {
    let deep: object = { type: "string", "x-mcp-header": "Deep" };
    for (let level = 0; level < 60; level += 1) deep = { type: "object", properties: { a: deep } };
    const properties = Object.fromEntries(
      Array.from({ length: 5000 }, (_, n) => [
        `p${n}`,
        { type: "integer", "x-mcp-header": `P${n}` },
      ]),
    );
    const tools = [
      { name: "deep", inputSchema: deep },
      { name: "wide", inputSchema: { type: "object", properties } },
      { name: "odd", inputSchema: "no schema" },
      { name: 7 },
      null,
    ];
    const server = await serve({
      "tools/list": (seen, response) =>
        body(200, "application/json", JSON.stringify(resultFor(seen, { tools })))(seen, response),
    });
    const wire = new Wire(server.url);
    expect((await wire.request("tools/list")).result.tools).toEqual(tools);
    await wire.request("tools/call", { name: "wide", arguments: { p7: 7 } });
    expect(server.of("tools/call")[0]!.headers["mcp-param-p7"]).toBe("7");
  });
});

describe("many concurrent requests", () => {
  it("receive their own responses, in any order", async () => {
    const server = await serve({
      "tools/call": (seen, response) => {
        const { name } = seen.body.params;
        const answer = (): void => void response.end(event(resultFor(seen, { name })));
        stream(response);
        setTimeout(answer, (Number(name) * 7) % 50);
      },
    });
    const wire = new Wire(server.url);
    const names = Array.from({ length: 200 }, (_, n) => `${n}`);
    const answers = await Promise.all(names.map((name) => wire.request("tools/call", { name })));
    expect(answers.map(({ result }) => result.name)).toEqual(names);
  });

  it("are authorized once for one 401 (A11)", async () => {
    let renewed = 0;
    const headers: Record<string, string> = {};
    const server = await serve({
      "tools/call": (seen, response) =>
        seen.headers.authorization === undefined
          ? end(response, 401)
          : body(200, "application/json", JSON.stringify(resultFor(seen, {})))(seen, response),
    });
    const wire = new Wire(server.url, {
      headers: () => headers,
      authorize: async () => {
        renewed += 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
        headers["authorization"] = "Bearer new";
        return true;
      },
    });
    await Promise.all(Array.from({ length: 10 }, () => wire.request("tools/call")));
    expect(renewed).toBe(1);
  });
});
