import { META, type Method, type RequestId } from "@mcp-codegen/runtime";
import { remember, type SentRequest } from "./conversation.js";
import { keyOf } from "./ids.js";
import type { Scope } from "./scope.js";
import { judgeMetas } from "./metas.js";
import { judgeCursor } from "./lists.js";
import { areParamsValid, isAllowed, type RequestParts } from "./validity.js";
import { judgeConditions, judgeExtensions, missing } from "./capabilities.js";
import { judgeAnswers } from "./rounds.js";
import { below, isMembers, member } from "../tape/json-value.js";
import { judgeElicitation } from "./elicitation.js";
import { judgeAugmentation, judgeTaskCapability, judgeTaskRequest } from "./tasks.js";
import { judgeArguments, toolOf } from "./tools.js";
import { statelessRevisions } from "./roles.js";
import { isStateless } from "./check.js";
import { revisions } from "@mcp-codegen/universal/revisions";

export function judgeRequest(scope: Scope, message: RequestParts): void {
  const { conversation, from } = scope;
  settleRevision(scope, message);
  const { revision } = scope;
  const row = revision.methods.get(message.method);
  const side = conversation.sides[from];
  const key = keyOf(message.id);
  const isAlone = isStateless(revision);
  const isReused = isAlone ? from === "client" && side.inFlight.has(key) : side.ids.has(message.id);
  if (isReused) {
    scope.report("id-reused", "/id", "an id that is new", message.id);
  }
  if (!isAlone) judgeOpening(scope, row, message);
  const isRight = isAllowed(scope, row, message, "request");
  const isValid = isRight && areParamsValid(scope, row, message.params);
  const params = isMembers(message.params) ? message.params : {};
  judgeMetas(scope, params, "/params");
  const meta = member(params, "_meta");
  const clientCapabilities = isAlone ? member(meta, META.clientCapabilities) : undefined;
  const declared = {
    client: isAlone ? clientCapabilities : conversation.capabilities.client,
    server: conversation.capabilities.server,
  };
  const token = tokenOf(meta);
  const request: SentRequest = {
    id: message.id,
    method: message.method,
    row,
    params,
    revision,
    n: scope.line.n,
    t: scope.line.t,
    clientCapabilities,
    token,
    progress: undefined,
    isCancelled: false,
    undeclared: isRight ? missing(scope, row, declared) : undefined,
    exchange: scope.line.http?.exchange,
    isInArray: scope.place !== "",
    isOvertaken: false,
    isTaskFit: true,
  };
  if (isValid && row) {
    if (request.undeclared === undefined) judgeConditions(scope, row, params, declared);
    if (isAlone && member(meta, META.clientInfo) === undefined) {
      const place = below("/params/_meta", META.clientInfo);
      scope.report("client-info", place, "name and version", undefined);
    }
    if (isAlone) {
      const place = below("/params/_meta", META.clientCapabilities);
      judgeTaskCapability(scope, clientCapabilities, place);
      judgeExtensions(scope, clientCapabilities, place);
    }
    judgeCursor(scope, request);
    judgeArguments(scope, request);
    judgeAnswers(scope, request);
    request.isTaskFit = judgeAugmentation(scope, request, toolOf(scope, request));
    if (from === "server") judgeElicitation(scope, "/params", params);
    judgeTaskRequest(scope, request);
    if (row.role === "listen") {
      const filter = isMembers(params.notifications) ? params.notifications : {};
      conversation.listens.set(key, { id: message.id, filter, isAcknowledged: false });
    }
    noteRequest(scope, request);
  }
  if (token !== undefined && isValid) judgeToken(scope, request, token);
  side.ids.add(message.id);
  side.inFlight.set(key, request);
  side.notified = undefined;
}

function settleRevision(scope: Scope, { method, params }: RequestParts): void {
  const { conversation, forced } = scope;
  if (forced !== undefined) return;
  const named = member(member(params, "_meta"), META.revision);
  if (scope.from === "client" && named !== undefined) {
    const known = statelessRevisions.find(({ id }) => id === named);
    scope.revision = known ?? statelessRevisions[0] ?? scope.revision;
    if (known === undefined) {
      scope.report(
        "version-unknown",
        below("/params/_meta", META.revision),
        "date of a revision",
        named,
      );
    }
    conversation.stateless = scope.revision;
    return;
  }
  if (conversation.revision !== undefined) {
    scope.revision = conversation.revision;
    return;
  }
  // An `initialize` request is judged by the revision that it requests. Any other request is judged by the revision of
  // earlier ones.
  const opens = revisions.find((one) => one.methods.get(method)?.role === "initialize");
  if (opens === undefined) {
    scope.revision = conversation.stateless ?? scope.revision;
    return;
  }
  const requested = member(params, "protocolVersion");
  const known = revisions.find(({ id, methods }) => id === requested && methods.has(method));
  scope.revision = known ?? opens;
  if (typeof requested === "string" && known === undefined) {
    scope.report("version-unknown", "/params/protocolVersion", "date of a revision", requested);
  }
}

function judgeOpening(scope: Scope, row: Method | undefined, { method }: RequestParts): void {
  const { conversation, from } = scope;
  if (row?.role === "ping") return;
  if (from === "server") {
    if (conversation.opening !== "complete") {
      scope.report("opening-early", "/method", "ping until the session is initialized", method);
    }
    return;
  }
  if (row?.role === "initialize") {
    if (conversation.opening !== "none") {
      scope.report("opening-repeated", "/method", "one initialize in a session", method);
      conversation.isInitialized = false;
      return;
    }
    conversation.opening = "requested";
    return;
  }
  switch (conversation.opening) {
    case "none":
      scope.report("opening-order", "/method", "initialize before all other requests", method);
      break;
    case "requested":
      scope.report(
        "opening-early",
        "/method",
        "nothing but ping before the response to initialize",
        method,
      );
      return;
    case "answered":
      scope.report("initialized-missing", "/method", "notifications/initialized first", method);
      break;
    case "complete":
      return;
  }
  // Continue as if the handshake were complete, so that the fault is reported only once.
  conversation.opening = "complete";
}

function tokenOf(meta: unknown): RequestId | undefined {
  const token = member(meta, "progressToken");
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}

function judgeToken(scope: Scope, request: SentRequest, token: RequestId): void {
  const { tokens, openTokens } = scope.conversation.sides[scope.from];
  const key = keyOf(token);
  const other = tokens.get(key);
  if (other !== undefined && !other.isCancelled) {
    scope.report(
      "progress-token",
      "/params/_meta/progressToken",
      "a token that no request in flight has",
      token,
    );
  }
  tokens.set(key, request);
  openTokens.delete(key);
}

function noteRequest({ conversation }: Scope, { method, params, revision }: SentRequest): void {
  const { uri, elicitationId } = params;
  if (typeof elicitationId === "string") conversation.visits.add(elicitationId);
  if (typeof uri === "string" && revision.families.some(({ subscribe }) => subscribe === method)) {
    remember(conversation.subscribed, uri, undefined);
  }
  if (typeof params.level === "string") conversation.logLevel = params.level;
}
