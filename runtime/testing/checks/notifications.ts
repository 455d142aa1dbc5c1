import {
  META,
  type Method,
  missingCapability,
  type RequestId,
  unmetConditions,
} from "@mcp-codegen/runtime";
import {
  type Cancellation,
  type ListenState,
  otherSide,
  remember,
  type SentRequest,
} from "./conversation.js";
import { keyOf } from "./ids.js";
import { judgeMetas } from "./metas.js";
import type { Scope } from "./scope.js";
import { isLate, isLongAnswered } from "./races.js";
import { judgeRelated, judgeTask, judgeTaskCancellation, taskRequest } from "./tasks.js";
import { validators } from "@mcp-codegen/universal/extensions/tasks";
import { isMasked } from "../tape/index.js";
import { below, isMembers, member } from "../tape/json-value.js";
import { areParamsValid, isAllowed, type NotificationParts } from "./validity.js";
import { issuesOf } from "./values.js";
import { isStateless, isSession } from "./check.js";
import { rowOf } from "./roles.js";

/** Log levels, least severe first (RFC 5424). */
const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

export function judgeNotification(scope: Scope, message: NotificationParts): void {
  const { conversation, from, revision } = scope;
  conversation.sides[from].notified = message.method;
  const row = revision.methods.get(message.method);
  const isRight = isAllowed(scope, row, message, "notification");
  if (row?.role === "initialized" && from === "client") judgeInitialized(scope, message);
  if (from === "server") judgeEarly(scope, row, message);
  if (!isRight || !areParamsValid(scope, row, message.params)) return;
  if (isStateless(revision) && message.method === TASKS) judgeTaskTopic(scope, message.params);
  if (row === undefined) return;
  const { params } = message;
  judgeMetas(scope, params, "/params");
  switch (row.role) {
    case "cancelled":
      return judgeCancellation(scope, params);
    case "progress":
      judgeOfRequest(scope, params);
      return judgeProgress(scope, params);
    case "acknowledged":
      return judgeAcknowledgement(scope, params);
  }
  const declared = conversation.capabilities;
  const path = missingCapability(row, from, declared);
  const owner = path?.split(".")[0] as "client" | "server" | undefined;
  if (owner !== undefined && declared[owner] !== undefined) {
    scope.report("capability-undeclared", "/method", `${path}, declared`, message.method);
    return;
  }
  const visit = member(params, "elicitationId");
  if (typeof visit === "string" && !conversation.visits.has(visit)) {
    const expected = "the elicitationId of a request of this server";
    scope.report("elicitation-unknown", "/params/elicitationId", expected, visit);
  }
  if (isMembers(params) && typeof params.taskId === "string")
    return judgeTask(scope, params, "/params");
  if (typeof member(params, "level") === "string") {
    judgeOfRequest(scope, params);
    return judgeLog(scope, params);
  }
  if (isStateless(revision)) return judgeTopic(scope, row, params);
  const isUpdate = revision.families.some(({ updated }) => updated === message.method);
  if (isUpdate) judgeUpdate(scope, message);
}

/** Accepts an update for the subscribed resource, for a resource that contains it, or for a part of it. */
function judgeUpdate(scope: Scope, { method, params }: NotificationParts): void {
  const { subscribed } = scope.conversation;
  const uri = member(params, "uri");
  if (typeof uri !== "string" || isMasked(uri)) return;
  const isPart = ([one]: readonly [string, unknown]): boolean =>
    uri.startsWith(one) || one.startsWith(uri) || isMasked(one);
  const known = [...subscribed].filter(isPart);
  if (subscribed.size === 0)
    scope.report("update-unsubscribed", "/method", "a subscription", method);
  else if (known.length === 0) {
    const [first] = subscribed.keys();
    scope.report(
      "update-unsubscribed",
      "/method",
      `an update of ${first}, or of a part of it`,
      uri,
    );
  } else if (known.every(([, end]) => end !== undefined && isAfter(scope, end))) {
    scope.report("update-unsubscribed", "/method", "no update after the end", method);
  }
}

/**
 * The time after a subscription's end during which an update over HTTP is still accepted, in milliseconds. The server
 * may have sent it earlier, on another stream.
 */
const UPDATES_CROSS = 500;

function isAfter({ line }: Scope, end: number): boolean {
  return line.http === undefined || line.t - end > UPDATES_CROSS;
}

function judgeEarly(
  scope: Scope,
  row: Method | undefined,
  { method, params }: NotificationParts,
): void {
  const { opening } = scope.conversation;
  if (!isSession(scope.revision) || opening === "complete") return;
  const isLog = typeof member(params, "level") === "string";
  const isEarly =
    opening !== "none" && (isLog || row?.role === "progress" || row?.role === "cancelled");
  if (isEarly || (row === undefined && opening !== "none")) return;
  scope.report("opening-early", "/method", "nothing before the session is initialized", method);
}

function judgeInitialized(scope: Scope, { method }: NotificationParts): void {
  const { conversation } = scope;
  if (conversation.opening === "requested") {
    scope.report(
      "opening-early",
      "/method",
      "nothing but ping before the response to initialize",
      method,
    );
  } else if (conversation.opening === "none") {
    scope.report("opening-order", "/method", "initialize before all other messages", method);
  }
  if (conversation.opening === "complete" && conversation.isInitialized) {
    scope.report("opening-repeated", "/method", "one handshake in a session", method);
  }
  conversation.opening = "complete";
  conversation.isInitialized = true;
}

function judgeCancellation(scope: Scope, params: unknown): void {
  const { conversation, from, revision } = scope;
  const id = member(params, "requestId") as RequestId | undefined;
  if (id === undefined) {
    scope.report("cancel-unknown", "/params/requestId", "id of a request", id);
    return;
  }
  const key = keyOf(id);
  // In stateless revisions, a server sends a cancellation only to end a subscription, which is a client request.
  const endsListening = isStateless(revision) && from === "server";
  const owner = endsListening ? "client" : from;
  const side = conversation.sides[owner];
  const request = side.inFlight.get(key);
  if (endsListening && request?.row?.role !== "listen") {
    if (request === undefined && side.ids.has(id)) return;
    scope.report("cancel-unknown", "/params/requestId", "id of a subscription", id);
    return;
  }
  if (request === undefined) {
    const task = taskRequest(scope, id);
    if (!side.ids.has(id))
      scope.report("cancel-unknown", "/params/requestId", "id of a request", id);
    else if (task === undefined) judgeLateCancellation(scope, id);
    judgeTaskCancellation(scope, task);
    return;
  }
  if (request.row?.role === "initialize") {
    scope.report("cancel-opening", "/params/requestId", "another request than initialize", id);
    return;
  }
  judgeTaskCancellation(scope, request);
  request.isCancelled = true;
  side.inFlight.delete(key);
  // The HTTP response to a cancelled request may end in any way, so it is not checked.
  if (request.exchange !== undefined) conversation.exchanges.delete(request.exchange);
  const { n, t, http } = scope.line;
  const moment: Cancellation = { n, t, request, isAccepted: http === undefined };
  remember(side.cancelled, key, moment);
  remember(side.unread, key, moment);
  if (request.token !== undefined) remember(side.openTokens, keyOf(request.token), moment);
  if (conversation.listens.delete(key) && from === "client")
    remember(conversation.endedListens, key, moment);
}

/** The number of late cancellations that can no longer be a coincidence. */
const NO_COINCIDENCE = 3;

/**
 * Reports a side that cancels a request long after its response, or repeatedly cancels requests that have just been
 * answered and has never cancelled one in time.
 */
function judgeLateCancellation(scope: Scope, id: RequestId): void {
  const { sides } = scope.conversation;
  const own = sides[scope.from];
  if (sides[otherSide(scope.from)].answered?.id === id) own.lateCancellations++;
  const isHabit = own.lateCancellations >= NO_COINCIDENCE && own.cancelled.size === 0;
  if (!isHabit && !isLongAnswered(scope, id)) return;
  scope.report("cancel-late", "/params/requestId", "id of a request in flight", id);
}

function judgeProgress(scope: Scope, params: unknown): void {
  const token = member(params, "progressToken") as RequestId;
  const progress = member(params, "progress") as number;
  const side = scope.conversation.sides[otherSide(scope.from)];
  const key = keyOf(token);
  const request = side.tokens.get(key);
  if (side.openTokens.has(key)) {
    const cancelled = side.openTokens.get(key);
    if (cancelled !== undefined && isLate(scope, cancelled))
      scope.report("cancel-answered", "/params/progressToken", "no more progress", token);
    if (cancelled === undefined) judgeRelated(scope, params, "/params", undefined);
    return;
  }
  if (request === undefined) {
    const isPast = side.pastTokens.has(token);
    scope.report(
      isPast ? "progress-late" : "progress-unknown",
      "/params/progressToken",
      isPast ? "no progress after the response" : "token of a request in flight",
      token,
    );
    return;
  }
  const { exchange, stream } = scope.line.http ?? {};
  const isElsewhere = stream === true && exchange !== request.exchange;
  if (isElsewhere && isStateless(request.revision)) {
    const expected = "no progress of a request of another stream";
    scope.report("http-stream", "/params/progressToken", expected, token);
  }
  if (request.row?.role === "listen") {
    scope.report("subscription-topic", "/method", "no progress of a subscription", token);
  }
  if (request.progress !== undefined && progress <= request.progress) {
    scope.report("progress-order", "/params/progress", `more than ${request.progress}`, progress);
  }
  request.progress = progress;
}

/** Reports a notification about a request that names a subscription. */
function judgeOfRequest(scope: Scope, params: unknown): void {
  const id = member(member(params, "_meta"), META.subscription);
  if (id === undefined || !isStateless(scope.revision)) return;
  const pointer = below("/params/_meta", META.subscription);
  scope.report("subscription-topic", pointer, "no subscription, as it is about a request", id);
}

function judgeLog(scope: Scope, params: unknown): void {
  const { conversation, revision, line } = scope;
  const level = LEVELS.indexOf(String(member(params, "level")));
  const all = [...conversation.sides.client.inFlight.values()];
  const { exchange } = line.http ?? {};
  // Another check reports log messages on the stream of a subscription.
  if (exchange !== undefined && conversation.exchanges.get(exchange)?.listens === true) return;
  const own = all.filter((one) => exchange !== undefined && one.exchange === exchange);
  const wanted = isStateless(revision)
    ? lowestLevel(own.length > 0 ? own : all)
    : (conversation.logLevel ?? LEVELS[0]);
  if (wanted === undefined) {
    scope.report(
      "log-unrequested",
      "/params/level",
      "a request in flight with a log level in _meta",
      "none",
    );
  } else if (level < LEVELS.indexOf(wanted)) {
    scope.report("log-level", "/params/level", `${wanted} or more severe`, LEVELS[level]);
  }
}

function lowestLevel(requests: Iterable<SentRequest>): string | undefined {
  let lowest: number | undefined;
  for (const { params } of requests) {
    const level = LEVELS.indexOf(String(member(member(params, "_meta"), META.logLevel)));
    if (level >= 0 && (lowest === undefined || level < lowest)) lowest = level;
  }
  return lowest === undefined ? undefined : LEVELS[lowest];
}

function judgeAcknowledgement(scope: Scope, params: unknown): void {
  const listen = listenOf(scope, params);
  if (listen === undefined) return;
  listen.isAcknowledged = true;
  const honoured = member(params, "notifications");
  const { server } = scope.conversation.capabilities;
  const { conditions = [] } = rowOf(scope.revision, "listen") ?? {};
  const undeclared = unmetConditions(conditions, { notifications: honoured }, "client", {
    client: undefined,
    server,
  });
  for (const one of server === undefined ? [] : undeclared) {
    const place = `/params/${one.member.replaceAll(".", "/")}`;
    scope.report("subscription-topic", place, `${one.capability}, declared`, honoured);
  }
  for (const name of Object.keys((honoured ?? {}) as object)) {
    const requested = listen.filter[name];
    if (requested !== undefined && requested !== false) continue;
    const value = member(honoured, name);
    if (value !== false) {
      scope.report(
        "subscription-topic",
        `/params/notifications/${name}`,
        "a topic of the request",
        value,
      );
    }
  }
}

function judgeTopic(scope: Scope, row: Method, params: unknown): void {
  const condition = rowOf(scope.revision, "listen")?.conditions?.find(
    ({ capability }) => capability === row.capability,
  );
  if (condition === undefined) return;
  const listen = listenOf(scope, params);
  if (listen === undefined) return;
  const topic = condition.member.split(".").at(-1)!;
  const requested = listen.filter[topic];
  if (requested === undefined || requested === false) {
    scope.report("subscription-topic", "/method", "a topic of the subscription", row.method);
  } else if (!listen.isAcknowledged) {
    scope.report("subscription-topic", "/method", "the acknowledgement first", row.method);
  } else if (Array.isArray(requested)) {
    const uri = member(params, "uri");
    const isRequested = requested.some(
      (one) => isMasked(one) || isMasked(uri) || String(uri).startsWith(String(one)),
    );
    if (!isRequested) scope.report("subscription-topic", "/params/uri", requested.join(", "), uri);
  }
}

/** The notification of the tasks extension. */
const TASKS = "notifications/tasks";

/** Checks a task's notification, which a subscription to that task must have requested. */
function judgeTaskTopic(scope: Scope, params: unknown): void {
  for (const { path, expected, value } of issuesOf(validators.TaskStatusNotificationParams, params))
    scope.report("params-shape", `/params${path}`, expected, value);
  const listen = listenOf(scope, params);
  if (listen === undefined) return;
  const { [TASK_IDS]: requested } = listen.filter;
  const id = member(params, "taskId");
  if (!Array.isArray(requested) || !requested.includes(id)) {
    scope.report("subscription-topic", "/params/taskId", "a task of the subscription", id);
  } else if (!listen.isAcknowledged) {
    scope.report("subscription-topic", "/method", "the acknowledgement first", TASKS);
  }
}

/** The member of a subscription's filter that the tasks extension adds. */
export const TASK_IDS = "taskIds";

/**
 * Returns the subscription that a notification names. Reports a missing subscription, unless it has only just ended.
 */
function listenOf(scope: Scope, params: unknown): ListenState | undefined {
  const id = member(member(params, "_meta"), META.subscription);
  const { listens, endedListens, exchanges, sides } = scope.conversation;
  const pointer = below("/params/_meta", META.subscription);
  const listen = listens.get(keyOf(id));
  if (listen !== undefined) {
    const { exchange = 0 } = scope.line.http ?? {};
    const own = sides.client.inFlight.get(keyOf(id))?.exchange;
    // Another check reports notifications of subscriptions on the streams of other requests.
    if (exchange !== own && exchanges.get(exchange)?.listens === true)
      scope.report("subscription-id", pointer, "id of the listen request of this stream", id);
    return listen;
  }
  const ended = endedListens.get(keyOf(id));
  if (ended === undefined || isLate(scope, ended))
    scope.report("subscription-id", pointer, "id of a listen request that is open", id);
  return undefined;
}

/**
 * Reports a response without an id if only a notification can have caused it. Returns true if the response was
 * reported.
 */
export function judgeNotified(scope: Scope, message: unknown): boolean {
  const { line, conversation, from } = scope;
  const { inFlight, notified, isUnclear } = conversation.sides[otherSide(from)];
  const { listens } = conversation;
  const isIdle = [...inFlight.keys()].every((key) => listens.get(key)?.isAcknowledged === true);
  const isOpen = notified !== undefined && isIdle && !isUnclear;
  // Over Streamable HTTP, a response may refuse a message that could not be read. A stream of HTTP+SSE is not such a
  // response.
  if (!isOpen || (line.http?.exchange !== undefined && from === "server")) return false;
  scope.report("notification-answered", "", `no answer to ${notified}`, message);
  return true;
}
