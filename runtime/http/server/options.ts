import type { DecodeOptions } from "../../wire/index.js";
import type { Authenticate, Authenticator } from "./authentication.js";
import type { EventStore } from "./event-store.js";
import type { GuardOptions } from "./guard.js";
import type { SessionSharing } from "./session-sharing.js";

/** Options that all handlers have in common. */
export interface HttpOptions extends GuardOptions, DecodeOptions {
  /**
   * Finds out who sent a request: gives `{ principal }`, `{ status }` to refuse it, or `"anonymous"`. Whatever is
   * empty is refused with 401. An authenticator, such as `resourceServer()` of `@mcp-codegen/auth/server`, also serves
   * its metadata. Default: nobody is asked.
   */
  readonly authenticate?: Authenticate | Authenticator | undefined;
  /**
   * Milliseconds that `authenticate`, or the `auth` of a mount, may take; then the answer is 503. Default: 10 000.
   */
  readonly authenticateTimeout?: number | undefined;
  /** Fields that allowed pages may send in addition to those of MCP, such as `X-API-Key`. Default: none. */
  readonly allowedHeaders?: readonly string[] | undefined;
  /** Largest body that is read; a larger one is answered 413. Default: 4 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Largest body, by its `Content-Length`, that something before the handler has read; Infinity for any. Default: the
   * same as for other bodies.
   */
  readonly maxParsedBodyBytes?: number | undefined;
  /**
   * Largest body of a message that opens a session or a subscription, since it is kept for as long as that is open.
   * Default: 64 KiB.
   */
  readonly maxInitializeBytes?: number | undefined;
  /** Longest answer, in characters; an error that names this option is sent instead of a longer one. Default: 64 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * Bytes that may wait for a client before another message is written to its stream; beyond, the connection is
   * dropped. A single message may be longer. Default: 64 MiB.
   */
  readonly maxWaitingBytes?: number | undefined;
  /**
   * Bytes that may wait for all clients together, as far as more than 256 KiB wait for one; beyond, the connection that
   * has taken nothing for longest is dropped. Default: 256 MiB.
   */
  readonly maxUnreadBytes?: number | undefined;
  /**
   * Milliseconds after which a connection is dropped whose client takes nothing, while more than 256 KiB wait for it.
   * Default: 30 000.
   */
  readonly readerTimeout?: number | undefined;
  /** Milliseconds between signs of life on open streams. Default: 15 000. */
  readonly keepAlive?: number | undefined;
  /**
   * Sessions at once; beyond, the longest idle one ends of the principal or network address that has most, and without
   * any that is idle the answer is 503. Default: 10 000.
   */
  readonly maxSessions?: number | undefined;
  /** Sessions at once of one authenticated sender. Default: 1000. */
  readonly maxSessionsPerPrincipal?: number | undefined;
  /** Called with failures whose cause no client is told. Default: one line on `console.error`. */
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** Options of the Streamable HTTP handler. */
export interface HttpHandlerOptions extends HttpOptions {
  /**
   * True to give clients of session revisions a session. Otherwise each of their requests is served
   * by itself: you cannot send requests to the client, nor messages outside the answer to a
   * request. `SharedSessions` of `@mcp-codegen/runtime/http/sharing` gives them sessions that all instances of the
   * server share, and makes `eventStore` needless. Default: true.
   */
  readonly sessions?: boolean | SessionSharing | undefined;
  /** Makes the id of a new session, 1 to 256 visible ASCII characters that nobody may guess. Default: a random UUID. */
  readonly newSessionId?: (() => string) | undefined;
  /** Called when a client has opened a session, before it gets the answer. Must not throw. */
  readonly onsessionopen?: ((sessionId: string) => void) | undefined;
  /** Called when a session is over: at either side's wish, or because nobody used it. Must not throw. */
  readonly onsessionclose?: ((sessionId: string) => void) | undefined;
  /** Milliseconds after which a session ends that has neither a request under way nor an open stream. Default: 30 minutes. */
  readonly sessionTtl?: number | undefined;
  /**
   * `auto`: requests are answered as JSON, or as a stream of events if something is to be said before the answer.
   * `events`: always as a stream, which `upgradeAfter` does without need. `json`: always as JSON; what else there is to say goes to the stream that the client opens by GET, and is lost
   * where there is none. Subscriptions are refused then. Default: `auto`.
   */
  readonly responses?: "auto" | "events" | "json" | undefined;
  /** Milliseconds after which the answer becomes a stream, so that its connection is kept alive. Default: 10 000. */
  readonly upgradeAfter?: number | undefined;
  /**
   * True to serve clients that accept only one of the two kinds of answer, or do not say. Default:
   * false.
   */
  readonly lenientAccept?: boolean | undefined;
  /** Store of events for clients that reconnect; null keeps none. Default: a `MemoryEventStore`. */
  readonly eventStore?: EventStore | null | undefined;
  /** Milliseconds after which a client should come back when its stream ends early. Default: 1000. */
  readonly retry?: number | undefined;
  /** Requests under way at once, of all clients; further ones are answered 503. Default: 10 000. */
  readonly maxRequests?: number | undefined;
  /**
   * Bytes of the bodies of all requests under way, and once more of all that are being read; further ones are answered
   * 503. Default: 256 MiB.
   */
  readonly maxBytesUnderWay?: number | undefined;
  /**
   * Bytes of the bodies of requests under way in one session, or of one authenticated sender without a session; further
   * ones are answered 429. Default: 32 MiB.
   */
  readonly maxBytesUnderWayPerSession?: number | undefined;
  /**
   * Requests under way at once of one authenticated sender without a session; further ones are answered 429. Those
   * of a session: the server's `limits.incoming`. Default: 1000.
   */
  readonly maxRequestsPerPrincipal?: number | undefined;
  /**
   * Subscriptions that clients without a session may have open at once, of one authenticated sender; further ones are
   * answered 429. All clients together: the server's `limits.allSubscriptions`. Default: 100.
   */
  readonly maxSubscriptionsPerPrincipal?: number | undefined;
  /**
   * Bytes of all messages that opened sessions and subscriptions; beyond, sessions that are idle end, and without any
   * the answer is 503. Default: 128 MiB.
   */
  readonly maxBytesKept?: number | undefined;
  /** Messages that a session keeps while its client has no stream open. Default: 100. */
  readonly maxQueued?: number | undefined;
}

/** Options of the HTTP+SSE handler. */
export interface SseHandlerOptions extends HttpOptions {
  /**
   * `SharedSessions` of `@mcp-codegen/runtime/http/sharing` lets clients send their messages to any instance of the
   * server; a stream stays where it was opened. Default: only to the instance that has the stream.
   */
  readonly sessions?: boolean | SessionSharing | undefined;
  /** Path, from the root of the host, that clients send their messages to. Default: `/messages`. */
  readonly messagePath?: string | undefined;
}

/** Kind of value that an option takes; `checked`: the option has a check of its own. */
export type OptionKind =
  | "function"
  | "number"
  | "boolean"
  | "strings"
  | "object or null"
  | "authenticator"
  | "sharing"
  | "checked"
  | readonly string[];

/** All options of both kinds of handlers: their names and what they take. */
export const OPTION_KINDS: Readonly<
  Record<keyof HttpHandlerOptions | keyof SseHandlerOptions, OptionKind>
> = {
  allowedHosts: "checked",
  allowedOrigins: "checked",
  duplicateKeys: ["last", "refuse"],
  authenticate: "authenticator",
  authenticateTimeout: "number",
  allowedHeaders: "strings",
  maxBodyBytes: "number",
  maxParsedBodyBytes: "number",
  maxInitializeBytes: "number",
  maxAnswerBytes: "number",
  maxWaitingBytes: "number",
  maxUnreadBytes: "number",
  readerTimeout: "number",
  keepAlive: "number",
  maxSessions: "number",
  maxSessionsPerPrincipal: "number",
  onerror: "function",
  sessions: "sharing",
  newSessionId: "function",
  onsessionopen: "function",
  onsessionclose: "function",
  sessionTtl: "number",
  responses: ["auto", "events", "json"],
  upgradeAfter: "number",
  lenientAccept: "boolean",
  eventStore: "object or null",
  retry: "number",
  maxRequests: "number",
  maxBytesUnderWay: "number",
  maxBytesKept: "number",
  maxBytesUnderWayPerSession: "number",
  maxRequestsPerPrincipal: "number",
  maxSubscriptionsPerPrincipal: "number",
  maxQueued: "number",
  messagePath: "checked",
};

const MIB = 1024 * 1024;

interface Defaults {
  readonly authenticateTimeout: number;
  readonly maxBodyBytes: number;
  readonly maxInitializeBytes: number;
  readonly maxBytesUnderWay: number;
  readonly maxBytesKept: number;
  readonly maxBytesUnderWayPerSession: number;
  readonly maxAnswerBytes: number;
  readonly maxWaitingBytes: number;
  readonly maxUnreadBytes: number;
  readonly readerTimeout: number;
  readonly keepAlive: number;
  readonly maxSessions: number;
  readonly maxSessionsPerPrincipal: number;
  readonly sessionTtl: number;
  readonly upgradeAfter: number;
  readonly maxRequests: number;
  readonly maxRequestsPerPrincipal: number;
  readonly retry: number;
  readonly maxSubscriptionsPerPrincipal: number;
  readonly maxQueued: number;
}

export const DEFAULTS: Defaults = {
  authenticateTimeout: 10_000,
  maxBodyBytes: 4 * MIB,
  maxInitializeBytes: MIB / 16,
  maxBytesUnderWay: 256 * MIB,
  maxBytesKept: 128 * MIB,
  maxBytesUnderWayPerSession: 32 * MIB,
  maxAnswerBytes: 64 * MIB,
  maxWaitingBytes: 64 * MIB,
  maxUnreadBytes: 256 * MIB,
  readerTimeout: 30_000,
  keepAlive: 15_000,
  maxSessions: 10_000,
  maxSessionsPerPrincipal: 1000,
  sessionTtl: 30 * 60_000,
  upgradeAfter: 10_000,
  maxRequests: 10_000,
  maxRequestsPerPrincipal: 1000,
  retry: 1000,
  maxSubscriptionsPerPrincipal: 100,
  maxQueued: 100,
};
