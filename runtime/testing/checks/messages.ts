import { classify } from "@mcp-codegen/runtime";
import { isResponse, otherSide, otherEventOf, type ResponseParts } from "./conversation.js";
import { judgeNotification, judgeNotified } from "./notifications.js";
import { judgeRequest } from "./requests.js";
import { judgeError, judgeResult } from "./responses.js";
import { keyOf } from "./ids.js";
import type { Scope } from "./scope.js";
import type { NotificationParts, RequestParts } from "./validity.js";
import { isMembers, member } from "../tape/json-value.js";

export function judgeMessage(scope: Scope, message: unknown): void {
  if (!Array.isArray(message)) return judgeOne(scope, message);
  if (!scope.revision.traits.batching) {
    scope.report("message-batch", "", "one message", message);
  } else if (message.length === 0) {
    const expected = "at least one message: a batch without requests gets no response";
    scope.report("message-envelope", "", expected, message);
  } else if (new Set(message.map(isResponse)).size > 1) {
    scope.report("message-batch", "", "requests and notifications, or responses", message);
  }
  message.forEach((one, index) => judgeOne({ ...scope, place: `/${index}` }, one));
}

function judgeOne(scope: Scope, message: unknown): void {
  switch (classify(message)) {
    case "request":
      return judgeRequest(scope, message as RequestParts);
    case "notification":
      return judgeNotification(scope, message as NotificationParts);
    case "result":
      return judgeResult(scope, message as ResponseParts);
    case "error":
      return judgeError(scope, message as ResponseParts);
    default: {
      const numbered = withoutFraction(message);
      if (numbered !== undefined) {
        const requests = scope.conversation.sides[otherSide(scope.from)].inFlight;
        const isCopied = isResponse(message) && requests.has(keyOf(member(numbered, "id")));
        judgeOne(scope, numbered);
        if (!isCopied)
          scope.report("message-envelope", "/id", "string or integer", member(message, "id"));
        return;
      }
      const result = resultBesideNull(message);
      if (result === undefined) return judgeBroken(scope, message);
      scope.report("message-envelope", "/error", "nothing beside result", null);
      judgeOne(scope, result);
    }
  }
}

/**
 * Returns a response without the `error: null` that JSON-RPC 1.0 adds to a result. Returns undefined for any other
 * message.
 */
function resultBesideNull(message: unknown): unknown {
  if (!isMembers(message) || message.error !== null) return undefined;
  const { error: _, ...others } = message;
  return classify(others) === "result" ? others : undefined;
}

/**
 * Returns a copy of a message with its fractional id converted to a string, so that responses can be matched to
 * requests. Returns undefined for any other message.
 */
function withoutFraction(message: unknown): unknown {
  const id = member(message, "id");
  if (!isMembers(message) || typeof id !== "number" || Number.isInteger(id)) return undefined;
  const numbered = { ...message, id: String(id) };
  return ["request", "result", "error"].includes(String(classify(numbered))) ? numbered : undefined;
}

/** Reports an envelope's first fault. A response still counts as the answer to its request. */
function judgeBroken(scope: Scope, message: unknown): void {
  const isWithoutId =
    member(message, "jsonrpc") === "2.0" && (member(message, "id") ?? null) === null;
  if (isWithoutId && isResponse(message) && judgeNotified(scope, message)) return;
  // An event of another type need not contain a message.
  if (otherEventOf(scope.line) === undefined)
    scope.report("message-envelope", ...envelopeFault(message));
  const id = member(message, "id");
  const requests = scope.conversation.sides[otherSide(scope.from)].inFlight;
  if (member(message, "method") !== undefined) return;
  if (!requests.delete(keyOf(id))) scope.conversation.sides[scope.from].isUnclear = true;
}

function envelopeFault(message: unknown): [pointer: string, expected: string, received: unknown] {
  if (!isMembers(message)) return ["", "an object", message];
  const { id, method } = message;
  if (message.jsonrpc !== "2.0") return ["/jsonrpc", '"2.0"', message.jsonrpc];
  if (method !== undefined && typeof method !== "string") return ["/method", "string", method];
  const hasResult = message.result !== undefined;
  const hasError = message.error !== undefined;
  if (method === undefined && hasResult && hasError) {
    return ["/error", "nothing beside result", message.error];
  }
  if (method === undefined && !hasResult && !hasError) {
    return ["", "method, result or error", message];
  }
  return ["/id", "string or integer", id];
}
