import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Examination, examineServer } from "@mcp-codegen/testing/doctor";
import { revisions } from "@mcp-codegen/universal/revisions";
import { describe, expect, it } from "vitest";

const file = join(import.meta.dirname, "servers/full.mjs");

/** Faults of a server that serves everything: name, transport, revision, and the only finding. */
const faults: readonly (readonly [string, "stdio" | "http" | "sse", string, string])[] = [
  // Lists
  ["title-number", "stdio", "2025-11-25", "result-shape /result/tools/0/title"],
  ["description-null", "stdio", "2025-11-25", "result-shape /result/tools/0/description"],
  ["output-schema-array", "stdio", "2025-11-25", "result-shape /result/tools/0/outputSchema/type"],
  ["annotations-title", "stdio", "2025-11-25", "result-shape /result/tools/0/annotations/title"],
  ["task-support", "stdio", "2025-11-25", "result-shape /result/tools/0/execution/taskSupport"],
  ["icon-theme", "stdio", "2025-11-25", "result-shape /result/tools/0/icons/0/theme"],
  ["icon-sizes", "stdio", "2025-11-25", "result-shape /result/tools/0/icons/0/sizes"],
  ["meta-key", "stdio", "2025-11-25", "content-format /result/tools/0/_meta/a~1b~1c"],
  [
    "schema-minimum",
    "stdio",
    "2025-11-25",
    "schema-invalid /result/tools/0/inputSchema/properties/a/minimum",
  ],
  [
    "schema-enum",
    "stdio",
    "2025-11-25",
    "schema-invalid /result/tools/0/inputSchema/properties/a/enum",
  ],
  ["resource-without-name", "stdio", "2025-11-25", "result-shape /result/resources/0/name"],
  ["resource-uri-relative", "stdio", "2025-11-25", "uri-format /result/resources/0/uri"],
  [
    "resource-priority",
    "stdio",
    "2025-11-25",
    "result-shape /result/resources/0/annotations/priority",
  ],
  [
    "resource-modified",
    "stdio",
    "2025-11-25",
    "content-format /result/resources/0/annotations/lastModified",
  ],
  ["resource-mime", "stdio", "2025-11-25", "content-format /result/resources/0/mimeType"],
  ["resource-size", "stdio", "2025-11-25", "content-format /result/resources/0/size"],
  ["template-broken", "stdio", "2025-11-25", "uri-format /result/resourceTemplates/0/uriTemplate"],
  [
    "prompt-argument-name",
    "stdio",
    "2025-11-25",
    "result-shape /result/prompts/0/arguments/0/name",
  ],
  ["prompt-arguments-object", "stdio", "2025-11-25", "result-shape /result/prompts/0/arguments"],
  [
    "prompt-argument-twice",
    "stdio",
    "2025-11-25",
    "argument-repeated /result/prompts/0/arguments/1/name",
  ],
  ["cursor-same", "stdio", "2025-11-25", "cursor-repeated /result/nextCursor"],
  ["page-repeats", "stdio", "2025-11-25", "name-repeated /result/resources/0/uri"],
  ["scope-differs", "stdio", "2026-07-28", "cache-scope /result/cacheScope"],
  ["scope-unknown", "stdio", "2026-07-28", "result-shape /result/cacheScope"],
  ["ttl-text", "stdio", "2026-07-28", "result-shape /result/ttlMs"],
  ["list-grows", "stdio", "2026-07-28", "list-varies /result/tools"],
  ["list-error", "stdio", "2025-11-25", "list-unserved /error"],
  // Content
  ["audio-base64", "stdio", "2025-11-25", "content-format /result/content/0/data"],
  ["text-missing", "stdio", "2025-11-25", "result-shape /result/content/0/text"],
  ["image-mime", "stdio", "2025-11-25", "result-shape /result/content/0/mimeType"],
  ["link-uri", "stdio", "2025-11-25", "uri-format /result/content/0/uri"],
  ["blob-base64", "stdio", "2025-11-25", "content-format /result/contents/0/blob"],
  ["contents-both", "stdio", "2025-11-25", "content-format /result/contents/0"],
  ["contents-uri", "stdio", "2025-11-25", "resource-contents /result/contents/0/uri"],
  ["prompt-content-list", "stdio", "2025-11-25", "result-shape /result/messages/0/content"],
  ["prompt-role", "stdio", "2025-11-25", "result-shape /result/messages/0/role"],
  ["structured-text", "stdio", "2025-11-25", "structured-invalid /result/structuredContent/sum"],
  ["structured-missing", "stdio", "2025-11-25", "structured-missing /result/structuredContent"],
  ["completion-values", "stdio", "2025-11-25", "result-shape /result/completion/values/0"],
  ["completion-total", "stdio", "2025-11-25", "result-shape /result/completion/total"],
  ["completion-many", "stdio", "2025-11-25", "completion-count /result/completion/values"],
  // Errors
  ["unknown-method-invalid", "stdio", "2025-11-25", "method-refused /error"],
  ["unknown-method-served", "stdio", "2025-11-25", "method-refused /result"],
  ["unknown-tool-result", "stdio", "2025-11-25", "tool-invented /result"],
  ["unknown-resource-empty", "stdio", "2025-11-25", "resource-invented /result"],
  ["resource-code", "stdio", "2025-11-25", "resource-unknown /error"],
  ["prompt-code", "stdio", "2025-11-25", "prompt-unknown /error"],
  ["prompt-argument-ignored", "stdio", "2025-11-25", "prompt-arguments /result"],
  ["cursor-ignored", "stdio", "2025-11-25", "cursor-refused /result"],
  ["error-null-id", "stdio", "2025-11-25", "error-id /id"],
  ["error-without-id", "stdio", "2025-11-25", "error-id /id"],
  ["error-reserved", "stdio", "2026-07-28", "error-code /error/code"],
  ["error-message-missing", "stdio", "2025-11-25", "error-shape /error/message"],
  ["arguments-unchecked", "stdio", "2025-11-25", "arguments-unchecked /result"],
  ["level-unchecked", "stdio", "2025-11-25", "level-unknown /result"],
  ["level-refused", "stdio", "2025-11-25", "level-set /error"],
  ["url-elicitation", "stdio", "2025-11-25", "error-data /error/data/elicitations/0"],
  // Order, capabilities, notifications
  ["ping-content", "stdio", "2025-11-25", "result-shape /result"],
  ["subscribe-refused", "stdio", "2025-11-25", "resource-unsubscribable /error"],
  ["unsubscribe-unserved", "stdio", "2025-11-25", "capability-unserved /error/code"],
  ["completions-undeclared", "stdio", "2025-11-25", "capability-unlisted"],
  ["logging-undeclared", "stdio", "2025-11-25", "capability-unlisted"],
  ["roots-unasked", "stdio", "2025-11-25", "capability-undeclared /method"],
  ["list-changed-undeclared", "stdio", "2025-11-25", "capability-undeclared /method"],
  ["early-request", "stdio", "2025-11-25", "opening-early /method"],
  ["early-notification", "stdio", "2025-11-25", "opening-early /method"],
  ["progress-late", "stdio", "2025-11-25", "progress-late /params/progressToken"],
  ["progress-total", "stdio", "2025-11-25", "params-shape /params/total"],
  ["log-without-data", "stdio", "2025-11-25", "params-shape /params/data"],
  ["log-below", "stdio", "2025-11-25", "log-level /params/level"],
  ["answers-notification", "stdio", "2025-11-25", "notification-tolerated"],
  ["update-unsubscribed", "stdio", "2025-11-25", "update-unsubscribed /method"],
  ["form-nested", "stdio", "2025-11-25", "params-shape /params/requestedSchema/properties/a/type"],
  ["form-without-message", "stdio", "2025-11-25", "params-shape /params/message"],
  ["sampling-without-tokens", "stdio", "2025-11-25", "params-shape /params/maxTokens"],
  ["version-echoed", "stdio", "2025-11-25", "version-unknown /result/protocolVersion"],
  ["info-missing", "stdio", "2025-11-25", "result-shape /result/serverInfo"],
  ["instructions-list", "stdio", "2025-11-25", "result-shape /result/instructions"],
  [
    "subscribe-text",
    "stdio",
    "2025-11-25",
    "result-shape /result/capabilities/resources/subscribe",
  ],
  ["silent-ids", "stdio", "2025-11-25", "request-silent"],
  ["id-rounded", "stdio", "2025-11-25", "response-id-type /id"],
  ["meta-result", "stdio", "2025-11-25", "result-shape /result/_meta"],
  ["is-error-number", "stdio", "2025-11-25", "result-shape /result/isError"],
  // Stateless
  ["result-type-missing", "stdio", "2026-07-28", "result-shape /result/resultType"],
  ["meta-not-required", "stdio", "2026-07-28", "meta-required /result"],
  ["any-version", "stdio", "2026-07-28", "version-refused"],
  ["any-level", "stdio", "2026-07-28", "level-unknown /result"],
  ["ping-served", "stdio", "2026-07-28", "method-refused /result"],
  ["server-request", "stdio", "2026-07-28", "message-direction"],
  ["round-id", "stdio", "2026-07-28", "round-members /result/inputRequests/name/jsonrpc"],
  ["round-cache", "stdio", "2026-07-28", "round-members /result/ttlMs"],
  ["round-empty", "stdio", "2026-07-28", "result-shape /result"],
  ["round-method", "stdio", "2026-07-28", "result-shape /result/inputRequests/name/method"],
  ["round-state-number", "stdio", "2026-07-28", "result-shape /result/requestState"],
  ["unknown-kind", "stdio", "2026-07-28", "result-shape /result/resultType"],
  [
    "listen-without-id",
    "stdio",
    "2026-07-28",
    "subscription-id /params/_meta/io.modelcontextprotocol~1subscriptionId",
  ],
  [
    "listen-id-text",
    "stdio",
    "2026-07-28",
    "subscription-id /params/_meta/io.modelcontextprotocol~1subscriptionId",
  ],
  ["listen-silent", "stdio", "2026-07-28", "listen-acknowledged"],
  ["listen-early", "stdio", "2026-07-28", "subscription-topic /method"],
  ["listen-unserved", "stdio", "2026-07-28", "listen-acknowledged /error"],
  ["listen-refused", "stdio", "2026-07-28", "listen-acknowledged /error"],
  ["listen-more", "stdio", "2026-07-28", "params-shape /params/notifications/toolsListChanged"],
  ["log-unrequested", "stdio", "2026-07-28", "log-level"],
  ["versions-empty", "stdio", "2026-07-28", "version-unknown /result/supportedVersions"],
  ["supported-missing", "stdio", "2026-07-28", "error-data /error/data/supported"],
  ["cancel-sent", "stdio", "2025-11-25", "cancel-unknown /params/requestId"],
  [
    "list-changed-unlistened",
    "stdio",
    "2026-07-28",
    "subscription-id /params/_meta/io.modelcontextprotocol~1subscriptionId",
  ],
  // Standard streams
  ["byte-order-mark", "stdio", "2025-11-25", "output-framing"],
  ["carriage-return", "stdio", "2025-11-25", "output-framing"],
  ["empty-lines", "stdio", "2025-11-25", "output-framing"],
  ["several-lines", "stdio", "2025-11-25", "output-text"],
  ["latin-1", "stdio", "2025-11-25", "output-encoding"],
  ["batch-response", "stdio", "2025-11-25", "message-batch"],
  ["batch-ignored", "stdio", "2025-03-26", "batch-answered"],
  ["banner", "stdio", "2025-11-25", "output-text"],
  ["stays-alive", "stdio", "2025-11-25", "exit-on-end"],
  ["two-messages", "stdio", "2025-11-25", "output-text"],
  // HTTP
  ["any-origin", "http", "2025-11-25", "http-origin /http/status"],
  ["origin-400", "http", "2025-11-25", "http-origin /http/status"],
  ["any-host", "http", "2025-11-25", "http-host /http/status"],
  ["session-space", "http", "2025-11-25", "http-session-id /http/headers/mcp-session-id"],
  ["session-any", "http", "2025-11-25", "http-session-unknown /http/status"],
  ["session-unknown-400", "http", "2025-11-25", "http-session-unknown /http/status"],
  ["session-missing-served", "http", "2025-11-25", "http-session-missing /http/status"],
  ["session-kept", "http", "2025-11-25", "http-session-ended /http/status"],
  ["delete-500", "http", "2025-11-25", "http-delete /http/status"],
  ["get-200-text", "http", "2025-11-25", "http-get /http/status"],
  ["get-404", "http", "2025-11-25", "http-get /http/status"],
  ["version-any", "http", "2025-11-25", "http-version-refused /http/status"],
  ["version-500", "http", "2025-11-25", "http-version-refused /http/status"],
  ["accepted-200", "http", "2025-11-25", "http-status /http/status"],
  ["accepted-204", "http", "2025-11-25", "http-status /http/status"],
  ["accepted-body", "http", "2025-11-25", "output-text"],
  ["json-as-text", "http", "2025-11-25", "http-content-type /http/headers/content-type"],
  ["stream-as-json", "http", "2025-11-25", "output-text"],
  ["event-type", "http", "2025-11-25", "http-event /http/event/type"],
  ["event-ids-equal", "http", "2025-11-25", "http-event-id /http/event/id"],
  ["replays-all", "http", "2025-11-25", "http-resume"],
  ["stream-endless", "http", "2025-11-25", "http-stream-end"],
  ["bad-body-500", "http", "2025-11-25", "http-body-invalid /http/status"],
  ["bad-body-200", "http", "2025-11-25", "http-body-invalid /http/status"],
  ["stateless-get", "http", "2026-07-28", "http-method-refused /http/status"],
  ["session-minted", "http", "2026-07-28", "http-session-assigned /http/headers/mcp-session-id"],
  ["headers-any", "http", "2026-07-28", "http-mismatch /http/status"],
  ["mismatch-200", "http", "2026-07-28", "http-status /http/status"],
  ["method-any-case", "http", "2026-07-28", "http-mismatch /http/status"],
  ["method-optional", "http", "2026-07-28", "http-mismatch /http/status"],
  ["name-any", "http", "2026-07-28", "http-mismatch /http/status"],
  ["name-undecoded", "http", "2026-07-28", "http-encoded /http/status"],
  ["base64-lenient", "http", "2026-07-28", "http-mismatch /http/status"],
  ["params-any", "http", "2026-07-28", "http-mismatch /http/status"],
  ["get-response", "http", "2025-11-25", "response-repeated /id"],
  ["get-broadcast", "stdio", "2025-11-25", "response-repeated /id"],
  ["empty-200", "http", "2025-11-25", "http-unusable"],
  ["stream-without-response", "http", "2025-11-25", "http-unusable"],
  ["html", "http", "2025-11-25", "http-content-type /http/headers/content-type"],
  ["stream-broken-json", "http", "2025-11-25", "output-text"],
  ["request-500", "http", "2025-11-25", "http-unusable"],
  ["cors", "http", "2025-11-25", "http-cors /http/headers/access-control-allow-origin"],
  [
    "list-changed-on-request",
    "stdio",
    "2026-07-28",
    "subscription-id /params/_meta/io.modelcontextprotocol~1subscriptionId",
  ],
  // HTTP+SSE
  ["stream-any-origin", "sse", "2024-11-05", "http-origin /http/status"],
  ["stream-any-host", "sse", "2024-11-05", "http-host /http/status"],
  ["endpoint-elsewhere", "sse", "2024-11-05", "sse-endpoint /http/event/data"],
  ["stream-event-type", "sse", "2024-11-05", "http-event /http/event/type"],
  ["stream-refuses", "sse", "2024-11-05", "list-unserved /error"],
  ["stream-ends", "sse", "2024-11-05", "server-ended"],
  ["progress-late", "sse", "2024-11-05", "progress-late /params/progressToken"],
];

async function examine(
  transport: string,
  fault: string,
  revision: string,
  hints = false,
): Promise<Examination> {
  const more = revision === revisions[0]!.id && { region: "eu" };
  const options = {
    revisions: revisions.filter(({ id }) => id === revision),
    hints,
    timeout: 3_000,
    grace: 500,
    calls: [
      { tool: "echo", arguments: { text: "hello" } },
      { tool: "sum", arguments: { a: 1, b: 2, ...more } },
      { tool: "ask", arguments: {} },
    ],
  };
  if (transport === "stdio") {
    return examineServer({ command: [process.execPath, file, "stdio", fault] }, options);
  }
  const server = spawn(process.execPath, [file, transport, fault], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  try {
    const [url] = (await once(server.stdout, "data")) as [Buffer];
    return await examineServer({ url: new URL(url.toString().trim()) }, options);
  } finally {
    server.kill();
  }
}

async function findingsOf(...how: Parameters<typeof examine>): Promise<readonly string[]> {
  const { findings } = await examine(...how);
  return findings.map(({ id, pointer }) => `${id} ${pointer}`.trim());
}

describe.concurrent("doctor of a server that serves everything", () => {
  const ways = revisions.flatMap(({ id }) => [
    ["stdio", "none", id] as const,
    ["http", "none", id] as const,
    ["http", "streams", id] as const,
    ...(id === "2026-07-28" ? [] : [["sse", "none", id] as const]),
  ]);

  it.each(ways)("finds nothing over %s, not even a hint: %s at %s", async (...way) => {
    expect(await findingsOf(...way, true)).toEqual([]);
  });

  it.each(faults)(
    "finds %s over %s at %s, and nothing else",
    async (fault, how, revision, found) => {
      expect(await findingsOf(how, fault, revision)).toEqual([found]);
    },
  );

  it("gives a hint about a server that dies of a line that is not JSON", async () => {
    expect(await findingsOf("stdio", "dies-of-garbage", "2025-11-25", true)).toEqual([
      "garbage-tolerated",
    ]);
  });
});
