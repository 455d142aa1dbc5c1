import { ConnectionClosedError } from "../errors.js";
import type { Frame, RequestId } from "../jsonrpc.js";

/**
 * A connection to one peer that carries JSON-RPC messages in order. Whatever fits this interface can be
 * given to `connect()`; it only has to carry, all checking is done by who uses it.
 */
export interface Transport {
  /**
   * Starts to deliver to the receiver. Called once, before anything is sent.
   * @throws when the connection cannot be made
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
}

/** Who gets what a transport receives. None of these ever throws. */
export interface Receiver {
  /** A JSON value; whether it is a message is for the receiver to find out. */
  message(value: unknown): void;
  /** Input that is not even that. */
  malformed(problem: Malformed): void;
  /** Nothing will follow, though answers can still be sent; the receiver closes the transport when it is done. */
  ended(): void;
  /** The connection is over, in both directions; with an error when that was not in order. */
  closed(error?: Error): void;
}

/** Why input could not be delivered as a message. */
export interface Malformed {
  /** What to answer: -32700 for what is not JSON, -32600 for what is beyond a limit. */
  readonly code: number;
  readonly problem: string;
  /** The value, when it could be parsed and only something about it is not acceptable. */
  readonly value?: unknown;
}

/** What {@link Transport.start} throws the second time. */
export function usedBefore(): ConnectionClosedError {
  return new ConnectionClosedError("This transport was used before: make a new one");
}
