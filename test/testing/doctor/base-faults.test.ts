import { describe, expect, it } from "vitest";
import { findingsOf, type Transport } from "./support/examine-full.js";

const STATUS = "/http/status";

/** Faults of the base protocol and its transports: name, transport, revision, and the only finding. */
const faults: readonly (readonly [string, Transport, string, string])[] = [
  // Opening
  ["ping-early", "stdio", "2025-11-25", "ping-answered /error"],
  ["ping-early", "http", "2025-03-26", "ping-answered /error"],
  ["version-oldest", "stdio", "2025-11-25", "version-latest /result/protocolVersion"],
  ["version-stateless", "stdio", "2025-11-25", "version-unknown /result/protocolVersion"],
  ["version-of-discovery-only", "http", "2026-07-28", "version-unknown"],
  ["discovery-missing", "stdio", "2025-11-25, 2026-07-28", "opening-answered /error"],
  ["capability-unknown", "stdio", "2025-11-25", "members-tolerated /error"],
  ["meta-unknown", "stdio", "2024-11-05", "members-tolerated /error"],
  ["meta-unknown", "http", "2026-07-28", "members-tolerated /error"],
  [
    "server-unnamed",
    "stdio",
    "2026-07-28",
    "server-named /result/_meta/io.modelcontextprotocol~1serverInfo",
  ],
  // Ids, batches
  ["ids-negative-refused", "stdio", "2025-06-18", "id-accepted /error"],
  ["ids-strings-nameless", "stdio", "2025-06-18", "id-accepted /error"],
  ["ids-32-bits", "stdio", "2025-11-25", "response-repeated /id"],
  ["ids-latin-1", "sse", "2024-11-05", "response-unknown /id"],
  ["batch-errors-dropped", "http", "2025-03-26", "batch-answered"],
  ["batch-ends-at-error", "http", "2025-03-26", "batch-answered"],
  ["batch-later", "stdio", "2025-11-25", "message-batch"],
  ["batch-later", "http", "2025-06-18", "message-batch"],
  ["cancellation-without-request", "stdio", "2025-11-25", "cancel-tolerated"],
  // Stateless
  ["discovery-first", "stdio", "2026-07-28", "list-varies /error"],
  [
    "capabilities-remembered",
    "stdio",
    "2026-07-28",
    "capability-undeclared /result/inputRequests/name/method",
  ],
  ["level-served", "http", "2026-07-28", "method-refused /result"],
  // HTTP
  ["origin-null", "http", "2026-07-28", `http-origin ${STATUS}`],
  ["origin-of-localhost", "http", "2025-11-25", `http-origin ${STATUS}`],
  ["origin-of-opening", "http", "2025-11-25", `http-origin ${STATUS}`],
  ["delete-any-origin", "http", "2025-03-26", `http-origin ${STATUS}`],
  ["get-origin-400", "http", "2025-11-25", `http-origin ${STATUS}`],
  ["get-any-version", "http", "2025-06-18", `http-version-refused ${STATUS}`],
  ["get-any-session", "http", "2025-11-25", `http-session-unknown ${STATUS}`],
  ["session-missing-404", "http", "2025-11-25", `http-session-missing ${STATUS}`],
  ["accepted-error", "http", "2025-11-25", "http-status"],
  ["accepts-anything", "http", "2025-11-25", `http-body-invalid ${STATUS}`],
  ["version-header-optional", "http", "2025-11-25, 2026-07-28", `http-mismatch ${STATUS}`],
  ["session-refused", "http", "2026-07-28", `http-last-event ${STATUS}`],
  ["mismatch-without-id", "http", "2026-07-28", "error-id /id"],
  ["names-latin-1", "http", "2026-07-28", `http-encoded ${STATUS}`],
  ["params-undecoded", "http", "2026-07-28", `http-encoded ${STATUS}`],
  ["polls-without-retry", "http", "2025-11-25", "http-retry"],
  ["get-polls-without-retry", "http", "2025-11-25", "http-retry"],
  ["progress-broadcast", "http", "2025-11-25", "http-stream /method"],
  ["stream-latin-1", "http", "2025-11-25", "output-encoding"],
  ["stream-ends-session", "http", "2025-11-25", `http-get ${STATUS}`],
  // HTTP+SSE
  ["sse-elsewhere", "sse", "2024-11-05", "sse-endpoint /http/event/data"],
  ["sse-broadcast", "sse", "2024-11-05", "sse-endpoint /http/event/data"],
];

describe.concurrent("doctor of servers with faults of the base protocol", () => {
  it.each(faults)("finds %s over %s at %s, and nothing else", async (...fault) => {
    const [name, transport, revision, found] = fault;
    expect(await findingsOf(transport, name, revision)).toEqual([found]);
  });

  // On a busy machine, the chunk that the server drops may contain a cancellation together with the request after it.
  it("finds a server that handles each chunk as one message", async () => {
    const found = await findingsOf("stdio", "chunked", "2025-11-25");
    const possible = ["request-silent", "cancel-tolerated", "opening-answered"];
    expect(possible).toEqual(expect.arrayContaining([...found]));
    expect(found).not.toEqual([]);
  });

  it.each(["polls", "get-polls"])("finds nothing in a server that %s", async (name) => {
    expect(await findingsOf("http", name, "2025-11-25")).toEqual([]);
  });
});
