import type { Revision } from "../revision/revision.js";
import type { Frame, NotificationMessage, RequestId, RequestMessage } from "./jsonrpc.js";

/**
 * A connection to one peer that carries JSON-RPC messages in order. Any implementation can be
 * passed to `connect()`; a transport only carries messages, and its receiver checks them.
 */
export interface Transport {
  /**
   * Starts delivering to the receiver. Called once, before anything is sent.
   * @throws UsedTransportError the second time; other errors if the connection cannot be
   *   established
   */
  start(receiver: Receiver): void | Promise<void>;

  /**
   * Accepts a message for sending and returns immediately. A message that can no longer be sent is
   * dropped silently; the receiver is notified separately that the connection is closed.
   *
   * @param relatedTo - id of the received request on whose behalf this is sent, for transports that
   *   have one stream per request
   * @param once - name of a broadcast that other instances of a server also send, for transports
   *   whose session several of them share
   * @returns a promise if the sender should wait before it sends more: it resolves when there is
   *   room again, and never rejects
   * @throws TypeError or RangeError if the message cannot be serialized as JSON; nothing is sent
   *   then
   */
  send(frame: Frame, relatedTo?: RequestId, once?: string): Promise<void> | undefined;

  /**
   * Sends the accepted messages, then closes the connection. May be called at any time, also during
   * the start, and more than once.
   */
  close(): void | Promise<void>;

  /** Present on a transport that is more than one ordered channel to the peer, such as HTTP. */
  readonly hooks?: TransportHooks | undefined;
}

/**
 * Hooks of a transport that spreads a conversation over its own requests and streams, as HTTP does.
 * All of them are optional; a transport that is one ordered channel, such as stdio or a socket,
 * needs none.
 */
export interface TransportHooks {
  readonly sessionId?: string | undefined;
  /**
   * Prefix of the ids of this side's requests, if other instances send requests in the same
   * session.
   */
  readonly requestIds?: string | undefined;
  /**
   * Session that was opened over another connection and continues over this one, so that the client does not open
   * one.
   */
  readonly opened?: OpenSession | undefined;
  /** Sender of stateless messages, each with its own exchange. Without it they are sent like all others. */
  readonly stateless?: StatelessExchanges | undefined;

  /** Called before the start of a client's connection, with the revision that it will request. */
  offered?(revision: Revision): void;

  /** Called when a revision has been negotiated, before anything is sent under it. */
  agreed?(revision: Revision): void;

  /**
   * Called before this side sends a request, with the caller's options; without this method, a request that
   * continues an earlier one is refused.
   * @throws the error with which the request rejects
   */
  sending?(id: RequestId, options: SendingOptions): void;

  /**
   * True if a request sent by this side could reach the peer now, on its own or while a received request is being
   * handled. Without this method it always can.
   */
  canAsk?(relatedTo?: RequestId): boolean;

  /**
   * Releases the response stream of a received request, and keeps further messages until the peer
   * fetches them (MCP: Streamable HTTP, polling). Does nothing if that is not possible.
   *
   * @param retry - milliseconds after which the peer should reconnect
   */
  releaseStream?(relatedTo: RequestId, retry?: number): void;

  /** Called when a received request has been cancelled, so that no response to it will be sent. */
  unanswered?(id: RequestId): void;
}

/**
 * Stateless messages from a client, each with its own exchange with the server. Responses, and everything else that
 * the server sends meanwhile, go to the transport's receiver.
 */
export interface StatelessExchanges {
  /**
   * Sends a message and returns immediately. The receiver is notified if a request fails.
   *
   * @param revision - revision that the message names
   * @returns a promise if the sender should wait before it sends more; it never rejects
   * @throws TypeError or RangeError if the message cannot be serialized as JSON; nothing is sent
   *   then
   */
  send(
    message: RequestMessage | NotificationMessage,
    revision: Revision,
  ): Promise<void> | undefined;

  /**
   * Ends the exchange of a request, which cancels it at the server (MCP: Streamable HTTP,
   * cancellation).
   * @returns false if it has already ended
   */
  cancel(id: RequestId): boolean;
}

/** Receiver of everything that a transport delivers. None of its methods ever throws. */
export interface Receiver {
  /** Receives a JSON value, which need not be a message. */
  message(value: unknown, origin?: Origin): void;
  /** Receives input that is not a JSON value. */
  malformed(problem: Malformed): void;
  /**
   * Called with an error after which the connection continues.
   * @param id - id of the receiver's request that can no longer be answered; undefined if no
   *   request is affected
   */
  failed(id: RequestId | undefined, error: Error): void;
  /**
   * Called when no further input will arrive; responses can still be sent, and the receiver then
   * closes the transport.
   */
  ended(): void;
  /** Called when the connection is over, in both directions, with the error that caused it, if any. */
  closed(error?: Error): void;
}

/** Reason why input could not be delivered as a message. */
export interface Malformed {
  /**
   * Error code of the response: -32700 for input that is not JSON, -32600 for input beyond a limit.
   */
  readonly code: number;
  readonly problem: string;
  /** The input itself, if it is text; it is not sent to the peer. */
  readonly text?: string;
  /** Value of input that could be parsed but is not acceptable; for input that is too long, its known parts. */
  readonly value?: unknown;
  /** True if the input may be the response to a request, but it is unknown to which one. */
  readonly mayAnswer?: boolean;
}

/** Options of a caller for sending one request and receiving its response. */
export interface SendingOptions {
  /** HTTP headers of this request only; those of the protocol take precedence. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Event ids for receiving the rest of a response after a connection was lost, in a session over HTTP (MCP:
   * Streamable HTTP, resumability).
   */
  readonly resumption?: Resumption | undefined;
  /**
   * Definition of the called tool, whose annotations select the arguments to mirror in header
   * fields. Default: the one in the most recent list over this connection.
   */
  readonly tool?: object | undefined;
}

/** Event ids of the stream that carries the response to a request. */
export interface Resumption {
  /**
   * Last id that was passed to `ontoken` for an earlier request whose response did not arrive. Nothing is sent; the
   * messages after that event are fetched. Transports other than Streamable HTTP reject the request.
   */
  readonly token?: string | undefined;
  /** Called with the id of each event, before its message arrives. */
  readonly ontoken?: ((token: string) => void) | undefined;
}

/**
 * Session that was opened earlier, over another connection; plain JSON. Keep it as safe as a
 * password.
 */
export interface OpenSession {
  /** Id that the server assigned to the session (`Mcp-Session-Id`). */
  readonly id: string;
  /** Id of the negotiated revision. */
  readonly revision: Revision["id"];
  /** Server, as it described itself. */
  readonly server: {
    readonly info?: unknown;
    readonly capabilities: Readonly<Record<string, unknown>>;
    readonly instructions?: string | undefined;
  };
}

/** Authenticated sender of a message, as established by the transport. */
export interface Auth {
  /**
   * Identity of the sender across requests and sessions, such as `issuer|subject|client`, or the name of an API key.
   */
  readonly principal: string;
  /** Scopes that were granted to the sender. */
  readonly scopes?: readonly string[];
  /** Additional facts, such as verified claims. Never a credential. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Time at which the credential expires, in milliseconds since 1970; the sender's subscriptions end then. */
  readonly expiresAt?: number | undefined;
}

/** Facts about a received message that only the transport knows, in addition to its text. */
export interface Origin {
  readonly auth?: Auth | undefined;
  /** Returns a header of the HTTP request that carried the message, by its name in lower case. */
  readonly header?: ((name: string) => string | undefined) | undefined;
  /** Value that the host of an HTTP handler passes with the request. */
  readonly locals?: unknown;
  /** Id of the receiver's own request whose exchange carried the message. */
  readonly ownRequest?: RequestId | undefined;
  /**
   * Turns the HTTP response into a refusal whose challenge names these scopes, unless the status has already been sent.
   */
  forbid?(scopes: readonly string[]): void;
  /**
   * Turns the HTTP response into one that states that the receiver is unavailable, and how many seconds to wait
   * before a retry, unless its status has already been sent.
   */
  defer?(retryAfter: number): void;
}
