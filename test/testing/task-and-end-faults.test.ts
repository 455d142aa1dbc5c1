import { createJudge } from "@mcp-codegen/testing/checks";
import { describe, expect, it } from "vitest";
import { c, linesOf, meta, opened, s, shortFindings, type Sent } from "./support/conversation.js";
import {
  acknowledged,
  calledWith,
  discover,
  type Fault,
  listed,
  listen,
  progress,
  subscribed,
  tool,
} from "./support/server-messages.js";

const task = {
  taskId: "t",
  status: "working",
  createdAt: "2025-11-25T00:00:00Z",
  lastUpdatedAt: "2025-11-25T00:00:00Z",
  ttl: 1000,
};
const capabilities = {
  tools: {},
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
};
const withTasks = (...between: Sent[]): Sent[] => [...opened({ server: capabilities }), ...between];
const augmented = (id: number, more: object = {}): Sent =>
  c({ id, method: "tools/call", params: { name: "add", task: {}, ...more } });
const token = { _meta: { progressToken: "p" } };
/** Returns a call as a task, which is line 4, then its task, and a request about the task. */
const exchange = (method: string, result: object, more: object = {}): Sent[] =>
  withTasks(
    augmented(2, more),
    s({ id: 2, result: { task } }),
    c({ id: 3, method, params: { taskId: "t" } }),
    s({ id: 3, result }),
  );
/** Returns progress that names the task. */
const related = (value: number): Sent =>
  s({
    method: "notifications/progress",
    params: {
      progressToken: "p",
      progress: value,
      _meta: { "io.modelcontextprotocol/related-task": { taskId: "t" } },
    },
  });
const refused = { error: { code: -32601, message: "no" } };
const supporting = (taskSupport: string, call: Sent, answer: object = refused): Sent[] =>
  withTasks(
    c({ id: 4, method: "tools/list" }),
    s({ id: 4, result: { tools: [{ ...tool, execution: { taskSupport } }] } }),
    call,
    s({ id: 2, ...answer }),
  );
const plain = c({ id: 2, method: "tools/call", params: { name: "add" } });
const cancelled = (requestId: unknown, more?: { t: number }): Sent =>
  c({ method: "notifications/cancelled", params: { requestId } }, more);
const late = { t: 9_000 };
const inFlight = [
  ...listed(tool),
  c({ id: 3, method: "tools/call", params: { name: "add", ...token } }),
  cancelled(3),
];
const ended = s({
  id: "l",
  result: { resultType: "complete", _meta: { "io.modelcontextprotocol/subscriptionId": "l" } },
});
const change = subscribed("notifications/tools/list_changed");
const subscription = [
  ...discover,
  listen({ toolsListChanged: true }),
  acknowledged({ toolsListChanged: true }),
];
const form = (name: string, field: object): Sent[] => [
  ...opened(),
  s({
    id: "e",
    method: "elicitation/create",
    params: { message: "m", requestedSchema: { type: "object", properties: { [name]: field } } },
  }),
];
const visit = [
  ...opened({ client: { elicitation: { url: {} } } }),
  s({
    id: "e",
    method: "elicitation/create",
    params: { mode: "url", message: "m", url: "https://example.com", elicitationId: "1" },
  }),
];
const batched = (...more: object[]): Sent[] => [
  ...opened({ version: "2025-03-26" }),
  s({ id: "r", method: "roots/list" }),
  c([{ jsonrpc: "2.0", id: "r", result: { roots: [] } }, ...more]),
];

const faults: readonly Fault[] = [
  // Tasks
  [
    "a task that the server does not support",
    [...opened(), augmented(2)],
    "task-support 4 /params/task",
  ],
  [
    "a task that the tool forbids",
    supporting("forbidden", augmented(2)),
    "task-support 6 /params/task",
  ],
  ["no task that the tool requires", supporting("required", plain), "task-support 6 /params/task"],
  ["another task", exchange("tasks/get", { ...task, taskId: "u" }), "task-state 7 /result/taskId"],
  ["a cancelled task that works", exchange("tasks/cancel", task), "task-state 7 /result/status"],
  [
    "the id of another task",
    withTasks(
      augmented(2),
      s({ id: 2, result: { task } }),
      augmented(3),
      s({ id: 3, result: { task } }),
    ),
    "task-state 7 /result/task/taskId",
  ],
  [
    "a call with a task that is cancelled like others",
    withTasks(augmented(2), cancelled(2)),
    "cancel-task 5 /params/requestId",
  ],
  [
    "a call that has become a task, cancelled like others",
    withTasks(augmented(2), s({ id: 2, result: { task } }), cancelled(2, late)),
    "cancel-task 6 /params/requestId",
  ],
  [
    "a task that is not in the member task",
    withTasks(augmented(2), s({ id: 2, result: task })),
    "result-shape 5 /result/task",
  ],
  [
    "progress of a task that it does not name",
    [...exchange("tasks/get", task, token), progress(1)],
    "task-related 8 /params/_meta/io.modelcontextprotocol~1related-task",
  ],
  [
    "a task that has completed although its tool has failed",
    [
      ...exchange("tasks/get", { ...task, status: "completed" }),
      c({ id: 4, method: "tasks/result", params: { taskId: "t" } }),
      s({
        id: 4,
        result: {
          content: [],
          isError: true,
          _meta: { "io.modelcontextprotocol/related-task": { taskId: "t" } },
        },
      }),
    ],
    "task-state 9 /result/isError",
  ],
  [
    "progress after the end of a task",
    [...exchange("tasks/get", { ...task, status: "completed" }, token), progress(1)],
    "progress-late 8 /params/progressToken",
  ],
  // Cancellations and subscriptions
  [
    "progress after the cancellation",
    [
      ...inFlight,
      s(
        { method: "notifications/progress", params: { progressToken: "p", progress: 1 } },
        { t: 9_000 },
      ),
    ],
    "cancel-answered 8 /params/progressToken",
  ],
  [
    "progress after the answer to a request that followed the cancellation",
    [
      ...inFlight,
      c({ id: 4, method: "ping" }),
      s({ id: 4, result: {} }),
      s(
        { method: "notifications/progress", params: { progressToken: "p", progress: 1 } },
        { t: 300 },
      ),
    ],
    "cancel-answered 10 /params/progressToken",
  ],
  [
    "progress of a subscription",
    [
      ...discover,
      c({
        id: "l",
        method: "subscriptions/listen",
        params: { _meta: meta({ progressToken: "p" }), notifications: { toolsListChanged: true } },
      }),
      acknowledged({ toolsListChanged: true }),
      progress(1),
    ],
    "subscription-topic 5 /method",
  ],
  [
    "a change after the end of the subscription",
    [...subscription, ended, change],
    "subscription-id 6 /params/_meta/io.modelcontextprotocol~1subscriptionId",
  ],
  // Forms, batches
  [
    "a form with a password",
    form("password", { type: "string" }),
    "form-secret 4 /params/requestedSchema/properties/password",
  ],
  [
    "a form with a key, by its title",
    form("a", { type: "string", title: "API key" }),
    "form-secret 4 /params/requestedSchema/properties/a",
  ],
  [
    "content of a visit",
    [...visit, c({ id: "e", result: { action: "accept", content: { a: "b" } } })],
    "form-answer 5 /result/content",
  ],
  [
    "a batch of a response and a request",
    batched({ jsonrpc: "2.0", id: 9, method: "ping" }),
    "message-batch 5",
  ],
];

describe("what ends, and what only a task permits, is one finding:", () => {
  it.each(faults)("%s", async (_, sent, finding) => {
    expect(await shortFindings(sent)).toEqual([finding]);
  });
});

it("a judge says that it reports no more than 10,000 findings of a conversation", () => {
  const judge = createJudge();
  const tokens = Array.from({ length: 10_001 }, (_, index) => progress(1, `none-${index}`));
  const lines = linesOf([...opened(), ...tokens]);
  const before = lines.slice(0, -1).flatMap((line) => judge.add(line));
  expect([before.length, judge.isLimited]).toEqual([10_000, false]);
  expect([judge.add(lines.at(-1)!).length, judge.isLimited]).toEqual([0, true]);
});

describe("no finding is", () => {
  it.each<readonly [string, readonly Sent[]]>([
    ["a task that the tool permits", supporting("optional", augmented(2), { result: { task } })],
    ["a call that the tool permits", supporting("optional", plain, { result: { content: [] } })],
    ["a call of a tool whose tasks are not known", withTasks(augmented(2))],
    [
      "a task that is listed, completes and stays",
      [
        ...exchange("tasks/get", { ...task, status: "completed" }),
        c({ id: 4, method: "tasks/list" }),
        s({ id: 4, result: { tasks: [{ ...task, status: "completed" }] } }),
      ],
    ],
    ["a cancelled task", exchange("tasks/cancel", { ...task, status: "cancelled" })],
    ["progress of a task", [...exchange("tasks/get", task, token), related(1), related(2)]],
    ["progress that crosses a cancellation", [...inFlight, progress(1)]],
    [
      "progress of a request that has the token of a cancelled one",
      [
        ...inFlight,
        c({ id: 4, method: "tools/call", params: { name: "add", ...token } }, late),
        s(
          { method: "notifications/progress", params: { progressToken: "p", progress: 1 } },
          { t: 9_001 },
        ),
      ],
    ],
    ["progress of a call", calledWith(progress(1), progress(2))],
    ["a change that crosses the end of a subscription", [...subscription, cancelled("l"), change]],
    [
      "the cancellation of a task where the server has none",
      [...opened({ server: { tools: {} } }), plain, cancelled(2)],
    ],
    ["a form with a compass", form("compass", { type: "string", title: "Keyboard" })],
    ["a visit that is accepted", [...visit, c({ id: "e", result: { action: "accept" } })]],
    ["a batch of responses", batched()],
  ])("%s", async (_, sent) => {
    const found = await shortFindings(sent);
    expect(found.filter((one) => !one.startsWith("request-unanswered"))).toEqual([]);
  });
});
