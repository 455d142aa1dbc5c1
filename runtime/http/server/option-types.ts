import type { DecodeOptions } from "../../wire/index.js";
import type { HealthChecks } from "./handler-state.js";
import type { Authenticate, Authenticator } from "./requests/authentication.js";
import type { SessionSharing } from "./sessions/session-sharing.js";
import type { EventStore } from "./streams/event-store.js";

/** Protects against browser pages that call a server of another site (DNS rebinding, cross-site requests). */
export interface OriginOptions {
  /**
   * The server's names in the `Host` field: `example.com` matches any port, `example.com:8443` only that one; `"any"`
   * disables the check. Default: `localhost`, `127.0.0.1` and `[::1]`.
   */
  readonly allowedHosts?: readonly string[] | "any" | undefined;
  /**
   * The origins of the pages that may use the server, such as `https://app.example.com`; `"any"` disables the check.
   * Requests without an `Origin` do not come from pages. Default: `http` and `https` on the names above, with any port.
   */
  readonly allowedOrigins?: readonly string[] | "any" | undefined;
}

/** The options that all handlers have in common. */
export interface HttpOptions extends OriginOptions, DecodeOptions {
  /**
   * Identifies the sender of a request. Returns `{ principal }`, `{ status }` to refuse the request, or `"anonymous"`;
   * an empty value is refused with 401. An authenticator, such as `resourceServer()` of `@mcp-codegen/auth/server`,
   * also serves its metadata. Default: no authentication.
   */
  readonly authenticate?: Authenticate | Authenticator | undefined;
  /**
   * The time, in milliseconds, that `authenticate` or a mount's `auth` may take. If it takes longer, the response is
   * 503. Default: 10,000.
   */
  readonly authenticateTimeout?: number | undefined;
  /** The header fields that allowed pages may send in addition to those of MCP, such as `X-API-Key`. Default: none. */
  readonly allowedHeaders?: readonly string[] | undefined;
  /** The largest body to read, in bytes. A larger one is answered with 413. Default: 4 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * The largest body that a framework may have parsed before the handler runs, measured by its `Content-Length`;
   * Infinity allows any size. Default: the same as for other bodies.
   */
  readonly maxParsedBodyBytes?: number | undefined;
  /**
   * The largest body of a message that opens a session or a subscription. The message is kept for as long as what it
   * opened. Default: 64 KiB.
   */
  readonly maxInitializeBytes?: number | undefined;
  /**
   * The maximum length of an answer, in characters. A longer one is replaced by an error that names this option.
   * Default: 64 MiB.
   */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * The maximum number of bytes that may be waiting for a client before another message is written to its stream. If
   * more are waiting, the connection is dropped. A single message may be longer. Default: 64 MiB.
   */
  readonly maxWaitingBytes?: number | undefined;
  /**
   * The maximum number of bytes that may be waiting for all clients together, counting only clients for which more than
   * 256 KiB are waiting. Above it, the connection that has gone longest without reading is dropped. Default: 256 MiB.
   */
  readonly maxUnreadBytes?: number | undefined;
  /**
   * The time, in milliseconds, after which a connection is dropped if more than 256 KiB are waiting for its client and
   * the client reads nothing. Default: 30,000.
   */
  readonly readerTimeout?: number | undefined;
  /**
   * The interval between keep-alive comments on open streams, in milliseconds. Default: 15,000, or 5000 on Bun, which
   * ends silent connections.
   */
  readonly keepAlive?: number | undefined;
  /**
   * The maximum number of open sessions. Above it, the longest-idle session of the principal or network address with
   * the most sessions is ended; if none is idle, the response is 503. Default: 10,000.
   */
  readonly maxSessions?: number | undefined;
  /** The maximum number of open sessions per authenticated sender. Default: 1000. */
  readonly maxSessionsPerPrincipal?: number | undefined;
  /** Called with failures whose cause is not sent to any client. Default: writes one line with `console.error`. */
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** The options of the Streamable HTTP handler. */
export interface HttpHandlerOptions extends HttpOptions {
  /**
   * True to open sessions for clients of session revisions. Otherwise each of their requests is served
   * by itself: the server cannot send requests to the client, nor messages outside the answer to a
   * request. `SharedSessions` of `@mcp-codegen/runtime/http/sharing` opens sessions that all instances of the
   * server share, and replaces `eventStore`. Default: true.
   */
  readonly sessions?: boolean | SessionSharing | undefined;
  /**
   * Creates the id for a new session: 1 to 256 visible ASCII characters that cannot be guessed.
   * Default: a random UUID.
   */
  readonly newSessionId?: (() => string) | undefined;
  /** Called when a client has opened a session, before the client receives the answer. Must not throw. */
  readonly onsessionopen?: ((sessionId: string) => void) | undefined;
  /**
   * Called when a session has ended because either side closed it, or because it was unused for `sessionTtl`. Must not
   * throw.
   */
  readonly onsessionclose?: ((sessionId: string) => void) | undefined;
  /**
   * The time, in milliseconds, after which a session ends if it has neither a request in progress nor an open stream.
   * Default: 30 minutes.
   */
  readonly sessionTtl?: number | undefined;
  /**
   * The form of the answers. `auto`: JSON, or a stream of events if a message is sent before the answer. `events`:
   * always a stream, so `upgradeAfter` has no effect. `json`: always JSON; other messages are sent on the stream that
   * the client opens by GET, and are lost if there is none; subscriptions are refused. Default: `auto`.
   */
  readonly responses?: "auto" | "events" | "json" | undefined;
  /**
   * The time, in milliseconds, after which the answer becomes a stream so that its connection is kept alive. Default:
   * 10,000.
   */
  readonly upgradeAfter?: number | undefined;
  /**
   * True to serve clients that accept only one of the two kinds of answer, or send no `Accept` field. Default: false.
   */
  readonly lenientAccept?: boolean | undefined;
  /** The store of events for clients that reconnect; null to keep no events. Default: a `MemoryEventStore`. */
  readonly eventStore?: EventStore | null | undefined;
  /** The time, in milliseconds, after which a client should reconnect if its stream ends early. Default: 1000. */
  readonly retry?: number | undefined;
  /**
   * The maximum number of requests in progress from all clients together. Further ones are answered with 503. Default:
   * 10,000.
   */
  readonly maxRequests?: number | undefined;
  /**
   * The maximum total size, in bytes, of all request bodies in progress and, counted separately, of all bodies that are
   * being read. Further requests are answered with 503. Default: 256 MiB.
   */
  readonly maxBytesUnderWay?: number | undefined;
  /**
   * The maximum total size, in bytes, of the request bodies in progress in one session or, without a session, from one
   * authenticated sender. A request that would exceed it is answered with 429. Default: 32 MiB.
   */
  readonly maxBytesUnderWayPerSession?: number | undefined;
  /**
   * The maximum number of requests in progress per authenticated sender without a session. Further ones are answered
   * with 429. The limit per session is the server's `limits.incoming`. Default: 1000.
   */
  readonly maxRequestsPerPrincipal?: number | undefined;
  /**
   * The maximum number of open subscriptions per authenticated sender, for clients without a session. Further ones are
   * answered with 429. The limit for all clients together is the server's `limits.allSubscriptions`. Default: 100.
   */
  readonly maxSubscriptionsPerPrincipal?: number | undefined;
  /**
   * The maximum total size of the messages that opened sessions and subscriptions, in bytes. Above it, idle sessions
   * are ended; if none is idle, the response is 503. Default: 128 MiB.
   */
  readonly maxBytesKept?: number | undefined;
  /** The maximum number of messages that a session keeps while its client has no stream open. Default: 100. */
  readonly maxQueued?: number | undefined;
}

/** The options of the HTTP+SSE handler. */
export interface SseHandlerOptions extends HttpOptions {
  /**
   * `SharedSessions` of `@mcp-codegen/runtime/http/sharing` lets clients send their messages to any instance of the
   * server, while each stream stays where it was opened. Otherwise, only the instance that holds the stream accepts
   * messages.
   */
  readonly sessions?: boolean | SessionSharing | undefined;
  /** The path, from the root of the host, to which clients send their messages. Default: `/messages`. */
  readonly messagePath?: string | undefined;
}

export type Limit<Options> = keyof {
  [
    Name in Exclude<keyof Options, "maxParsedBodyBytes"> as NonNullable<
      Options[Name]
    > extends number
      ? Name
      : never
  ]: number;
};

export type Settings<Options> = Options & { readonly [Name in Limit<Options>]: number };

/** Options of `createHealthHandler`. */
export interface HealthHandlerOptions {
  /**
   * The checks of further dependencies, such as a database, by name: functions that throw or reject if the dependency
   * is not available. Default: none.
   */
  readonly checks?: HealthChecks | undefined;
  /**
   * False to answer 200 even if the stores of shared sessions do not answer. The handler then still serves requests
   * that need no store, and answers others with 503. Default: true.
   */
  readonly stores?: boolean | undefined;
  /** The time that all checks may take, in milliseconds. Default: 1000. */
  readonly timeout?: number | undefined;
  /**
   * The time, in milliseconds, for which a check's result is cached, so that requests cannot flood the stores. Default:
   * 1000.
   */
  readonly maxAge?: number | undefined;
  /** Called once each time a dependency stops answering. Default: writes one line with `console.error`. */
  readonly onerror?: ((error: Error) => void) | undefined;
}
