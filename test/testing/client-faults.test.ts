import { describe, expect, it } from "vitest";
import { c, opened, raw, s, type Sent, shortFindings } from "./support/conversation.js";
import type { Fault } from "./support/server-messages.js";

const [initialize, initialized] = opened() as [Sent, Sent];
const pong = (id: unknown): Sent => s({ id, result: {} });
const form = {
  message: "m",
  requestedSchema: { type: "object", properties: { age: { type: "integer" } }, required: ["age"] },
};

const faults: readonly Fault[] = [
  [
    "a request before initialize",
    [c({ id: 1, method: "tools/list" }), s({ id: 1, result: { tools: [] } })],
    "opening-order 1 /method",
  ],
  [
    "a request before the response to initialize",
    [
      initialize,
      c({ id: 2, method: "tools/list" }),
      initialized,
      s({ id: 2, result: { tools: [] } }),
      c({ method: "notifications/initialized" }),
    ],
    "opening-early 2 /method",
  ],
  [
    "no notifications/initialized",
    [
      initialize,
      initialized,
      c({ id: 2, method: "tools/list" }),
      s({ id: 2, result: { tools: [] } }),
    ],
    "initialized-missing 3 /method",
  ],
  [
    "a second initialize",
    [
      ...opened(),
      c({ id: 2, method: "initialize", params: (initialize[1] as { params: object }).params }),
      s({ id: 2, error: { code: -32600, message: "no" } }),
    ],
    "opening-repeated 4 /method",
  ],
  [
    "initialize without clientInfo",
    [
      c({
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {} },
      }),
      ...opened().slice(1),
    ],
    "params-shape 1 /params/clientInfo",
  ],
  [
    "a version that is not a date",
    [
      c({
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "1.0",
          capabilities: {},
          clientInfo: { name: "c", version: "1" },
        },
      }),
      ...opened().slice(1),
    ],
    "version-unknown 1 /params/protocolVersion",
  ],
  [
    "an id that is null",
    [...opened(), raw("client", { jsonrpc: "2.0", id: null, method: "ping" })],
    "message-envelope 4 /id",
  ],
  [
    "an id that is a fraction",
    [...opened(), raw("client", { jsonrpc: "2.0", id: 1.5, method: "ping" })],
    "message-envelope 4 /id",
  ],
  [
    "an id that is used again",
    [...opened(), c({ id: 2, method: "ping" }), pong(2), c({ id: 2, method: "ping" }), pong(2)],
    "id-reused 6 /id",
  ],
  [
    "a notification with an id",
    [...opened(), c({ id: 2, method: "notifications/roots/list_changed" })],
    "message-envelope 4 /id",
  ],
  ["a request without an id", [...opened(), c({ method: "tools/list" })], "message-envelope 4 /id"],
  [
    "params that are an array",
    [
      ...opened(),
      c({ id: 2, method: "tools/list", params: [] }),
      s({ id: 2, result: { tools: [] } }),
    ],
    "params-shape 4 /params",
  ],
  [
    "a call without a name",
    [
      ...opened(),
      c({ id: 2, method: "tools/call", params: { arguments: {} } }),
      s({ id: 2, error: { code: -32602, message: "no" } }),
    ],
    "params-shape 4 /params/name",
  ],
  [
    "arguments that are a string",
    [
      ...opened(),
      c({ id: 2, method: "tools/call", params: { name: "a", arguments: "{}" } }),
      s({ id: 2, error: { code: -32602, message: "no" } }),
    ],
    "params-shape 4 /params/arguments",
  ],
  [
    "a cursor that the server has not returned",
    [
      ...opened(),
      c({ id: 2, method: "tools/list" }),
      s({ id: 2, result: { tools: [], nextCursor: "a" } }),
      c({ id: 3, method: "tools/list", params: { cursor: "b" } }),
      s({ id: 3, result: { tools: [] } }),
    ],
    "cursor-unknown 6 /params/cursor",
  ],
  [
    "a cancellation of an unknown request",
    [...opened(), c({ method: "notifications/cancelled", params: { requestId: 77 } })],
    "cancel-unknown 4 /params/requestId",
  ],
  [
    "a cancellation with an id of another type",
    [
      ...opened(),
      c({ id: 2, method: "tools/list" }),
      c({ method: "notifications/cancelled", params: { requestId: "2" } }),
      s({ id: 2, result: { tools: [] } }),
    ],
    "cancel-unknown 5 /params/requestId",
  ],
  [
    "a cancellation of initialize",
    [initialize, c({ method: "notifications/cancelled", params: { requestId: 1 } })],
    "cancel-opening 2 /params/requestId",
  ],
  [
    "a cancellation that names no request",
    [...opened(), c({ method: "notifications/cancelled", params: { id: 1 } })],
    "cancel-unknown 4 /params/requestId",
  ],
  [
    "a response to a request that was never sent",
    [...opened(), c({ id: 9, result: {} })],
    "response-unknown 4 /id",
  ],
  [
    "a response whose id changes its type",
    [...opened(), s({ id: 1, method: "ping" }), c({ id: "1", result: {} })],
    "response-id-type 5 /id",
  ],
  [
    "two responses to one request",
    [...opened(), s({ id: 1, method: "ping" }), c({ id: 1, result: {} }), c({ id: 1, result: {} })],
    "response-repeated 6 /id",
  ],
  [
    "no response to a request while others are answered",
    [
      ...opened(),
      s({ id: 1, method: "roots/list" }),
      s({ id: 2, method: "ping" }),
      c({ id: 2, result: {} }),
    ],
    "request-unanswered 4",
  ],
  [
    "roots that are not files",
    [
      ...opened(),
      s({ id: 1, method: "roots/list" }),
      c({ id: 1, result: { roots: [{ uri: "https://a.test" }] } }),
    ],
    "root-uri 5 /result/roots/0/uri",
  ],
  [
    "a sampling result without a model",
    [
      ...opened(),
      s({ id: 1, method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } }),
      c({ id: 1, result: { role: "assistant", content: { type: "text", text: "" } } }),
    ],
    "result-shape 5 /result/model",
  ],
  [
    "a form answer that violates the schema",
    [
      ...opened(),
      s({ id: 1, method: "elicitation/create", params: form }),
      c({ id: 1, result: { action: "accept", content: { age: "7" } } }),
    ],
    "form-answer 5 /result/content/age",
  ],
  [
    "a form that is accepted without content",
    [
      ...opened(),
      s({ id: 1, method: "elicitation/create", params: form }),
      c({ id: 1, result: { action: "accept" } }),
    ],
    "form-answer 5 /result/content/age",
  ],
  [
    "a form with an unknown action",
    [
      ...opened(),
      s({ id: 1, method: "elicitation/create", params: form }),
      c({ id: 1, result: { action: "ok" } }),
    ],
    "result-shape 5 /result/action",
  ],
  [
    "a declared method that is not served",
    [
      ...opened(),
      s({ id: 1, method: "roots/list" }),
      c({ id: 1, error: { code: -32601, message: "no" } }),
    ],
    "capability-unserved 5 /error/code",
  ],
  [
    "a change notification that was not declared",
    [...opened({ client: { roots: {} } }), c({ method: "notifications/roots/list_changed" })],
    "capability-undeclared 4 /method",
  ],
  [
    "a request that the server has not declared",
    [
      ...opened({ server: {} }),
      c({ id: 2, method: "prompts/list" }),
      s({ id: 2, error: { code: -32601, message: "no" } }),
    ],
    "capability-advised 4 /method",
  ],
  [
    "a request that only a server sends",
    [
      ...opened(),
      c({ id: 2, method: "roots/list" }),
      s({ id: 2, error: { code: -32601, message: "no" } }),
    ],
    "message-direction 4 /method",
  ],
  [
    "a method that only another revision has",
    [
      ...opened(),
      c({ id: 2, method: "server/discover" }),
      s({ id: 2, error: { code: -32601, message: "no" } }),
    ],
    "method-unknown 4 /method",
  ],
  [
    "a progress token of two requests in flight",
    [
      ...opened(),
      c({ id: 2, method: "tools/list", params: { _meta: { progressToken: 1 } } }),
      c({ id: 3, method: "tools/list", params: { _meta: { progressToken: 1 } } }),
      s({ id: 2, result: { tools: [] } }),
      s({ id: 3, result: { tools: [] } }),
    ],
    "progress-token 5 /params/_meta/progressToken",
  ],
  [
    "a progress token that is an object",
    [
      ...opened(),
      c({ id: 2, method: "tools/list", params: { _meta: { progressToken: {} } } }),
      s({ id: 2, result: { tools: [] } }),
    ],
    "params-shape 4 /params/_meta/progressToken",
  ],
  [
    "a progress token that is null, beside a name",
    [
      ...opened(),
      c({ id: 2, method: "tools/call", params: { name: "add", _meta: { progressToken: null } } }),
      s({ id: 2, result: { content: [] } }),
    ],
    "params-shape 4 /params/_meta/progressToken",
  ],
  [
    "progress for a token that was never sent",
    [
      ...opened(),
      c({ method: "notifications/progress", params: { progressToken: 5, progress: 1 } }),
    ],
    "progress-unknown 4 /params/progressToken",
  ],
  [
    "a batch where there are none",
    [...opened(), c([{ jsonrpc: "2.0", id: 2, method: "ping" }]), pong(2)],
    "message-batch 4",
  ],
  [
    "a second notifications/initialized",
    [...opened(), c({ method: "notifications/initialized" })],
    "opening-repeated 4 /method",
  ],
  [
    "params that are null",
    [
      ...opened(),
      c({ id: 2, method: "tools/list", params: null }),
      s({ id: 2, result: { tools: [] } }),
    ],
    "params-shape 4 /params",
  ],
  [
    "capabilities that are null",
    [
      c({
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: null,
          clientInfo: { name: "c", version: "1" },
        },
      }),
      ...opened().slice(1),
    ],
    "params-shape 1 /params/capabilities",
  ],
  [
    "a sampling result of the system",
    [
      ...opened(),
      s({ id: 1, method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } }),
      c({ id: 1, result: { role: "system", model: "m", content: { type: "text", text: "" } } }),
    ],
    "result-shape 5 /result/role",
  ],
  [
    "an error without a code",
    [...opened(), s({ id: 1, method: "roots/list" }), c({ id: 1, error: { message: "no" } })],
    "error-shape 5 /error/code",
  ],
  [
    "content of a form that is declined",
    [
      ...opened(),
      s({ id: 1, method: "elicitation/create", params: form }),
      c({ id: 1, result: { action: "decline", content: { age: 7 } } }),
    ],
    "form-answer 5 /result/content",
  ],
  [
    "a log level that does not exist",
    [
      ...opened(),
      c({ id: 2, method: "logging/setLevel", params: { level: "loud" } }),
      s({ id: 2, error: { code: -32602, message: "no" } }),
    ],
    "params-shape 4 /params/level",
  ],
  [
    "text in place of a message",
    [...opened(), ["client", undefined, { text: "quit" }]],
    "output-text 4",
  ],
];

describe("a fault of a client is one finding, with its line and pointer:", () => {
  it.each(faults)("%s", async (_, sent, finding) => {
    expect(await shortFindings(sent)).toEqual([finding]);
  });
});
