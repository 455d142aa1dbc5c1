import { join } from "node:path";
import { examineClient } from "@mcp-codegen/testing/doctor";
import { describe, expect, it } from "vitest";

const file = join(import.meta.dirname, "clients/full.mjs");

/** Faults of a client: name, kind of conversation, transport, and the only finding. */
const faults: readonly (readonly [string, "stateless" | "session", "stdio" | "HTTP", string])[] = [
  [
    "meta-without-version",
    "stateless",
    "stdio",
    "request-meta /params/_meta/io.modelcontextprotocol~1protocolVersion",
  ],
  [
    "meta-without-capabilities",
    "stateless",
    "stdio",
    "request-meta /params/_meta/io.modelcontextprotocol~1clientCapabilities",
  ],
  [
    "capabilities-list",
    "stateless",
    "stdio",
    "params-shape /params/_meta/io.modelcontextprotocol~1clientCapabilities",
  ],
  [
    "info-without-version",
    "stateless",
    "stdio",
    "request-meta /params/_meta/io.modelcontextprotocol~1clientInfo/version",
  ],
  [
    "log-level",
    "stateless",
    "stdio",
    "params-shape /params/_meta/io.modelcontextprotocol~1logLevel",
  ],
  [
    "unnamed-calls",
    "stateless",
    "stdio",
    "client-named /params/_meta/io.modelcontextprotocol~1clientInfo",
  ],
  [
    "unnamed",
    "stateless",
    "stdio",
    "client-named /params/_meta/io.modelcontextprotocol~1clientInfo",
  ],
  ["skips-probe", "stateless", "stdio", "client-probe /method"],
  ["ids-together", "stateless", "stdio", "id-reused /id"],
  ["ids-together", "stateless", "HTTP", "id-reused /id"],
  ["ignores-unknown", "session", "HTTP", "client-silent"],
  ["roots-undeclared", "session", "HTTP", "client-undeclared /result"],
  ["error-as-text", "session", "HTTP", "error-shape /error"],
  ["state-changed", "stateless", "stdio", "round-state /params/requestState"],
  ["state-trimmed", "stateless", "stdio", "round-state /params/requestState"],
  ["state-of-first", "stateless", "HTTP", "round-state /params/requestState"],
  ["state-kept", "stateless", "stdio", "round-state /params/requestState"],
  ["answers-kept", "stateless", "stdio", "round-answers /params/inputResponses/form"],
  ["state-missing", "stateless", "HTTP", "round-state /params/requestState"],
  ["state-empty", "stateless", "stdio", "round-state /params/requestState"],
  ["state-alone-missing", "stateless", "stdio", "round-state /params/requestState"],
  ["answer-missing", "stateless", "stdio", "round-answers /params/inputResponses/form"],
  ["answer-more", "stateless", "HTTP", "round-answers /params/inputResponses/other"],
  ["answer-wrapped", "stateless", "stdio", "params-shape /params/inputResponses/form"],
  ["answer-number", "stateless", "stdio", "form-answer /params/inputResponses/form/content/text"],
  ["answers-ping", "stateless", "stdio", "message-direction"],
  ["cursor-changed", "stateless", "HTTP", "cursor-unknown /params/cursor"],
  ["one-page", "stateless", "stdio", "client-pages /params/cursor"],
  ["empty-is-end", "stateless", "stdio", "client-last-page /params/cursor"],
  ...["1", "2", "3", "4", "5", "6", "twice"].map(
    (which) =>
      [`calls-annotated-${which}`, "stateless", "HTTP", "header-tool /params/name"] as const,
  ),
  ["keeps-headers", "stateless", "HTTP", "http-param /http/headers/mcp-param-words"],
  ["padded-raw", "stateless", "HTTP", "http-param /http/headers/mcp-param-padded"],
  ["marked-raw", "stateless", "HTTP", "http-param /http/headers/mcp-param-marked"],
  ["name-raw", "stateless", "HTTP", "http-method /http/headers/mcp-name"],
  ["input-for-lists", "stateless", "stdio", "client-result-type /params/requestState"],
  ["moves-on", "stateless", "stdio", "client-timeout"],
  ["moves-on", "stateless", "HTTP", "client-timeout"],
  ["follows-references", "stateless", "stdio", "client-reference"],
  ["fetches-icons", "session", "HTTP", "client-icon"],
  ["takes-any-type", "stateless", "stdio", "client-result-type /params/cursor"],
  ["needs-types", "stateless", "stdio", "client-result-untyped /result/resultType"],
  ["never-repeats", "stateless", "stdio", "client-capability /params/inputResponses"],
  ["needs-mode", "stateless", "stdio", "client-capability /params/inputResponses"],
  ["answers-anything", "stateless", "stdio", "client-undeclared /params/inputResponses/visit"],
  ["falls-back-any", "stateless", "stdio", "client-fallback /method"],
  ["falls-back-by-get", "stateless", "HTTP", "client-fallback /http/method"],
  [
    "tasks-declared",
    "stateless",
    "stdio",
    "task-capability /params/_meta/io.modelcontextprotocol~1clientCapabilities/tasks",
  ],
  ["call-without-name", "stateless", "stdio", "params-shape /params/name"],
  ["falls-back", "stateless", "stdio", "client-fallback /method"],
  ["insists", "stateless", "stdio", "client-version"],
  ["initialized-sent", "stateless", "stdio", "method-unknown /method"],
  ["ping-sent", "stateless", "stdio", "method-unknown /method"],
  ["cancels-without-id", "stateless", "stdio", "params-shape /params/requestId"],
  ["accept-json", "stateless", "HTTP", "http-accept /http/headers/accept"],
  ["body-type", "stateless", "HTTP", "http-body-type /http/headers/content-type"],
  [
    "version-header-missing",
    "stateless",
    "HTTP",
    "http-version /http/headers/mcp-protocol-version",
  ],
  ["version-header-other", "session", "HTTP", "http-version /http/headers/mcp-protocol-version"],
  ["method-header-missing", "stateless", "HTTP", "http-method /http/headers/mcp-method"],
  ["method-header-case", "stateless", "HTTP", "http-method /http/headers/mcp-method"],
  ["name-header-missing", "stateless", "HTTP", "http-method /http/headers/mcp-name"],
  ["name-header-other", "stateless", "HTTP", "http-method /http/headers/mcp-name"],
  ["param-header-missing", "stateless", "HTTP", "http-param /http/headers/mcp-param-text"],
  ["param-header-other", "stateless", "HTTP", "http-param /http/headers/mcp-param-text"],
  ["param-nested-missing", "stateless", "HTTP", "http-param /http/headers/mcp-param-times"],
  ["param-boolean-other", "stateless", "HTTP", "http-param /http/headers/mcp-param-loud"],
  ["param-absent-sent", "stateless", "HTTP", "http-param /http/headers/mcp-param-absent"],
  ["never-refetches", "stateless", "HTTP", "client-refetch"],
  ["session-missing", "session", "HTTP", "http-session /http/headers/mcp-session-id"],
  [
    "version-with-bodies-only",
    "session",
    "HTTP",
    "http-version /http/headers/mcp-protocol-version",
  ],
  ["session-kept", "session", "HTTP", "client-session-lost"],
  ["reopens-and-goes-on", "session", "HTTP", "client-version"],
  ["reopens-with-id", "session", "HTTP", "http-session /http/headers/mcp-session-id"],
  ["reads-no-comments", "stateless", "HTTP", "client-media-type /http/headers/content-type"],
  ["reads-json-only", "session", "HTTP", "client-media-type /http/headers/content-type"],
  ["reads-json-only", "stateless", "HTTP", "client-media-type /http/headers/content-type"],
  ["leaves-at-events", "session", "HTTP", "client-media-type /http/headers/content-type"],
  ["insists-on-401", "session", "HTTP", "client-unauthorized"],
  ["reads-events-only", "session", "HTTP", "client-media-type /http/headers/content-type"],
  ["reads-one-line", "session", "HTTP", "client-media-type /http/headers/content-type"],
  ["reads-exact-types", "stateless", "HTTP", "client-media-type /http/headers/content-type"],
  ["ignores-pings-on-streams", "session", "HTTP", "client-ping"],
  ["never-resumes", "session", "HTTP", "client-resume"],
  ["restarts", "session", "HTTP", "client-resume"],
  ["resumes-from-first", "session", "HTTP", "client-resume /http/headers/last-event-id"],
  ["resumes-at-once", "session", "HTTP", "client-retry /http/headers/last-event-id"],
  ["get-accepts-json", "session", "HTTP", "http-accept /http/headers/accept"],
  ["get-accepts-any", "session", "HTTP", "http-accept-any /http/headers/accept"],
  ["token-in-query", "session", "HTTP", "client-token-query"],
  ["repeats-lost", "stateless", "HTTP", "id-reused /id"],
  ["never-deletes", "session", "HTTP", "client-delete"],
  ["leaves-late-without-delete", "session", "HTTP", "client-delete"],
  ["falls-back-to-sse-except-400", "session", "HTTP", "client-older-transport"],
  ["appends-endpoint", "session", "HTTP", "client-endpoint-used"],
];

async function findingsOf(fault: string, era: string, how: string): Promise<readonly string[]> {
  const command = [process.execPath, file, era, fault, ...(how === "HTTP" ? ["{url}"] : [])];
  const { findings } = await examineClient({ command }, { timeout: 3_000 });
  return findings.map(({ id, pointer }) => `${id} ${pointer}`.trim());
}

/** Examinations of clients over HTTP last 15 seconds, and wait for each other on a busy machine. */
const options = { concurrent: true, timeout: 60_000 };

describe("doctor of stateless clients, and of clients over HTTP", options, () => {
  it.each([
    ["stateless", "stdio"],
    ["stateless", "HTTP"],
    ["session", "stdio"],
    ["session", "HTTP"],
  ])("finds nothing in a %s client over %s without a fault", async (era, how) => {
    expect(await findingsOf("none", era, how)).toEqual([]);
  });

  it.each([
    ["none", []],
    ["trusts-endpoint", ["client-endpoint"]],
    ["drops-query", ["client-endpoint-used"]],
    ["answers-elsewhere", ["client-endpoint-used"]],
    ["appends-endpoint", ["client-endpoint-used"]],
    ["one-page", ["client-pages /params/cursor"]],
    ["ping-refused", ["capability-unserved /error/code"]],
    ["id-again", ["id-reused /id"]],
  ])("finds %s of a client over HTTP+SSE, and nothing else", async (fault, found) => {
    const command = [
      process.execPath,
      join(import.meta.dirname, "clients/sse.mjs"),
      "{url}",
      fault,
    ];
    const { findings } = await examineClient({ command }, { timeout: 3_000, hints: true });
    const named = findings.filter(({ id }) => id !== "client-list-changed");
    expect(named.map(({ id, pointer }) => `${id} ${pointer}`.trim())).toEqual(found);
  });

  it.each(["{url}", "{server}"])(
    "finds nothing in the client of this project at %s",
    async (word) => {
      const command = [process.execPath, join(import.meta.dirname, "clients/ours.mjs"), word];
      const { findings } = await examineClient({ command }, { timeout: 5_000, hints: true });
      expect(findings).toEqual([]);
    },
    120_000,
  );

  it.each([
    ["stays", []],
    ["never-deletes-when-stopped", ["client-delete"]],
  ])(
    "looks at a client that is stopped, and opens no stream with GET: %s",
    async (fault, found) => {
      expect(await findingsOf(fault, "session", "HTTP")).toEqual(found);
    },
    60_000,
  );

  it.each([
    ["repeats-lost-as-new", "stateless"],
    ["query-kept", "session"],
    ["discovers", "session"],
    ["leaves-late", "session"],
    ["skips-probe", "stateless"],
    ["cancels-and-moves-on", "stateless"],
  ])("finds nothing in %s of a %s client over HTTP", async (fault, era) => {
    expect(await findingsOf(fault, era, "HTTP")).toEqual([]);
  });

  it.each(["lists-first", "cancels-and-moves-on"])(
    "finds nothing in %s of a stateless client over stdio",
    async (fault) => {
      expect(await findingsOf(fault, "stateless", "stdio")).toEqual([]);
    },
  );

  it("waits for a client that opens a new session after a second", async () => {
    expect(await findingsOf("reopens-late", "session", "HTTP")).toEqual([]);
  });

  it.each(["none", "repeats-at-once"])("looks at the time of Retry-After: %s", async (fault) => {
    const command = [process.execPath, file, "session", fault, "{url}"];
    const { findings } = await examineClient({ command }, { timeout: 3_000, hints: true });
    const found = findings.filter(({ id }) => id === "client-retry-after");
    expect(found).toHaveLength(fault === "none" ? 0 : 1);
  });

  it.each(faults)("finds %s of a %s client over %s, and nothing else", async (...fault) => {
    const [name, era, how, found] = fault;
    expect(await findingsOf(name, era, how)).toEqual([found]);
  });
});
