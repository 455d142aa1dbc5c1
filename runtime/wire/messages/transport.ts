import type { Revision } from "../revision/revision.js";
import type { Frame, NotificationMessage, RequestId, RequestMessage } from "./jsonrpc.js";

/**
 * A connection to one peer that carries JSON-RPC messages in order. Whatever fits this interface can be
 * given to `connect()`; a transport only moves messages, and its receiver does all checking.
 */
export interface Transport {
  /**
   * Starts to deliver to the receiver. Called once, before anything is sent.
   * @throws UsedTransportError the second time; anything else when the connection cannot be made
   */
  start(receiver: Receiver): void | Promise<void>;

  /**
   * Takes a message for sending and returns at once. What can no longer be sent is dropped without a word;
   * the receiver has heard, or will hear, that the connection is closed.
   *
   * @param relatedTo - id of the received request on whose behalf this is sent, for transports that have
   *   one stream per request
   * @param once - name of a broadcast that other instances of a server send, too, for transports whose session
   *   several of them share
   * @returns a promise when the sender should wait before it sends more: it resolves, and never rejects,
   *   when there is room again
   * @throws TypeError or RangeError when the message cannot be written as JSON; nothing is sent then
   */
  send(frame: Frame, relatedTo?: RequestId, once?: string): Promise<void> | undefined;

  /**
   * Sends what was taken, then ends the connection. May be called at any time, also while it starts, and more
   * than once.
   */
  close(): void | Promise<void>;

  /** Present on a transport that is more than one ordered channel to the peer, such as HTTP. */
  readonly hooks?: TransportHooks | undefined;
}

/**
 * Hooks of a transport that spreads a conversation over requests and streams of its own, as HTTP does. All of them are
 * optional; a transport that is one ordered channel, such as stdio or a socket, needs none.
 */
export interface TransportHooks {
  /** Id of the session, where the transport names its sessions. */
  readonly sessionId?: string | undefined;
  /** Start of the ids of this side's requests, where other instances have requests in the same session. */
  readonly requestIds?: string | undefined;
  /** Session that was opened over another connection, and goes on over this one: a client opens none then. */
  readonly opened?: OpenSession | undefined;
  /** Sends stateless messages, each with an exchange of its own; without it they travel like all others. */
  readonly stateless?: StatelessExchanges | undefined;

  /** Called before the start of a client's connection, with the revision that it is going to ask for. */
  offered?(revision: Revision): void;

  /** Called when the two sides have agreed on a revision, before anything is sent under it. */
  agreed?(revision: Revision): void;

  /**
   * Called before a request of this side is sent, with what its caller wishes; without this method, a request that goes
   * on with an earlier one is refused.
   * @throws what the request rejects with
   */
  sending?(id: RequestId, options: SendingOptions): void;

  /**
   * True when a request of this side could reach the peer now, by itself or while a received request is handled.
   * Without this method it always can.
   */
  canAsk?(relatedTo?: RequestId): boolean;

  /**
   * Releases the stream that a received request is answered on, and keeps the messages that follow until the peer
   * fetches them (MCP: Streamable HTTP, polling). Does nothing where that is not possible.
   *
   * @param retry - milliseconds after which the peer should come back
   */
  releaseStream?(relatedTo: RequestId, retry?: number): void;

  /** Called when a received request was cancelled, so that no answer to it will be sent. */
  unanswered?(id: RequestId): void;
}

/**
 * Stateless messages of a client, each with an exchange of its own with the server. Answers, and everything else that
 * the server sends meanwhile, go to the transport's receiver.
 */
export interface StatelessExchanges {
  /**
   * Sends a message and returns at once. The receiver is told when a request fails.
   *
   * @param revision - revision that the message names
   * @returns a promise when the sender should wait before it sends more; it never rejects
   * @throws TypeError or RangeError when the message cannot be written as JSON; nothing is sent then
   */
  send(
    message: RequestMessage | NotificationMessage,
    revision: Revision,
  ): Promise<void> | undefined;

  /**
   * Ends the exchange of a request, which tells the server to stop (MCP: Streamable HTTP, cancellation).
   * @returns false when there is none any more
   */
  cancel(id: RequestId): boolean;
}

/** Receiver of everything that a transport delivers. None of its methods ever throws. */
export interface Receiver {
  /** Takes a JSON value; it need not be a message. */
  message(value: unknown, origin?: Origin): void;
  /** Takes input that is no JSON value. */
  malformed(problem: Malformed): void;
  /**
   * Called when something went wrong, though the connection continues.
   * @param id - id of the receiver's request that cannot be answered any more; undefined when nobody waits for it
   */
  failed(id: RequestId | undefined, error: Error): void;
  /** Called when nothing will follow; answers can still be sent, and the receiver then closes the transport. */
  ended(): void;
  /** Called when the connection is over, in both directions, with the error that caused it, if any. */
  closed(error?: Error): void;
}

/** Reason why input could not be delivered as a message. */
export interface Malformed {
  /** Error code of the answer: -32700 for input that is not JSON, -32600 for input beyond a limit. */
  readonly code: number;
  readonly problem: string;
  /** The input itself, where it is text; not for the peer. */
  readonly text?: string;
  /** The value, when it could be parsed and only something about it is not acceptable; of a long one, what is known. */
  readonly value?: unknown;
  /** True when it may be the answer to a request, and there is no telling to which. */
  readonly mayAnswer?: boolean;
}

/** Way of one request to the peer, and of its answer back, as the caller wishes it. */
export interface SendingOptions {
  /** HTTP headers of this request alone; those that the protocol prescribes win. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Goes on with the answer to a request whose connection was lost, in a session over HTTP (MCP: Streamable HTTP,
   * resumability).
   */
  readonly resumption?: Resumption | undefined;
  /**
   * Definition of the tool that is called, for the arguments that it wants repeated in header fields. Default: the one in
   * the list that was fetched last over this connection.
   */
  readonly tool?: object | undefined;
}

/** Event ids of the stream that brings the answer to a request. */
export interface Resumption {
  /**
   * Id that `ontoken` was called with last, for the request that is still to be answered: nothing is sent, and what the
   * server has said after that event is fetched. Other transports than Streamable HTTP refuse it.
   */
  readonly token?: string | undefined;
  /** Called with the id of each event, before its message arrives. */
  readonly ontoken?: ((token: string) => void) | undefined;
}

/** A session that was opened before, over another connection; plain JSON. Keep it as safe as a password. */
export interface OpenSession {
  /** Name that the server gave it (`Mcp-Session-Id`). */
  readonly id: string;
  /** Id of the revision that was agreed on. */
  readonly revision: Revision["id"];
  /** The server, as it described itself. */
  readonly server: {
    readonly info?: unknown;
    readonly capabilities: Readonly<Record<string, unknown>>;
    readonly instructions?: string | undefined;
  };
}

/** Authenticated sender of a message, as established by the transport. */
export interface Auth {
  /** Identifies the sender across requests and sessions: `issuer|subject|client`, an API key's name. */
  readonly principal: string;
  /** Scopes that were granted to the sender. */
  readonly scopes?: readonly string[];
  /** Anything else that is known, such as verified claims. Never a credential. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Facts that a transport knows about a received message besides its text. */
export interface Origin {
  readonly auth?: Auth | undefined;
  /** A header of the HTTP request that brought it, by lower-case name. */
  readonly header?: ((name: string) => string | undefined) | undefined;
  /** Id of the receiver's own request whose exchange brought it. */
  readonly ownRequest?: RequestId | undefined;
  /** Has the answer refuse the sender with a status and a challenge that names these scopes, where that is still possible. */
  forbid?(scopes: readonly string[]): void;
  /** Has the answer say that the receiver cannot work now, and after how many seconds it may, where that is still possible. */
  defer?(retryAfter: number): void;
}
