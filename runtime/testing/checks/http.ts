import { decodeHeaderValue, META, paramHeadersOf } from "@mcp-codegen/runtime";
import { canonicalText, isMasked, type TapeHttp } from "../tape/index.js";
import { isStateless } from "./check.js";
import {
  type Conversation,
  type Exchange,
  isResponse,
  remember,
  otherEventOf,
} from "./conversation.js";
import type { Scope } from "./scope.js";
import { member, messagesIn } from "../tape/json-value.js";
import { roleOf } from "./roles.js";
import { keyOf } from "./ids.js";

export function judgeHttp(scope: Scope, message: unknown): void {
  const { http } = scope.line;
  if (http === undefined) return;
  if (scope.from === "client") judgePost(scope, http, message);
  else {
    judgeResponse(scope, http, message);
    if (http.stream === true) judgeStreamed(scope, http, message);
  }
}

export function judgeEvent(scope: Scope): void {
  const { http, event } = scope.line;
  if (http === undefined) return;
  if (event === "request" && scope.from === "client") {
    keepExchange(scope, http, undefined);
    judgeSession(scope, http, false);
    // A client that does not accept the server's version may end the session without sending this header.
    if (http.headers && scope.conversation.isInitialized)
      judgeVersionHeader(scope, http.headers, undefined, false);
    if (http.method === "GET" && http.headers) judgeAccept(scope, http.headers, [EVENTS]);
  }
  if (scope.from === "server") judgeResponse(scope, http, undefined);
}

function judgePost(scope: Scope, http: TapeHttp, message: unknown): void {
  const { headers } = http;
  const isWrong = isAtFault(scope);
  const messages = messagesIn(message);
  const isRequest = messages.some(isRequestMessage);
  keepExchange(scope, http, message);
  if (headers === undefined || (http.method !== undefined && http.method !== "POST")) return;
  judgeAccept(scope, headers, [JSON_TYPE, EVENTS]);
  const { "content-type": type } = headers;
  if (type !== undefined && !type.toLowerCase().startsWith(JSON_TYPE)) {
    scope.report("http-body-type", header("content-type"), JSON_TYPE, type);
  }
  const opens = messages.some((one) => roleOf(member(one, "method")) === "initialize");
  judgeSession(scope, http, opens);
  const sent = scope.conversation.exchanges.get(http.exchange!);
  const noting: Scope = {
    ...scope,
    report(...fault) {
      if (sent) sent.isFit = false;
      scope.report(...fault);
    },
  };
  const hasHeaders = scope.revision.conventions.methodHeaders && isRequest;
  if (sent) sent.isFit = hasHeaders && areKnown(scope, headers, message);
  judgeVersionHeader(noting, headers, message, opens);
  if (hasHeaders) judgeMethodHeaders(noting, headers, message);
  const { revision, sides } = scope.conversation;
  if (sent?.body !== "other" || Array.isArray(message) || revision === undefined) return;
  // The doctor records only the headers that the revision defines.
  const isFaulty = type === undefined ? isWrong : isAtFault(scope);
  sent.isFit = !isFaulty && sent.cancels.every((key) => sides.client.cancelled.has(key));
}

function isAtFault({ line, conversation }: Scope): boolean {
  return conversation.faulty === line.n;
}

/** True if it is certain which values a request's headers must have. */
function areKnown({ forced, revision, conversation }: Scope, headers: Headers, message: unknown) {
  const row = revision.methods.get(String(member(message, "method")));
  const name = String(member(member(message, "params"), "name"));
  // An extension may mirror members of its own methods.
  const isListed =
    row !== undefined && (row.paramHeaders === undefined || conversation.tools.has(name));
  const fields = Object.entries(headers);
  const isUsual = fields.every(([field, one]) => !field.startsWith(PARAM) || !isOtherForm(one));
  return forced === undefined && isListed && isUsual && !fields.some(([, one]) => isMasked(one));
}

const PARAM = "mcp-param-";

/** True if the number is not written in its JSON form, such as `42.0`. */
function isOtherForm(value: string): boolean {
  return /^-?\d/.test(value) && Number.isFinite(Number(value)) && String(Number(value)) !== value;
}

function isRequestMessage(message: unknown): boolean {
  return member(message, "method") !== undefined && member(message, "id") !== undefined;
}

function keepExchange(
  { conversation, revision }: Scope,
  { exchange, method, headers = {} }: TapeHttp,
  message: unknown,
): void {
  if (exchange === undefined) return;
  const messages = messagesIn(message);
  const requests = messages.filter(isRequestMessage).length;
  const { [LAST_EVENT]: last } = headers;
  remember(conversation.exchanges, exchange, {
    body: message === undefined ? "none" : requests > 0 ? "request" : "other",
    method,
    about: requests > 0 ? "a request" : messages.map((one) => nameOf(one, conversation)).join(", "),
    cancels: messages.flatMap((one) =>
      roleOf(member(one, "method")) === "cancelled"
        ? [keyOf(member(member(one, "params"), "requestId"))]
        : [],
    ),
    revision,
    resumes: last !== undefined,
    listens: messages.some((one) => roleOf(member(one, "method")) === "listen"),
    isFit: false,
    isAnswered: false,
    unanswered: requests,
  });
}

/** Describes a notification, or a response of the client. */
function nameOf(message: unknown, { sides }: Conversation): string {
  const method = member(message, "method");
  if (method !== undefined) return String(method);
  const id = member(message, "id");
  const { request } = sides.client.outcomes.findLast((one) => one.request.id === id) ?? {};
  const kind = member(message, "error") === undefined ? "response" : "error response";
  return `the ${kind} to ${request?.method ?? "no request"}`;
}

type Headers = Readonly<Record<string, string>>;

const JSON_TYPE = "application/json";
const EVENTS = "text/event-stream";

function judgeAccept(scope: Scope, { accept = "" }: Headers, types: readonly string[]): void {
  const missing = types.find((type) => !accept.includes(type));
  const id = accept.includes("*/*") ? "http-accept-any" : "http-accept";
  if (missing !== undefined) scope.report(id, header("accept"), missing, accept);
}

function judgeSession(scope: Scope, { headers }: TapeHttp, opens: boolean): void {
  const { session } = scope.conversation;
  if (session === undefined || headers === undefined) return;
  const { [SESSION]: id } = headers;
  if (opens) {
    if (session.isOver && id === session.id)
      scope.report("http-session", header(SESSION), "no session id, as a session begins", id);
    return;
  }
  if (id === undefined) {
    scope.report("http-session", header(SESSION), session.id, undefined);
  } else if (id !== session.id) {
    scope.report("http-session", header(SESSION), session.id, isMasked(id) ? "another id" : id);
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
  headers: Headers,
  message: unknown,
  opens: boolean,
): void {
  if (opens || scope.forced !== undefined) return;
  const { revision, conversation } = scope;
  const named = member(member(member(message, "params"), "_meta"), META.revision);
  const expected = isStateless(revision) ? named : conversation.revision?.id;
  if (typeof expected !== "string") return;
  const { [VERSION]: received } = headers;
  if (received === expected) return;
  scope.report("http-version", header(VERSION), expected, received);
}

function judgeMethodHeaders(scope: Scope, headers: Headers, message: unknown): void {
  const method = member(message, "method");
  const params = member(message, "params");
  if (typeof method !== "string") return;
  if (headers[METHOD] !== method) {
    scope.report("http-method", header(METHOD), method, headers[METHOD]);
  }
  const row = scope.revision.methods.get(method);
  const name = row?.nameHeader === undefined ? undefined : member(params, row.nameHeader);
  if (typeof name === "string" && !isMasked(name)) {
    const { [NAME]: field } = headers;
    const value = field === undefined ? undefined : decodeHeaderValue(field);
    if (value !== name) scope.report("http-method", header(NAME), name, field);
  }
  if (row?.paramHeaders === undefined || typeof name !== "string") return;
  const { inputSchema } = scope.conversation.tools.get(name) ?? {};
  judgeParamHeaders(scope, headers, inputSchema, { name, values: member(params, "arguments") });
}

function judgeParamHeaders(
  scope: Scope,
  headers: Headers,
  schema: unknown,
  { name, values }: { readonly name: string; readonly values: unknown },
): void {
  let annotated: ReturnType<typeof paramHeadersOf>;
  try {
    annotated = paramHeadersOf(schema);
  } catch {
    scope.report("header-tool", "/params/name", "a tool whose annotations are valid", name);
    return;
  }
  for (const { field, path } of annotated) {
    const value = path.reduce(member, values);
    const { [field]: sent } = headers;
    if (isMasked(value) || isMasked(sent)) continue;
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
  if (sent === undefined || sent.isAnswered) return;
  if (stream !== true) conversation.exchanges.delete(exchange);
  sent.isAnswered = true;
  scope.revision = scope.forced ?? sent.revision;
  const own = isStateless(sent.revision) ? undefined : conversation.session?.id;
  const isKnown = isStateless(sent.revision) || own !== undefined;
  if (assigned !== undefined && assigned !== own && version === undefined && isKnown) {
    const expected = own === undefined ? "no session id" : "the session id of initialize, or none";
    scope.report("http-session-assigned", header(SESSION), expected, assigned);
  }
  const isSuccess = status >= 200 && status < 300;
  if (sent.body === "none") {
    const isGet = sent.method === "GET" && conversation.revision !== undefined;
    if (isGet && isSuccess && !isStream(headers["content-type"]))
      scope.report("http-get", "/http/status", "an event stream, or 405", `HTTP status ${status}`);
    return;
  }
  if (sent.body === "other") {
    // By responding with a success status, the server confirms that it has read the cancellation.
    for (const key of isSuccess ? sent.cancels : []) {
      const cancelled = conversation.sides.client.cancelled.get(key);
      if (cancelled) cancelled.isAccepted = true;
    }
    const isWrong = isSuccess ? status !== 202 : sent.isFit && REFUSALS.includes(status);
    if (isWrong) scope.report("http-status", "/http/status", `202 for ${sent.about}`, status);
    else if (isSuccess && message !== undefined)
      scope.report("http-status", "", "a response without a body", message);
    return;
  }
  if (status === 202) {
    scope.report("http-status", "/http/status", "200 with a response", status);
    return;
  }
  const type = headers["content-type"];
  if (status === 200 && !isMessageType(type)) {
    scope.report(
      "http-content-type",
      header("content-type"),
      "application/json or text/event-stream",
      type,
    );
  }
  judgeErrorStatus(scope, status, message);
  const code = member(member(message, "error"), "code");
  if (sent.isFit && code === scope.revision.errorCodes["HEADER_MISMATCH"])
    scope.report("http-encoded", "/http/status", "an answer: the headers repeat the body", code);
}

/**
 * The HTTP statuses for a request that is invalid or not supported. Other statuses concern sessions, tokens or load.
 */
const REFUSALS = [400, 405, 406, 415, 422, 500, 501];

function isStream(type: string = EVENTS): boolean {
  return /^text\/event-stream\b/i.test(type);
}

export function isMessageType(type = ""): boolean {
  return /^(?:application\/json|text\/event-stream)\b/i.test(type);
}

export function judgeEventType(scope: Scope): void {
  const type = otherEventOf(scope.line);
  if (type !== undefined) scope.report("http-event", "/http/event/type", '"message"', type);
}

function judgeStreamed(scope: Scope, { event, exchange }: TapeHttp, message: unknown): void {
  const { conversation } = scope;
  const sent = exchange === undefined ? undefined : conversation.exchanges.get(exchange);
  const { id } = event ?? {};
  judgeEventType(scope);
  if (id !== undefined && sent?.resumes !== true) {
    if (conversation.events.has(id)) {
      scope.report("http-event-id", "/http/event/id", "an id that is new", id);
    } else if (conversation.events.size < MOST_EVENTS) conversation.events.add(id);
  }
  if (sent?.body === "request") judgeEnd(scope, sent, message);
  if (exchange !== undefined) judgeCopy(scope, exchange, message);
  if (sent === undefined || !isStateless(scope.revision)) return;
  const method = member(message, "method");
  const row = typeof method === "string" ? scope.revision.methods.get(method) : undefined;
  if (row === undefined) return;
  const isOfRequest = row.role === "progress" || typeof levelOf(message) === "string";
  const isOfSubscription = !isOfRequest && row.kind === "notification" && row.role !== "cancelled";
  if (sent.listens ? isOfRequest : isOfSubscription) {
    const expected = `no ${row.method} on the stream of ${sent.listens ? "a subscription" : "a request"}`;
    scope.report("http-stream", "/method", expected, method);
  }
}

/** The maximum time between two equal notifications on different streams that count as copies, in milliseconds. */
const COPIED = 100;

/**
 * Reports a notification that is sent both on a session's stream and on another one, because each message belongs on
 * only one stream. A server may distribute equal notifications among several streams of a session: then not every one
 * has a copy.
 */
function judgeCopy(scope: Scope, exchange: number, message: unknown): void {
  const { conversation, line } = scope;
  if (member(message, "method") === undefined || member(message, "id") !== undefined) return;
  const text = canonicalText(message);
  const before = conversation.streamed.get(text);
  const isOfSession = (one: number | undefined): boolean =>
    one !== undefined && conversation.exchanges.get(one)?.body === "none";
  const isOther = before !== undefined && before.exchange !== exchange;
  const isCopy = isOther && line.t - before.t <= COPIED;
  const wasAlone =
    before !== undefined && (before.wasAlone || (before.isOfSeveral && !before.isCopy && !isCopy));
  const all = [...conversation.exchanges.values()].filter(({ body }) => body === "none");
  const isOfSeveral = all.length > 1 && isOfSession(exchange);
  const { t } = line;
  remember(conversation.streamed, text, { exchange, t, isCopy, isOfSeveral, wasAlone }, 100);
  if (!isCopy || wasAlone || ![before.exchange, exchange].some(isOfSession)) return;
  scope.report("http-stream", "/method", "each message on one stream", message);
}

function judgeEnd(scope: Scope, sent: Exchange, message: unknown): void {
  const messages = messagesIn(message);
  if (sent.unanswered > 0) {
    sent.unanswered -= messages.filter(isResponse).length;
    return;
  }
  const received = member(message, "method") ?? "a response";
  scope.report("http-stream-end", "", "the end of the stream with its response", received);
}

const MOST_EVENTS = 50_000;

function levelOf(message: unknown): unknown {
  return member(member(message, "params"), "level");
}

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
const LAST_EVENT = "last-event-id";

function header(name: string): string {
  return `/http/headers/${name}`;
}
