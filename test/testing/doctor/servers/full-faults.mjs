// Faults of the full server by name: one each. `results` changes results by method, `respond` whole responses, `handlers` replaces
// handlers, `before` writes messages before the response, `after` behind it, `http` and `stdio` change the transport.
const KEY = "io.modelcontextprotocol/";

let samples = 0;

const item = (method, list, change) => ({
  results: { [method]: (result) => ({ ...result, [list]: result[list].map(change) }) },
});
const tool = (change) =>
  item("tools/list", "tools", (one) => (one.name === "echo" ? { ...one, ...change } : one));
const resource = (change) =>
  item("resources/list", "resources", (one) =>
    one.uri === "test://one" ? { ...one, ...change } : one,
  );
const prompt = (change) =>
  item("prompts/list", "prompts", (one) => (one.name === "greet" ? { ...one, ...change } : one));
const opening = (change) => ({ results: { initialize: change, "server/discover": change } });
const result = (method, change) => ({ results: { [method]: change } });
const echo = (change) =>
  result("tools/call", (found, { name }) => (name === "echo" ? { ...found, ...change } : found));
const content = (block) => echo({ content: [block] });
const error = (method, code, more = {}) => ({
  respond: (response, request) =>
    request.method === method
      ? { jsonrpc: "2.0", id: request.id, error: { code, message: "no", ...more } }
      : response,
});
const contents = (change) =>
  result("resources/read", ({ contents: [one], ...rest }) => ({
    ...rest,
    contents: [{ ...one, ...change }],
  }));
const prompted = (change) =>
  result("prompts/get", ({ messages: [one], ...rest }) => ({
    ...rest,
    messages: [{ ...one, ...change }],
  }));
const notifying = (when, method, params) => ({
  before: (request, { send }) => {
    if (request.method === when)
      send({
        jsonrpc: "2.0",
        method,
        ...(params && { params: typeof params === "function" ? params(request) : params }),
      });
  },
});
const asking = (method, params) => ({
  before: ({ method: own, params: { name } = {} }, { ask, client }) =>
    own === "tools/call" && name === "ask" && client.roots ? ask(method, params) : undefined,
});
const listened = (change) => ({
  handlers: () => ({
    "subscriptions/listen": ({ notifications }, { id, send, session }) => {
      session.listening = id;
      for (const one of change(id, notifications)) send({ jsonrpc: "2.0", ...one });
    },
  }),
});
const acknowledgement = (id, notifications) => ({
  method: "notifications/subscriptions/acknowledged",
  params: { notifications, _meta: { [`${KEY}subscriptionId`]: id } },
});
const requested = (change) =>
  result("tools/call", (found) =>
    found.resultType === "input_required" ? { ...found, ...change(found) } : found,
  );
const http = (options) => ({ http: options });
const stdio = (options) => ({ stdio: options });
const lines = (change) =>
  stdio({ write: (text, sent) => process.stdout.write(change(text, sent)) });

const notAllowed = {
  jsonrpc: "2.0",
  error: { code: -32000, message: "Method not allowed." },
  id: null,
};

export const faults = {
  none: {},
  streams: http({ streams: true, eventIds: true }),

  // Lists
  "title-number": tool({ title: 7 }),
  "description-null": tool({ description: null }),
  "output-schema-array": tool({ outputSchema: { type: "array" } }),
  "annotations-title": tool({ annotations: { title: 1 } }),
  "task-support": tool({ execution: { taskSupport: "maybe" } }),
  "icon-theme": tool({ icons: [{ src: "https://example.com/a.png", theme: "blue" }] }),
  "icon-sizes": tool({ icons: [{ src: "https://example.com/a.png", sizes: "48x48" }] }),
  "meta-key": tool({ _meta: { "a/b/c": 1 } }),
  "schema-minimum": tool({
    inputSchema: { type: "object", properties: { a: { type: "number", minimum: "1" } } },
  }),
  "schema-enum": tool({ inputSchema: { type: "object", properties: { a: { enum: "one" } } } }),
  "resource-without-name": resource({ name: undefined }),
  "resource-uri-relative": resource({ uri: "one.txt" }),
  "resource-priority": resource({ annotations: { priority: 3 } }),
  "resource-modified": resource({ annotations: { lastModified: "yesterday" } }),
  "resource-mime": resource({ mimeType: "text" }),
  "resource-size": resource({ size: -1 }),
  "template-broken": item("resources/templates/list", "resourceTemplates", (one) => ({
    ...one,
    uriTemplate: "test://{id",
  })),
  "prompt-argument-name": prompt({ arguments: [{ name: 1 }] }),
  "prompt-arguments-object": prompt({ arguments: {} }),
  "prompt-argument-twice": prompt({
    arguments: [{ name: "who", required: true }, { name: "who" }],
  }),
  "cursor-same": result("prompts/list", (found) => ({ ...found, nextCursor: "page-2" })),
  "page-repeats": result("resources/list", (found, { cursor }) =>
    cursor ? { ...found, resources: [{ uri: "test://one", name: "one" }] } : found,
  ),
  "scope-differs": result("tools/list", (found, { cursor }) => ({
    ...found,
    cacheScope: cursor ? "public" : "private",
  })),
  "scope-unknown": result("tools/list", (found) => ({ ...found, cacheScope: "shared" })),
  "ttl-text": result("resources/list", (found) => ({ ...found, ttlMs: "0" })),
  "list-grows": {
    results: {
      "tools/list": (found, { cursor }) =>
        cursor
          ? {
              ...found,
              tools: [
                ...found.tools,
                { name: `tool-${process.pid}`, description: "d", inputSchema: { type: "object" } },
              ],
            }
          : found,
    },
  },
  "list-error": error("prompts/list", -32603),

  // Content
  "audio-base64": content({ type: "audio", data: "a", mimeType: "audio/wav" }),
  "text-missing": content({ type: "text" }),
  "image-mime": content({ type: "image", data: "AAAA" }),
  "link-uri": content({ type: "resource_link", uri: "not a uri", name: "n" }),
  "blob-base64": contents({ text: undefined, blob: "%" }),
  "contents-both": contents({ blob: "AAAA" }),
  "contents-uri": contents({ uri: "test://other" }),
  "prompt-content-list": prompted({ content: [] }),
  "prompt-role": prompted({ role: "tool" }),
  "structured-text": result("tools/call", (found, { name }) =>
    name === "sum" ? { ...found, structuredContent: { sum: "3" } } : found,
  ),
  "structured-missing": result("tools/call", (found, { name }) =>
    name === "sum" ? { ...found, structuredContent: undefined } : found,
  ),
  "completion-values": result("completion/complete", (found) => ({
    ...found,
    completion: { values: [1] },
  })),
  "completion-total": result("completion/complete", (found) => ({
    ...found,
    completion: { values: [], total: "1" },
  })),
  "completion-many": result("completion/complete", (found) => ({
    ...found,
    completion: { values: Array.from({ length: 101 }, String) },
  })),
  "completion-many-later": result("completion/complete", (found, { argument }) =>
    argument.name === "style"
      ? { ...found, completion: { values: Array.from({ length: 101 }, String) } }
      : found,
  ),

  // Errors
  "unknown-method-invalid": {
    respond: (r, { method }) =>
      /nothing/.test(method) ? { ...r, error: { code: -32600, message: "no" } } : r,
  },
  "unknown-method-served": {
    respond: (r, { method, id }) =>
      /nothing/.test(method) ? { jsonrpc: "2.0", id, result: { resultType: "complete" } } : r,
  },
  "unknown-tool-result": {
    respond: (r, { method, id, params }) =>
      method === "tools/call" && /nothing/.test(params.name)
        ? { jsonrpc: "2.0", id, result: { resultType: "complete", content: [] } }
        : r,
  },
  "unknown-resource-empty": {
    respond: (r, { method, id }) =>
      method === "resources/read" && r.error
        ? {
            jsonrpc: "2.0",
            id,
            result: { resultType: "complete", ttlMs: 0, cacheScope: "private", contents: [] },
          }
        : r,
  },
  "resource-code": {
    respond: (r, { method }) =>
      method === "resources/read" && r.error ? { ...r, error: { code: -32603, message: "no" } } : r,
  },
  "prompt-code": {
    respond: (r, { method, params }) =>
      method === "prompts/get" && /nothing/.test(params.name)
        ? { ...r, error: { code: -32603, message: "no" } }
        : r,
  },
  "prompt-argument-ignored": {
    respond: (r, { method, id, params }) =>
      method === "prompts/get" && r.error && params.name === "greet"
        ? { jsonrpc: "2.0", id, result: { resultType: "complete", messages: [] } }
        : r,
  },
  "cursor-restarts": {
    respond: (r, { method, id, params }) => {
      const resources = [{ uri: "test://one", name: "one" }];
      return method === "resources/list" && r.error && params.cursor
        ? { jsonrpc: "2.0", id, result: { resources, nextCursor: "page-2" } }
        : r;
    },
  },
  "cursor-ignored-by-templates": { ignoresTemplateCursor: true },
  "cursor-ignored": {
    respond: (r, { method, id, params }) =>
      method === "prompts/list" && r.error && params.cursor
        ? {
            jsonrpc: "2.0",
            id,
            result: { resultType: "complete", ttlMs: 0, cacheScope: "private", prompts: [] },
          }
        : r,
  },
  "error-null-id": {
    respond: (r, { method }) => (/nothing/.test(method) ? { ...r, id: null } : r),
  },
  "error-without-id": {
    respond: (r, { method }) => (/nothing/.test(method) ? { ...r, id: undefined } : r),
  },
  "error-reserved": error("completion/complete", -32050),
  "error-message-missing": {
    respond: (r, { method }) => (/nothing/.test(method) ? { ...r, error: { code: -32601 } } : r),
  },
  "arguments-unchecked": { serves: ["any-arguments"] },
  "level-unchecked": {
    respond: (r, { method, id }) =>
      method === "logging/setLevel" ? { jsonrpc: "2.0", id, result: {} } : r,
  },
  "level-refused": {
    respond: (r, { method, params }) =>
      method === "logging/setLevel" && params?.level === "notice"
        ? { jsonrpc: "2.0", id: r.id, error: { code: -32602, message: "no" } }
        : r,
  },
  "url-elicitation": error("completion/complete", -32042, {
    data: { elicitations: [{ mode: "form" }] },
  }),

  // Order, capabilities, notifications
  "ping-content": result("ping", () => "pong"),
  "subscribe-refused": error("resources/subscribe", -32603),
  "unsubscribe-unserved": error("resources/unsubscribe", -32601),
  "completions-undeclared": opening((found) => ({
    ...found,
    capabilities: { ...found.capabilities, completions: undefined, prompts: {} },
  })),
  "logging-undeclared": opening((found) => ({
    ...found,
    capabilities: { ...found.capabilities, logging: undefined },
  })),
  "roots-unasked": {
    before: ({ method }, { client, ask }) =>
      method === "tools/call" && client.roots === undefined ? void ask("roots/list") : undefined,
  },
  "list-changed-undeclared": {
    ...opening((found) => ({ ...found, capabilities: { ...found.capabilities, tools: {} } })),
    ...notifying("tools/call", "notifications/tools/list_changed"),
  },
  "early-request": {
    before: ({ method }, { ask }) => (method === "initialize" ? void ask("roots/list") : undefined),
  },
  "early-notification": notifying("initialize", "notifications/tools/list_changed"),
  "progress-late": {
    after: ({ method, params }, { send }) => {
      if (method === "tools/call" && params["_meta"]?.progressToken)
        send({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken: params["_meta"].progressToken, progress: 9 },
        });
    },
  },
  "progress-total": notifying("tools/call", "notifications/progress", ({ params }) => ({
    progressToken: params["_meta"]?.progressToken ?? "x",
    progress: 5,
    total: "5",
  })),
  "log-without-data": notifying("tools/call", "notifications/message", { level: "error" }),
  "log-below": notifying("prompts/get", "notifications/message", { level: "info", data: 1 }),
  "answers-notification": {
    notified: ({ method }, { send }) => {
      if (/nothing/.test(method))
        send({ jsonrpc: "2.0", id: null, error: { code: -32601, message: "no" } });
    },
  },
  "update-unsubscribed": notifying("tools/call", "notifications/resources/updated", {
    uri: "test://two",
  }),
  "form-nested": asking("elicitation/create", {
    message: "m",
    requestedSchema: { type: "object", properties: { a: { type: "object" } } },
  }),
  "form-without-message": asking("elicitation/create", {
    requestedSchema: { type: "object", properties: {} },
  }),
  "sampling-without-tokens": asking("sampling/createMessage", { messages: [] }),
  "version-echoed": result("initialize", (found, { protocolVersion }) => ({
    ...found,
    protocolVersion,
  })),
  "info-missing": opening((found) => ({ ...found, serverInfo: undefined })),
  "instructions-list": opening((found) => ({ ...found, instructions: ["a"] })),
  "subscribe-text": opening((found) => ({
    ...found,
    capabilities: { ...found.capabilities, resources: { subscribe: "yes" } },
  })),
  "silent-ids": { respond: (r, { id }) => (id === 0 ? undefined : r) },
  "id-rounded": { respond: (r, { id }) => (id === "7" ? { ...r, id: 7 } : r) },
  "meta-result": echo({ _meta: [] }),
  "is-error-number": echo({ isError: 0 }),

  // Stateless
  "result-type-missing": result("prompts/get", (found) => ({ ...found, resultType: undefined })),
  "meta-not-required": { serves: ["no-meta"] },
  "any-version": { serves: ["any-version"] },
  "any-level": { serves: ["any-level"] },
  "ping-served": { handlers: () => ({ ping: () => ({}) }) },
  "server-request": {
    before: ({ method }, { send }) => {
      if (method === "tools/call") send({ jsonrpc: "2.0", id: 1, method: "roots/list" });
    },
  },
  "round-id": requested(({ inputRequests: { name } }) => ({
    inputRequests: { name: { jsonrpc: "2.0", ...name } },
  })),
  "round-cache": requested(() => ({ ttlMs: 0 })),
  "round-empty": requested(() => ({ inputRequests: undefined, requestState: undefined })),
  "round-method": requested(() => ({
    inputRequests: { name: { method: "tools/list", params: {} } },
  })),
  "round-state-number": requested(() => ({ requestState: 7 })),
  "unknown-kind": echo({ resultType: "later" }),
  "listen-without-id": listened((id, notifications) => [
    { ...acknowledgement(id, notifications), params: { notifications } },
  ]),
  "listen-id-text": listened((id, notifications) => [acknowledgement(`${id}!`, notifications)]),
  "listen-silent": listened(() => []),
  "listen-early": listened((id, notifications) => [
    {
      method: "notifications/tools/list_changed",
      params: { _meta: { [`${KEY}subscriptionId`]: id } },
    },
    acknowledgement(id, notifications),
  ]),
  "listen-unserved": {
    handlers: () => ({
      "subscriptions/listen": () => {
        throw { code: -32601, message: "no" };
      },
    }),
  },
  "listen-refused": {
    handlers: () => ({
      "subscriptions/listen": () => {
        throw { code: -32603, message: "no" };
      },
    }),
  },
  "listen-more": listened((id) => [acknowledgement(id, { toolsListChanged: "yes" })]),
  "log-unrequested": notifying("resources/list", "notifications/message", {
    level: "error",
    data: 1,
  }),
  "versions-empty": opening((found) => ({ ...found, supportedVersions: [] })),
  "supported-missing": {
    respond: (r) =>
      r.error?.code === -32022 ? { ...r, error: { code: -32022, message: "no", data: {} } } : r,
  },
  "supported-more": {
    respond: (r) =>
      r.error?.code === -32022
        ? {
            ...r,
            error: {
              ...r.error,
              data: { ...r.error.data, supported: ["2026-07-28", "2026-09-09"] },
            },
          }
        : r,
  },
  "context-for-all": {
    before: ({ method, params: { name } = {} }, { send, client }) => {
      if (method !== "tools/call" || name !== "echo" || !client.sampling || client.sampling.context)
        return;
      const messages = [{ role: "user", content: { type: "text", text: "hi" } }];
      const params = { messages, maxTokens: 5, includeContext: "allServers" };
      const id = `sample-${(samples += 1)}`;
      send({ jsonrpc: "2.0", id, method: "sampling/createMessage", params });
    },
  },
  "meta-missing-status": http({
    onResponse: ({ response, body, message }) => {
      if (
        message.params?.["_meta"]?.[`${KEY}clientCapabilities`] !== undefined ||
        message.id === undefined
      )
        return false;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
      return true;
    },
  }),
  "cancel-sent": notifying("tools/call", "notifications/cancelled", ({ id }) => ({
    requestId: id,
  })),
  "list-changed-unlistened": notifying("tools/call", "notifications/tools/list_changed", {}),

  // Standard streams
  "byte-order-mark": lines((text, { result: r }) =>
    r?.capabilities ? `\ufeff${text}\n` : `${text}\n`,
  ),
  "carriage-return": lines((text) => `${text}\r\n`),
  "empty-lines": lines((text) => `${text}\n\n`),
  "several-lines": lines(
    (text, sent) => `${sent.result?.tools ? JSON.stringify(sent, null, 2) : text}\n`,
  ),
  "latin-1": lines((text, sent) =>
    Buffer.from(`${sent.result?.contents ? text.replace("Contents", "Inhält") : text}\n`, "latin1"),
  ),
  "batch-response": lines((text, sent) => `${sent.result?.prompts ? `[${text}]` : text}\n`),
  "batch-ignored": stdio({ noBatches: true }),
  banner: stdio({ start: () => console.log("Listening on stdio") }),
  "dies-of-garbage": stdio({ diesOfGarbage: true }),
  "stays-alive": stdio({ staysAlive: true }),
  "two-messages": lines((text, sent) =>
    sent.result?.prompts
      ? `${text}${JSON.stringify({ jsonrpc: "2.0", method: "notifications/prompts/list_changed" })}\n`
      : `${text}\n`,
  ),

  // HTTP
  "any-origin": http({ anyOrigin: true }),
  "get-any-origin": http({ getAnyOrigin: true }),
  "origin-400": http({ originStatus: 400 }),
  "any-host": http({ anyHost: true }),
  "session-space": http({ sessionId: "a session" }),
  "session-any": http({ anySession: true }),
  "session-unknown-400": http({ unknownSession: 400 }),
  "session-missing-served": http({ noSession: true }),
  "session-kept": http({ keepsSessions: true }),
  "delete-500": http({ deleteStatus: 500 }),
  "get-200-text": http({ getStatus: 200 }),
  "get-404": http({ getStatus: 404 }),
  "version-any": http({ anyVersion: true }),
  "version-500": http({ versionStatus: 500 }),
  "accepted-400": http({ acceptedStatus: 400 }),
  "responses-400": http({ responseStatus: 400 }),
  "accepted-200": http({ acceptedStatus: 200 }),
  "accepted-204": http({ acceptedStatus: 204 }),
  "accepted-body": http({ acceptedBody: "Accepted" }),
  "json-as-text": http({ jsonType: "text/plain" }),
  "stream-as-json": http({ streams: true, streamType: "application/json" }),
  "event-type": http({ streams: true, eventType: "response" }),
  "event-ids-equal": http({ streams: true, eventIds: true, sameIds: true }),
  "replays-all": http({ streams: true, eventIds: true, replaysAll: true }),
  "stream-endless": http({ streams: true, neverEnds: true }),
  "bad-body-500": http({ badBody: 500 }),
  "bad-body-200": http({ badBody: 200 }),
  "stateless-get": http({ statelessGet: 404 }),
  "session-minted": http({ alwaysSession: true }),
  "headers-any": http({ anyHeaders: true }),
  "mismatch-200": http({ mismatchStatus: 200 }),
  "method-any-case": http({ anyCase: true }),
  "method-optional": http({ noMethodHeader: true }),
  "name-any": http({ anyName: true }),
  "name-undecoded": http({ noDecoding: true }),
  "base64-lenient": http({ lenientBase64: true }),
  "params-any": http({ anyParams: true }),
  "not-found-200": http({ always200: true }),
  "get-response": http({
    onGet: ({ write }) => setTimeout(() => write({ jsonrpc: "2.0", id: 1, result: {} }), 20),
  }),
  "get-broadcast": {
    after: ({ method, id }, { send }) => {
      if (method === "prompts/list") send({ jsonrpc: "2.0", id, result: { prompts: [] } });
    },
  },
  "empty-200": http({
    onResponse: ({ response, message }) =>
      message.method === "prompts/get" &&
      response.writeHead(200, { "content-type": "application/json" }).end(),
  }),
  "stream-without-response": http({
    onResponse: ({ response, message }) =>
      message.method === "prompts/get" &&
      response.writeHead(200, { "content-type": "text/event-stream" }).end(),
  }),
  html: http({
    onResponse: ({ response, message }) =>
      message.method === "prompts/get" &&
      response.writeHead(200, { "content-type": "text/html" }).end("<p>Sorry</p>"),
  }),
  "stream-broken-json": http({
    onResponse: ({ response, message }) =>
      message.method === "prompts/get" &&
      response.writeHead(200, { "content-type": "text/event-stream" }).end("data: {broken\n\n"),
  }),
  "request-500": http({
    onResponse: ({ response, message }) =>
      message.method === "prompts/get" && response.writeHead(500).end("oops"),
  }),
  cors: http({
    intercept: (request, response) =>
      request.method === "OPTIONS" &&
      response
        .writeHead(204, {
          "access-control-allow-origin": request.headers.origin,
          "access-control-allow-credentials": "true",
        })
        .end(),
  }),
  "list-changed-on-request": {
    before: ({ method, id }, { send }) => {
      if (method === "tools/call")
        send({
          jsonrpc: "2.0",
          method: "notifications/tools/list_changed",
          params: { _meta: { [`${KEY}subscriptionId`]: id } },
        });
    },
  },

  // HTTP+SSE
  "refuses-with-json": { sse: { refusal: { body: { error: "GET only" } } } },
  "refuses-with-error": { sse: { refusal: { status: 404, body: notAllowed }, anyOrigin: true } },
  "refuses-with-an-id": { sse: { refusal: { status: 400, body: { ...notAllowed, id: 1 } } } },
  "stream-any-origin": { sse: { anyOrigin: true } },
  "message-any-origin": { sse: { postAnyOrigin: true } },
  "stream-any-host": { sse: { anyHost: true } },
  "endpoint-elsewhere": { sse: { endpoint: "http://localhost:1" } },
  "stream-event-type": { sse: { eventType: "response" } },
  "stream-refuses": { sse: { refuses: "prompts/list" } },
  "stream-kept": { sse: { keepsEnded: true } },
  "stream-ends": { sse: { endsAt: "prompts/list" } },
};
