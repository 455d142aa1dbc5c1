import { c, meta, opened, s, type Sent } from "./conversation.js";

/** A row in a table of faults: the title, the conversation, and the only finding. */
export type Fault = readonly [title: string, sent: readonly Sent[], finding: string];

export const tool = { name: "add", inputSchema: { type: "object" } };

/** Returns a list of tools after the handshake: lines 4 and 5. */
export const listed = (...tools: object[]): Sent[] => [
  ...opened(),
  c({ id: 2, method: "tools/list" }),
  s({ id: 2, result: { tools } }),
];

/** Returns a call after the handshake and the list: lines 6 and 7. */
export const called = (result: unknown, more: object = {}): Sent[] => [
  ...listed({ ...tool, ...more }),
  c({ id: 3, method: "tools/call", params: { name: "add", arguments: {} } }),
  s({ id: 3, result }),
];

/**
 * Returns a call with a progress token, which is line 6, then the messages in between, and its result as the last line.
 */
export const calledWith = (...between: Sent[]): Sent[] => [
  ...listed(tool),
  c({ id: 3, method: "tools/call", params: { name: "add", _meta: { progressToken: "p" } } }),
  ...between,
  s({ id: 3, result: { content: [] } }),
];

export const progress = (value: number, token: unknown = "p"): Sent =>
  s({ method: "notifications/progress", params: { progressToken: token, progress: value } });

export const output = {
  outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
};

export const discover = [
  c({ id: 1, method: "server/discover", params: { _meta: meta() } }),
  s({
    id: 1,
    result: {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: { listChanged: true } },
      ttlMs: 0,
      cacheScope: "private",
      serverInfo: { name: "s", version: "1" },
    },
  }),
];
export const call = c({ id: 2, method: "tools/call", params: { name: "add", _meta: meta() } });
export const complete = { resultType: "complete", content: [] };
export const ask = (method: string, params: object = {}): object => ({
  resultType: "input_required",
  requestState: "x",
  inputRequests: { a: { method, params } },
});
export const listen = (filter: object): Sent =>
  c({ id: "l", method: "subscriptions/listen", params: { _meta: meta(), notifications: filter } });
export const subscribed = (method: string, params: object = {}, id: unknown = "l"): Sent =>
  s({ method, params: { ...params, _meta: { "io.modelcontextprotocol/subscriptionId": id } } });
export const acknowledged = (notifications: object): Sent =>
  subscribed("notifications/subscriptions/acknowledged", { notifications });
