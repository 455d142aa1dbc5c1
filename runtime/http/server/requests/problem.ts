import { INTERNAL_ERROR, INVALID_REQUEST, type Revision } from "../../../wire/index.js";

/** Header fields by name. */
export type HeaderFields = Readonly<Record<string, string>>;

/** Reason to refuse a request before it reaches a handler. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  /** JSON-RPC error code. */
  readonly code: number;
  readonly headers?: HeaderFields;
  /** Limit or cause, for the counts of a handler, if several problems have the same status. */
  readonly reason?: string;
}

export function problem(
  status: number,
  message: string,
  headers?: HeaderFields,
  reason?: string,
): Problem {
  const code = status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST;
  return { status, message, code, ...(headers && { headers }), ...(reason && { reason }) };
}

export const NOT_ACCEPTABLE: Problem = /* @__PURE__ */ problem(
  406,
  "Not acceptable: accept application/json and text/event-stream (GET: the latter)",
);
export const SESSION_ID_MISSING: Problem = /* @__PURE__ */ problem(
  400,
  "Mcp-Session-Id is missing: initialize first, then send the id that the response contains",
);
export const NO_SUCH_SESSION: Problem = /* @__PURE__ */ problem(
  404,
  "Session not found: it has ended or never existed; start over with initialize",
);
export const ID_IN_FLIGHT: Problem = /* @__PURE__ */ problem(
  400,
  "Invalid request: a request with this id is in flight",
);
export const BUSY: Problem = /* @__PURE__ */ problem(
  503,
  "Too many sessions are open: try again later",
  { "Retry-After": "10" },
  "sessions",
);
export const OVERLOADED: Problem = /* @__PURE__ */ problem(
  503,
  "Too many requests are under way: try again later",
  { "Retry-After": "1" },
  "requests",
);
export const SESSION_OVERLOADED: Problem = /* @__PURE__ */ problem(
  429,
  "Too many requests of this client are under way: wait for responses",
  { "Retry-After": "1" },
  "sender",
);
export const TOO_MANY_STREAMS: Problem = /* @__PURE__ */ problem(
  429,
  "Too many subscriptions are open: end one before the next",
  { "Retry-After": "10" },
  "subscriptions",
);
export const SUBSCRIPTION_TOO_LARGE: Problem = /* @__PURE__ */ problem(
  413,
  "The body is too large for a message that opens a subscription (maxInitializeBytes)",
);
export const NO_STREAMS: Problem = /* @__PURE__ */ problem(
  406,
  "Not acceptable: a subscription is answered as a stream of events, and only JSON can be sent",
);
export const SHUTTING_DOWN: Problem = /* @__PURE__ */ problem(
  503,
  "The server is shutting down",
  { "Retry-After": "5" },
  "closing",
);
export const INTERNAL: Problem = /* @__PURE__ */ problem(500, "Internal error");
export const UNKNOWN_EVENT: Problem = /* @__PURE__ */ problem(
  400,
  "Last-Event-ID is not an event from which this session can resume",
);

/** Failure of a store of shared sessions. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

const STORE_AWAY: Problem = /* @__PURE__ */ problem(
  503,
  "The sessions cannot be reached: try again later",
  { "Retry-After": "2" },
  "store",
);

/** Problem of a request that an error has ended. The error is reported, unless it comes from a store. */
export function failureOf(error: unknown, report: (error: Error) => void): Problem {
  if (error instanceof StoreError) return STORE_AWAY;
  report(error as Error);
  return INTERNAL;
}

/** Problem of a stateless request whose header fields contradict its body. */
export function headerMismatch({ errorCodes }: Revision, text: string): Problem {
  const code = errorCodes["HEADER_MISMATCH"]!;
  return { status: 400, code, message: `Header mismatch: ${text}` };
}
