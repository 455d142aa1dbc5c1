import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  PARSE_ERROR,
  type Revision,
} from "../../../wire/index.js";

/** Header fields by name. */
export type HeaderFields = Readonly<Record<string, string>>;

export interface Problem {
  readonly status: number;
  readonly message: string;
  readonly code: number;
  readonly headers?: HeaderFields;
  /** The limit or cause, which tells apart problems that share a status in a handler's counts. */
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

type Row = readonly [status: number, message: string, reason?: string, retryAfter?: number];

const ROWS = {
  otherSite: [403, "Forbidden: the request comes from a page of another site"],
  slowAuthentication: [503, "Authentication takes too long", "authentication", 5],
  notFound: [404, "Nothing is served at this path"],
  notAcceptable: [
    406,
    "Not acceptable: accept application/json and text/event-stream (GET: the latter)",
  ],
  notJson: [415, "Unsupported media type: send application/json in UTF-8"],
  tooLarge: [413, "The body is too large: send less (the limit is the option maxBodyBytes)"],
  openingTooLarge: [
    413,
    "The body is too large for a message before the handshake (maxInitializeBytes)",
  ],
  /** A placeholder for a response to a client that has disconnected. */
  gone: [400, "The client disconnected before the response"],
  readBefore: [
    500,
    "Internal error: the body was read before the handler, and not passed to it as an option",
  ],
  noSessionId: [
    400,
    "Mcp-Session-Id is missing: initialize first, then send the id that the response contains",
  ],
  noSession: [404, "Session not found: it has ended or never existed; start over with initialize"],
  idInFlight: [400, "Invalid request: a request with this id is in flight"],
  unknownEvent: [400, "Last-Event-ID is not an event from which this session can resume"],
  unexpectedAnswer: [400, "Invalid request: a response, but the server sends no requests"],
  noStreams: [
    406,
    "Not acceptable: a subscription is answered as a stream of events, and only JSON can be sent",
  ],
  subscriptionTooLarge: [
    413,
    "The body is too large for a message that opens a subscription (maxInitializeBytes)",
  ],
  manySessions: [503, "Too many sessions are open: try again later", "sessions", 10],
  manySubscriptions: [
    429,
    "Too many subscriptions are open: end one before the next",
    "subscriptions",
    10,
  ],
  overloaded: [503, "Too many requests are in progress: try again later", "requests", 1],
  senderOverloaded: [
    429,
    "Too many requests from this client are in progress: wait for responses",
    "sender",
    1,
  ],
  storeAway: [503, "The sessions cannot be reached: try again later", "store", 2],
  closing: [503, "The server is shutting down", "closing", 5],
  internal: [500, "Internal error"],
} as const;

type SpecialProblem = "encoded" | "notUtf8" | "unauthorized";

export const PROBLEMS: Readonly<Record<keyof typeof ROWS | SpecialProblem, Problem>> =
  /* @__PURE__ */ problemsOf(ROWS);

function problemsOf(rows: Readonly<Record<keyof typeof ROWS, Row>>): typeof PROBLEMS {
  const problems = Object.entries(rows).map(([name, [status, message, reason, retryAfter]]) => {
    const headers = retryAfter === undefined ? undefined : { "Retry-After": `${retryAfter}` };
    return [name, problem(status, message, headers, reason)];
  });
  return {
    ...(Object.fromEntries(problems) as Record<keyof typeof ROWS, Problem>),
    encoded: problem(415, "Unsupported content encoding: send the body as it is", {
      "Accept-Encoding": "identity",
    }),
    notUtf8: { status: 400, message: "Parse error: the body is not UTF-8", code: PARSE_ERROR },
    unauthorized: problem(401, "Unauthorized: the request has no valid credentials", {
      "WWW-Authenticate": "Bearer",
    }),
  };
}

/** Returns the problem of a body that could not be read, which names the limit that applied to it. */
export function bodyProblem(found: Problem, maxBytes: number, maxBodyBytes: number): Problem {
  const isShort = found === PROBLEMS.tooLarge && maxBytes < maxBodyBytes;
  return isShort ? PROBLEMS.openingTooLarge : found;
}

export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** Returns the problem for a failed request, and reports the error unless it comes from a store. */
export function failureOf(error: unknown, report: (error: Error) => void): Problem {
  if (error instanceof StoreError) return PROBLEMS.storeAway;
  report(error as Error);
  return PROBLEMS.internal;
}

export function headerMismatch({ errorCodes, conventions }: Revision, text: string): Problem {
  const code = errorCodes["HEADER_MISMATCH"]!;
  const status = conventions.errorStatuses["HEADER_MISMATCH"] ?? 400;
  return { status, code, message: `Header mismatch: ${text}` };
}
