import type { Revision } from "../revision/revision.js";
import type { Frame, NotificationMessage, RequestId, RequestMessage } from "./jsonrpc.js";

/**
 * A connection to one peer that carries JSON-RPC messages in order. Any implementation can be passed to `connect()`. A
 * transport only carries messages; its receiver checks them.
 */
export interface Transport {
  /**
   * Starts delivering to the receiver. Called once, before anything is sent.
   * @throws UsedTransportError the second time; other errors if the connection cannot be
   *   established
   */
  start(receiver: Receiver): void | Promise<void>;

  /**
   * Accepts a message for sending and returns immediately. A message that can no longer be sent is silently dropped;
   * the receiver is notified separately that the connection is closed.
   *
   * @param relatedTo - the id of the received request on whose behalf this message is sent, for transports that have
   *   one stream per request
   * @param once - the name of a broadcast that other instances of a server also send, for transports whose session is
   *   shared by several instances
   * @returns a promise if the sender should wait before it sends more; it resolves when there is room again, and never
   *   rejects
   * @throws TypeError or RangeError if the message cannot be serialized as JSON, in which case nothing is sent
   */
  send(frame: Frame, relatedTo?: RequestId, once?: string): Promise<void> | undefined;

  /**
   * Sends the accepted messages, then closes the connection. May be called at any time, even during the start, and more
   * than once.
   */
  close(): void | Promise<void>;

  /** Present on transports that are more than one ordered channel to the peer, such as HTTP. */
  readonly hooks?: TransportHooks | undefined;
}

/**
 * The hooks of a transport that spreads a conversation over its own requests and streams, as HTTP does. All of them are
 * optional. A transport that is one ordered channel, such as stdio or a socket, needs none.
 */
export interface TransportHooks {
  readonly sessionId?: string | undefined;
  /** The prefix of this side's request ids, if other instances send requests in the same session. */
  readonly requestIds?: string | undefined;
  /**
   * A session that was opened over another connection and continues over this one, so the client does not open one
   * itself.
   */
  readonly opened?: OpenSession | undefined;
  /** Sends stateless messages, each with its own exchange. Without it, they are sent like all other messages. */
  readonly stateless?: StatelessExchanges | undefined;

  /** Called before a client's connection starts, with the revision that the client will request. */
  offered?(revision: Revision): void;

  /** Called when a revision has been negotiated, before anything is sent in that revision. */
  agreed?(revision: Revision): void;

  /**
   * Called with the caller's options before this side sends a request. Without this method, a request that continues an
   * earlier one is refused.
   *
   * @throws the error with which the request rejects
   */
  sending?(id: RequestId, options: SendingOptions): void;

  /**
   * Returns true if a request from this side could reach the peer now, either on its own or while a received request is
   * being handled. Without this method, requests can always reach the peer.
   */
  canAsk?(relatedTo?: RequestId): boolean;

  /**
   * Releases a received request's response stream, and keeps further messages until the peer fetches them (MCP:
   * Streamable HTTP, polling). Does nothing if this is not possible.
   *
   * @param retry - the number of milliseconds after which the peer should reconnect
   */
  releaseStream?(relatedTo: RequestId, retry?: number): void;

  /** Called when a received request has been cancelled and will therefore not be answered. */
  unanswered?(id: RequestId): void;
}

/**
 * Sends a client's stateless messages, each with its own exchange with the server. Responses, and everything else that
 * the server sends in the meantime, go to the transport's receiver.
 */
export interface StatelessExchanges {
  /**
   * Sends a message and returns immediately. The receiver is notified if a request fails.
   *
   * @param revision - the revision that the message names
   * @returns a promise if the sender should wait before it sends more; it never rejects
   * @throws TypeError or RangeError if the message cannot be serialized as JSON, in which case nothing is sent
   */
  send(
    message: RequestMessage | NotificationMessage,
    revision: Revision,
  ): Promise<void> | undefined;

  /**
   * Ends a request's exchange, which cancels the request at the server (MCP: Streamable HTTP, cancellation).
   *
   * @returns false if the exchange has already ended
   */
  cancel(id: RequestId): boolean;
}

/** Receives everything that a transport delivers. None of its methods ever throws. */
export interface Receiver {
  /** Receives a JSON value, which need not be a message. */
  message(value: unknown, origin?: Origin): void;
  /** Receives input that is not a JSON value. */
  malformed(problem: Malformed): void;
  /**
   * Called with an error that does not end the connection.
   *
   * @param id - the id of the receiver's request that can no longer be answered; undefined if no request is affected
   */
  failed(id: RequestId | undefined, error: Error): void;
  /**
   * Called when no further input will arrive. Responses can still be sent, and the receiver then closes the transport.
   */
  ended(): void;
  /** Called when the connection has ended in both directions, with the error that caused this, if any. */
  closed(error?: Error): void;
}

/** The reason why input could not be delivered as a message. */
export interface Malformed {
  /** The error code of the response: -32700 for input that is not JSON, -32600 for input that exceeds a limit. */
  readonly code: number;
  readonly problem: string;
  /** The input itself, if it is text. It is not sent to the peer. */
  readonly text?: string;
  /** The value of input that could be parsed but is not acceptable. For input that is too long, its known parts. */
  readonly value?: unknown;
  /** True if the input may be a response, but it is unknown to which request. */
  readonly mayAnswer?: boolean;
}

/** A caller's options for sending one request and receiving its response. */
export interface SendingOptions {
  /** The HTTP headers for this request only. The protocol's own headers take precedence. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * The event ids for receiving the rest of a response after a connection was lost, in a session over HTTP (MCP:
   * Streamable HTTP, resumability).
   */
  readonly resumption?: Resumption | undefined;
  /**
   * The called tool's definition, whose annotations select the arguments to mirror in header fields. Default: the
   * definition in the most recent list over this connection.
   */
  readonly tool?: object | undefined;
}

/** The event ids of the stream that carries a request's response. */
export interface Resumption {
  /**
   * The last id that was passed to `ontoken` for an earlier request whose response did not arrive. Nothing is sent; the
   * messages after that event are fetched. Transports other than Streamable HTTP reject the request.
   */
  readonly token?: string | undefined;
  /** Called with the id of each event, before its message arrives. */
  readonly ontoken?: ((token: string) => void) | undefined;
}

/** A session that was opened earlier over another connection, as plain JSON. Keep it as safe as a password. */
export interface OpenSession {
  /** The id that the server assigned to the session (`Mcp-Session-Id`). */
  readonly id: string;
  /** The id of the negotiated revision. */
  readonly revision: Revision["id"];
  /** The server, as it described itself. */
  readonly server: {
    readonly info?: unknown;
    readonly capabilities: Readonly<Record<string, unknown>>;
    readonly instructions?: string | undefined;
  };
}

/** The authenticated sender of a message, as established by the transport. */
export interface Auth {
  /** The sender's identity across requests and sessions, such as `issuer|subject|client`, or the name of an API key. */
  readonly principal: string;
  /** The scopes that were granted to the sender. */
  readonly scopes?: readonly string[];
  /** Additional facts, such as verified claims. This must not contain a credential. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /**
   * The time at which the credential expires, in milliseconds since 1970. The sender's subscriptions end at that time.
   */
  readonly expiresAt?: number | undefined;
}

/** Facts about a received message, besides its text, that only the transport knows. */
export interface Origin {
  readonly auth?: Auth | undefined;
  /** Returns a header of the HTTP request that carried the message, by its lower-case name. */
  readonly header?: ((name: string) => string | undefined) | undefined;
  /** A value that the host of an HTTP handler passes with the request. */
  readonly locals?: unknown;
  /** The id of the receiver's own request whose exchange carried the message. */
  readonly ownRequest?: RequestId | undefined;
  /**
   * Turns the HTTP response into a refusal whose challenge names these scopes, unless its status has already been sent.
   */
  forbid?(scopes: readonly string[]): void;
  /**
   * Turns the HTTP response into one that states that the receiver is unavailable, and how many seconds to wait
   * before a retry, unless its status has already been sent.
   */
  defer?(retryAfter: number): void;
}
