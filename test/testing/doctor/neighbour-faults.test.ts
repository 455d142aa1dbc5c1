import { describe, expect, it } from "vitest";
import { findingsOf, type Transport } from "./support/examine-full.js";

/** Faults in what runs at the same time, or follows an end: name, transport, revision, and the only finding. */
const faults: readonly (readonly [string, Transport, string, string])[] = [
  ["cancels-all", "stdio", "2025-06-18", "cancel-others"],
  ["cancels-as-text", "stdio", "2025-06-18", "cancel-others"],
  ["calls-in-order", "stdio", "2025-06-18", "ping-late"],
  ["closes-with-connection", "http", "2025-11-25", "http-resume /http/event/data"],
  ["resumes-with-others", "http", "2025-06-18", "http-resume /http/event/data"],
  [
    "listens-after-end",
    "stdio",
    "2026-07-28",
    "subscription-id /params/_meta/io.modelcontextprotocol~1subscriptionId",
  ],
  ["subscribes-after-end", "stdio", "2025-11-25", "update-unsubscribed /method"],
  ["subscriptions-pile-up", "stdio", "2025-11-25", "update-unsubscribed /method"],
  ["ends-all-subscriptions", "stdio", "2026-07-28", "change-announced"],
  [
    "clocked-after-end",
    "stdio",
    "2026-07-28",
    "subscription-id /params/_meta/io.modelcontextprotocol~1subscriptionId",
  ],
  [
    "brief-other-id",
    "http",
    "2026-07-28",
    "subscription-id /result/_meta/io.modelcontextprotocol~1subscriptionId",
  ],
  ["updates-on-two-streams", "http", "2025-11-25", "http-stream /method"],
  [
    "updates-on-latest",
    "http",
    "2026-07-28",
    "subscription-id /params/_meta/io.modelcontextprotocol~1subscriptionId",
  ],
  ["updates-for-all", "sse", "2024-11-05", "sse-endpoint /http/event/data"],
  ["progress-for-all", "sse", "2024-11-05", "sse-endpoint /http/event/data"],
  ["logs-on-subscriptions", "http", "2026-07-28", "http-stream /method"],
  ["dead-notifications", "http", "2025-03-26", "http-session-ended /http/status"],
  ["level-of-all-sessions", "http", "2025-11-25", "log-level /params/level"],
  ["client-of-all-sessions", "http", "2025-06-18", "session-mixed"],
  ["closes-all", "http", "2026-07-28", "cancel-others"],
  ["answers-by-id", "http", "2026-07-28", "requests-interleaved"],
  ["moves-closed", "http", "2026-07-28", "cancel-answered /http/event/data"],
  ["progress-on-latest", "http", "2026-07-28", "http-stream /params/progressToken"],
  ["task-result-once", "stdio", "2025-11-25", "task-lost /error"],
  ["names-unencoded", "http", "2026-07-28", "http-mismatch /http/status"],
  ["chunks-as-text", "http", "2025-06-18", "response-unknown /id"],
  ["params-of-first", "http", "2026-07-28", "http-mismatch /http/status"],
  ["template-without-contents", "stdio", "2026-07-28", "resource-invented /result"],
];

describe.concurrent("doctor of servers with faults beside others, or after an end", () => {
  it.each(faults)("finds %s over %s at %s, and nothing else", async (...fault) => {
    const [name, transport, revision, found] = fault;
    expect(await findingsOf(transport, name, revision)).toEqual([found]);
  });

  it.each<[string, Transport, string]>([
    ["calls-slowly", "stdio", "2025-06-18"],
    ["streams-slowly", "http", "2025-11-25"],
    ["roots-once", "http", "2025-11-25"],
    ["roots-sometimes", "http", "2025-11-25"],
    ["calls-slowly", "http", "2026-07-28"],
    ["brief", "stdio", "2026-07-28"],
    ["brief", "http", "2026-07-28"],
    ["clocked", "stdio", "2026-07-28"],
    ["watched", "sse", "2024-11-05"],
    ["changes-for-all", "sse", "2024-11-05"],
    ["updates-in-turn", "http", "2025-11-25"],
    ["watched", "http", "2025-06-18"],
    ["watched", "http", "2026-07-28"],
    ["watched", "stdio", "2025-11-25"],
    ["watched", "stdio", "2026-07-28"],
  ])("finds nothing in a server with %s over %s at %s", async (name, transport, revision) => {
    expect(await findingsOf(transport, name, revision)).toEqual([]);
  });
});
