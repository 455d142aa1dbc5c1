// Faults of the full server in the base protocol and its transports, by name, in the terms of full-faults.mjs.
const KEY = "io.modelcontextprotocol/";

const respond = (change) => ({
  respond: (response, request, context) => change(response, request, context) ?? response,
});
const error = ({ id }, code) => ({ jsonrpc: "2.0", id, error: { code, message: "no" } });
/** Answers HTTP requests for which this returns a status. */
const intercepting = (statusOf, headers) => ({
  http: {
    intercept: (request, response) => {
      const status = statusOf(request);
      if (status === undefined) return false;
      request.resume();
      response.writeHead(status, headers).end();
      return true;
    },
  },
});
/** Requires the token `good-token`, and serves the metadata about how to receive it. */
const guarded = ({ admits = () => false, refuses, resource, status = 401 } = {}) => ({
  http: {
    intercept: (request, response, { port, json }) => {
      const origin = `http://127.0.0.1:${port}`;
      const { url, headers } = request;
      const metadata = {
        "/.well-known/oauth-protected-resource/mcp": {
          resource: `${origin}/mcp`,
          authorization_servers: [origin],
          ...resource,
        },
        "/.well-known/oauth-authorization-server": {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
        },
      }[url];
      const token = headers.authorization;
      const isGood = token === "Bearer good-token";
      const isServed = url !== "/mcp" || (isGood && !refuses) || admits(token, request);
      if (metadata === undefined && isServed) return false;
      request.resume();
      const place = `${origin}/.well-known/oauth-protected-resource/mcp`;
      const more = isGood ? `${refuses}, ` : "";
      const challenge = { "www-authenticate": `Bearer ${more}resource_metadata="${place}"` };
      if (metadata) json(response, 200, metadata);
      else json(response, isGood ? 403 : status, { error: "invalid_token" }, challenge);
      return true;
    },
  },
});
const isStranger = (text = "") => text.includes("stranger.example");
const metaOf = ({ params }) => params?.["_meta"] ?? {};

/** Id of the request of a batch whose method is unknown. */
const BATCHED = "mcp-codegen-doctor-nothing-two";

let early = true;
let isDiscovered = false;

/** Handles each chunk of the input as one message. */
const chunked = {
  stdio: {
    start: () => {
      const { emit } = process.stdin;
      process.stdin.emit = function (event, chunk) {
        if (event !== "data") return emit.apply(this, arguments);
        try {
          return emit.call(this, "data", `${JSON.stringify(JSON.parse(chunk))}\n`);
        } catch {
          return false;
        }
      };
    },
  },
};

export const baseFaults = {
  // Opening
  "ping-early": {
    notified: ({ method }) => {
      if (method === "notifications/initialized") early = false;
    },
    ...respond((_, request) =>
      request.method === "ping" && early ? error(request, -32600) : undefined,
    ),
  },
  "version-oldest": {
    results: {
      initialize: (found, { protocolVersion }) =>
        protocolVersion === found.protocolVersion
          ? found
          : { ...found, protocolVersion: "2024-11-05" },
    },
  },
  "version-stateless": {
    results: {
      initialize: (found, { protocolVersion }) =>
        protocolVersion === "2026-07-28" ? { ...found, protocolVersion } : found,
    },
  },
  "version-of-discovery-only": {
    serves: ["any-version"],
    ...respond((_, request) => {
      const named = metaOf(request)[`${KEY}protocolVersion`];
      const data = { supported: ["2026-07-28"], requested: named };
      return request.method === "server/discover" && named !== undefined && named !== "2026-07-28"
        ? { jsonrpc: "2.0", id: request.id, error: { code: -32022, message: "no", data } }
        : undefined;
    }),
  },
  "discovery-missing": {
    handlers: () => ({
      "server/discover": () => {
        throw { code: -32601, message: "Method not found" };
      },
      initialize: () => {
        throw { code: -32601, message: "Method not found" };
      },
    }),
  },
  "capability-unknown": respond((_, request) =>
    Object.keys(request.params?.capabilities ?? {}).some((name) => /doctor/.test(name))
      ? error(request, -32602)
      : undefined,
  ),
  "meta-unknown": respond((_, request) =>
    metaOf(request).traceparent === undefined ? undefined : error(request, -32602),
  ),
  "server-unnamed": respond((response) =>
    response.result?.["_meta"]
      ? { ...response, result: { ...response.result, _meta: {} } }
      : response,
  ),
  // Ids, batches, chunks
  "ids-negative-refused": respond((_, request) =>
    request.id < 0 ? error(request, -32600) : undefined,
  ),
  "ids-32-bits": respond((response, { id }) =>
    typeof id === "number" ? { ...response, id: id | 0 } : undefined,
  ),
  "ids-latin-1": respond((response, { id }) =>
    typeof id === "string" ? { ...response, id: Buffer.from(id).toString("latin1") } : undefined,
  ),
  "ids-strings-nameless": respond((_, request) =>
    String(request.id).startsWith(BATCHED.slice(0, -3))
      ? { ...error(request, -32600), id: null }
      : undefined,
  ),
  "batch-errors-dropped": {
    respond: (response, { id }) => (response.error && id === BATCHED ? undefined : response),
  },
  "batch-ends-at-error": {
    respond: (response, { id }) => (id === `${BATCHED.slice(0, -3)}last` ? undefined : response),
  },
  "batch-later": { batches: true },
  chunked,
  "cancellation-without-request": {
    notified: ({ method, params }) => {
      if (method === "notifications/cancelled" && params?.requestId === undefined) process.exit(3);
    },
  },
  // Stateless
  "discovery-first": respond((_, request) => {
    if (request.method === "server/discover") isDiscovered = true;
    return isDiscovered ? undefined : error(request, -32600);
  }),
  "capabilities-remembered": { remembers: true },
  "level-served": { handlers: () => ({ "logging/setLevel": () => ({}) }) },
  // HTTP
  "origin-of-localhost": { http: { isLocal: (name) => /^(localhost|127)/.test(name) } },
  "origin-null": {
    http: { isLocal: (name) => /^(null|localhost|127[.]0[.]0[.]1)(:|$)/.test(name) },
  },
  "origin-of-opening": { http: { originOfOpening: true } },
  "delete-any-origin": { http: { deleteAnyOrigin: true } },
  "get-origin-400": intercepting(({ method, headers }) =>
    method === "GET" && isStranger(headers.origin) ? 400 : undefined,
  ),
  "token-needed": guarded(),
  "token-optional": guarded({ admits: (token) => token === undefined }),
  "token-without-issuer": guarded({ resource: { authorization_servers: undefined } }),
  "token-of-session": guarded({
    admits: (_, { headers }) => headers["mcp-session-id"] !== undefined,
  }),
  "token-of-get": guarded({
    admits: (_, { method, headers }) => method === "GET" && headers["mcp-session-id"] !== undefined,
  }),
  "token-403": guarded({ status: 403 }),
  "token-in-url": { http: { ...guarded().http, anyQuery: true } },
  "token-narrow": guarded({ refuses: 'error="insufficient_scope", scope="tools"' }),
  "token-narrow-unnamed": guarded({ refuses: 'error="invalid_token"' }),
  "token-any": guarded({ admits: (token) => token !== undefined }),
  "token-of-any-length": guarded({
    admits: (token) => token?.length === "Bearer good-token".length,
  }),
  "get-any-version": { http: { anyVersionOf: ["GET"] } },
  "get-any-session": intercepting(
    ({ method, headers }) =>
      method === "GET" && /doctor-no-session/.test(headers["mcp-session-id"]) ? 200 : undefined,
    { "content-type": "text/event-stream" },
  ),
  "session-missing-404": { http: { missingSession: 404 } },
  "accepted-error": {
    http: {
      acceptedBody: JSON.stringify({
        jsonrpc: "2.0",
        id: null,
        error: { code: -32601, message: "no" },
      }),
      acceptedType: "application/json",
    },
  },
  "accepts-anything": {
    http: { acceptsAnything: true },
  },
  "version-header-optional": {
    http: { versionOptional: true },
    handlers: () => ({
      initialize: () => {
        throw { code: -32601, message: "no sessions at 2026-07-28" };
      },
    }),
  },
  "session-refused": intercepting(({ method, headers }) =>
    method === "POST" && /nothing/.test(headers["mcp-session-id"]) ? 404 : undefined,
  ),
  "mismatch-without-id": { http: { withoutId: true } },
  "names-latin-1": { http: { namesLatin1: true } },
  "params-undecoded": { http: { paramsUndecoded: true } },
  "stream-latin-1": {
    http: {
      onResponse: ({ response, body, message }) => {
        if (message.method !== "resources/read") return false;
        const text = JSON.stringify(body).replace("Contents", "Inh\u00e4lt");
        response.writeHead(200, { "content-type": "application/json" });
        response.end(Buffer.from(text, "latin1"));
        return true;
      },
    },
  },
  polls: { http: { eventIds: true, polls: { retry: 20 } } },
  "get-polls": { http: { getPolls: { retry: 20 } } },
  "get-polls-without-retry": { http: { getPolls: {} } },
  "polls-without-retry": { http: { eventIds: true, polls: {} } },
  "progress-broadcast": {
    before: ({ method }, { session, send, token }) => {
      if (method !== "tools/call" || token === undefined) return;
      for (const progress of [1, 2]) {
        const params = { progressToken: token, progress };
        const message = { jsonrpc: "2.0", method: "notifications/progress", params };
        send(message);
        session.get?.write(`data: ${JSON.stringify(message)}\n\n`);
      }
    },
  },
  "stream-ends-session": { http: { getEndsSession: true } },
  // HTTP+SSE
  "sse-latin-1": { sse: { isLatin1: true } },
  "sse-elsewhere": { sse: { path: "/api/messages" } },
  "sse-broadcast": { sse: { isBroadcast: true } },
};
