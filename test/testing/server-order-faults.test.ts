import { describe, expect, it } from "vitest";
import {
  c,
  findingsOf,
  opened,
  raw,
  s,
  shortFindings,
  text,
  type Sent,
} from "./support/conversation.js";
import { tool, called, calledWith, progress, type Fault } from "./support/server-messages.js";

const faults: readonly Fault[] = [
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
    "error: null beside each result",
    [
      ...opened({ result: { error: null } }),
      c({ id: 2, method: "ping" }),
      s({ id: 2, result: {}, error: null }),
    ],
    "message-envelope 5 /error",
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
    "an error whose code is a string",
    [...opened(), c({ id: 2, method: "ping" }), s({ id: 2, error: { code: "E1", message: "no" } })],
    "error-shape 5 /error/code",
  ],
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
    "an update without a subscription",
    [...opened(), s({ method: "notifications/resources/updated", params: { uri: "a:1" } })],
    "update-unsubscribed 4 /method",
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
    "jsonrpc that is a number",
    [...opened(), c({ id: 2, method: "ping" }), raw("server", { jsonrpc: 2.0, id: 2, result: {} })],
    "message-envelope 5 /jsonrpc",
  ],
];

describe("a fault of a server in a conversation is one finding, with its line and pointer:", () => {
  it.each(faults)("%s", async (_, sent, finding) => {
    expect(await shortFindings(sent)).toEqual([finding]);
  });
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

it("a finding before the response to initialize cites the revision that it agrees on", async () => {
  const [, ...others] = opened({ version: "2025-03-26" });
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: { roots: {} },
    clientInfo: { name: "client", version: "1" },
  };
  const findings = await findingsOf([
    c({ id: 1, method: "initialize", params }),
    s({ id: "s1", method: "roots/list" }),
    ...others,
  ]);
  expect(findings.map(({ id, n, requirement }) => [id, n, requirement])).toEqual([
    [
      "opening-early",
      2,
      "https://modelcontextprotocol.io/specification/2025-03-26/basic/lifecycle",
    ],
  ]);
});
