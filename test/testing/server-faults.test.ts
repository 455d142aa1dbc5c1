import { describe, expect, it } from "vitest";
import { c, meta, opened, raw, s, type Sent, shortFindings, text } from "./support/conversation.js";

const tool = { name: "add", inputSchema: { type: "object" } };

/** A list of tools after the handshake: lines 4 and 5. */
const listed = (...tools: object[]): Sent[] => [
  ...opened(),
  c({ id: 2, method: "tools/list" }),
  s({ id: 2, result: { tools } }),
];

/** A call after the handshake and the list: lines 6 and 7. */
const called = (result: unknown, more: object = {}): Sent[] => [
  ...listed({ ...tool, ...more }),
  c({ id: 3, method: "tools/call", params: { name: "add", arguments: {} } }),
  s({ id: 3, result }),
];

/** A call in flight with a progress token, and its result: line 6, then those between, then the last. */
const calledWith = (...between: Sent[]): Sent[] => [
  ...listed(tool),
  c({ id: 3, method: "tools/call", params: { name: "add", _meta: { progressToken: "p" } } }),
  ...between,
  s({ id: 3, result: { content: [] } }),
];

const progress = (value: number, token: unknown = "p"): Sent =>
  s({ method: "notifications/progress", params: { progressToken: token, progress: value } });

const output = {
  outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
};

/** Conversations with one fault of the server each, and the finding. */
const faults: readonly (readonly [title: string, sent: readonly Sent[], finding: string])[] = [
  [
    "an annotation of an invalid type",
    listed({ ...tool, annotations: { readOnlyHint: "yes" } }),
    "result-shape 5 /result/tools/0/annotations/readOnlyHint",
  ],
  [
    "a tool without inputSchema",
    listed({ name: "add" }),
    "result-shape 5 /result/tools/0/inputSchema",
  ],
  [
    "an inputSchema of an array",
    listed({ name: "add", inputSchema: { type: "array" } }),
    "result-shape 5 /result/tools/0/inputSchema/type",
  ],
  [
    "an icon whose source is a number",
    listed({ ...tool, icons: [{ src: 7 }] }),
    "result-shape 5 /result/tools/0/icons/0/src",
  ],
  ["two tools with one name", listed(tool, tool), "name-repeated 5 /result/tools/1/name"],
  [
    "a schema with an unknown type",
    listed({ name: "add", inputSchema: { type: "object", properties: { a: { type: "nomber" } } } }),
    "schema-invalid 5 /result/tools/0/inputSchema/properties/a/type",
  ],
  [
    "a reference to nowhere",
    listed({
      name: "add",
      inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/none" } } },
    }),
    "schema-invalid 5 /result/tools/0/inputSchema/properties/a/$ref",
  ],
  ["a result without content", called({}), "result-shape 7 /result/content"],
  [
    "content of an unknown type",
    called({ content: [{ type: "video", data: "" }] }),
    "result-shape 7 /result/content/0/type",
  ],
  [
    "an image that is not base64",
    called({ content: [{ type: "image", data: "%%%", mimeType: "image/png" }] }),
    "content-format 7 /result/content/0/data",
  ],
  [
    "no structured content for an outputSchema",
    called({ content: [] }, output),
    "structured-missing 7 /result/structuredContent",
  ],
  [
    "structured content that violates the outputSchema",
    called({ content: [], structuredContent: { sum: "5" } }, output),
    "structured-invalid 7 /result/structuredContent/sum",
  ],
  [
    "progress for a request without a token",
    called({ content: [] }).toSpliced(6, 0, progress(1, "x")),
    "progress-unknown 7 /params/progressToken",
  ],
  [
    "progress for a token that was never sent",
    calledWith(progress(1, "q")),
    "progress-unknown 7 /params/progressToken",
  ],
  [
    "progress that goes down",
    calledWith(progress(2), progress(1)),
    "progress-order 8 /params/progress",
  ],
  [
    "an unknown notification whose params are a number",
    calledWith(s({ method: "notifications/own", params: 7 })),
    "params-shape 7 /params",
  ],
  [
    "a request that is answered twice",
    [...called({ content: [] }), s({ id: 3, result: { content: [] } })],
    "response-repeated 8 /id",
  ],
  [
    "an id that changes its type",
    [...opened(), c({ id: 2, method: "ping" }), s({ id: "2", result: {} })],
    "response-id-type 5 /id",
  ],
  ["a line of text on standard output", [text("Server started!"), ...opened()], "output-text 1"],
  [
    "tools that are served but not declared",
    [
      ...opened({ server: {} }),
      c({ id: 2, method: "tools/list" }),
      s({ id: 2, result: { tools: [] } }),
    ],
    "capability-unlisted 5",
  ],
  [
    "a revision that does not exist",
    opened({ result: { protocolVersion: "2099-01-01" } }),
    "version-unknown 2 /result/protocolVersion",
  ],
  [
    "serverInfo without a version",
    opened({ result: { serverInfo: { name: "server" } } }),
    "result-shape 2 /result/serverInfo/version",
  ],
  [
    "tools that are an object",
    [...opened(), c({ id: 2, method: "tools/list" }), s({ id: 2, result: { tools: {} } })],
    "result-shape 5 /result/tools",
  ],
  [
    "the same cursor without end",
    [
      ...opened(),
      c({ id: 2, method: "tools/list" }),
      s({ id: 2, result: { tools: [], nextCursor: "a" } }),
      c({ id: 3, method: "tools/list", params: { cursor: "a" } }),
      s({ id: 3, result: { tools: [], nextCursor: "a" } }),
      c({ id: 4, method: "tools/list", params: { cursor: "a" } }),
      s({ id: 4, result: { tools: [], nextCursor: "a" } }),
    ],
    "cursor-repeated 7 /result/nextCursor",
  ],
  [
    "an error whose code is a string",
    [...opened(), c({ id: 2, method: "ping" }), s({ id: 2, error: { code: "E1", message: "no" } })],
    "error-shape 5 /error/code",
  ],

  // Further faults
  [
    "a message without jsonrpc",
    [...opened(), c({ id: 2, method: "ping" }), raw("server", { id: 2, result: {} })],
    "message-envelope 5 /jsonrpc",
  ],
  [
    "a result together with an error",
    [
      ...opened(),
      c({ id: 2, method: "ping" }),
      s({ id: 2, result: {}, error: { code: 1, message: "no" } }),
    ],
    "message-envelope 5 /error",
  ],
  [
    "neither a result nor an error",
    [...opened(), c({ id: 2, method: "ping" }), s({ id: 2 })],
    "message-envelope 5",
  ],
  [
    "an error without a message",
    [...opened(), c({ id: 2, method: "ping" }), s({ id: 2, error: { code: -32603 } })],
    "error-shape 5 /error/message",
  ],
  [
    "an error that is a string",
    [...opened(), c({ id: 2, method: "ping" }), s({ id: 2, error: "no" })],
    "error-shape 5 /error",
  ],
  [
    "a result that is a string",
    [...opened(), c({ id: 2, method: "ping" }), s({ id: 2, result: "pong" })],
    "result-shape 5 /result",
  ],
  [
    "a response to a request that was never sent",
    [...opened(), s({ id: 99, result: {} })],
    "response-unknown 4 /id",
  ],
  ["a message that is a number", [...opened(), raw("server", 7)], "message-envelope 4"],
  [
    "a batch where there are none",
    [...opened(), c({ id: 2, method: "ping" }), s([{ jsonrpc: "2.0", id: 2, result: {} }])],
    "message-batch 5",
  ],
  [
    "a request that only a client sends",
    [...opened(), s({ id: 1, method: "tools/list" })],
    "message-direction 4 /method",
  ],
  [
    "a notification that only a client sends",
    [...opened(), s({ method: "notifications/roots/list_changed" })],
    "message-direction 4 /method",
  ],
  [
    "a notification that only another revision has",
    [...opened(), s({ method: "notifications/subscriptions/acknowledged", params: {} })],
    "method-unknown 4 /method",
  ],
  [
    "a request before the session is initialized",
    opened().toSpliced(2, 0, s({ id: 1, method: "roots/list" })),
    "opening-early 3 /method",
  ],
  [
    "a request for a capability that the client lacks",
    [...opened({ client: {} }), s({ id: 1, method: "roots/list" })],
    "capability-undeclared 4 /method",
  ],
  [
    "a form in a mode that the client lacks",
    [
      ...opened(),
      s({
        id: 1,
        method: "elicitation/create",
        params: { mode: "url", message: "m", url: "https://a.test", elicitationId: "e" },
      }),
    ],
    "capability-undeclared 4 /params/mode",
  ],
  [
    "tools in a sampling request that the client has not declared",
    [
      ...opened(),
      s({
        id: 1,
        method: "sampling/createMessage",
        params: { messages: [], maxTokens: 1, tools: [] },
      }),
    ],
    "capability-undeclared 4 /params/tools",
  ],
  [
    "a change notification that was not declared",
    [...opened(), s({ method: "notifications/prompts/list_changed" })],
    "capability-undeclared 4 /method",
  ],
  [
    "a log message without the capability",
    [
      ...opened({ server: {} }),
      s({ method: "notifications/message", params: { level: "info", data: 1 } }),
    ],
    "capability-undeclared 4 /method",
  ],
  [
    "a log message with an unknown level",
    [...opened(), s({ method: "notifications/message", params: { level: "loud", data: 1 } })],
    "params-shape 4 /params/level",
  ],
  [
    "a log message below the level that was set",
    [
      ...opened(),
      c({ id: 2, method: "logging/setLevel", params: { level: "error" } }),
      s({ id: 2, result: {} }),
      s({ method: "notifications/message", params: { level: "info", data: 1 } }),
    ],
    "log-level 6 /params/level",
  ],
  [
    "a declared method that is not served",
    [
      ...opened(),
      c({ id: 2, method: "tools/list" }),
      s({ id: 2, error: { code: -32601, message: "no" } }),
    ],
    "capability-unserved 5 /error/code",
  ],
  [
    "ping that is not served",
    [
      ...opened(),
      c({ id: 2, method: "ping" }),
      s({ id: 2, error: { code: -32601, message: "no" } }),
    ],
    "capability-unserved 5 /error/code",
  ],
  [
    "progress after the response",
    [...calledWith(), progress(1)],
    "progress-late 8 /params/progressToken",
  ],
  [
    "progress that is a text",
    calledWith(
      s({ method: "notifications/progress", params: { progressToken: "p", progress: "1" } }),
    ),
    "params-shape 7 /params/progress",
  ],
  [
    "progress that repeats",
    calledWith(progress(1), progress(1)),
    "progress-order 8 /params/progress",
  ],
  [
    "a name with a space",
    listed({ ...tool, name: "add numbers" }),
    "tool-name 5 /result/tools/0/name",
  ],
  ["an empty name", listed({ ...tool, name: "" }), "tool-name 5 /result/tools/0/name"],
  ["an item that is null", listed(tool, null as never), "result-shape 5 /result/tools/1"],
  [
    "an outputSchema with an invalid pattern",
    listed({
      ...tool,
      outputSchema: { type: "object", properties: { a: { type: "string", pattern: "(" } } },
    }),
    "schema-invalid 5 /result/tools/0/outputSchema/properties/a/pattern",
  ],
  [
    "required that is no array",
    listed({ name: "add", inputSchema: { type: "object", required: "a" } }),
    "result-shape 5 /result/tools/0/inputSchema/required",
  ],
  [
    "a cursor that is a number",
    [
      ...opened(),
      c({ id: 2, method: "tools/list" }),
      s({ id: 2, result: { tools: [], nextCursor: 2 } }),
    ],
    "result-shape 5 /result/nextCursor",
  ],
  [
    "two pages with one tool",
    [
      ...opened(),
      c({ id: 2, method: "tools/list" }),
      s({ id: 2, result: { tools: [tool], nextCursor: "a" } }),
      c({ id: 3, method: "tools/list", params: { cursor: "a" } }),
      s({ id: 3, result: { tools: [tool] } }),
    ],
    "name-repeated 7 /result/tools/0/name",
  ],
  [
    "resources with one URI",
    [
      ...opened(),
      c({ id: 2, method: "resources/list" }),
      s({
        id: 2,
        result: {
          resources: [
            { uri: "a:1", name: "a" },
            { uri: "a:1", name: "b" },
          ],
        },
      }),
    ],
    "name-repeated 5 /result/resources/1/uri",
  ],
  [
    "a URI that is not absolute",
    [
      ...opened(),
      c({ id: 2, method: "resources/list" }),
      s({ id: 2, result: { resources: [{ uri: "readme.md", name: "a" }] } }),
    ],
    "uri-format 5 /result/resources/0/uri",
  ],
  [
    "contents that are neither text nor binary",
    [
      ...opened(),
      c({ id: 2, method: "resources/read", params: { uri: "a:1" } }),
      s({ id: 2, result: { contents: [{ uri: "a:1" }] } }),
    ],
    "result-shape 5 /result/contents/0",
  ],
  [
    "an update without a subscription",
    [...opened(), s({ method: "notifications/resources/updated", params: { uri: "a:1" } })],
    "update-unsubscribed 4 /method",
  ],
  [
    "a message of a prompt with an unknown role",
    [
      ...opened(),
      c({ id: 2, method: "prompts/get", params: { name: "a" } }),
      s({ id: 2, result: { messages: [{ role: "system", content: { type: "text", text: "" } }] } }),
    ],
    "result-shape 5 /result/messages/0/role",
  ],
  [
    "more than 100 completions",
    [
      ...opened(),
      c({
        id: 2,
        method: "completion/complete",
        params: { ref: { type: "ref/prompt", name: "a" }, argument: { name: "b", value: "" } },
      }),
      s({ id: 2, result: { completion: { values: Array.from({ length: 101 }, String) } } }),
    ],
    "completion-count 5 /result/completion/values",
  ],
  [
    "a key of _meta with an invalid prefix",
    called({ content: [], _meta: { "9/a": 1 } }),
    "content-format 7 /result/_meta/9~1a",
  ],
  [
    "isError that is a text",
    called({ content: [], isError: "no" }),
    "result-shape 7 /result/isError",
  ],
  [
    "a cancellation of an unknown request",
    [...opened(), s({ method: "notifications/cancelled", params: { requestId: 77 } })],
    "cancel-unknown 4 /params/requestId",
  ],
  [
    "an id of a request that is used again",
    [
      ...opened(),
      s({ id: "a", method: "ping" }),
      c({ id: "a", result: {} }),
      s({ id: "a", method: "ping" }),
      c({ id: "a", result: {} }),
    ],
    "id-reused 6 /id",
  ],
  [
    "capabilities that are a list",
    opened({ result: { capabilities: [] } }),
    "result-shape 2 /result/capabilities",
  ],
  [
    "no protocolVersion",
    opened({ result: { protocolVersion: undefined } }),
    "result-shape 2 /result/protocolVersion",
  ],
  [
    "a request without a response while others are answered",
    [
      ...opened(),
      c({ id: 2, method: "tools/list" }),
      c({ id: 3, method: "ping" }),
      s({ id: 3, result: {} }),
    ],
    "request-unanswered 4",
  ],
  [
    "a form with a nested schema",
    [
      ...opened(),
      s({
        id: 1,
        method: "elicitation/create",
        params: {
          message: "m",
          requestedSchema: { type: "object", properties: { a: { type: "object" } } },
        },
      }),
    ],
    "params-shape 4 /params/requestedSchema/properties/a/type",
  ],
  [
    "a message on several lines",
    [
      ...opened(),
      c({ id: 2, method: "ping" }),
      text("{"),
      text('  "jsonrpc": "2.0",'),
      text("}"),
      c({ id: 3, method: "ping" }),
      s({ id: 3, result: {} }),
    ],
    "output-text 5",
  ],
  [
    "a response without an id",
    [
      ...opened(),
      c({ id: 2, method: "ping" }),
      s({ result: {} }),
      c({ id: 3, method: "ping" }),
      s({ id: 3, result: {} }),
    ],
    "message-envelope 5 /id",
  ],
  [
    "a cursor that is null",
    [
      ...opened(),
      c({ id: 2, method: "tools/list" }),
      s({ id: 2, result: { tools: [], nextCursor: null } }),
    ],
    "result-shape 5 /result/nextCursor",
  ],
  [
    "a MIME type without a slash",
    called({ content: [{ type: "image", data: "", mimeType: "png" }] }),
    "content-format 7 /result/content/0/mimeType",
  ],
  [
    "an unknown audience",
    called({ content: [{ type: "text", text: "", annotations: { audience: ["robot"] } }] }),
    "result-shape 7 /result/content/0/annotations/audience/0",
  ],
  ["content that is an object", called({ content: {} }), "result-shape 7 /result/content"],
  [
    "structured content that is a list",
    called({ content: [], structuredContent: [] }),
    "result-shape 7 /result/structuredContent",
  ],
  [
    "a link without a name",
    called({ content: [{ type: "resource_link", uri: "a:1" }] }),
    "result-shape 7 /result/content/0/name",
  ],
  [
    "an embedded resource without a URI",
    called({ content: [{ type: "resource", resource: { text: "" } }] }),
    "result-shape 7 /result/content/0/resource",
  ],
  [
    "instructions that are a number",
    opened({ result: { instructions: 7 } }),
    "result-shape 2 /result/instructions",
  ],
  [
    "a capability that is a text",
    opened({ result: { capabilities: { tools: { listChanged: "true" } } } }),
    "result-shape 2 /result/capabilities/tools/listChanged",
  ],
  [
    "contents with text and blob",
    [
      ...opened(),
      c({ id: 2, method: "resources/read", params: { uri: "a:1" } }),
      s({ id: 2, result: { contents: [{ uri: "a:1", text: "", blob: "" }] } }),
    ],
    "content-format 5 /result/contents/0",
  ],
  [
    "a template that does not parse",
    [
      ...opened(),
      c({ id: 2, method: "resources/templates/list" }),
      s({ id: 2, result: { resourceTemplates: [{ uriTemplate: "a:{", name: "a" }] } }),
    ],
    "uri-format 5 /result/resourceTemplates/0/uriTemplate",
  ],
  [
    "a size that is a text",
    [
      ...opened(),
      c({ id: 2, method: "resources/list" }),
      s({ id: 2, result: { resources: [{ uri: "a:1", name: "a", size: "1" }] } }),
    ],
    "result-shape 5 /result/resources/0/size",
  ],
  [
    "two prompts of one name",
    [
      ...opened(),
      c({ id: 2, method: "prompts/list" }),
      s({ id: 2, result: { prompts: [{ name: "a" }, { name: "a" }] } }),
    ],
    "name-repeated 5 /result/prompts/1/name",
  ],
  [
    "an argument of a prompt that is required by a text",
    [
      ...opened(),
      c({ id: 2, method: "prompts/list" }),
      s({
        id: 2,
        result: { prompts: [{ name: "a", arguments: [{ name: "b", required: "yes" }] }] },
      }),
    ],
    "result-shape 5 /result/prompts/0/arguments/0/required",
  ],
  [
    "an update without a URI",
    [...opened(), s({ method: "notifications/resources/updated", params: {} })],
    "params-shape 4 /params/uri",
  ],
  [
    "a sampling request without maxTokens",
    [...opened(), s({ id: 1, method: "sampling/createMessage", params: { messages: [] } })],
    "params-shape 4 /params/maxTokens",
  ],
  [
    "a message of the system in a sampling request",
    [
      ...opened(),
      s({
        id: 1,
        method: "sampling/createMessage",
        params: {
          maxTokens: 1,
          messages: [{ role: "system", content: { type: "text", text: "" } }],
        },
      }),
    ],
    "params-shape 4 /params/messages/0/role",
  ],
  [
    "a form in a revision without forms",
    [
      ...opened({ version: "2025-03-26" }),
      s({
        id: 1,
        method: "elicitation/create",
        params: { message: "m", requestedSchema: { type: "object", properties: {} } },
      }),
    ],
    "method-unknown 4 /method",
  ],
  [
    "audio in a revision without audio",
    [
      ...opened({ version: "2024-11-05" }),
      c({ id: 3, method: "tools/call", params: { name: "add" } }),
      s({ id: 3, result: { content: [{ type: "audio", data: "", mimeType: "audio/wav" }] } }),
    ],
    "result-shape 5 /result/content/0/type",
  ],
  [
    "jsonrpc that is a number",
    [...opened(), c({ id: 2, method: "ping" }), raw("server", { jsonrpc: 2.0, id: 2, result: {} })],
    "message-envelope 5 /jsonrpc",
  ],
  [
    "an icon in a scheme that clients reject",
    listed({ ...tool, icons: [{ src: "javascript:1" }] }),
    "uri-format 5 /result/tools/0/icons/0/src",
  ],
  [
    "a completion whose hasMore is a text",
    [
      ...opened(),
      c({
        id: 2,
        method: "completion/complete",
        params: { ref: { type: "ref/prompt", name: "a" }, argument: { name: "b", value: "" } },
      }),
      s({ id: 2, result: { completion: { values: [], hasMore: "no" } } }),
    ],
    "result-shape 5 /result/completion/hasMore",
  ],
  [
    "a priority above 1",
    called({ content: [{ type: "text", text: "", annotations: { priority: 2 } }] }),
    "result-shape 7 /result/content/0/annotations/priority",
  ],
];

describe("a fault of a server is one finding, with its line and pointer:", () => {
  it.each(faults)("%s", async (_, sent, finding) => {
    expect(await shortFindings(sent)).toEqual([finding]);
  });
});

const discover = [
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
const call = c({ id: 2, method: "tools/call", params: { name: "add", _meta: meta() } });
const complete = { resultType: "complete", content: [] };
const ask = (method: string, params: object = {}): object => ({
  resultType: "input_required",
  requestState: "x",
  inputRequests: { a: { method, params } },
});
const listen = (filter: object): Sent =>
  c({ id: "l", method: "subscriptions/listen", params: { _meta: meta(), notifications: filter } });
const subscribed = (method: string, params: object = {}, id: unknown = "l"): Sent =>
  s({ method, params: { ...params, _meta: { "io.modelcontextprotocol/subscriptionId": id } } });
const acknowledged = (notifications: object): Sent =>
  subscribed("notifications/subscriptions/acknowledged", { notifications });

const stateless: typeof faults = [
  [
    "a result without resultType",
    [...discover, call, s({ id: 2, result: { content: [] } })],
    "result-shape 4 /result/resultType",
  ],
  [
    "an unknown resultType",
    [...discover, call, s({ id: 2, result: { resultType: "later" } })],
    "result-shape 4 /result/resultType",
  ],
  [
    "a request of the server",
    [...discover, s({ id: 1, method: "roots/list" })],
    "message-direction 3",
  ],
  [
    "a list without freshness",
    [
      ...discover,
      c({ id: 2, method: "tools/list", params: { _meta: meta() } }),
      s({ id: 2, result: { resultType: "complete", tools: [], cacheScope: "private" } }),
    ],
    "result-shape 4 /result/ttlMs",
  ],
  [
    "input that the client has not declared",
    [
      ...discover,
      c({
        id: 2,
        method: "tools/call",
        params: { name: "add", _meta: meta({ "io.modelcontextprotocol/clientCapabilities": {} }) },
      }),
      s({ id: 2, result: ask("roots/list") }),
    ],
    "capability-undeclared 4 /result/inputRequests/a/method",
  ],
  [
    "input if no revision allows it",
    [
      ...discover,
      c({ id: 2, method: "tools/list", params: { _meta: meta() } }),
      s({ id: 2, result: ask("roots/list") }),
    ],
    "result-shape 4 /result/resultType",
  ],
  [
    "an error code that is reserved",
    [...discover, call, s({ id: 2, error: { code: -32050, message: "no" } })],
    "error-code 4 /error/code",
  ],
  [
    "a notification without a subscription",
    [...discover, s({ method: "notifications/tools/list_changed", params: {} })],
    "subscription-id 3 /params/_meta/io.modelcontextprotocol~1subscriptionId",
  ],
  [
    "a notification type that was not requested",
    [
      ...discover,
      listen({ promptsListChanged: true }),
      acknowledged({}),
      subscribed("notifications/tools/list_changed"),
    ],
    "subscription-topic 5 /method",
  ],
  [
    "a notification before the acknowledgement",
    [
      ...discover,
      listen({ toolsListChanged: true }),
      subscribed("notifications/tools/list_changed"),
    ],
    "subscription-topic 4 /method",
  ],
  [
    "a subscription id of another type",
    [
      ...discover,
      listen({ toolsListChanged: true }),
      acknowledged({ toolsListChanged: true }),
      subscribed("notifications/tools/list_changed", {}, 7),
    ],
    "subscription-id 5 /params/_meta/io.modelcontextprotocol~1subscriptionId",
  ],
  [
    "a log message that was not requested",
    [
      s({ method: "notifications/message", params: { level: "info", data: 1 } }),
      s({ id: 2, result: complete }),
    ].reduce(
      (all, one) => [...all, one],
      [...discover, call].with(
        1,
        s({
          id: 1,
          result: {
            resultType: "complete",
            supportedVersions: ["2026-07-28"],
            capabilities: { tools: {}, logging: {} },
            ttlMs: 0,
            cacheScope: "private",
            serverInfo: { name: "s", version: "1" },
          },
        }),
      ),
    ),
    "log-level 4",
  ],
  [
    "an error about revisions that names none",
    [call, s({ id: 2, error: { code: -32022, message: "no" } })],
    "error-data 2 /error/data/supported",
  ],
  [
    "a supported revision that is no date",
    [
      discover[0]!,
      s({
        id: 1,
        result: {
          resultType: "complete",
          supportedVersions: ["latest"],
          capabilities: {},
          ttlMs: 0,
          cacheScope: "private",
        },
      }),
    ],
    "version-unknown 2 /result/supportedVersions/0",
  ],
  [
    "a discovery without revisions",
    [
      discover[0]!,
      s({
        id: 1,
        result: { resultType: "complete", capabilities: {}, ttlMs: 0, cacheScope: "private" },
      }),
    ],
    "result-shape 2 /result/supportedVersions",
  ],
  [
    "a negative time of freshness",
    [
      ...discover,
      c({ id: 2, method: "tools/list", params: { _meta: meta() } }),
      s({ id: 2, result: { resultType: "complete", tools: [], ttlMs: -1, cacheScope: "private" } }),
    ],
    "result-shape 4 /result/ttlMs",
  ],
  [
    "an annotation of a header on a number",
    [
      ...discover,
      c({ id: 2, method: "tools/list", params: { _meta: meta() } }),
      s({
        id: 2,
        result: {
          resultType: "complete",
          ttlMs: 0,
          cacheScope: "private",
          tools: [
            {
              name: "a",
              inputSchema: {
                type: "object",
                properties: { b: { type: "number", "x-mcp-header": "B" } },
              },
            },
          ],
        },
      }),
    ],
    "header-annotation 4 /result/tools/0/inputSchema",
  ],
  [
    "neither questions nor a state",
    [...discover, call, s({ id: 2, result: { resultType: "input_required" } })],
    "result-shape 4 /result",
  ],
  [
    "a cancellation of a request that is no subscription",
    [
      ...discover,
      call,
      s({ method: "notifications/cancelled", params: { requestId: 2 } }),
      s({ id: 2, result: complete }),
    ],
    "cancel-unknown 4 /params/requestId",
  ],
];

describe("a fault of a stateless server is one finding:", () => {
  it.each(stateless)("%s", async (_, sent, finding) => {
    expect(await shortFindings(sent)).toEqual([finding]);
  });
});

it("a revision that does not exist is a fault of the client, and of the server that serves it", async () => {
  const named = meta({ "io.modelcontextprotocol/protocolVersion": "2099-01-01" });
  const sent = [
    c({ id: 2, method: "tools/call", params: { name: "add", _meta: named } }),
    s({ id: 2, result: complete }),
  ];
  expect(await shortFindings(sent)).toEqual([
    "version-unknown 1 /params/_meta/io.modelcontextprotocol~1protocolVersion",
    "version-unknown 2",
  ]);
});

describe("a list that is read again", () => {
  it.each<[string, Sent[]]>([
    ["at the same time", [c({ id: 2, method: "tools/list" }), c({ id: 3, method: "tools/list" })]],
    [
      "because the server ignores an unknown cursor",
      [
        c({ id: 2, method: "tools/list" }),
        c({ id: 3, method: "tools/list", params: { cursor: "unknown" } }),
      ],
    ],
  ])("repeats no name: %s", async (_, requests) => {
    const results = [2, 3].map((id) => s({ id, result: { tools: [tool] } }));
    const found = await shortFindings([...opened(), ...requests, ...results]);
    expect(found.filter((finding) => finding.startsWith("name-repeated"))).toEqual([]);
  });
});
