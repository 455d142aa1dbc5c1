import { describe, expect, it } from "vitest";
import { findingsOf, type Transport } from "./support/examine-full.js";

const META = "/result/_meta";

/** Faults against requirements, in their order: name, transport, revision, and the only finding. */
const faults: readonly (readonly [string, Transport, string, string])[] = [
  // Keys of _meta
  ["meta-reserved", "stdio", "2025-11-25", `meta-reserved ${META}/io.modelcontextprotocol~1cost`],
  ["meta-reserved", "http", "2026-07-28", `meta-reserved ${META}/io.modelcontextprotocol~1cost`],
  [
    "meta-reserved-before",
    "stdio",
    "2025-06-18",
    `meta-reserved ${META}/modelcontextprotocol.io~1cost`,
  ],
  ["meta-forward", "stdio", "2025-11-25", `meta-prefix ${META}/api.example.com~1cost`],
  ["trace-longer", "stdio", "2026-07-28", `content-format ${META}/traceparent`],
  ["trace-state", "stdio", "2026-07-28", `content-format ${META}/tracestate`],
  ["baggage", "stdio", "2026-07-28", `content-format ${META}/baggage`],
  // Schemas and forms
  [
    "header-secret",
    "stdio",
    "2026-07-28",
    "header-secret /result/tools/0/inputSchema/properties/apiKey",
  ],
  ["visit-with-token", "stdio", "2025-11-25", "visit-secret /params/url"],
  [
    "form-with-link",
    "stdio",
    "2025-11-25",
    "form-link /params/requestedSchema/properties/name/description",
  ],
  // Without sessions
  ["versions-optional", "stdio", "2025-11-25, 2026-07-28", "meta-required /result"],
  ["level-remembered", "stdio", "2026-07-28", "log-unrequested /params/level"],
  ["level-remembered", "http", "2026-07-28", "log-unrequested /params/level"],
  ["list-grows-by-reads", "stdio", "2026-07-28", "list-varies /result/tools"],
  ["state-unread", "stdio", "2026-07-28", "state-unprotected /result"],
  // HTTP
  ["version-of-sessions", "http", "2026-07-28", "http-mismatch /http/status"],
  ["name-any-case", "http", "2026-07-28", "http-mismatch /http/status"],
  ["delete-any-version", "http", "2025-06-18", "http-version-refused /http/status"],
  ["initialize-stateless", "http", "2026-07-28", "method-refused /http/status"],
  // Files and tasks
  ["files-outside", "stdio", "2025-11-25", "resource-outside /result/contents"],
  ["files-decoded", "http", "2026-07-28", "resource-outside /result/contents"],
  ["extension-ids-counted", "stdio", "2026-07-28", "task-guessable /result/taskId"],
  ["extension-name-any", "http", "2026-07-28", "http-mismatch /error"],
  // Arguments
  ["argument-of-any-type", "stdio", "2025-11-25", "arguments-unchecked /result"],
  // Errors
  ["resource-unnamed", "stdio", "2026-07-28", "resource-named /error/data/uri"],
];

describe.concurrent("doctor of servers with a fault against one requirement", () => {
  it.each(faults)("finds %s over %s at %s, and nothing else", async (...fault) => {
    const [name, transport, revision, found] = fault;
    expect(await findingsOf(transport, name, revision)).toEqual([found]);
  });

  it.each<[string, Transport, string]>([
    ["meta-own", "stdio", "2025-11-25"],
    ["traced", "stdio", "2026-07-28"],
    ["versions-required", "stdio", "2025-11-25, 2026-07-28"],
    ["files-inside", "stdio", "2025-11-25"],
    ["extension-tasks", "http", "2026-07-28"],
    ["header-plain", "stdio", "2026-07-28"],
    ["visit-with-state", "stdio", "2025-11-25"],
    ["form-without-link", "stdio", "2025-11-25"],
  ])("finds nothing in a server with %s over %s at %s", async (name, transport, revision) => {
    expect(await findingsOf(transport, name, revision)).toEqual([]);
  });
});
