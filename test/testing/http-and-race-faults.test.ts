import { describe, expect, it } from "vitest";
import { c, meta, opened, raw, s, type Sent, shortFindings } from "./support/conversation.js";
import type { Fault } from "./support/server-messages.js";

const [initialize, initialized] = opened() as [Sent, Sent];
const list = (id: number, t = id * 10): Sent => c({ id, method: "tools/list" }, { t });
const listed = (id: number, t = id * 10 + 1): Sent => s({ id, result: { tools: [] } }, { t });
const cancelled = (requestId: unknown, t: number): Sent =>
  c({ method: "notifications/cancelled", params: { requestId } }, { t });
const answered = [2, 3, 4].map((id) => [list(id), listed(id), cancelled(id, id * 10 + 2)]);
const log = s({ method: "notifications/message", params: { level: "info", data: 1 } });

// A call that took three seconds, and the same call, which was cancelled after 800 ms.
const call = (id: number, t: number): Sent =>
  c({ id, method: "tools/call", params: { name: "slow", _meta: { progressToken: id } } }, { t });
const content = (text: string): object => ({ result: { content: [{ type: "text", text }] } });
const calls = (response: object, t: number, at = 3_900): Sent[] => [
  ...opened(),
  call(2, 10),
  s({ id: 2, ...content("done") }, { t: 3_010 }),
  call(3, 3_100),
  cancelled(3, at),
  s({ id: 3, ...response }, { t }),
];
const failure = { error: { code: -32800, message: "Request cancelled" } };

// HTTP
const session = { "mcp-session-id": "a", "mcp-protocol-version": "2025-11-25" };
const get = { accept: "text/event-stream", ...session };
const post = {
  "content-type": "application/json",
  ...get,
  accept: `application/json, ${get.accept}`,
};
const JSON_TYPE = { "content-type": "application/json" };
const EVENTS = { "content-type": "text/event-stream" };
const open = opened().map(([from, message, more], index): Sent => {
  const exchange = index < 2 ? 1 : 2;
  const headers = from === "server" ? { ...JSON_TYPE, "mcp-session-id": "a" } : post;
  const status = from === "server" && { status: 200 };
  return [from, message, { ...more, http: { exchange, ...status, headers } }];
});
const asks = (method: string, headers: object): Sent => [
  "client",
  undefined,
  { event: "request", http: { exchange: 3, method, headers: headers as typeof session } },
];
const body = (message: unknown, http: object = {}, more: object = {}): Sent => [
  "server",
  message,
  { ...more, http: { exchange: 3, status: 200, headers: JSON_TYPE, ...http } },
];
const without = (headers: object, name: string): object =>
  Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
const pinging = c({ id: 2, method: "ping" }, { http: { exchange: 3, headers: post } });
const event = { stream: true, headers: EVENTS, event: { id: "1" } };

// Headers of stateless requests
const using = (method: string, params: object, name: string, code = -32020): Sent[] => [
  c(
    { id: 1, method, params: { ...params, _meta: meta() } },
    {
      http: {
        exchange: 1,
        headers: {
          ...post,
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          "mcp-name": name,
        },
      },
    },
  ),
  s(
    { id: 1, error: { code, message: "no" } },
    { http: { exchange: 1, status: 400, headers: JSON_TYPE } },
  ),
];

const faults: readonly Fault[] = [
  // Order of the opening
  [
    "notifications/initialized before the response to initialize, and requests after it",
    [initialize, c({ method: "notifications/initialized" }), initialized, list(2), listed(2)],
    "opening-early 2 /method",
  ],
  // Notifications that are answered
  ["a result for a notification", [...opened(), log, c({ result: {} })], "notification-answered 5"],
  [
    "a result with the id null for a notification",
    [...opened(), log, raw("client", { jsonrpc: "2.0", id: null, result: {} })],
    "notification-answered 5",
  ],
  [
    "an error for a notification",
    [
      ...opened(),
      c({ method: "notifications/roots/list_changed" }),
      s({ error: { code: -32601, message: "no" } }),
    ],
    "notification-answered 5",
  ],
  // Cancellations
  [
    "a cancellation of each request that was answered",
    [...opened(), ...answered.flat()],
    "cancel-late 12 /params/requestId",
  ],
  [
    "a cancellation of a request that was answered long before",
    [...opened(), list(7, 5), cancelled(7, 6), list(2), listed(2), cancelled(2, 530)],
    "cancel-late 8 /params/requestId",
  ],
  ["an error that a cancellation has caused", calls(failure, 3_902), "cancel-answered 8 /id"],
  [
    "a failed result that a cancellation has caused",
    calls({ result: { content: [], isError: true } }, 3_902),
    "cancel-answered 8 /id",
  ],
  [
    "another result that a cancellation has caused",
    calls(content("cancelled"), 3_902),
    "cancel-answered 8 /id",
  ],
  [
    "a late response in the midst of others",
    [
      ...opened(),
      call(2, 10),
      cancelled(2, 15),
      ...[3, 4, 5].flatMap((id) => [list(id, id * 200), listed(id, id * 200 + 2)]),
      s({ id: 2, ...content("done") }, { t: 1_003 }),
    ],
    "cancel-answered 12 /id",
  ],
  // HTTP
  [
    "GET without the version",
    [...open, asks("GET", without(get, "mcp-protocol-version"))],
    "http-version 4 /http/headers/mcp-protocol-version",
  ],
  [
    "GET that resumes a stream, with another version",
    [...open, asks("GET", { ...get, "last-event-id": "1", "mcp-protocol-version": "2025-06-18" })],
    "http-version 4 /http/headers/mcp-protocol-version",
  ],
  [
    "DELETE without the version",
    [...open, asks("DELETE", without(session, "mcp-protocol-version"))],
    "http-version 4 /http/headers/mcp-protocol-version",
  ],
  [
    "DELETE without the session",
    [...open, asks("DELETE", without(session, "mcp-session-id"))],
    "http-session 4 /http/headers/mcp-session-id",
  ],
  [
    "GET that returns JSON",
    [...open, asks("GET", get), body({ status: "ok" })],
    "http-get 5 /http/status",
  ],
  [
    "a text in the stream of GET",
    [...open, asks("GET", get), body(undefined, { ...event, event: {} }, { text: "hello" })],
    "output-text 5",
  ],
  [
    "a stream that begins with an object that is no message",
    [
      ...open,
      pinging,
      body({}, event),
      body({ jsonrpc: "2.0", id: 2, result: {} }, { ...event, event: { id: "2" } }),
    ],
    "http-priming 5 /http/event/data",
  ],
  [
    "a prompt whose name is not decoded",
    using("prompts/get", { name: "grüße" }, "=?base64?Z3LDvMOfZQ==?="),
    "http-encoded 2 /http/status",
  ],
];

describe("a fault over HTTP, or a race that is none, is one finding:", () => {
  it.each(faults)("%s", async (_, sent, finding) => {
    expect(await shortFindings(sent)).toEqual([finding]);
  });
});

describe("no finding is", () => {
  it.each<readonly [string, readonly Sent[]]>([
    ["a cancellation that crosses a response", [...opened(), ...answered[0]!, ...answered[1]!]],
    [
      "a cancellation of each request, one of them in time",
      [...opened(), list(7, 5), cancelled(7, 6), ...answered.flat()],
    ],
    [
      "the cancellation of what was answered, all at once",
      [
        ...opened(),
        ...[2, 3, 4].flatMap((id) => [list(id), listed(id)]),
        ...[2, 3, 4].map((id) => cancelled(id, 50)),
      ],
    ],
    ["the same result, which is known by now", calls(content("done"), 3_902)],
    ["an error when the call would have ended", calls(failure, 4_702, 4_700)],
    ["an error of a call that is cancelled at once", calls(failure, 3_103, 3_101)],
    [
      "a response after several round trips of a slow network",
      [
        initialize,
        s(initialized[1] as object, { t: 400 }),
        c({ method: "notifications/initialized" }, { t: 400 }),
        list(2, 401),
        cancelled(2, 402),
        listed(2, 1_200),
      ],
    ],
    [
      "DELETE of a session whose version the client does not accept",
      [...open.slice(0, 2), asks("DELETE", without(session, "mcp-protocol-version"))],
    ],
    ["GET and DELETE with the version", [...open, asks("GET", get), asks("DELETE", session)]],
    [
      "GET that is refused with any body",
      [...open, asks("GET", get), body({ error: "no" }, { status: 405 })],
    ],
    ["DELETE that returns any body", [...open, asks("DELETE", session), body({ ended: true })]],
  ])("%s", async (_, sent) => {
    expect(await shortFindings(sent)).toEqual([]);
  });

  it("the refusal of a header that does not repeat the body", async () => {
    expect(await shortFindings(using("prompts/get", { name: "a" }, "b"))).toEqual([
      "http-method 1 /http/headers/mcp-name",
    ]);
  });
});
