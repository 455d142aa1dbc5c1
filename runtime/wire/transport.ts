import type { Frame, RequestId } from "./jsonrpc.js";
import type { Origin } from "./origin.js";
import type { Revision } from "./revision.js";

/**
 * A connection to one peer that carries JSON-RPC messages in order. Whatever fits this interface can be
 * given to `connect()`; it only has to carry, all checking is done by who uses it.
 */
export interface Transport {
  /** Id of the session, for transports that name their sessions. */
  readonly sessionId?: string | undefined;

  /**
   * Whether each received request has a stream of its own, which ends with the answer. The peer cancels by leaving it;
   * a notification that says so counts for nothing. Default: false.
   */
  readonly hasStreams?: boolean | undefined;

  /** Called before the start of a client's connection, with the revision that it is going to ask for. */
  offered?(revision: Revision): void;

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
   * @returns a promise when the sender should wait before it sends more: it resolves, and never rejects,
   *   when there is room again
   * @throws TypeError or RangeError when the message cannot be written as JSON; nothing is sent then
   */
  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined;

  /**
   * Sends what was taken, then ends the connection. May be called at any time, also while it starts, and more
   * than once.
   */
  close(): void | Promise<void>;

  /** Called when the two sides have agreed on a revision, before anything is sent under it. */
  agreed?(revision: Revision): void;

  /**
   * Whether a request of this side could reach the peer now, alone or while a received request is handled.
   * Without this method it always can.
   */
  canAsk?(relatedTo?: RequestId): boolean;

  /**
   * Lets go of the stream that a received request is answered on, and keeps what follows until the peer fetches
   * it (MCP: Streamable HTTP, polling). Does nothing where that is not possible.
   *
   * @param retry - milliseconds after which the peer should come back
   */
  releaseStream?(relatedTo: RequestId, retry?: number): void;

  /**
   * Called when nobody waits any more for the answer to a request of this side.
   *
   * @returns whether letting go of it tells the peer to stop (MCP: Streamable HTTP, cancellation); else a
   *   notification does
   */
  giveUp?(id: RequestId): boolean;

  /** Called when a received request was cancelled, so that no answer to it will be sent. */
  unanswered?(id: RequestId): void;
}

/** Consumer of everything that a transport receives. No method of it ever throws. */
export interface Receiver {
  /** A JSON value; whether it is a message is for the receiver to find out. */
  message(value: unknown, origin?: Origin): void;
  /** Input that is not even that. */
  malformed(problem: Malformed): void;
  /**
   * Something went wrong, though the connection goes on.
   * @param id - of the receiver's request that cannot be answered any more; undefined when nobody waits for
   *   what failed
   */
  failed(id: RequestId | undefined, error: Error): void;
  /**
   * Nobody waits any more for the answer to a received request: the peer has gone away from it.
   * @param id - under which it was delivered
   */
  abandoned(id: RequestId): void;
  /** Nothing will follow, though answers can still be sent; the receiver closes the transport when it is done. */
  ended(): void;
  /** The connection is over, in both directions; with an error when that was not in order. */
  closed(error?: Error): void;
}

/** Why input could not be delivered as a message. */
export interface Malformed {
  /**
   * Error code to answer with: -32700 for text that is not JSON, -32600 for a message beyond a
   * limit.
   */
  readonly code: number;
  readonly problem: string;
  /** The input itself, where it is text; not for the peer. */
  readonly text?: string;
  /** The value, when it could be parsed and only something about it is not acceptable. */
  readonly value?: unknown;
}
