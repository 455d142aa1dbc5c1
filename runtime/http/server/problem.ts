import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  type Malformed,
  type RequestId,
  type Revision,
  answerToUnreadable,
} from "../../wire/index.js";
import type { Exchange, HeaderFields } from "./exchange.js";

/** Why a request is refused before it reaches a handler. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  /** JSON-RPC error code. */
  readonly code: number;
  readonly headers?: HeaderFields;
  /** Limit or cause, for the counts of a handler, where several problems have one status. */
  readonly reason?: string;
}

export const JSON_FIELDS: HeaderFields = { "Content-Type": "application/json" };

export function problem(
  status: number,
  message: string,
  headers?: HeaderFields,
  reason?: string,
): Problem {
  const code = status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST;
  return { status, message, code, ...(headers && { headers }), ...(reason && { reason }) };
}

/**
 * Answers with a JSON-RPC error, which belongs to no request as long as none was read (MCP: Streamable HTTP, sending
 * messages).
 *
 * @param revision - says how an error without an id looks; without a revision, the id is left out
 */
export function refuse(
  exchange: Exchange,
  { status, message, code, headers, reason }: Problem,
  revision?: Revision,
  id: RequestId | null = null,
): void {
  exchange.refusals?.count(status, reason);
  const error = { code, message };
  const body =
    id === null && revision?.traits.errorId !== "required"
      ? { jsonrpc: "2.0", error }
      : { jsonrpc: "2.0", id, error };
  exchange.respond(
    status,
    { ...JSON_FIELDS, "Cache-Control": "no-store", ...headers },
    JSON.stringify(body),
  );
}

/** Answers a body that holds no message, or not one that can be read. */
export function refuseUnreadable(
  exchange: Exchange,
  malformed: Malformed,
  revision?: Revision,
): void {
  const answer = answerToUnreadable(malformed, "server", revision);
  exchange.refusals?.count(400);
  if (answer) exchange.respond(400, JSON_FIELDS, JSON.stringify(answer));
  else exchange.respond(400);
}

export const NOT_ACCEPTABLE: Problem = problem(
  406,
  "Not acceptable: accept application/json and text/event-stream (GET: the latter)",
);
export const SESSION_ID_MISSING: Problem = problem(
  400,
  "Mcp-Session-Id is missing: initialize first, then send the id that came with the answer",
);
export const NO_SUCH_SESSION: Problem = problem(
  404,
  "Session not found: it has ended or never was; start over with initialize",
);
export const ID_IN_FLIGHT: Problem = problem(
  400,
  "Invalid request: a request with this id is in flight",
);
export const BUSY: Problem = problem(
  503,
  "Too many sessions are open: try again later",
  { "Retry-After": "10" },
  "sessions",
);
export const OVERLOADED: Problem = problem(
  503,
  "Too many requests are under way: try again later",
  { "Retry-After": "1" },
  "requests",
);
export const SESSION_OVERLOADED: Problem = problem(
  429,
  "Too much of this client is under way: wait for answers",
  { "Retry-After": "1" },
  "sender",
);
export const TOO_MANY_STREAMS: Problem = problem(
  429,
  "Too many subscriptions are open: end one before the next",
  { "Retry-After": "10" },
  "subscriptions",
);
export const SUBSCRIPTION_TOO_LARGE: Problem = problem(
  413,
  "The body is too large for a message that opens a subscription (maxInitializeBytes)",
);
export const NO_STREAMS: Problem = problem(
  406,
  "Not acceptable: a subscription is answered as a stream of events, and only JSON can be sent",
);
export const SHUTTING_DOWN: Problem = problem(
  503,
  "The server is shutting down",
  { "Retry-After": "5" },
  "closing",
);
export const INTERNAL: Problem = problem(500, "Internal error");
