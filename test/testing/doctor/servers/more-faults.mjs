// Further faults of the full server by name, in the terms of full-faults.mjs.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";

const result = (method, change) => ({ results: { [method]: change } });
const respond = (change) => ({
  respond: (response, request, context) => change(response, request, context) ?? response,
});
const error = (request, code, more = {}) => ({
  jsonrpc: "2.0",
  id: request.id,
  error: { code, message: "no", ...more },
});
const after = (when, method, params) => ({
  after: (request, { send }) => {
    if (request.method === when) send({ jsonrpc: "2.0", method, params });
  },
});
const requested = { count: 0 };
const asking = (method, params, ids) => ({
  before: ({ method: own, params: { name } = {} }, { send, client }) => {
    if (own !== "tools/call" || name !== "echo" || client.roots === undefined) return;
    for (const id of ids ?? [`asked-${++requested.count}`])
      send({ jsonrpc: "2.0", id, method, ...(params && { params }) });
  },
});
const tool = (change) =>
  result("tools/list", (found) => ({
    ...found,
    tools: found.tools.map((one) => (one.name === "echo" ? { ...one, ...change } : one)),
  }));
const answered = (change) => ({
  http: {
    onResponse: ({ response, body, message }) =>
      message.method === "prompts/get" && (change(response, JSON.stringify(body), message), true),
  },
});
const refusing = (status, holds) => ({
  http: {
    intercept: (request, response) => {
      if (request.method !== "POST" || !holds(request.headers)) return false;
      request.resume();
      response.writeHead(status).end();
      return true;
    },
  },
});

/** A sum that takes half a second, or until it is cancelled: then it returns what is given. */
const slow = (cancelled) => ({
  respond: async (response, request, { session }) => {
    if (request.params?.name !== "sum") return response;
    for (let waits = 0; waits < 25; waits++) {
      await sleep(20);
      if (session.cancelled?.has(request.id)) return cancelled(request);
    }
    return response;
  },
});

/** Tasks of one call: what their methods return, with changes. */
const tasking = (change = {}) => {
  const tasks = new Map();
  const invalid = { code: -32602, message: "Invalid task" };
  const taskOf = ({ taskId }) => {
    const task = tasks.get(taskId);
    if (task === undefined) throw invalid;
    return task;
  };
  const time = "2026-01-02T03:04:05Z";
  return {
    results: {
      initialize: (found) => ({
        ...found,
        capabilities: {
          ...found.capabilities,
          tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
        },
      }),
      ...tool({ execution: { taskSupport: "optional" } }).results,
      "tools/call": (found, { task, name }) => {
        if (task === undefined) return found;
        if (name !== "echo") throw { code: -32601, message: "No tasks" };
        const taskId = randomUUID();
        const created = { taskId, createdAt: time, lastUpdatedAt: time, ttl: task.ttl };
        tasks.set(taskId, { ...created, status: "completed" });
        return { task: { ...created, status: "working" } };
      },
    },
    handlers: () => ({
      "tasks/get": taskOf,
      "tasks/list": ({ cursor }) => {
        if (cursor !== undefined) throw invalid;
        return { tasks: [...tasks.values()] };
      },
      "tasks/result": (params) => ({
        content: [],
        _meta: { "io.modelcontextprotocol/related-task": { taskId: taskOf(params).taskId } },
      }),
      "tasks/cancel": (params) => {
        taskOf(params);
        throw invalid;
      },
      ...change,
    }),
  };
};

let sessions = 0;

export const moreFaults = {
  "version-later": result("initialize", (found, { protocolVersion }) =>
    protocolVersion > found.protocolVersion ? { ...found, protocolVersion } : found,
  ),
  "info-required": respond((_, request) =>
    request.params?.["_meta"]?.["io.modelcontextprotocol/clientInfo"] === undefined
      ? error(request, -32602)
      : undefined,
  ),
  "argument-required": respond((_, request) =>
    request.method === "completion/complete" && request.params?.argument === undefined
      ? error(request, -32603)
      : undefined,
  ),
  "name-required": respond((_, request) =>
    request.method === "prompts/get" && request.params?.name === undefined
      ? error(request, -32603)
      : undefined,
  ),
  "level-required": respond((_, request) =>
    request.method === "logging/setLevel" && request.params?.level === undefined
      ? error(request, -32603)
      : undefined,
  ),
  "meta-absent-served": respond((response, request) =>
    request.params?.["_meta"] === undefined && request.method === "server/discover"
      ? { jsonrpc: "2.0", id: request.id, result: {} }
      : response,
  ),
  "base64-any-letters": { http: { lenientBase64: "letters" } },
  "base64-any-marker": { http: { anyMarker: true } },
  "batch-accepted": {
    http: {
      onResponse: ({ response, message }) =>
        Array.isArray(message) &&
        message.some(({ id }) => id === undefined) &&
        response.writeHead(202).end(),
    },
  },
  "session-counted": {
    http: {
      get sessionId() {
        return `session-${++sessions}`;
      },
    },
  },
  tasks: tasking(),
  "task-lost": tasking({
    "tasks/get": () => {
      throw { code: -32602, message: "Invalid task" };
    },
  }),
  "task-unlisted": tasking({
    "tasks/list": ({ cursor }) => {
      if (cursor !== undefined) throw { code: -32602, message: "Invalid cursor" };
      return { tasks: [] };
    },
  }),
  "task-ended-internal": tasking({
    "tasks/cancel": ({ taskId }) => {
      if (/nothing/.test(taskId)) throw { code: -32602, message: "Invalid task" };
      throw { code: -32603, message: "The task has ended" };
    },
  }),
  "visit-unknown": {
    before: ({ method }, { send, client }) => {
      const params = { elicitationId: "never-requested" };
      if (method === "tools/call" && client.elicitation?.url)
        send({ jsonrpc: "2.0", method: "notifications/elicitation/complete", params });
    },
  },
  "arguments-required": respond((_, request) =>
    request.params?.name === "ask" && request.params.arguments === undefined
      ? error(request, -32603)
      : undefined,
  ),
  "acknowledges-undeclared": result("server/discover", (found) => ({
    ...found,
    capabilities: { ...found.capabilities, prompts: {} },
  })),
  "acknowledges-all": {
    handlers: ({ send, session }) => ({
      "subscriptions/listen": ({ notifications }, { id }) => {
        session.listening = id;
        send({
          jsonrpc: "2.0",
          method: "notifications/subscriptions/acknowledged",
          params: {
            notifications: { ...notifications, promptsListChanged: true },
            _meta: { "io.modelcontextprotocol/subscriptionId": id },
          },
        });
      },
    }),
  },
  // Ids, errors
  "ids-text-refused": respond((_, request) =>
    typeof request.id === "string" ? error(request, -32600) : undefined,
  ),
  "ids-zero-refused": respond((_, request) =>
    request.id === 0 ? error(request, -32600) : undefined,
  ),
  "answers-cancelled": {
    answersCancelled: true,
    ...respond((response, { id }) =>
      /cancelled/.test(id) ? sleep(800).then(() => response) : undefined,
    ),
  },
  "answers-cancelled-sum": {
    answersCancelled: true,
    ...respond((response, { id, params }) =>
      /cancelled/.test(id) && params?.name === "sum" ? sleep(200).then(() => response) : undefined,
    ),
  },
  // A call that takes half a second, unless it is cancelled.
  interruptible: slow(() => undefined),
  "answers-interrupted": slow((request) => error(request, -32800)),
  "silent-after-cancellation": {
    notified: ({ method, params }, { session }) => {
      session.isDeaf ||= method === "notifications/cancelled" && /doctor-c/.test(params.requestId);
    },
    respond: (response, _, { session }) => (session.isDeaf ? undefined : response),
  },
  "any-answer": { serves: ["any-answer"] },
  "one-client": respond((_, request, { client }) =>
    /first|second/.test(request.id) && Object.keys(client).length === 0
      ? error(request, -32603)
      : undefined,
  ),
  "tasks-as-capability": result("server/discover", (found) => ({
    ...found,
    capabilities: { ...found.capabilities, tasks: {} },
  })),
  "initialize-unexplained": {
    ...respond((_, request) => {
      const { _meta: meta = {} } = request.params ?? {};
      const isNamed = meta["io.modelcontextprotocol/protocolVersion"] !== undefined;
      return request.method === "initialize" || isNamed ? undefined : error(request, -32602);
    }),
    handlers: () => ({
      initialize: () => {
        throw { code: -32602, message: "No sessions" };
      },
    }),
  },
  "tasks-without-check": {
    results: {
      "server/discover": (found) => ({
        ...found,
        capabilities: {
          ...found.capabilities,
          extensions: { "io.modelcontextprotocol/tasks": {} },
        },
      }),
    },
    respond: (response, request) =>
      /^tasks\/(get|update|cancel)$/.test(request.method) ? error(request, -32602) : response,
  },
  buffered: { http: { streams: true, buffered: true } },
  "new-streams": { http: { streams: true, eventIds: true, newStreams: true } },
  "priming-object": { http: { streams: true, eventIds: true, priming: "{}" } },
  "get-json": {
    http: {
      intercept: ({ method, headers }, response, { json }) => {
        if (method !== "GET" || headers["mcp-session-id"] === undefined) return false;
        json(response, 200, { status: "ok" });
        return true;
      },
    },
  },
  "token-as-text": {
    stdio: {
      write: (text) =>
        process.stdout.write(`${text.replace(/"progressToken":(\d+)/, '"progressToken":"$1"')}\n`),
    },
  },
  "listen-id-string": {
    stdio: {
      write: (text) =>
        process.stdout.write(`${text.replace(/(subscriptionId":)(\d+)/, '$1"$2"')}\n`),
    },
  },
  unprimed: { http: { streams: true, eventIds: true, unprimed: true } },
  "resumes-posts": { http: { resumesPosts: true } },
  "batch-of-nothing": { stdio: { answersNothing: true } },
  "batch-half": {
    http: {
      onResponse: ({ response, body, message }) => {
        if (!Array.isArray(message)) return false;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(`data: ${JSON.stringify(body[0])}\n\n`);
        return true;
      },
    },
  },
  "any-tool": respond((response, { id, method, params }) =>
    method === "tools/call" && !["echo", "sum", "ask"].includes(params.name)
      ? { jsonrpc: "2.0", id, result: { content: [] } }
      : undefined,
  ),
  "error-code-fraction": respond((_, request) =>
    /nothing/.test(request.method) ? error(request, -32601.5) : undefined,
  ),
  "templates-broken": respond((_, request) =>
    request.method === "resources/templates/list" ? error(request, -32603) : undefined,
  ),
  "ping-null": result("ping", () => null),
  "ping-with-content": result("ping", () => ({ pong: true })),
  "ping-id-null": respond((response, { method }) =>
    method === "ping" ? { ...response, id: null } : undefined,
  ),
  "missing-capability-bare": respond((_, request) =>
    request.method === "completion/complete" ? error(request, -32021) : undefined,
  ),

  // Lists
  "pages-without-end": {
    handlers: () => ({
      "resources/templates/list": ({ cursor = "1" }) => ({
        resourceTemplates: [{ uriTemplate: `test://items/{id}/${cursor}`, name: cursor }],
        nextCursor: String(Number(cursor) + 1),
      }),
    }),
  },
  "template-twice": result("resources/templates/list", (found) => ({
    ...found,
    resourceTemplates: [found.resourceTemplates[0], found.resourceTemplates[0]],
  })),
  "schema-remote": tool({
    inputSchema: {
      type: "object",
      properties: { text: { $ref: "https://example.com/text.json" } },
    },
  }),
  "schema-cycle": tool({
    inputSchema: {
      type: "object",
      $defs: { a: { $ref: "#/$defs/a" } },
      allOf: [{ $ref: "#/$defs/a" }],
    },
  }),
  "schema-dialect": tool({
    inputSchema: { $schema: "https://example.com/my-dialect", type: "object" },
  }),
  "properties-list": tool({ inputSchema: { type: "object", properties: ["text"] } }),

  // Results
  "contents-object": result("resources/read", (found) => ({ ...found, contents: {} })),
  "structured-list": result("tools/call", (found, { name }) =>
    name === "sum" ? { ...found, structuredContent: [3] } : found,
  ),
  "structured-no-json": result("tools/call", (found, { name }) =>
    name === "sum" ? { ...found, content: [{ type: "text", text: "Done." }] } : found,
  ),
  "structured-other-text": result("tools/call", (found, { name }) =>
    name === "sum" ? { ...found, content: [{ type: "text", text: '{ "sum": 4 }' }] } : found,
  ),
  "discovery-of-others": result("server/discover", (found) => ({
    ...found,
    supportedVersions: ["2027-01-01"],
  })),
  "task-ignored": {
    ...tasking(),
    results: {
      ...tasking().results,
      ...tool({ execution: { taskSupport: "required" } }).results,
      "tools/call": (found) => found,
    },
  },
  "prompt-description": result("prompts/get", (found) => ({ ...found, description: 7 })),

  // Notifications and requests
  "update-other": after("resources/subscribe", "notifications/resources/updated", {
    uri: "other://one",
  }),
  "method-misspelled": after("tools/call", "notifications/tool/listChanged"),
  "update-unsubscribed-again": after("resources/unsubscribe", "notifications/resources/updated", {
    uri: "test://one",
  }),
  "request-id-null": asking("roots/list", undefined, [null]),
  "request-id-again": asking("ping", undefined, ["a", "a"]),
  "roots-params-number": asking("roots/list", 7),
  "url-without-id": asking("elicitation/create", {
    mode: "url",
    message: "m",
    url: "https://example.com",
  }),

  // Processes
  goodbye: { stdio: { start: () => process.on("exit", () => console.log("Goodbye")) } },
  "ignores-sigterm": { stdio: { signals: true } },
  "dies-of-notification": {
    notified: ({ method }) => {
      if (/nothing/.test(method)) process.exit(3);
    },
  },
  "dies-of-cancellation": {
    notified: ({ method, params }) => {
      if (method === "notifications/cancelled" && /nothing/.test(params.requestId)) process.exit(3);
    },
  },

  // HTTP
  "accept-order": refusing(406, ({ accept = "" }) => accept.startsWith("text/event-stream,")),
  "type-with-charset": refusing(415, (headers) => /charset/.test(headers["content-type"])),
  redirects: answered((response) =>
    response.writeHead(307, { location: "https://example.com/mcp" }).end(),
  ),
  "gzip-unasked": answered((response, body) =>
    response
      .writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
      .end(gzipSync(body)),
  ),
  "no-content": answered((response) => response.writeHead(204).end()),
  "accepted-request": answered((response) => response.writeHead(202).end()),
  "response-of-another": answered((response, body, { id }) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...JSON.parse(body), id: id + 1000 }));
  }),
  "on-two-streams": {
    http: {
      onResponse: ({ response, body, message, session }) => {
        if (message.method !== "prompts/get" || session.get === undefined) return false;
        const change = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(`data: ${change}\n\ndata: ${JSON.stringify(body)}\n\n`);
        session.get.write(`data: ${change}\n\n`);
        return true;
      },
    },
  },
  "more-after-response": answered((response, body) => {
    const change = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${body}\n\ndata: ${JSON.stringify(change)}\n\n`);
  }),
  "event-of-another-type": answered((response, body) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`event: ping\ndata: {}\n\ndata: ${body}\n\n`);
  }),
  "event-with-a-text": answered((response, body) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`event: ping\ndata: now\n\ndata: ${body}\n\n`);
  }),
  "prompt-name-any": { http: { anyName: ["prompts/get", "resources/read"] } },
  "two-in-one-event": answered((response, body) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${body}\ndata: ${body}\n\n`);
  }),
};
