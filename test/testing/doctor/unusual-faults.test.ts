import { describe, expect, it } from "vitest";
import { findingsOf, type Transport } from "./support/examine-full.js";

/** Faults that only unusual requests reveal: name, transport, revision, and the only finding. */
const faults: readonly (readonly [string, Transport, string, string])[] = [
  // Opening
  ["capabilities-required", "stdio", "2025-11-25", "opening-answered /error"],
  ["opening-id-number", "http", "2025-11-25", "id-accepted /error"],
  ["info-strict", "stdio", "2025-06-18", "members-tolerated /error"],
  ["dies-of-refused-roots", "stdio", "2025-11-25", "server-ended"],
  // Names
  ["tools-inherited", "stdio", "2025-11-25", "tool-unknown /error"],
  ["prompts-inherited", "http", "2026-07-28", "prompt-unknown /error"],
  // Requests
  ["meta-required-in-calls", "stdio", "2025-11-25", "tool-failure /error"],
  ["params-are-pages", "stdio", "2025-03-26", "members-tolerated /error"],
  ["ids-once", "stdio", "2026-07-28", "id-accepted /error"],
  ["letters-cut", "stdio", "2025-11-25", "response-unknown /id"],
  ["lines-of-64k", "stdio", "2025-11-25", "request-silent"],
  ["templates-without-uri", "stdio", "2025-11-25", "result-shape /result/contents/0"],
  ["context-refused", "stdio", "2025-06-18", "completion-unserved /error"],
  ["updates-silent", "stdio", "2025-11-25", "change-announced"],
  ["form-unchecked", "stdio", "2025-11-25", "answers-unchecked /result"],
  // Values
  ["icon-size-words", "stdio", "2025-11-25", "content-format /result/tools/0/icons/0/sizes/0"],
  ["icon-of-server", "stdio", "2025-11-25", "icon-address /result/serverInfo/icons/0/src"],
  ["trace-malformed", "stdio", "2026-07-28", "content-format /result/_meta/traceparent"],
  // HTTP
  ["session-alone", "http", "2025-11-25", "http-unusable /http/status"],
  ["session-deletes-all", "http", "2025-06-18", "http-delete /http/status"],
  ["session-ids-new", "http", "2025-11-25", "http-session-assigned /http/headers/mcp-session-id"],
  ["ids-of-all-sessions", "http", "2025-11-25", "http-unusable"],
  ["get-without-session", "http", "2025-11-25", "http-session-missing /http/status"],
  ["event-cut", "http", "2025-11-25", "http-unusable"],
  ["integers-as-text", "http", "2026-07-28", "http-header-forms /http/status"],
  // Messages that were not expected
  ["dies-of-roots-change", "stdio", "2025-11-25", "server-ended"],
  ["dies-of-progress", "stdio", "2024-11-05", "server-ended"],
  ["dies-of-response", "stdio", "2025-11-25", "server-ended"],
];

const options = { concurrent: true, timeout: 60_000 };

describe("doctor of servers with faults that only unusual requests reveal", options, () => {
  it.each(faults)("finds %s over %s at %s, and nothing else", async (...fault) => {
    const [name, transport, revision, found] = fault;
    expect(await findingsOf(transport, name, revision)).toEqual([found]);
  });

  it.each<[string, Transport, string]>([
    ["none", "stdio", "2025-11-25"],
    ["none", "stdio", "2026-07-28"],
    ["none", "http", "2025-11-25"],
    ["none", "http", "2026-07-28"],
    ["none", "sse", "2024-11-05"],
    ["updates", "stdio", "2025-11-25"],
    ["form-checked", "stdio", "2025-11-25"],
    ["elicitation-required", "stdio", "2026-07-28"],
  ])("finds nothing in a server with %s over %s at %s", async (name, transport, revision) => {
    expect(await findingsOf(transport, name, revision)).toEqual([]);
  });
});
