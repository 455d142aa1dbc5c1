import { describe, expect, test } from "vitest";
import {
  envelope,
  type Fields,
  fieldsOf,
  META,
  post,
  request,
  type Wire,
} from "./support/raw-http.js";
import { serveBoth, serveStateless, type Served } from "./support/served.js";

/** A mistake in a request. They are listed in the order in which a server checks for them. */
interface Flaw {
  readonly what: string;
  readonly status: number;
  readonly code?: number;
  readonly isOwn?: boolean;
  readonly header?: Record<string, string | undefined>;
  readonly body?: (body: Wire) => unknown;
}

const without = (body: Wire, member: string): Wire => {
  const { [member]: _, ...meta } = body.params["_meta"];
  return { ...body, params: { ...body.params, _meta: meta } };
};

const FLAWS: readonly Flaw[] = [
  { what: "host", status: 403, header: { Host: "evil.example" } },
  { what: "origin", status: 403, header: { Origin: "https://evil.example" } },
  { what: "authentication", status: 401, header: { Authorization: "Bearer wrong" } },
  { what: "content type", status: 415, header: { "Content-Type": "text/plain" } },
  { what: "accept", status: 406, header: { Accept: "text/html" } },
  { what: "JSON", status: 400, code: -32700, body: () => "{" },
  { what: "batch", status: 400, code: -32600, body: (body) => [body] },
  {
    what: "_meta",
    status: 400,
    code: -32602,
    isOwn: true,
    body: (body) => without(body, META.clientCapabilities),
  },
  {
    what: "method in the header",
    status: 400,
    code: -32020,
    isOwn: true,
    header: { "Mcp-Method": "tools/list" },
  },
  {
    what: "version",
    status: 400,
    code: -32022,
    isOwn: true,
    header: { "MCP-Protocol-Version": "v999.0.0" },
    body: (body) => ({
      ...body,
      params: { ...body.params, _meta: { ...body.params["_meta"], [META.revision]: "v999.0.0" } },
    }),
  },
  {
    what: "params",
    status: 200,
    code: -32602,
    isOwn: true,
    body: (body) => ({ ...body, params: { ...body.params, arguments: [] } }),
  },
  {
    what: "argument in the header",
    status: 400,
    code: -32020,
    isOwn: true,
    header: { "Mcp-Param-Region": "eu" },
  },
];

const CALL = request("tools/call", { name: "route", arguments: { region: "us" } }, { id: 7 });

async function send({ url }: Served, flaws: readonly Flaw[]): ReturnType<typeof post> {
  let body: unknown = CALL;
  for (const flaw of flaws.toReversed()) if (flaw.body) body = flaw.body(body);
  const fields: Record<string, string | undefined> = {
    Authorization: "Bearer right",
    "Mcp-Param-Region": "us",
  };
  for (const { header } of flaws) Object.assign(fields, header);
  return post(url, body, fieldsOf(CALL, fields) as Fields);
}

const authenticate = (head: { header(name: string): string | undefined }) =>
  head.header("authorization") === "Bearer right" ? { principal: "p" } : { status: 401 };

describe.each([
  ["stateless only", serveStateless],
  ["stateless and sessions", serveBoth],
])("order of checks, %s (ERR-08)", (_, serve) => {
  test("accepts a correct request", async () => {
    const { status, message } = await send(await serve({ authenticate }), []);
    expect([status, message.id, message.error]).toEqual([200, 7, undefined]);
  });

  test.each(FLAWS.map((flaw) => [flaw.what, flaw] as const))(
    "refuses %s alone and together with each later mistake (VER-07, HDR-14)",
    async (_what, flaw) => {
      const served = await serve({ authenticate });
      const later = FLAWS.slice(FLAWS.indexOf(flaw) + 1);
      for (const flaws of [[flaw], ...later.map((other) => [flaw, other])]) {
        const { status, message } = await send(served, flaws);
        const seen = [status, flaw.code && message?.error?.code, flaw.isOwn && message?.id];
        const names = flaws.map(({ what }) => what).join(" + ");
        expect([names, ...seen]).toEqual([names, flaw.status, flaw.code, flaw.isOwn && 7]);
      }
      expect(served.called).toEqual([]);
    },
  );

  test("refuses an unknown method (HDR-04)", async () => {
    const served = await serve();
    for (const method of [
      "unknown/method",
      "completion/complete",
      "ping",
      "initialize",
      "logging/setLevel",
      "resources/subscribe",
      "resources/unsubscribe",
      "sampling/createMessage",
      "notifications/progress",
    ]) {
      const body = request(method, {}, { id: "x" });
      const { status, message } = await post(served.url, body, fieldsOf(body));
      expect([method, status, message.id, message.error.code]).toEqual([method, 404, "x", -32601]);
    }
  });

  test("refuses an unknown version and names the known ones (VER-02, VER-06)", async () => {
    const served = await serve();
    const body = request("server/discover", {}, { meta: envelope({}, "v999.0.0") });
    const fields = fieldsOf(body, { "MCP-Protocol-Version": "v999.0.0" });
    const { status, message } = await post(served.url, body, fields);
    const { supported, requested } = message.error.data;
    expect([status, message.error.code, requested]).toEqual([400, -32022, "v999.0.0"]);
    const discover = request("server/discover");
    const found = await post(served.url, discover, fieldsOf(discover));
    expect(supported).toEqual(found.message.result.supportedVersions);
  });

  test.each([
    ["no params", { jsonrpc: "2.0", id: 3, method: "server/discover" }],
    ["empty params", { jsonrpc: "2.0", id: 3, method: "server/discover", params: {} }],
    ["an empty _meta", { jsonrpc: "2.0", id: 3, method: "tools/list", params: { _meta: {} } }],
    ["no version", without(request("tools/list", {}, { id: 3 }), META.revision)],
    ["no capabilities", without(request("tools/list", {}, { id: 3 }), META.clientCapabilities)],
    [
      "an invalid version",
      request("tools/list", {}, { id: 3, meta: { ...envelope(), [META.revision]: 5 } }),
    ],
    [
      "a client without a name",
      request("tools/list", {}, { id: 3, meta: envelope({ [META.clientInfo]: {} }) }),
    ],
  ])("refuses %s (META-13)", async (_what, body) => {
    const { url } = await serve();
    const { status, message } = await post(url, body, fieldsOf(body));
    expect([status, message.id, message.error?.code]).toEqual([400, 3, -32602]);
    expect(message.error.message).toContain("_meta");
  });

  test("accepts a client without clientInfo (META-11)", async () => {
    const { url } = await serve();
    const body = without(request("tools/list"), META.clientInfo);
    const { status, message } = await post(url, body, fieldsOf(body));
    expect([status, message.result.tools.length]).toEqual([200, 7]);
  });

  test.each([
    ["an array", [request("tools/list")], -32600],
    ["an empty array", [], -32600],
    ["a number", 5, -32600],
    ["no JSON-RPC", { id: 1, method: "tools/list" }, -32600],
    ["no JSON", "{,}", -32700],
    ["nothing", "", -32700],
  ])("refuses %s as a request (SHTTP-05)", async (_what, body, code) => {
    const { url } = await serve();
    const { status, message } = await post(url, body, fieldsOf(request("tools/list")));
    expect([status, message.error?.code]).toEqual([400, code]);
  });

  test("refuses an id with unprintable characters (SHTTP-05)", async () => {
    const { url } = await serve();
    for (const id of [1.5, true, null, {}, "x".repeat(2000)]) {
      const body = request("tools/list", {}, { id });
      const { status, message } = await post(url, body, fieldsOf(body));
      expect([status, message.error?.code, message.id]).toEqual([400, -32600, undefined]);
    }
  });

  test("refuses a response (SHTTP-06)", async () => {
    const { url } = await serve();
    const fields = fieldsOf(request("tools/list"));
    for (const body of [
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, error: { code: 1, message: "x" } },
    ]) {
      const { status, message } = await post(url, body, fields);
      expect([status, message.error.code]).toEqual([400, -32600]);
    }
  });

  test("refuses a request without a required client capability (ERR-06)", async () => {
    const served = await serve();
    served.tools.add({ name: "ask", inputSchema: { type: "object" } }, (_args, context) => {
      const ask = context.request as unknown as (method: string, params: object) => object;
      return ask("sampling/createMessage", { messages: [], maxTokens: 1 });
    });
    const body = request("tools/call", { name: "ask", arguments: {} }, { id: "c" });
    const { status, message } = await post(served.url, body, fieldsOf(body));
    expect([status, message.id, message.error.code]).toEqual([400, "c", -32021]);
    expect(message.error.data).toEqual({ requiredCapabilities: { sampling: {} } });
  });

  test("uses a body that a framework has parsed, and leaves it unchanged", async () => {
    const { handler } = await serve();
    const body = request("tools/call", { name: "echo", arguments: {} }, { id: "p" });
    const before = structuredClone(body);
    const headers = Object.fromEntries(fieldsOf(body));
    const web = new Request("http://localhost/mcp", { method: "POST", headers });
    const answer = await handler(web, { body });
    expect(((await answer.json()) as Wire).id).toBe("p");
    expect(body).toEqual(before);
  });

  test("hides the details of what a tool throws (ERR-11)", async () => {
    const served = await serve();
    const body = request("tools/call", { name: "fail", arguments: {} });
    const { status, text } = await post(served.url, body, fieldsOf(body));
    expect([status, text.includes("/home/me")]).toEqual([200, false]);
    expect(served.errors.length).toBe(1);
  });
});
