import { describe, expect, test } from "vitest";
import { ask, fieldsOf, envelope, post, request } from "./support/raw-http.js";
import { serveStateless } from "./support/served.js";

const MISMATCH = -32020;
const echo = { name: "echo", arguments: {} };

type Args = readonly [url: string, args: object, fields?: Record<string, string | string[]>];

const call = (...[url, args, fields = {}]: Args) =>
  ask(url, "tools/call", { name: "route", arguments: args }, { fields });

describe("MCP-Protocol-Version, Mcp-Method and Mcp-Name", () => {
  test("are accepted when they equal the body (HDR-01, HDR-07, HDR-08)", async () => {
    const { url, called } = await serveStateless();
    const { status, message } = await ask(url, "tools/call", echo);
    expect([status, message.id, message.result.content[0].text]).toEqual([200, 1, "{}"]);
    expect(message.result.resultType).toBe("complete");
    expect(called).toEqual(["echo"]);
    const read = await ask(url, "resources/read", { uri: "file:///a%20b.txt" });
    expect(read.message.result.contents[0].text).toBe("read");
    expect((await ask(url, "prompts/get", { name: "greet" })).status).toBe(200);
  });

  test.each([
    ["another version", { "MCP-Protocol-Version": "2025-11-25" }],
    ["an unknown version", { "MCP-Protocol-Version": "v999.0.0" }],
    ["no version", { "MCP-Protocol-Version": undefined }],
    ["no method", { "Mcp-Method": undefined }],
    ["another method", { "Mcp-Method": "prompts/list" }],
    ["a method in another case", { "Mcp-Method": "TOOLS/CALL" }],
    ["no name", { "Mcp-Name": undefined }],
    ["an empty name", { "Mcp-Name": "" }],
    ["another name", { "Mcp-Name": "wrong_tool_name" }],
    ["a name in another case", { "Mcp-Name": "ECHO" }],
    ["a name that cannot be decoded", { "Mcp-Name": "=?base64?ZWNobw?=" }],
    ["an encoded method", { "Mcp-Method": "=?base64?dG9vbHMvY2FsbA==?=" }],
    ["a version twice", { "MCP-Protocol-Version": ["2026-07-28", "2026-07-28"] }],
    ["a method twice", { "Mcp-Method": ["tools/call", "tools/call"] }],
    ["a name twice", { "Mcp-Name": ["echo", "echo"] }],
    ["characters that a header cannot contain", { "Mcp-Name": "echo\u00e9" }],
  ])(
    "are refused with the id of the request: %s (HDR-02, HDR-06, HDR-13, HDR-11, HVAL-06, HVAL-04, H18)",
    async (_, fields) => {
      const { url, called } = await serveStateless();
      const { status, message } = await ask(url, "tools/call", echo, { id: "a", fields });
      expect([status, message.id, message.error?.code]).toEqual([400, "a", MISMATCH]);
      expect(called).toEqual([]);
    },
  );

  test.each([
    ["names of headers in small letters", { "mcp-method": "tools/call" }],
    ["names of headers in capitals", { "MCP-METHOD": "tools/call" }],
    ["blanks around a name", { "Mcp-Name": "  echo \t" }],
    ["blanks around a method", { "Mcp-Method": " tools/call " }],
    ["an encoded name", { "Mcp-Name": "=?base64?ZWNobw==?=" }],
    ["a session id, which has no meaning", { "Mcp-Session-Id": "gone" }],
    ["the id of an event, which has no meaning", { "Last-Event-ID": "1_1" }],
    ["an unknown Mcp-Param header", { "Mcp-Param-Other": "=?base64?!?=" }],
  ])(
    "are accepted: %s (HDR-11, HDR-12, HDR-10, ERA-21, XH-14, SESS-13, RSM-09)",
    async (_, fields) => {
      const { url } = await serveStateless();
      const { status, message } = await ask(url, "tools/call", echo, { fields });
      expect([status, message.result?.content[0].text]).toEqual([200, "{}"]);
    },
  );

  test.each([["日本語"], ["a, b"], [" padded "], ["=?base64?eA==?="]])(
    "are compared after decoding the name %j (HDR-10, HVAL-05)",
    async (name) => {
      const served = await serveStateless();
      const encoded = `=?base64?${Buffer.from(name).toString("base64")}?=`;
      const good = { fields: { "Mcp-Name": encoded } };
      expect((await ask(served.url, "prompts/get", { name }, good)).status).toBe(200);
      const other = { fields: { "Mcp-Name": "=?base64?b3RoZXI=?=" } };
      expect((await ask(served.url, "prompts/get", { name }, other)).status).toBe(400);
    },
  );

  test("are not formed by joining two headers (H18)", async () => {
    const { url } = await serveStateless();
    const twice = { fields: { "Mcp-Name": ["a", "b"] } };
    const answer = await ask(url, "prompts/get", { name: "a, b" }, twice);
    expect([answer.status, answer.message.error.code]).toEqual([400, MISMATCH]);
    expect((await ask(url, "prompts/get", { name: "a, b" })).status).toBe(200);
  });

  test("accept a name that only looks encoded as it is (HVAL-04)", async () => {
    const { url } = await serveStateless();
    for (const name of ["SGVsbG8=", "=?base64?SGVsbG8=", "=?BASE64?SGVsbG8=?="]) {
      expect((await ask(url, "prompts/get", { name })).status).toBe(200);
    }
    const name = "=?base64?SGVsbG8=?=";
    expect((await ask(url, "prompts/get", { name })).status).toBe(400);
  });

  test("are refused if repeated, also in web-standard requests (H18)", async () => {
    const { handler } = await serveStateless();
    const body = request("tools/list");
    const headers = new Headers(fieldsOf(body) as [string, string][]);
    headers.append("Mcp-Method", "tools/list");
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await handler(new Request("http://localhost/mcp", init));
    expect(answer.status).toBe(400);
  });

  test("are not decoded if they are too long (HDR-17)", async () => {
    const { handler } = await serveStateless();
    const name = "é".repeat(20_000);
    const body = request("prompts/get", { name });
    const encoded = `=?base64?${Buffer.from(name).toString("base64")}?=`;
    const fields = fieldsOf(body, { "Mcp-Name": encoded });
    const headers = fields as [string, string][];
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await handler(new Request("http://localhost/mcp", init));
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: { code: number } }).error.code).toBe(MISMATCH);
  });

  test("are never quoted unescaped in a refusal (H19)", async () => {
    const { url } = await serveStateless();
    const hostile = `\u001b]0;${"x".repeat(4000)}`;
    const body = request("prompts/get", { name: hostile });
    const answer = await post(url, body, fieldsOf(body, { "Mcp-Name": "other" }));
    expect(answer.message.error.message.length).toBeLessThan(300);
    expect(answer.message.error.message).not.toContain("\u001b");
  });
});

describe("Mcp-Param-*", () => {
  test.each([
    ["no header and no argument", {}, {}],
    ["an argument without an annotation", { note: "n" }, {}],
    ["a string", { region: "us-west1" }, { "Mcp-Param-Region": "us-west1" }],
    ["a header name in another case", { region: "us-west1" }, { "MCP-PARAM-REGION": "us-west1" }],
    ["an empty string", { region: "" }, { "Mcp-Param-Region": "" }],
    ["an encoded string", { region: "Hello" }, { "Mcp-Param-Region": "=?base64?SGVsbG8=?=" }],
    ["an encoding without its prefix", { region: "SGVsbG8=" }, { "Mcp-Param-Region": "SGVsbG8=" }],
    [
      "an encoding without its suffix",
      { region: "=?base64?SGVsbG8=" },
      { "Mcp-Param-Region": "=?base64?SGVsbG8=" },
    ],
    ["an integer", { priority: 42 }, { "Mcp-Param-Priority": "42" }],
    ["an integer that is written differently", { priority: 42 }, { "Mcp-Param-Priority": "42.0" }],
    ["a negative integer", { priority: -7 }, { "Mcp-Param-Priority": "-7" }],
    ["true", { urgent: true }, { "Mcp-Param-Urgent": "true" }],
    ["false", { urgent: false }, { "Mcp-Param-Urgent": "false" }],
    ["a nested property", { place: { city: "Rome" } }, { "Mcp-Param-City": "Rome" }],
    ["null", { region: null, priority: null }, {}],
  ])(
    "is accepted for %s (XH-02, XH-13, HDR-11, HVAL-05, HVAL-04, XH-15, XH-08)",
    async (_, args, fields) => {
      const { url } = await serveStateless();
      const { status, message } = await call(url, args, fields);
      expect([status, message.result?.content[0].text]).toEqual([200, JSON.stringify(args)]);
    },
  );

  test.each([
    ["missing", { region: "us" }, {}],
    ["a missing nested property", { place: { city: "Rome" } }, {}],
    ["another string", { region: "us" }, { "Mcp-Param-Region": "eu" }],
    ["a value in another case", { region: "us" }, { "Mcp-Param-Region": "US" }],
    [
      "an encoding without padding",
      { region: "Hello" },
      { "Mcp-Param-Region": "=?base64?SGVsbG8?=" },
    ],
    [
      "an encoding with invalid characters",
      { region: "Hello" },
      { "Mcp-Param-Region": "=?base64?SGVs!!!bG8=?=" },
    ],
    ["twice", { region: "us" }, { "Mcp-Param-Region": ["us", "us"] }],
    ["two headers that join to the value", { region: "u, s" }, { "Mcp-Param-Region": ["u", "s"] }],
    ["unescaped characters", { region: "é" }, { "Mcp-Param-Region": "é" }],
    ["a value for a null argument", { region: null }, { "Mcp-Param-Region": "us" }],
    ["a value for an absent argument", {}, { "Mcp-Param-Region": "us" }],
    ["another integer", { priority: 42 }, { "Mcp-Param-Priority": "42.5" }],
    ["a value that is not an integer", { priority: 0 }, { "Mcp-Param-Priority": "" }],
    ["an integer in hexadecimal", { priority: 16 }, { "Mcp-Param-Priority": "0x10" }],
    [
      "an integer out of range",
      { priority: 2 ** 53 },
      { "Mcp-Param-Priority": "9007199254740993" },
    ],
    ["another boolean", { urgent: true }, { "Mcp-Param-Urgent": "True" }],
    [
      "a value that no header can hold",
      { region: { a: 1 } },
      { "Mcp-Param-Region": "[object Object]" },
    ],
  ])(
    "is refused for %s (XH-13, XH-14, HDR-11, HVAL-06, H19, XH-15, XH-07, HVAL-01)",
    async (_, args, fields) => {
      const { url, called } = await serveStateless();
      const { status, message } = await call(url, args, fields);
      expect([status, message.id, message.error?.code]).toEqual([400, 1, MISMATCH]);
      expect(called).toEqual([]);
    },
  );

  test("is checked on calls of the annotated tool only (XH-20)", async () => {
    const { url } = await serveStateless();
    const args = { region: "us" };
    const { status } = await ask(url, "tools/call", { name: "echo", arguments: args });
    expect(status).toBe(200);
  });

  test("follows the current definition of the tool (XH-17)", async () => {
    const { url, tools } = await serveStateless();
    const late = tools.add(
      { name: "late", inputSchema: { type: "object", properties: {} } },
      () => ({ content: [] }),
    );
    const params = { name: "late", arguments: { zone: "a" } };
    expect((await ask(url, "tools/call", params)).status).toBe(200);
    const zone = { type: "string", "x-mcp-header": "Zone" };
    late.update({ inputSchema: { type: "object", properties: { zone } } });
    expect((await ask(url, "tools/call", params)).status).toBe(400);
    const fields = { "Mcp-Param-Zone": "a" };
    expect((await ask(url, "tools/call", params, { fields })).status).toBe(200);
    late.remove();
    const gone = await ask(url, "tools/call", params);
    expect([gone.status, gone.message.error.code]).toEqual([200, -32602]);
  });

  test("rejects a tool with an invalid annotation when it is added (XH-03, XH-08)", async () => {
    const { tools } = await serveStateless();
    const add = (inputSchema: object) => () =>
      tools.add(
        { name: "bad", inputSchema: { type: "object", ...inputSchema } } as never,
        () => ({}),
      );
    const bad = { type: "string", "x-mcp-header": "" };
    expect(add({ properties: { a: bad } })).toThrow(/"bad".*not empty/);
    expect(add({ $defs: { a: { type: "string", "x-mcp-header": "A" } } })).toThrow(
      /properties alone/,
    );
  });

  test("is checked after the envelope and the headers, before the arguments (ERR-08)", async () => {
    const { url } = await serveStateless();
    const params = { name: "route", arguments: { region: "us" } };
    const meta = envelope();
    const unnamed = { ...params, name: 5 };
    const answer = await ask(url, "tools/call", unnamed, { meta, fields: { "Mcp-Name": "route" } });
    expect([answer.status, answer.message.error.code]).toEqual([200, -32602]);
  });
});
