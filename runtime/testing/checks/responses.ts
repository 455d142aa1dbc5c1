import { META, type Method, type RequestId, type Revision } from "@mcp-codegen/runtime";
import { otherSide, remember, type ResponseParts, type SentRequest } from "./conversation.js";
import { judgeFormAnswer } from "./elicitation.js";
import { judgeData } from "./error-data.js";
import { judgeMetas } from "./metas.js";
import { keyOf } from "./ids.js";
import type { Scope } from "./scope.js";
import { judgeCompletions, judgeList } from "./lists.js";
import {
  allowsServerRequests,
  formatsOf,
  hasExtensions,
  judgeDates,
  reportContent,
} from "./validity.js";
import { judgeNotified } from "./notifications.js";
import { isCaused, isLate } from "./races.js";
import { sessionRevisions } from "./roles.js";
import { judgeExtensions } from "./capabilities.js";
import { judgeInputs } from "./rounds.js";
import { isRelated, judgeTaskCapability, judgeTaskResult, keepTask, originOf } from "./tasks.js";
import { judgeEmbedded, judgeStructure, toolOf } from "./tools.js";
import { issuesOf } from "./values.js";
import { below, isMembers, member, type Members } from "../tape/json-value.js";
import { revisions } from "@mcp-codegen/universal/revisions";

function isNotOfType({ path }: { readonly path: string }): boolean {
  return path !== "/resultType";
}

export function judgeResult(scope: Scope, message: ResponseParts): void {
  const request = settle(scope, message);
  if (request === undefined) return;
  const { row } = request;
  const { result } = message;
  scope.revision = scope.forced ?? request.revision;
  const isKnown = row !== undefined && row.kind === "request" && row.channel === "wire";
  if (!isKnown) {
    if (!isMembers(result)) scope.report("result-shape", "/result", "object", result);
    return;
  }
  if (row.role === "initialize") agree(scope, request, result);
  else if (row.role === "discover")
    scope.conversation.capabilities.server ??= member(result, "capabilities");
  else judgeVersion(scope, request);
  if (!hasKnownKind(scope, request, row, result)) return;
  const validator = validatorOf(scope, request, row, result);
  const issues = issuesOf(validator, result);
  for (const { path, expected, value } of issues) {
    scope.report("result-shape", `/result${path}`, expected, value);
  }
  // A result without a type counts as complete.
  if (issues.some(isNotOfType)) return;
  reportContent(scope, "/result", formatsOf(validator, result).filter(isNotOfType));
  judgeDates(scope, result, "/result");
  judgeMetas(scope, result, "/result");
  if (request.undeclared !== undefined) {
    scope.report("capability-unlisted", "", `${request.undeclared}, declared`, request.method);
  }
  if (!isMembers(result)) return;
  if (row.role === "listen") judgeListenEnd(scope, request, result);
  judgeServerInfo(scope, result);
  if (validator === row.taskResult) return keepTask(scope, request, row, result);
  noteEnd(scope, request);
  judgeTaskResult(scope, request, result);
  const origin = originOf(scope, request, result);
  if (origin !== undefined) judgeStructure(scope, origin, result);
  if (validator === row.inputResult) return judgeInputs(scope, request, result);
  if (validator !== row.result) return;
  if (row.role === "discover") {
    judgeVersions(scope, result);
    judgeTaskCapability(scope, result.capabilities, "/result/capabilities");
    judgeExtensions(scope, result.capabilities, "/result/capabilities");
  }
  judgeList(scope, request, result);
  judgeStructure(scope, request, result);
  judgeEmbedded(scope, request, result);
  judgeCompletions(scope, result);
  judgeFormAnswer(scope, "/result", request.params, result);
}

/**
 * Records when the server confirmed the end of a resource subscription. The unsubscribing method is the other method
 * with the subscribing method's capability.
 */
function noteEnd(
  { conversation, line }: Scope,
  { method, row, params, revision }: SentRequest,
): void {
  const { uri } = params;
  const ends = revision.families.some(
    ({ subscribe }) =>
      subscribe !== undefined &&
      subscribe !== method &&
      revision.methods.get(subscribe)?.capability === row?.capability,
  );
  if (ends && typeof uri === "string" && conversation.subscribed.has(uri)) {
    conversation.subscribed.set(uri, line.t);
  }
}

/** Checks that the result that ends a subscription names it. */
function judgeListenEnd(scope: Scope, { id }: SentRequest, result: Members): void {
  const named = member(result["_meta"], META.subscription);
  if (named === id) return;
  const place = below("/result/_meta", META.subscription);
  scope.report("subscription-id", place, JSON.stringify(id), named);
}

function judgeServerInfo(scope: Scope, result: Members): void {
  if (!scope.revision.traits.resultType || scope.from === "client") return;
  const info = member(member(result, "_meta"), META.serverInfo);
  const place = below("/result/_meta", META.serverInfo);
  if (info !== undefined) return judgeDates(scope, info, place);
  scope.report("server-info", place, "name and version", undefined);
}

export function judgeError(scope: Scope, message: ResponseParts): void {
  const { error } = message;
  const request = settle(scope, message);
  const code = member(error, "code");
  if ((message.id ?? null) === null) judgeMissingId(scope, message.id, code);
  if (!isMembers(error)) scope.report("error-shape", "/error", "object", error);
  else if (!Number.isInteger(code)) scope.report("error-shape", "/error/code", "integer", code);
  else if (typeof error.message !== "string") {
    scope.report("error-shape", "/error/message", "string", error.message);
  }
  if (request === undefined || !Number.isInteger(code)) return;
  scope.revision = scope.forced ?? request.revision;
  const { revision, conversation, from } = scope;
  const { METHOD_NOT_FOUND } = revision.errorCodes;
  judgeData(scope, revision, code as number, error as Record<string, unknown>);
  if (request.row?.role === "initialize" && conversation.revision === undefined) {
    conversation.opening = "none";
    conversation.isInitialized = false;
  }
  if (code !== METHOD_NOT_FOUND) return judgeCode(scope, revision, code as number);
  if (request.undeclared !== undefined) {
    scope.report(
      "capability-advised",
      "/method",
      `${request.undeclared}, declared`,
      request.method,
      {
        n: request.n,
        from: otherSide(from),
      },
    );
    return;
  }
  const owner = request.isTaskFit ? capabilityDeclared(scope, request) : undefined;
  if (owner !== undefined) {
    scope.report("capability-unserved", "/error/code", `a result, because of ${owner}`, code);
  }
}

/** Checks an error without an id, which is allowed only if the message's id could not be read. */
function judgeMissingId(scope: Scope, id: unknown, code: unknown): void {
  const { conversation, from, line } = scope;
  const { exchange, status } = line.http ?? {};
  const side = conversation.sides[otherSide(from)];
  // A transport may reject a request without reading its body.
  const { PARSE_ERROR, INVALID_REQUEST } = scope.revision.errorCodes;
  const isRead = code !== PARSE_ERROR && code !== INVALID_REQUEST;
  const isServed =
    status === undefined ||
    status === 200 ||
    (isRead && scope.revision.traits.resultType && STATELESS_STATUSES.includes(status));
  if (side.isUnclear || !isServed) return;
  const waiting = [...side.inFlight.values()].filter(
    (one) => exchange === undefined || one.exchange === exchange,
  );
  const [request] = waiting;
  if (request === undefined) judgeNotified(scope, line.message);
  if (request === undefined || waiting.length > 1) return;
  scope.report("error-id", "/id", JSON.stringify(request.id), id);
  side.inFlight.delete(keyOf(request.id));
}

/** The HTTP statuses of errors that require a server to have read the stateless request. */
const STATELESS_STATUSES = [400, 404];

/** Returns the reason why the responder must support the method, or undefined if there is none. */
function capabilityDeclared(scope: Scope, request: SentRequest): string | undefined {
  const { row, method, revision } = request;
  if (row === undefined || row.extension !== undefined) return undefined;
  // The error may concern an unknown tool rather than the method.
  const isTool = revision.families.some(({ name, use }) => name === "tools" && use === method);
  if (isTool && toolOf(scope, request) === undefined) return undefined;
  if (row.role === "ping") return `${method}, which every side serves`;
  // A server with resources does not have to support templates.
  if (revision.families.some((family) => family.list === method && family.templatesOf)) return;
  const { capability } = row;
  if (capability === undefined) return undefined;
  const [owner, ...path] = capability.split(".");
  if (owner !== scope.from && owner !== "receiver") return undefined;
  const declared: unknown = scope.conversation.capabilities[scope.from];
  const value = path.reduce(member, declared);
  return value === undefined || value === null || value === false ? undefined : capability;
}

/** The error code for an unknown resource in session revisions. */
const SESSION_NOT_FOUND = sessionRevisions[0]!.errorCodes["RESOURCE_NOT_FOUND"];

function judgeCode(scope: Scope, { conventions, errorCodes }: Revision, code: number): void {
  const [first = 0, last = -1] = conventions.reservedErrors;
  if (code < first || code > last) return;
  if (Object.values(errorCodes).includes(code)) return;
  scope.report(
    "error-code",
    "/error/code",
    code === SESSION_NOT_FOUND
      ? `${errorCodes["INVALID_PARAMS"]}, if a resource does not exist`
      : `a defined code, or one outside of ${first} to ${last}`,
    code,
  );
}

/** Removes the request that a response answers from those in flight, and returns it. */
function settle(scope: Scope, message: ResponseParts): SentRequest | undefined {
  const { conversation, from, line } = scope;
  const { id, error } = message;
  const side = conversation.sides[otherSide(from)];
  const revision = scope.forced ?? conversation.revision ?? conversation.stateless;
  if (from === "client" && revision !== undefined && !allowsServerRequests(revision)) {
    scope.revision = revision;
    scope.report("message-direction", "", "no response from a client", { id });
    return undefined;
  }
  // An error about a message that could not be read has no id.
  if (id === undefined || id === null) return undefined;
  let request = side.inFlight.get(keyOf(id));
  if (request === undefined) {
    request = side.inFlight.get(keyOf(otherType(id)));
    if (request === undefined) {
      const cancelled = side.cancelled.get(keyOf(id));
      if (cancelled !== undefined) {
        if (isLate(scope, cancelled) || isCaused(scope, cancelled, message))
          scope.report("cancel-answered", "/id", "no response after the cancellation", id);
        return undefined;
      }
      const isRepeated = side.ids.has(id);
      const check = isRepeated ? "response-repeated" : "response-unknown";
      const expected = isRepeated ? "one response to each request" : "id of a request in flight";
      scope.report(check, "/id", expected, id);
      conversation.sides[from].isUnclear = true;
      return undefined;
    }
    const expected = `a ${typeof request.id}, as in the request`;
    scope.report("response-id-type", "/id", expected, id);
  }
  side.inFlight.delete(keyOf(request.id));
  const own = conversation.sides[from];
  const took = line.t - request.t;
  remember(side.answeredAt, keyOf(request.id), line.t);
  own.answered = { id: request.id, n: request.n, t: line.t, took };
  for (const [key, cancellation] of side.unread) {
    // The map has the same order as the tape.
    if (cancellation.n > request.n) break;
    cancellation.read = own.answered;
    side.unread.delete(key);
  }
  if (request.row?.role === "ping") judgePing(scope, request);
  own.quickest = Math.min(own.quickest ?? took, took);
  own.outcomes.push({ request, took, message });
  if (own.outcomes.length > MOST_OUTCOMES) own.outcomes.shift();
  judgeStream(scope, request);
  for (const other of side.inFlight.values()) if (other.n < request.n) other.isOvertaken = true;
  if (request.token !== undefined) {
    side.tokens.delete(keyOf(request.token));
    side.pastTokens.add(request.token);
  }
  if (request.row?.role === "listen" || error !== undefined) {
    conversation.listens.delete(keyOf(request.id));
  }
  return request;
}

const MOST_OUTCOMES = 20;

/** The time after which a ping that was sent during another request must have been answered, in milliseconds. */
const PROMPT = 500;

/** Reports a ping that was answered only after an earlier request that took long. */
function judgePing(scope: Scope, ping: SentRequest): void {
  const { outcomes } = scope.conversation.sides[scope.from];
  const before = outcomes.find(
    ({ request, took }) => request.n < ping.n && request.t + took - ping.t > PROMPT,
  );
  if (before === undefined) return;
  const { method } = before.request;
  scope.report("ping-late", "", `an answer while ${method} runs`, `an answer after ${method}`);
}

/** Checks that a response is sent in its request's HTTP response, or on a resumed stream. */
function judgeStream(scope: Scope, { exchange, id, revision }: SentRequest): void {
  const { exchange: own, stream } = scope.line.http ?? {};
  if (exchange === undefined || own === undefined || exchange === own || stream !== true) return;
  if (scope.conversation.exchanges.get(own)?.resumes === true) return;
  scope.revision = scope.forced ?? revision;
  scope.report("http-stream", "/id", "no response to a request of another stream", id);
}

function otherType(id: RequestId): unknown {
  return typeof id === "string" ? Number(id) : String(id);
}

function agree(scope: Scope, request: SentRequest, result: unknown): void {
  const { conversation, forced } = scope;
  const version = member(result, "protocolVersion");
  const known = revisions.find(({ id, methods }) => id === version && methods.has(request.method));
  if (known === undefined && typeof version === "string" && forced === undefined) {
    scope.report(
      "version-unknown",
      "/result/protocolVersion",
      "a revision that has sessions",
      version,
    );
  }
  conversation.revision = forced ?? known ?? request.revision;
  scope.revision = conversation.revision;
  // The client may have sent the notification before this response.
  conversation.opening = conversation.isInitialized ? "complete" : "answered";
  conversation.capabilities.client = member(request.params, "capabilities");
  conversation.capabilities.server = member(result, "capabilities");
}

function judgeVersions(scope: Scope, { supportedVersions }: Members): void {
  const versions = Array.isArray(supportedVersions) ? supportedVersions : [];
  if (versions.length === 0) {
    scope.report(
      "version-unknown",
      "/result/supportedVersions",
      "at least one revision",
      supportedVersions,
    );
  }
  versions.forEach((version: unknown, index) => {
    if (typeof version === "string" && /^\d{4}-\d\d-\d\d$/.test(version)) return;
    scope.report(
      "version-unknown",
      `/result/supportedVersions/${index}`,
      "date of a revision",
      version,
    );
  });
}

function judgeVersion(scope: Scope, { params, row }: SentRequest): void {
  const named = member(member(params, "_meta"), META.revision);
  if (scope.forced !== undefined || typeof named !== "string" || row === undefined) return;
  if (revisions.some(({ id }) => id === named)) return;
  scope.report("version-unknown", "", "an error for a revision that does not exist", named);
}

/** Returns false if the result type is unknown, even if it is not reported because an extension may define it. */
function hasKnownKind(
  scope: Scope,
  { clientCapabilities }: SentRequest,
  row: Method,
  result: unknown,
): boolean {
  const kind = member(result, "resultType");
  if (!scope.revision.traits.resultType || typeof kind !== "string") return true;
  const known = [
    COMPLETE,
    ...(row.inputResult ? [INPUT_REQUIRED] : []),
    ...Object.keys(row.inLieu ?? {}),
  ];
  if (known.includes(kind)) return true;
  // Extensions may define further result types for clients that declare those extensions.
  const own = member(clientCapabilities, "extensions");
  if (hasExtensions(scope)) {
    if (isMembers(own) && Object.keys(own).length > 0) return false;
    const place = "/result/resultType";
    scope.report("capability-undeclared", place, "client.extensions, declared", kind);
  } else {
    scope.report(
      "result-shape",
      "/result/resultType",
      known.map((one) => JSON.stringify(one)).join(" | "),
      kind,
    );
  }
  return false;
}

const COMPLETE = "complete";
const INPUT_REQUIRED = "input_required";

function validatorOf(
  { conversation }: Scope,
  { params }: SentRequest,
  row: Method,
  result: unknown,
): NonNullable<Method["result"]> {
  const usual = row.result!;
  if (row.taskResult && params.task !== undefined) {
    // This also applies if the task's members are not inside `task`, where they belong, so that the validator reports
    // this.
    const isFlat = typeof member(result, "taskId") === "string";
    if (isFlat || isMembers(member(result, "task"))) return row.taskResult;
  }
  const kind = member(result, "resultType");
  if (row.inputResult && kind === INPUT_REQUIRED) return row.inputResult;
  const inLieu = typeof kind === "string" ? row.inLieu?.[kind] : undefined;
  if (inLieu) return inLieu.result;
  const task =
    typeof params.taskId === "string" ? conversation.tasks.get(params.taskId)?.method : undefined;
  const isPayload =
    task !== undefined && member(result, "taskId") === undefined && isRelated(result);
  return (isPayload ? task.result : undefined) ?? usual;
}
