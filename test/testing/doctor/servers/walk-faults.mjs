// Faults of the full server, each against one requirement that strangers drew, by name, in the terms of full-faults.mjs.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { listeningTo } from "./feature-faults.mjs";
import { asked, guarded, invalid, KEY, text } from "./round-faults.mjs";

const result = (method, change) => ({ results: { [method]: change } });
const tool = (change) =>
  result("tools/list", (found) => ({
    ...found,
    tools: found.tools.map((one) => (one.name === "sum" ? { ...one, ...change(one) } : one)),
  }));
const trace = (members) =>
  result("prompts/list", (found) => ({ ...found, _meta: { ...found["_meta"], ...members } }));
const meta = (key) => trace({ [key]: 1 });
const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** A tool that takes an argument with a header. */
const annotated = (name) =>
  tool(({ inputSchema }) => ({
    inputSchema: {
      ...inputSchema,
      properties: { ...inputSchema.properties, [name]: { type: "string", "x-mcp-header": "Own" } },
    },
  }));
const form = (field) => ({
  message: "Your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string", ...field } } },
});
const asking = (mode, params) =>
  asked(async (_, { ask, client, isStateless }) => {
    if (isStateless || client.elicitation?.[mode] === undefined) return undefined;
    await ask("elicitation/create", { mode, ...params });
    return text("done");
  });
const visiting = (url) =>
  asking("url", { message: "Connect", elicitationId: "v", url: `https://example.com/${url}` });

let used = false;
/** A list of tools that has another tool once something else has happened. */
const growing = (happens) => ({
  results: {
    "tools/list": (found, { cursor }) =>
      cursor === undefined || !used
        ? found
        : { ...found, tools: [...found.tools, { name: "later", inputSchema: { type: "object" } }] },
    ...Object.fromEntries(
      ["initialize", "server/discover"].map((opening) => [
        opening,
        (found) => ({ ...found, capabilities: { ...found.capabilities, tools: {} } }),
      ]),
    ),
  },
  handlers: listeningTo((topic) => !topic.startsWith("tools")),
  respond: (response, { method }) => {
    used ||= happens(method);
    return response;
  },
});
/** A server without sessions. */
const sessionless = (answers) => ({
  handlers: ({ isStateless }) => ({
    ...(!isStateless && {
      initialize: () => {
        const data = { supported: ["2026-07-28"], requested: "2025-11-25" };
        throw { code: -32022, message: "Unsupported protocol version", data };
      },
    }),
  }),
  respond: (response, { id, method, params }) => {
    const isNamed = params?.["_meta"]?.[`${KEY}protocolVersion`] !== undefined;
    if (isNamed || method === "initialize") return response;
    if (!answers) return { jsonrpc: "2.0", id, error: invalid("No version") };
    const own = { [`${KEY}serverInfo`]: { name: "full", version: "1.0.0" } };
    const whole = { resultType: "complete", ttlMs: 0, cacheScope: "private", _meta: own };
    return { ...response, result: { ...response.result, ...whole } };
  },
});
let level;
/** Files of a folder, which are read at a path that `resolve` returns. */
const files = (resolve) => ({
  results: {
    "resources/templates/list": (found) => ({
      ...found,
      resourceTemplates: [{ uriTemplate: "file:///docs/{+path}", name: "docs" }],
    }),
  },
  respond: (response, { id, method, params }, { isStateless }) => {
    if (method !== "resources/read" || !params.uri.startsWith("file:///")) return response;
    const path = resolve(params.uri.slice("file:///docs".length));
    if (path === undefined || !existsSync(path)) return response;
    const contents = [
      { uri: params.uri, mimeType: "text/plain", text: readFileSync(path, "utf8") },
    ];
    const own = { [`${KEY}serverInfo`]: { name: "full", version: "1.0.0" } };
    const more = { resultType: "complete", ttlMs: 0, cacheScope: "private", _meta: own };
    return { jsonrpc: "2.0", id, result: { contents, ...(isStateless && more) } };
  },
});

export const walkFaults = {
  // Without sessions
  "versions-optional": sessionless(true),
  "versions-required": sessionless(false),
  "level-remembered": {
    before: ({ method, params }, { send, isStateless }) => {
      level ??= isStateless ? params?.["_meta"]?.[`${KEY}logLevel`] : undefined;
      if (method !== "tools/call" || params.name !== "sum" || level === undefined) return;
      send({
        jsonrpc: "2.0",
        method: "notifications/message",
        params: { level: "error", data: 1 },
      });
    },
  },
  "list-grows-by-reads": growing((method) => method === "resources/read"),
  "state-unread": guarded({
    next: ({ answer }) => (typeof answer === "object" ? text(answer.action) : undefined),
  }),
  // HTTP
  "version-of-sessions": { http: { sessionVersion: true } },
  "name-any-case": { http: { nameAnyCase: true } },
  "delete-any-version": { http: { anyVersionOf: ["DELETE"] } },
  "initialize-stateless": {
    handlers: ({ isStateless }) =>
      isStateless && {
        initialize: () => ({
          protocolVersion: "2025-11-25",
          capabilities: {},
          serverInfo: { name: "full", version: "1.0.0" },
        }),
      },
  },
  // Files
  "files-outside": files((path) => join("/srv/docs", path)),
  "files-decoded": files((path) =>
    path.includes("../") ? undefined : join("/srv/docs", decodeURIComponent(path)),
  ),
  "files-inside": files((path) => {
    const found = join("/srv/docs", decodeURIComponent(path));
    return found.startsWith("/srv/docs/") ? found : undefined;
  }),
  // Arguments
  "argument-of-any-type": {
    respond: (response, { id, method, params }) =>
      method === "tools/call" && typeof params.arguments?.text === "object"
        ? { jsonrpc: "2.0", id, result: text("[object Object]") }
        : response,
  },
  // Keys of _meta
  "meta-reserved": meta(`${KEY}cost`),
  "meta-reserved-before": meta("modelcontextprotocol.io/cost"),
  "meta-own": meta("com.example.mcp/cost"),
  "meta-forward": meta("api.example.com/cost"),
  "trace-longer": trace({ traceparent: `${PARENT}-00` }),
  "trace-state": trace({ traceparent: PARENT, tracestate: "Vendor=1" }),
  baggage: trace({ baggage: "user=some one" }),
  traced: trace({
    traceparent: PARENT,
    tracestate: "rojo=00f067aa0ba902b7",
    baggage: "user=a;p=1",
  }),
  // Schemas and forms
  "header-secret": annotated("apiKey"),
  "header-plain": annotated("tenant"),
  "visit-with-token": visiting("connect?access_token=abc"),
  "visit-with-state": visiting("connect?state=abc&id=7"),
  "form-with-link": asking("form", form({ description: "See https://example.com/terms" })),
  "form-without-link": asking("form", form({ description: "As in your passport" })),
  // Errors
  "resource-unnamed": {
    respond: (response, { method }) =>
      method === "resources/read" && response.error
        ? { ...response, error: { ...response.error, data: undefined } }
        : response,
  },
};
