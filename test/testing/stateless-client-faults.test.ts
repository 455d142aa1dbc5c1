import { describe, expect, it } from "vitest";
import { c, meta, opened, s, type Sent, shortFindings, STATELESS } from "./support/conversation.js";

import type { Fault } from "./support/server-messages.js";

const form = {
  message: "m",
  requestedSchema: { type: "object", properties: { age: { type: "integer" } }, required: ["age"] },
};

const result = {
  resultType: "complete",
  content: [],
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "server", version: "1" } },
};
const call = (id: number, more: object = {}, http?: object): Sent =>
  c(
    { id, method: "tools/call", params: { name: "add", _meta: meta(), ...more } },
    http && { http },
  );
const rounds = (more: object): Sent[] => [
  call(1),
  s({
    id: 1,
    result: {
      ...result,
      content: undefined,
      resultType: "input_required",
      requestState: "state",
      inputRequests: { age: { method: "elicitation/create", params: { ...form, mode: "form" } } },
    },
  }),
  call(2, more),
  s({ id: 2, result }),
];
const accepted = { age: { action: "accept", content: { age: 7 } } };
const headers = (more: object = {}): { readonly method: string; readonly headers: object } => ({
  method: "POST",
  headers: {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": STATELESS,
    "mcp-method": "tools/call",
    "mcp-name": "add",
    ...more,
  },
});

const stateless: readonly Fault[] = [
  [
    "a request without _meta",
    [
      call(1),
      s({ id: 1, result }),
      c({ id: 2, method: "tools/call", params: { name: "add" } }),
      s({ id: 2, result }),
    ],
    "request-meta 3 /params/_meta",
  ],
  [
    "_meta without capabilities",
    [
      call(1, { _meta: { "io.modelcontextprotocol/protocolVersion": STATELESS } }),
      s({ id: 1, result }),
    ],
    "request-meta 1 /params/_meta/io.modelcontextprotocol~1clientCapabilities",
  ],
  [
    "a version that is not a date",
    [
      call(1, { _meta: meta({ "io.modelcontextprotocol/protocolVersion": "latest" }) }),
      s({
        id: 1,
        error: {
          code: -32022,
          message: "no",
          data: { supported: [STATELESS], requested: "latest" },
        },
      }),
    ],
    "version-unknown 1 /params/_meta/io.modelcontextprotocol~1protocolVersion",
  ],
  [
    "a response of a client",
    [call(1), s({ id: 1, result }), c({ id: 1, result: {} })],
    "message-direction 3",
  ],
  ["the id of a request in flight", [call(1), call(1), s({ id: 1, result })], "id-reused 2 /id"],
  [
    "a state that was changed",
    rounds({ requestState: "other", inputResponses: accepted }),
    "round-state 3 /params/requestState",
  ],
  ["a missing state", rounds({ inputResponses: accepted }), "round-state 3 /params/requestState"],
  [
    "an input response that was not requested",
    rounds({ requestState: "state", inputResponses: { ...accepted, name: { action: "cancel" } } }),
    "round-answers 3 /params/inputResponses/name",
  ],
  [
    "a missing input response",
    rounds({ requestState: "state", inputResponses: {} }),
    "round-answers 3 /params/inputResponses/age",
  ],
  [
    "an input response of another type",
    rounds({ requestState: "state", inputResponses: { age: { action: "yes" } } }),
    "params-shape 3 /params/inputResponses/age/action",
  ],
  [
    "an input response to another request",
    rounds({ requestState: "state", inputResponses: { age: { roots: [] } } }),
    "round-answer-shape 3 /params/inputResponses/age/action",
  ],
  [
    "a form answer that violates the schema",
    rounds({ requestState: "state", inputResponses: { age: { action: "accept", content: {} } } }),
    "form-answer 3 /params/inputResponses/age/content/age",
  ],
  [
    "an id of the round before",
    [
      ...rounds({}).slice(0, 2),
      call(1, { requestState: "state", inputResponses: accepted }),
      s({ id: 1, result }),
    ],
    "id-reused 3 /id",
  ],
  [
    "a body that is called a text",
    [call(1, {}, headers({ "content-type": "text/plain" })), s({ id: 1, result })],
    "http-body-type 1 /http/headers/content-type",
  ],
  [
    "a cancellation without an id",
    [call(1), c({ method: "notifications/cancelled", params: {} }), s({ id: 1, result })],
    "params-shape 2 /params/requestId",
  ],
  [
    "a state that was never returned",
    [call(1, { requestState: "s" }), s({ id: 1, result })],
    "round-state 1 /params/requestState",
  ],
  [
    "a header with another method",
    [call(1, {}, headers({ "mcp-method": "tools/list" })), s({ id: 1, result })],
    "http-method 1 /http/headers/mcp-method",
  ],
  [
    "a header with another name",
    [call(1, {}, headers({ "mcp-name": "sub" })), s({ id: 1, result })],
    "http-method 1 /http/headers/mcp-name",
  ],
  [
    "no header with the name",
    [call(1, {}, headers({ "mcp-name": undefined })), s({ id: 1, result })],
    "http-method 1 /http/headers/mcp-name",
  ],
  [
    "a header with another revision",
    [call(1, {}, headers({ "mcp-protocol-version": "2025-11-25" })), s({ id: 1, result })],
    "http-version 1 /http/headers/mcp-protocol-version",
  ],
  [
    "a POST that accepts JSON only",
    [call(1, {}, headers({ accept: "application/json" })), s({ id: 1, result })],
    "http-accept 1 /http/headers/accept",
  ],
];

describe("a fault of a stateless client is one finding:", () => {
  it.each(stateless)("%s", async (_, sent, finding) => {
    expect(await shortFindings(sent)).toEqual([finding]);
  });
});

const http = (more: object, exchange: number): object => ({
  http: {
    method: "POST",
    exchange,
    headers: { accept: "application/json, text/event-stream", ...more },
  },
});
const reply = (exchange: number, status = 200, more: object = {}): object => ({
  http: { exchange, status, headers: { "content-type": "application/json", ...more } },
});
const version = { "mcp-protocol-version": "2025-11-25" };
const session = { "mcp-session-id": "«masked:1»" };
const overHttp = (...more: Sent[]): Sent[] => {
  const [first, second, third] = opened() as [Sent, Sent, Sent];
  return [
    ["client", first[1], http({}, 1)],
    ["server", second[1], reply(1, 200, session)],
    ["client", third[1], http({ ...version, ...session }, 2)],
    ["server", undefined, { event: "response", http: { exchange: 2, status: 202 } }],
    ...more,
  ];
};
const ping = (more: object): Sent => c({ id: 2, method: "ping" }, http(more, 3));
const ponged = s({ id: 2, result: {} }, reply(3));

const sessions: readonly Fault[] = [
  ["no session id", overHttp(ping(version), ponged), "http-session 5 /http/headers/mcp-session-id"],
  [
    "another session id",
    overHttp(ping({ ...version, "mcp-session-id": "«masked:2»" }), ponged),
    "http-session 5 /http/headers/mcp-session-id",
  ],
  [
    "no revision",
    overHttp(ping(session), ponged),
    "http-version 5 /http/headers/mcp-protocol-version",
  ],
  [
    "a session that has ended",
    overHttp(
      ping({ ...version, ...session }),
      ["server", undefined, { event: "response", http: { exchange: 3, status: 404 } }],
      c({ id: 3, method: "ping" }, http({ ...version, ...session }, 4)),
    ),
    "http-session 7 /http/headers/mcp-session-id",
  ],
];

describe("a fault of a client over HTTP is one finding:", () => {
  it.each(sessions)("%s", async (_, sent, finding) => {
    expect(await shortFindings(sent)).toEqual([finding]);
  });
});

it("conversations without a fault have no findings", async () => {
  for (const sent of [
    opened(),
    overHttp(ping({ ...version, ...session }), ponged),
    rounds({ requestState: "state", inputResponses: accepted }),
    [call(1, {}, headers()), s({ id: 1, result })],
  ]) {
    expect(await shortFindings(sent, { hints: true })).toEqual([]);
  }
});
