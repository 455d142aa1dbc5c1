import { describe, expect, it } from "vitest";
import { findingsOf, type Transport } from "./support/examine-full.js";

const MODE = "/result/inputRequests/name/params/mode";
const METHOD = "/result/inputRequests/name/method";
const RELATED = "/params/_meta/io.modelcontextprotocol~1related-task";

/** Faults of what belongs to several requests: name, transport, revision, and the only finding. */
const faults: readonly (readonly [string, Transport, string, string])[] = [
  // Rounds
  ["round-again-cached", "stdio", "2026-07-28", "round-members /result/ttlMs"],
  ["mode-of-others", "http", "2026-07-28", `capability-undeclared ${MODE}`],
  ["forms-for-visitors", "stdio", "2026-07-28", `capability-undeclared ${MODE}`],
  ["capabilities-remembered", "stdio", "2026-07-28", `capability-undeclared ${METHOD}`],
  ["capability-invalid", "http", "2026-07-28", "capability-required /error"],
  ["state-trusted", "stdio", "2026-07-28", "state-changed /result"],
  ["answers-must-be-whole", "stdio", "2026-07-28", "answers-missing /error"],
  ["answers-must-be-known", "http", "2026-07-28", "answers-missing /error"],
  // Answers
  ["breaks-on-cancel", "stdio", "2025-06-18", "tool-failure /error"],
  ["silent-on-decline", "stdio", "2025-11-25", "request-silent"],
  ["accepts-nothing", "http", "2025-11-25", "result-shape /result/content/0/text"],
  ["tools-for-all", "http", "2025-11-25", "capability-undeclared /params/tools"],
  ["logs-unasked", "http", "2026-07-28", "log-unrequested /params/level"],
  // Subscriptions
  ["notifies-all", "stdio", "2026-07-28", "subscription-topic /method"],
  ["notifies-all", "http", "2026-07-28", "subscription-topic /method"],
  ["pushes-all", "stdio", "2026-07-28", "subscription-topic /method"],
  ["pushes-all", "http", "2026-07-28", "subscription-topic /method"],
  ["updates-others", "http", "2026-07-28", "subscription-topic /params/uri"],
  // Tasks of sessions
  ["task-ids-counted", "stdio", "2025-11-25", "task-guessable /result/task/taskId"],
  ["task-id-same", "stdio", "2025-11-25", "task-state /result/task/taskId"],
  ["task-progress-unrelated", "stdio", "2025-11-25", `task-related ${RELATED}`],
  [
    "task-structured-invalid",
    "stdio",
    "2025-11-25",
    "structured-invalid /result/structuredContent/text",
  ],
  ["task-asks-unrelated", "http", "2025-11-25", `task-related ${RELATED}`],
  ["task-result-early", "stdio", "2025-11-25", "task-early /result"],
  ["task-result-refused", "http", "2025-11-25", "task-early /error"],
  ["task-uncancelled", "stdio", "2025-11-25", "task-uncancelled /error"],
  ["task-cancelled-later", "stdio", "2025-11-25", "task-state /result/status"],
  ["task-revives", "stdio", "2025-11-25", "task-state /result/status"],
  ["task-result-internal", "stdio", "2025-11-25", "task-unknown /error"],
  ["task-cursor-any", "stdio", "2025-11-25", "task-unknown /result"],
  ["task-forbidden-served", "stdio", "2025-11-25", "task-forbidden /result"],
  ["task-not-ignored", "stdio", "2025-11-25", "task-ignored /error"],
  // Tasks of the extension
  ["extension-task-undeclared", "stdio", "2026-07-28", "capability-undeclared /result/resultType"],
  ["extension-task-nested", "http", "2026-07-28", "result-shape /result/taskId"],
  ["extension-task-late", "stdio", "2026-07-28", "task-extension /error"],
  ["extension-task-without-result", "stdio", "2026-07-28", "result-shape /result/result"],
  ["extension-key-same", "stdio", "2026-07-28", "task-extension /result/inputRequests/input"],
  ["extension-listens-undeclared", "http", "2026-07-28", "task-extension"],
  ["extension-pushes-undated", "stdio", "2026-07-28", "params-shape /params/lastUpdatedAt"],
  ["extension-pushes-others", "http", "2026-07-28", "subscription-topic /params/taskId"],
  ["extension-task-cancel-content", "stdio", "2026-07-28", "task-extension /result"],
];

describe.concurrent("doctor of servers with faulty rounds, subscriptions and tasks", () => {
  it.each(faults)("finds %s over %s at %s, and nothing else", async (...fault) => {
    const [name, transport, revision, found] = fault;
    expect(await findingsOf(transport, name, revision)).toEqual([found]);
  });

  it.each<[string, Transport, string]>([
    ["guarded", "stdio", "2026-07-28"],
    ["guarded", "http", "2026-07-28"],
    ["notifies", "http", "2026-07-28"],
    ["pushes", "stdio", "2026-07-28"],
    ["pushes", "http", "2026-07-28"],
    ["slow-tasks", "stdio", "2025-11-25"],
    ["slow-tasks", "http", "2025-11-25"],
    ["task-structured", "stdio", "2025-11-25"],
    ["task-asks", "http", "2025-11-25"],
    ["extension-inputs", "stdio", "2026-07-28"],
    ["extension-tasks", "stdio", "2026-07-28"],
    ["extension-tasks", "http", "2026-07-28"],
  ])("finds nothing in a server with %s over %s at %s", async (name, transport, revision) => {
    expect(await findingsOf(transport, name, revision)).toEqual([]);
  });
});
