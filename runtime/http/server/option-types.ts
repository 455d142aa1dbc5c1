import type { DecodeOptions } from "../../wire/index.js";
import type { HealthChecks } from "./handler-state.js";
import type { Authenticate, Authenticator } from "./requests/authentication.js";
import type { SessionSharing } from "./sessions/session-sharing.js";
import type { EventStore } from "./streams/event-store.js";

/** Protection against pages in browsers that call a server of another site (DNS rebinding, cross-site requests). */
export interface OriginOptions {
  /**
   * Names of the server in the `Host` field: `example.com` with any port, `example.com:8443` with that
   * one; `"any"` switches the check off. Default: `localhost`, `127.0.0.1` and `[::1]`.
   */
  readonly allowedHosts?: readonly string[] | "any" | undefined;
  /**
   * Origins of the pages that may use the server: `https://app.example.com`; `"any"` switches the check off.
   * Requests without an `Origin` do not come from pages. Default: `http` and `https` on the names above, any port.
   */
  readonly allowedOrigins?: readonly string[] | "any" | undefined;
}

/** Options that all handlers have in common. */
export interface HttpOptions extends OriginOptions, DecodeOptions {
  /**
   * Identifies the sender of a request: returns `{ principal }`, `{ status }` to refuse it, or `"anonymous"`. An empty
   * value is refused with 401. An authenticator, such as `resourceServer()` of `@mcp-codegen/auth/server`, also serves
   * its metadata. Default: no authentication.
   */
  readonly authenticate?: Authenticate | Authenticator | undefined;
  /**
   * Milliseconds that `authenticate`, or the `auth` of a mount, may take; after that, the response is 503. Default:
   * 10 000.
   */
  readonly authenticateTimeout?: number | undefined;
  /** Header fields that allowed pages may send in addition to those of MCP, such as `X-API-Key`. Default: none. */
  readonly allowedHeaders?: readonly string[] | undefined;
  /** Largest body that is read, in bytes; a larger one is answered with 413. Default: 4 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Largest body that a framework may have parsed before the handler, by its `Content-Length`; Infinity for any.
   * Default: the same as for other bodies.
   */
  readonly maxParsedBodyBytes?: number | undefined;
  /**
   * Largest body of a message that opens a session or a subscription, which is kept for as long as that is open.
   * Default: 64 KiB.
   */
  readonly maxInitializeBytes?: number | undefined;
  /**
   * Maximum length of an answer, in characters; an error that names this option replaces a longer
   * one. Default: 64 MiB.
   */
  readonly maxAnswerBytes?: number | undefined;
  /**
   * Maximum number of bytes that may wait for a client before another message is written to its
   * stream; above it, the connection is dropped. A single message may be longer. Default: 64 MiB.
   */
  readonly maxWaitingBytes?: number | undefined;
  /**
   * Maximum number of bytes that may wait for all clients together, counting only clients for which
   * more than 256 KiB wait; above it, the connection that has gone the longest without reading is
   * dropped. Default: 256 MiB.
   */
  readonly maxUnreadBytes?: number | undefined;
  /**
   * Milliseconds after which a connection is dropped if more than 256 KiB wait for its client, and the client reads
   * nothing. Default: 30 000.
   */
  readonly readerTimeout?: number | undefined;
  /** Milliseconds between keep-alive comments on open streams. Default: 15 000; on Bun, which ends silent connections, 5000. */
  readonly keepAlive?: number | undefined;
  /**
   * Maximum number of open sessions. Above it, the longest idle session of the principal or network
   * address with the most sessions ends; if none is idle, the response is 503. Default: 10 000.
   */
  readonly maxSessions?: number | undefined;
  /** Maximum number of open sessions of one authenticated sender. Default: 1000. */
  readonly maxSessionsPerPrincipal?: number | undefined;
  /** Called with failures whose cause is not sent to any client. Default: one line on `console.error`. */
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** Options of the Streamable HTTP handler. */
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
  /** Called when a session has ended: closed by either side, or unused for `sessionTtl`. Must not throw. */
  readonly onsessionclose?: ((sessionId: string) => void) | undefined;
  /**
   * Milliseconds after which a session ends if it has neither a request in progress nor an open stream. Default: 30
   * minutes.
   */
  readonly sessionTtl?: number | undefined;
  /**
   * `auto`: requests are answered as JSON, or as a stream of events if a message is sent before the answer. `events`:
   * always as a stream, so that `upgradeAfter` has no effect. `json`: always as JSON; other messages are sent on the
   * stream that the client opens by GET, and are lost without one; subscriptions are refused. Default: `auto`.
   */
  readonly responses?: "auto" | "events" | "json" | undefined;
  /** Milliseconds after which the answer becomes a stream, so that its connection is kept alive. Default: 10 000. */
  readonly upgradeAfter?: number | undefined;
  /**
   * True to serve clients that accept only one of the two kinds of answer, or send no `Accept` field. Default: false.
   */
  readonly lenientAccept?: boolean | undefined;
  /** Store of events for clients that reconnect; null keeps none. Default: a `MemoryEventStore`. */
  readonly eventStore?: EventStore | null | undefined;
  /** Milliseconds after which a client should reconnect if its stream ends early. Default: 1000. */
  readonly retry?: number | undefined;
  /**
   * Maximum number of requests in progress from all clients together; further ones are answered with 503. Default: 10
   * 000.
   */
  readonly maxRequests?: number | undefined;
  /**
   * Maximum number of bytes of the bodies of all requests in progress, and, counted separately, of all bodies that
   * are being read; further requests are answered with 503. Default: 256 MiB.
   */
  readonly maxBytesUnderWay?: number | undefined;
  /**
   * Maximum number of bytes of the bodies of requests in progress in one session, or of one authenticated sender
   * without a session; a request that would exceed it is answered with 429. Default: 32 MiB.
   */
  readonly maxBytesUnderWayPerSession?: number | undefined;
  /**
   * Maximum number of requests in progress of one authenticated sender without a session; further
   * ones are answered with 429. The limit of a session is the server's `limits.incoming`. Default: 1000.
   */
  readonly maxRequestsPerPrincipal?: number | undefined;
  /**
   * Maximum number of open subscriptions of one authenticated sender, for clients without a session; further ones are
   * answered with 429. The limit of all clients together is the server's `limits.allSubscriptions`. Default: 100.
   */
  readonly maxSubscriptionsPerPrincipal?: number | undefined;
  /**
   * Maximum size of all messages that opened sessions and subscriptions, in bytes. Above it, idle
   * sessions end; if none is idle, the response is 503. Default: 128 MiB.
   */
  readonly maxBytesKept?: number | undefined;
  /**
   * Maximum number of messages that a session keeps while its client has no stream open. Default:
   * 100.
   */
  readonly maxQueued?: number | undefined;
}

/** Options of the HTTP+SSE handler. */
export interface SseHandlerOptions extends HttpOptions {
  /**
   * `SharedSessions` of `@mcp-codegen/runtime/http/sharing` lets clients send their messages to any instance of the
   * server; a stream stays where it was opened. Otherwise, messages are accepted only by the instance that holds the
   * stream.
   */
  readonly sessions?: boolean | SessionSharing | undefined;
  /** Path, from the root of the host, that clients send their messages to. Default: `/messages`. */
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
   * Further dependencies, such as a database, by name: functions that throw or reject if the dependency is not
   * available. Default: none.
   */
  readonly checks?: HealthChecks | undefined;
  /**
   * False to answer 200 even if the stores of shared sessions do not answer: the handler then serves requests that need
   * none, and answers others with 503. Default: true.
   */
  readonly stores?: boolean | undefined;
  /** Milliseconds that all checks may take. Default: 1000. */
  readonly timeout?: number | undefined;
  /** Milliseconds for which the result of a check is cached, so that requests cannot flood the stores. Default: 1000. */
  readonly maxAge?: number | undefined;
  /** Called once each time a dependency stops answering. Default: one line on `console.error`. */
  readonly onerror?: ((error: Error) => void) | undefined;
}
