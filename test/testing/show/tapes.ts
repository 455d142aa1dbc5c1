import type { TapeLine } from "@mcp-codegen/testing/tape";
import { SESSION, STATELESS } from "../support/conversation.js";

/** A line without its number. */
export type Sent = Omit<TapeLine, "n" | "t" | "conversation"> & { readonly t?: number };

const jsonrpc = "2.0";

/** Message of the client. */
export const c = (message: object, more: Partial<Sent> = {}): Sent => ({
  from: "client",
  message: { jsonrpc, ...message },
  ...more,
});

/** Message of the server. */
export const s = (message: object, more: Partial<Sent> = {}): Sent => ({
  from: "server",
  message: { jsonrpc, ...message },
  ...more,
});

/** Returns the text of a tape with one line every ten milliseconds. */
export function tapeOf(sent: readonly (Sent | TapeLine)[], head: object = {}): string {
  const lines = sent.map((line, index) => ({
    n: index + 1,
    t: index * 10,
    conversation: 1,
    ...line,
  }));
  const first = { tape: 1, command: ["node", "server.js"], transport: "stdio", ...head };
  return [first, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
}

export const opening: readonly Sent[] = [
  c({
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: SESSION,
      capabilities: { elicitation: { form: {} }, tasks: {} },
      clientInfo: { name: "host", version: "1.0.0" },
    },
  }),
  s({
    id: 0,
    result: {
      protocolVersion: SESSION,
      capabilities: {
        tools: {},
        resources: { subscribe: true },
        logging: {},
        tasks: { requests: { tools: { call: {} } } },
      },
      serverInfo: { name: "deployer", version: "1.0.0" },
    },
  }),
  c({ method: "notifications/initialized" }),
];

const uri = "file:///log";
const task = {
  taskId: "t-1",
  ttl: 60_000,
  createdAt: "2026-01-01T00:00:00Z",
  lastUpdatedAt: "2026-01-01T00:00:00Z",
};

/** A session with a call that asks, a subscription, a task, failures and faults. */
export const session: readonly Sent[] = [
  ...opening,
  { from: "server", text: "Server started" },
  c({ id: 1, method: "tools/list" }),
  s({
    id: 1,
    result: {
      tools: [
        { name: "deploy", inputSchema: { type: "object" }, annotations: { readOnlyHint: "yes" } },
      ],
    },
  }),
  c({
    id: 2,
    method: "tools/call",
    params: { name: "deploy", arguments: { to: "live" }, _meta: { progressToken: 7 } },
  }),
  s({ method: "notifications/progress", params: { progressToken: 7, progress: 2 } }),
  s({
    id: "q",
    method: "elicitation/create",
    params: { mode: "form", message: "Sure?", requestedSchema: { type: "object", properties: {} } },
  }),
  c({ id: 3, method: "ping" }),
  s({ id: 3, result: {} }),
  c({ id: "q", result: { action: "accept", content: {} } }),
  s({ method: "notifications/progress", params: { progressToken: 7, progress: 1 } }),
  s({
    id: 2,
    result: {
      content: [
        { type: "text", text: "Deployed" },
        { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      ],
    },
  }),
  c({ id: 4, method: "resources/subscribe", params: { uri } }),
  s({ id: 4, result: {} }),
  s({ method: "notifications/resources/updated", params: { uri } }),
  s({ method: "notifications/resources/updated", params: { uri } }),
  c({
    id: 5,
    method: "tools/call",
    params: { name: "wait", arguments: {}, task: { ttl: 60_000 } },
  }),
  s({ id: 5, result: { task: { ...task, status: "working" } } }),
  c({ id: 6, method: "tasks/get", params: { taskId: "t-1" } }),
  s({ id: 6, result: { ...task, status: "completed" } }),
  c({ id: 7, method: "tools/call", params: { name: "nope", arguments: {} } }),
  s({ id: 7, error: { code: -32602, message: "Unknown tool: nope" } }),
  c({ id: 8, method: "tools/call", params: { name: "deploy", arguments: {} } }, { t: 400 }),
  s({ id: 8, result: { content: [{ type: "txt" }], isError: true } }, { t: 1400 }),
  { from: "client", message: [] },
];

const meta = {
  "io.modelcontextprotocol/protocolVersion": STATELESS,
  "io.modelcontextprotocol/clientInfo": { name: "host", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
};
const call = { name: "deploy", arguments: { to: "live" }, _meta: meta };
const post = (exchange: number) => ({
  http: { exchange, method: "POST", headers: { accept: "*/*" } },
});
const response = (exchange: number, status: number) => ({
  http: { exchange, status, headers: {} },
});

/** Stateless requests over HTTP: a login, rounds, and a subscription. */
export const stateless: readonly Sent[] = [
  c({ id: 1, method: "tools/list", params: { _meta: meta } }, post(1)),
  { from: "server", event: "response", ...response(1, 401) },
  { from: "client", event: "request", ...post(2) },
  { from: "server", event: "response", ...response(2, 200) },
  c({ id: 2, method: "tools/list", params: { _meta: meta } }, post(3)),
  s(
    { id: 2, result: { resultType: "complete", tools: [], ttlMs: 0, cacheScope: "private" } },
    response(3, 200),
  ),
  c({ id: 3, method: "tools/call", params: call }, post(4)),
  s(
    {
      id: 3,
      result: {
        resultType: "input_required",
        inputRequests: {
          sure: {
            method: "elicitation/create",
            params: {
              mode: "form",
              message: "Sure?",
              requestedSchema: { type: "object", properties: {} },
            },
          },
        },
        requestState: "a",
      },
    },
    response(4, 200),
  ),
  c(
    {
      id: 4,
      method: "tools/call",
      params: {
        ...call,
        inputResponses: { sure: { action: "accept", content: {} } },
        requestState: "a",
      },
    },
    post(5),
  ),
  s({ id: 4, result: { resultType: "complete", content: [] } }, response(5, 200)),
  c(
    {
      id: 5,
      method: "subscriptions/listen",
      params: { notifications: { toolsListChanged: true }, _meta: meta },
    },
    post(6),
  ),
  s(
    {
      method: "notifications/subscriptions/acknowledged",
      params: {
        notifications: { toolsListChanged: true },
        _meta: { "io.modelcontextprotocol/subscriptionId": 5 },
      },
    },
    { http: { exchange: 6, status: 200, headers: {}, stream: true } },
  ),
  s(
    {
      method: "notifications/tools/list_changed",
      params: { _meta: { "io.modelcontextprotocol/subscriptionId": 5 } },
    },
    { http: { exchange: 6, stream: true } },
  ),
];

/** Returns a long session of calls, one in ten of which has progress. */
export function long(messages: number): Sent[] {
  const sent = [...opening];
  for (let id = 1; sent.length < messages; id++) {
    const hasProgress = id % 10 === 0;
    const params = {
      name: `tool-${id % 7}`,
      arguments: { text: "x".repeat(80) },
      ...(hasProgress && { _meta: { progressToken: id } }),
    };
    sent.push(c({ id, method: "tools/call", params }));
    if (hasProgress) {
      sent.push(
        s({ method: "notifications/progress", params: { progressToken: id, progress: 1 } }),
      );
    }
    const content = [{ type: "text", text: `Result ${id} ${"y".repeat(150)}` }];
    sent.push(
      s(
        id % 50 === 0
          ? { id, error: { code: -32603, message: "Failed" } }
          : { id, result: { content } },
      ),
    );
  }
  return sent.slice(0, messages);
}

const evil = `<img src=x onerror="document.title='owned'"></script><script>document.title='owned'</script><!--\u202egnp.exe\u0000\u2028]]>&lt;`;

/** Returns a session whose texts try to become markup, to mislead, or to take a long time. */
export function hostile(characters: number): string {
  const members = JSON.parse(
    `{"__proto__":{"owned":true},"constructor":{"prototype":{"owned":true}},"<b>x</b>":"<svg onload=alert(1)>"}`,
  ) as object;
  const sent: Sent[] = [
    ...opening,
    c({ id: evil, method: evil, params: { name: evil, ...members } }),
    s({ id: evil, error: { code: -32601, message: evil, data: members } }),
    c({ id: 1, method: "tools/call", params: { name: "x", arguments: members } }),
    s({
      id: 1,
      result: {
        content: [
          { type: "text", text: "A".repeat(characters) },
          { type: "text", text: evil.repeat(1000) },
        ],
      },
    }),
    { from: "server", text: evil },
    c({ id: 2, method: "__proto__", params: {} }),
    s({
      id: 2,
      result: { toString: 1, list: Array.from({ length: 50_000 }, (_, index) => index) },
    }),
    c(
      { id: 3, method: "tools/call", params: { name: "deep", arguments: { deep: "@" } } },
      { http: { method: evil, headers: { [evil]: evil } } },
    ),
  ];
  const deep = "[".repeat(20_000) + "]".repeat(20_000);
  return tapeOf(sent, { command: [evil], generator: evil }).replace('"@"', deep);
}
