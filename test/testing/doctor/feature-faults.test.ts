import { describe, expect, it } from "vitest";
import { findingsOf, type Transport } from "./support/examine-full.js";

/** Faults of the features of a server that serves everything: name, transport, revision, and the only finding. */
const faults: readonly (readonly [string, Transport, string, string])[] = [
  // Lists
  ["list-grows-silently", "stdio", "2025-11-25", "change-announced"],
  ["list-grows-in-a-connection", "stdio", "2026-07-28", "list-varies /result/tools"],
  ["cursor-once", "stdio", "2025-11-25", "cursor-stable /error"],
  ["prompts-invalid", "stdio", "2026-07-28", "capability-refused /error"],
  ["completions-internal", "stdio", "2025-06-18", "capability-refused /error"],
  ["subscribe-content", "stdio", "2025-11-25", "resource-unsubscribable /result"],
  // Results
  ["prompt-in-rounds", "stdio", "2026-07-28", "result-shape /result/messages/0/role"],
  ["embedded-undeclared", "stdio", "2025-06-18", "resource-embedded /result/content/0/type"],
  [
    "embedded-untyped",
    "stdio",
    "2024-11-05",
    "resource-type /result/messages/0/content/resource/mimeType",
  ],
  ["structured-list-alone", "stdio", "2026-07-28", "structured-text /result/content"],
  ["completion-of-more", "stdio", "2025-03-26", "completion-more /result/completion/hasMore"],
  // Questions
  ["visit-insecure", "stdio", "2025-11-25", "visit-address /params/url"],
  // Capabilities
  [
    "extension-without-prefix",
    "http",
    "2026-07-28",
    "extension-id /result/capabilities/extensions/tasks",
  ],
];

describe.concurrent("doctor of servers with faulty features", () => {
  it.each(faults)("finds %s over %s at %s, and nothing else", async (...fault) => {
    const [name, transport, revision, found] = fault;
    expect(await findingsOf(transport, name, revision)).toEqual([found]);
  });

  it.each<[string, Transport, string]>([
    ["embedded-typed", "stdio", "2024-11-05"],
    ["structured-pretty", "stdio", "2025-06-18"],
    ["list-grows-announced", "stdio", "2025-11-25"],
    ["prompts-absent", "http", "2026-07-28"],
    ["completions-absent", "stdio", "2025-06-18"],
    ["visit-local", "stdio", "2025-11-25"],
    ["extensions", "http", "2026-07-28"],
  ])("finds nothing in a server with %s over %s at %s", async (name, transport, revision) => {
    expect(await findingsOf(transport, name, revision)).toEqual([]);
  });
});
