import { describe, expect, it } from "vitest";
import { findingsOf, type Transport } from "./support/examine-full.js";

const SESSION_ID = "http-session-guessable /http/headers/mcp-session-id";

/** Faults of a server that serves everything: name, transport, revision, and the only finding. */
const faults: readonly (readonly [string, Transport, string, string])[] = [
  // Opening
  ["version-later", "stdio", "2025-11-25", "version-unknown /result/protocolVersion"],
  ["info-required", "stdio", "2026-07-28", "meta-optional /error"],
  ["info-required", "http", "2026-07-28", "meta-optional /error"],
  ["session-counted", "http", "2025-03-26", SESSION_ID],
  ["session-counted", "http", "2025-11-25", SESSION_ID],
  // Ids, errors
  ["answers-notification", "sse", "2024-11-05", "notification-answered"],
  ["argument-required", "stdio", "2025-03-26", "completion-argument /error"],
  ["argument-required", "http", "2026-07-28", "completion-argument /error"],
  ["name-required", "stdio", "2025-06-18", "prompt-unknown /error"],
  ["level-required", "stdio", "2025-11-25", "level-unknown /error"],
  ["meta-absent-served", "http", "2026-07-28", "meta-required /http/status"],
  ["base64-any-letters", "http", "2026-07-28", "http-mismatch /http/status"],
  ["base64-any-marker", "http", "2026-07-28", "http-mismatch /http/status"],
  ["batch-accepted", "http", "2025-03-26", "http-status /http/status"],
  ["ids-text-refused", "stdio", "2025-11-25", "id-accepted /error"],
  ["ids-zero-refused", "stdio", "2026-07-28", "id-accepted /error"],
  ["answers-cancelled", "stdio", "2025-11-25", "cancel-answered /id"],
  ["answers-cancelled-sum", "stdio", "2025-06-18", "cancel-answered /id"],
  ["answers-cancelled-sum", "http", "2025-11-25", "cancel-answered /id"],
  ["answers-interrupted", "stdio", "2025-06-18", "cancel-answered /id"],
  ["silent-after-cancellation", "stdio", "2025-11-25", "cancel-tolerated"],
  ["any-answer", "stdio", "2026-07-28", "answers-unchecked /result"],
  ["one-client", "stdio", "2026-07-28", "requests-interleaved"],
  ["tasks-as-capability", "stdio", "2026-07-28", "task-capability /result/capabilities/tasks"],
  ["tasks-without-check", "stdio", "2026-07-28", "task-extension /error"],
  ["buffered", "http", "2026-07-28", "http-buffering /http/headers/x-accel-buffering"],
  ["priming-object", "http", "2025-11-25", "http-priming /http/event/data"],
  ["get-json", "http", "2025-11-25", "http-get /http/status"],
  ["token-as-text", "stdio", "2025-11-25", "progress-unknown /params/progressToken"],
  [
    "listen-id-string",
    "stdio",
    "2026-07-28",
    "subscription-id /params/_meta/io.modelcontextprotocol~1subscriptionId",
  ],
  ["unprimed", "http", "2025-11-25", "http-priming /http/event/data"],
  ["resumes-posts", "http", "2026-07-28", "http-last-event /http/status"],
  ["initialize-unexplained", "stdio", "2026-07-28, 2025-11-25", "version-named /error"],
  ["batch-of-nothing", "stdio", "2025-03-26", "message-envelope"],
  ["batch-half", "http", "2025-03-26", "batch-answered"],
  ["any-tool", "stdio", "2025-06-18", "tool-invented /result"],
  ["error-code-fraction", "stdio", "2025-06-18", "error-shape /error/code"],
  ["templates-broken", "stdio", "2025-11-25", "list-unserved /error"],
  ["ping-null", "stdio", "2025-11-25", "result-shape /result"],
  ["missing-capability-bare", "stdio", "2026-07-28", "error-data /error/data/requiredCapabilities"],
  ["ping-with-content", "stdio", "2025-06-18", "ping-answered /result"],
  ["ping-id-null", "stdio", "2025-11-25", "message-envelope /id"],
  // Lists
  ["pages-without-end", "stdio", "2025-11-25", "list-endless /result/nextCursor"],
  [
    "template-twice",
    "stdio",
    "2025-11-25",
    "name-repeated /result/resourceTemplates/1/uriTemplate",
  ],
  [
    "schema-remote",
    "stdio",
    "2025-11-25",
    "schema-invalid /result/tools/0/inputSchema/properties/text/$ref",
  ],
  ["schema-cycle", "stdio", "2025-11-25", "schema-invalid /result/tools/0/inputSchema/$defs/a"],
  ["schema-dialect", "stdio", "2025-11-25", "schema-invalid /result/tools/0/inputSchema/$schema"],
  ["properties-list", "stdio", "2025-06-18", "result-shape /result/tools/0/inputSchema/properties"],
  // Results
  ["contents-object", "stdio", "2025-03-26", "result-shape /result/contents"],
  ["structured-list", "stdio", "2025-06-18", "result-shape /result/structuredContent"],
  ["structured-no-json", "stdio", "2025-06-18", "structured-text /result/content"],
  ["structured-other-text", "stdio", "2025-06-18", "structured-text /result/content"],
  ["discovery-of-others", "stdio", "2026-07-28", "version-refused /result/supportedVersions"],
  ["completion-values", "stdio", "2024-11-05", "result-shape /result/completion/values/0"],
  ["task-ignored", "stdio", "2025-11-25", "task-created /result"],
  ["task-lost", "stdio", "2025-11-25", "task-lost /error"],
  ["task-unlisted", "stdio", "2025-11-25", "task-unlisted /result/tasks"],
  ["task-ended-internal", "stdio", "2025-11-25", "task-ended /error"],
  ["arguments-required", "stdio", "2025-11-25", "tool-failure /error"],
  ["prompt-description", "stdio", "2024-11-05", "result-shape /result/description"],
  // Notifications and requests
  ["update-other", "stdio", "2025-11-25", "update-unsubscribed /method"],
  ["update-unsubscribed-again", "stdio", "2025-11-25", "update-unsubscribed /method"],
  ["request-id-null", "stdio", "2025-11-25", "message-envelope /id"],
  ["request-id-again", "stdio", "2025-11-25", "id-reused /id"],
  ["roots-params-number", "stdio", "2025-11-25", "params-shape /params"],
  ["url-without-id", "stdio", "2025-11-25", "params-shape /params/elicitationId"],
  ["method-misspelled", "stdio", "2025-11-25", "method-unknown /method"],
  ["visit-unknown", "stdio", "2025-11-25", "elicitation-unknown /params/elicitationId"],
  [
    "acknowledges-all",
    "stdio",
    "2026-07-28",
    "subscription-topic /params/notifications/promptsListChanged",
  ],
  [
    "acknowledges-undeclared",
    "stdio",
    "2026-07-28",
    "subscription-topic /params/notifications/promptsListChanged",
  ],
  // Processes
  ["goodbye", "stdio", "2025-11-25", "output-text"],
  ["ignores-sigterm", "stdio", "2025-11-25", "exit-on-signal"],
  ["dies-of-notification", "stdio", "2025-11-25", "server-ended"],
  ["dies-of-cancellation", "stdio", "2025-11-25", "cancel-tolerated"],
  // HTTP
  ["accept-order", "http", "2025-11-25", "http-header-forms /http/status"],
  ["type-with-charset", "http", "2025-11-25", "http-header-forms /http/status"],
  ["redirects", "http", "2025-11-25", "http-unusable"],
  ["gzip-unasked", "http", "2025-11-25", "output-text"],
  ["no-content", "http", "2025-11-25", "http-unusable"],
  ["accepted-request", "http", "2025-11-25", "http-status /http/status"],
  ["response-of-another", "http", "2025-11-25", "response-unknown /id"],
  ["on-two-streams", "http", "2025-11-25", "http-stream /method"],
  ["more-after-response", "http", "2025-11-25", "http-stream-end"],
  ["event-of-another-type", "http", "2025-11-25", "http-event /http/event/type"],
  ["event-with-a-text", "http", "2025-06-18", "http-event /http/event/type"],
  ["prompt-name-any", "http", "2026-07-28", "http-mismatch /http/status"],
  ["two-in-one-event", "http", "2025-11-25", "output-text"],
];

describe.concurrent("doctor of servers with faults that strangers have thought of", () => {
  it.each(faults)("finds %s over %s at %s, and nothing else", async (...fault) => {
    const [name, transport, revision, found] = fault;
    expect(await findingsOf(transport, name, revision)).toEqual([found]);
  });

  it.each<[string, string, Transport, string]>([
    ["of tasks", "tasks", "stdio", "2025-11-25"],
    ["whose calls end when they are cancelled", "interruptible", "stdio", "2025-06-18"],
    ["that opens another stream in place of a resumed one", "new-streams", "http", "2025-11-25"],
  ])("finds nothing in a server %s", async (_, name, transport, revision) => {
    expect(await findingsOf(transport, name, revision)).toEqual([]);
  });
});
