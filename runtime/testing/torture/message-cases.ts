import {
  errors,
  failed,
  ID,
  line,
  notAccepted,
  refused,
  request,
  responseCount,
  silent,
  type TortureCase,
} from "./torture-case.js";

/** Names that every JavaScript object has, and others that no server expects. */
const ODD_NAMES = [
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
  "",
  " ",
  "x".repeat(100_000),
];

const message = (value: object): string => line({ jsonrpc: "2.0", ...value });

export const MESSAGE_CASES: readonly TortureCase[] = [
  {
    id: "odd-ids",
    sentence: "Requests whose id is not a string or an integer are not answered with a result.",
    transport: "both",
    pieces: (context) =>
      ["null", "true", "[]", "{}", "1.5", "1e400"].map((id) =>
        line(request(context, "#")).replace('"#"', id),
      ),
    judge: refused,
  },
  {
    id: "zero-id",
    sentence: "The ids 0 and the empty text do not stop the server.",
    transport: "stdio",
    pieces: (context) => [line(request(context, 0)), line(request(context, ""))],
  },
  {
    id: "long-id",
    sentence: "An id of 1 MB is returned or refused.",
    transport: "both",
    pieces: (context) => [line(request(context, "x".repeat(1_000_000)))],
  },
  {
    id: "same-id",
    sentence: "Two requests of the same id do not stop the server.",
    transport: "stdio",
    pieces: (context) => [line(request(context)) + line(request(context))],
  },
  {
    id: "unknown-responses",
    sentence: "Responses to requests that were never sent are ignored.",
    transport: "stdio",
    pieces: () => [
      message({ id: 999_999, result: {} }),
      message({ id: "none", error: { code: 1, message: "no" } }),
      message({ id: 999_998, result: {}, error: { code: 1, message: "no" } }),
      message({ id: 999_997 }),
    ],
    judge: refused,
  },
  {
    id: "unknown-notifications",
    sentence: "10,000 unknown notifications are ignored.",
    transport: "stdio",
    pieces: () => [message({ method: "notifications/none", params: { a: 1 } }).repeat(10_000)],
    judge: silent,
  },
  {
    id: "progress-flood",
    sentence: "10,000 notifications of progress for no request are ignored.",
    transport: "stdio",
    pieces: () => [
      message({
        method: "notifications/progress",
        params: { progressToken: "none", progress: 1 },
      }).repeat(10_000),
    ],
    judge: silent,
  },
  {
    id: "odd-cancellations",
    sentence: "Cancellations of nothing are ignored.",
    transport: "stdio",
    pieces: () =>
      [{ requestId: 999_999 }, { requestId: null }, {}, undefined].map((params) =>
        message({ method: "notifications/cancelled", ...(params && { params }) }),
      ),
    judge: silent,
  },
  {
    id: "odd-methods",
    sentence: "Methods with odd names are refused.",
    transport: "both",
    pieces: ({ params }) => ODD_NAMES.map((method) => message({ id: ID, method, params })),
    judge: refused,
  },
  {
    id: "odd-tools",
    sentence: "Tools with odd names do not exist.",
    transport: "both",
    pieces: ({ params }) =>
      ODD_NAMES.map((name) =>
        message({ id: ID, method: "tools/call", params: { ...params, name, arguments: {} } }),
      ),
    judge: failed,
  },
  {
    id: "odd-params",
    sentence: "Parameters that are not objects are refused.",
    transport: "both",
    pieces: () =>
      ["text", [1], 7, true].map((params) => message({ id: ID, method: "tools/call", params })),
    judge: refused,
  },
  {
    id: "odd-arguments",
    sentence: "Arguments that are not objects are refused.",
    transport: "both",
    pieces: ({ params }) =>
      ["text", [1], 7].map((given) =>
        message({
          id: ID,
          method: "tools/call",
          params: { ...params, name: "none", arguments: given },
        }),
      ),
    judge: failed,
  },
  {
    id: "odd-cursors",
    sentence: "Odd cursors do not stop the server.",
    transport: "both",
    pieces: ({ params }) =>
      ["", "x".repeat(100_000), "../../etc/passwd", "\u0000", 7].map((cursor) =>
        message({ id: ID, method: "tools/list", params: { ...params, cursor } }),
      ),
  },
  {
    id: "odd-uris",
    sentence: "Odd URIs are refused, and show no file.",
    transport: "both",
    pieces: ({ params }) =>
      ["", "file:///etc/passwd", "file:///../../etc/passwd", "%00", "x".repeat(100_000)].map(
        (uri) => message({ id: ID, method: "resources/read", params: { ...params, uri } }),
      ),
    judge: (all) =>
      all.some(({ message: one }) => JSON.stringify(one ?? {}).includes("root:x:"))
        ? "it returned /etc/passwd"
        : undefined,
  },
  {
    id: "wrong-version-of-jsonrpc",
    sentence: "A message of another JSON-RPC is refused.",
    transport: "both",
    pieces: (context) => [line({ ...request(context), jsonrpc: "1.0" })],
    judge: errors(-32600, -32700),
  },
  {
    id: "crowd",
    sentence: "2,000 requests at the same time are all answered, with a result or a refusal.",
    transport: "stdio",
    pieces: ({ params }) => [
      Array.from({ length: 2_000 }, (_, index) =>
        message({ id: `torture-${index}`, method: "tools/list", params }),
      ).join(""),
    ],
    judge: responseCount(2_000),
  },
];

export const HTTP_CASES: readonly TortureCase[] = [
  ...["PUT", "PATCH", "TRACE", "PROPFIND"].map((httpMethod): TortureCase => ({
    id: `http-${httpMethod.toLowerCase()}`,
    sentence: `${httpMethod} is refused.`,
    transport: "http",
    httpMethod,
    pieces: () => [httpMethod === "TRACE" ? "" : "{}"],
    judge: (all) =>
      all.some(({ status = 0 }) => status > 0 && status < 400) ? "it was accepted" : undefined,
  })),
  {
    id: "http-long-session",
    sentence: "A session id of 10 kB is refused.",
    transport: "http",
    headers: { "mcp-session-id": "x".repeat(10_000) },
    pieces: ({ params }) => [line({ jsonrpc: "2.0", id: ID, method: "tools/list", params })],
  },
  {
    id: "http-odd-event-id",
    sentence: "An odd Last-Event-ID does not stop the server.",
    transport: "http",
    httpMethod: "GET",
    headers: { "last-event-id": "-1/../\u00e4".slice(0, 5), accept: "text/event-stream" },
    pieces: () => [""],
  },
  {
    id: "http-large-body",
    sentence: "A body of 64 MiB is refused.",
    transport: "http",
    pieces: () => [new Uint8Array(64 * 1024 * 1024).fill(32)],
    judge: notAccepted,
  },
  {
    id: "http-empty-body",
    sentence: "An empty body is refused.",
    transport: "http",
    pieces: () => [""],
    judge: notAccepted,
  },
  {
    id: "http-gzip",
    sentence: "A body with an unknown encoding is refused, or not decompressed.",
    transport: "http",
    headers: { "content-encoding": "gzip" },
    pieces: () => [Uint8Array.of(0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0)],
    judge: refused,
  },
];
