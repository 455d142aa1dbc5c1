import { decodeHeaderValue, META, paramHeadersOf, type Revision } from "@mcp-codegen/runtime";
import type { TapeHttp } from "../tape/index.js";
import { member, remember } from "./conversation.js";
import type { Scope } from "./scope.js";
import { isMarked } from "./values.js";

/** Checks the HTTP around a message. */
export function judgeHttp(scope: Scope, message: unknown): void {
  const { http } = scope.line;
  if (http === undefined) return;
  if (scope.from === "client") judgePost(scope, http, message);
  else judgeResponse(scope, http, message);
}

/** Checks HTTP without a message: GET and DELETE, and responses without a body. */
export function judgeEvent(scope: Scope): void {
  const { http, event } = scope.line;
  if (http === undefined) return;
  if (event === "request" && scope.from === "client") {
    judgeSession(scope, http, false);
    if (http.method === "GET" && http.headers) judgeAccept(scope, http.headers, [EVENTS]);
  }
  if (event === "response" && scope.from === "server") judgeResponse(scope, http, undefined);
}

function judgePost(scope: Scope, http: TapeHttp, message: unknown): void {
  const { headers, exchange } = http;
  const messages = Array.isArray(message) ? message : [message];
  const isRequest = messages.some(
    (one) => member(one, "method") !== undefined && member(one, "id") !== undefined,
  );
  if (exchange !== undefined) {
    remember(scope.conversation.exchanges, exchange, { isRequest, revision: scope.revision });
  }
  if (headers === undefined || (http.method !== undefined && http.method !== "POST")) return;
  judgeAccept(scope, headers, [JSON_TYPE, EVENTS]);
  const { "content-type": type } = headers;
  if (type !== undefined && !type.toLowerCase().startsWith(JSON_TYPE)) {
    scope.report("http-body-type", header("content-type"), JSON_TYPE, type);
  }
  const opens = messages.some((one) => isOpening(scope.revision, member(one, "method")));
  judgeSession(scope, http, opens);
  judgeVersionHeader(scope, headers, message, opens);
  if (scope.revision.conventions.methodHeaders && isRequest)
    judgeMethodHeaders(scope, headers, message);
}

const JSON_TYPE = "application/json";
const EVENTS = "text/event-stream";

/** Reports the first type that a request should accept and does not. */
function judgeAccept(
  scope: Scope,
  { accept = "" }: Readonly<Record<string, string>>,
  types: readonly string[],
): void {
  const missing = accept.includes("*/*") ? undefined : types.find((type) => !accept.includes(type));
  if (missing !== undefined) scope.report("http-accept", header("accept"), missing, accept);
}

function isOpening({ methods }: Revision, method: unknown): boolean {
  return typeof method === "string" && methods.get(method)?.role === "initialize";
}

/** Checks that a request has the id of its session, while the session exists. */
function judgeSession(scope: Scope, { headers }: TapeHttp, opens: boolean): void {
  const { session } = scope.conversation;
  if (session === undefined || opens || headers === undefined) return;
  const { [SESSION]: id } = headers;
  if (id === undefined) {
    scope.report("http-session", header(SESSION), session.id, undefined);
  } else if (id !== session.id) {
    scope.report("http-session", header(SESSION), session.id, isMarked(id) ? "another id" : id);
  } else if (session.isOver) {
    scope.report(
      "http-session",
      header(SESSION),
      "a new session, because this one was not found",
      "the same id",
    );
  }
}

function judgeVersionHeader(
  scope: Scope,
  headers: Readonly<Record<string, string>>,
  message: unknown,
  opens: boolean,
): void {
  if (opens || scope.forced !== undefined) return;
  const { revision, conversation } = scope;
  const named = member(member(member(message, "params"), "_meta"), META.revision);
  const isStateless = revision.traits.lifecycle === "discover";
  const expected = isStateless ? named : conversation.revision?.id;
  if (typeof expected !== "string") return;
  const { [VERSION]: received } = headers;
  if (received === expected) return;
  scope.report("http-version", header(VERSION), expected, received);
}

function judgeMethodHeaders(
  scope: Scope,
  headers: Readonly<Record<string, string>>,
  message: unknown,
): void {
  const method = member(message, "method");
  const params = member(message, "params");
  if (typeof method !== "string") return;
  if (headers[METHOD] !== method) {
    scope.report("http-method", header(METHOD), method, headers[METHOD]);
  }
  const row = scope.revision.methods.get(method);
  const name = row?.nameHeader === undefined ? undefined : member(params, row.nameHeader);
  if (typeof name === "string" && !isMarked(name)) {
    const { [NAME]: field } = headers;
    const value = field === undefined ? undefined : decodeHeaderValue(field);
    if (value !== name) scope.report("http-method", header(NAME), name, field);
  }
  if (row?.paramHeaders === undefined || typeof name !== "string") return;
  judgeParamHeaders(
    scope,
    headers,
    scope.conversation.tools.get(name)?.inputSchema,
    member(params, "arguments"),
  );
}

function judgeParamHeaders(
  scope: Scope,
  headers: Readonly<Record<string, string>>,
  schema: unknown,
  values: unknown,
): void {
  let annotated: ReturnType<typeof paramHeadersOf>;
  try {
    annotated = paramHeadersOf(schema);
  } catch {
    return;
  }
  for (const { field, path } of annotated) {
    const value = path.reduce<unknown>((inner, name) => member(inner, name), values);
    const { [field]: sent } = headers;
    if (isMarked(value) || isMarked(sent)) continue;
    const expected = value === undefined || value === null ? undefined : String(value);
    const received = sent === undefined ? undefined : decodeHeaderValue(sent);
    const isSame =
      received === expected || (typeof value === "number" && Number(received) === value);
    if (!isSame) scope.report("http-param", header(field), expected ?? "no header", sent);
  }
}

function judgeResponse(scope: Scope, http: TapeHttp, message: unknown): void {
  const { conversation } = scope;
  const { status, headers = {}, exchange, stream } = http;
  const assigned = headers[SESSION];
  const version = member(member(message, "result"), "protocolVersion");
  if (assigned !== undefined && version !== undefined)
    conversation.session = { id: assigned, isOver: false };
  if (exchange === undefined || status === undefined) return;
  const sent = conversation.exchanges.get(exchange);
  if (status === 404 && conversation.session !== undefined) conversation.session.isOver = true;
  if (sent === undefined || stream === true) return;
  conversation.exchanges.delete(exchange);
  scope.revision = scope.forced ?? sent.revision;
  if (!sent.isRequest) {
    if (status >= 200 && status < 300 && status !== 202) {
      scope.report("http-status", "/http/status", "202", status);
    }
    return;
  }
  const type = headers["content-type"];
  if (
    status === 200 &&
    type !== undefined &&
    !/^(?:application\/json|text\/event-stream)\b/i.test(type)
  ) {
    scope.report(
      "http-content-type",
      header("content-type"),
      "application/json or text/event-stream",
      type,
    );
  }
  judgeErrorStatus(scope, status, message);
}

/** Checks the status that the revision assigns to an error code. */
function judgeErrorStatus(scope: Scope, status: number, message: unknown): void {
  const code = member(member(message, "error"), "code");
  const { errorCodes, conventions } = scope.revision;
  const [name] = Object.entries(errorCodes).find(([, one]) => one === code) ?? [];
  const expected = name === undefined ? undefined : conventions.errorStatuses[name];
  if (expected !== undefined && status !== expected) {
    scope.report("http-status", "/http/status", String(expected), status);
  }
}

const SESSION = "mcp-session-id";
const VERSION = "mcp-protocol-version";
const METHOD = "mcp-method";
const NAME = "mcp-name";

/** Pointer to a header field of a line. */
function header(name: string): string {
  return `/http/headers/${name}`;
}
