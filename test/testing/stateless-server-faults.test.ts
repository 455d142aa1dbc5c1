import { describe, expect, it } from "vitest";
import { c, meta, s, shortFindings } from "./support/conversation.js";
import {
  discover,
  call,
  complete,
  ask,
  listen,
  subscribed,
  acknowledged,
  type Fault,
} from "./support/server-messages.js";

const faults: readonly Fault[] = [
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
    "a notification long after the end of its subscription",
    [
      ...discover,
      listen({ toolsListChanged: true }),
      acknowledged({ toolsListChanged: true }),
      c({ method: "notifications/cancelled", params: { requestId: "l", _meta: meta() } }),
      s(subscribed("notifications/tools/list_changed")[1] as object, { t: 900 }),
    ],
    "subscription-id 6 /params/_meta/io.modelcontextprotocol~1subscriptionId",
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
    "log-unrequested 4 /params/level",
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
  it.each(faults)("%s", async (_, sent, finding) => {
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
