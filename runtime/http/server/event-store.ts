/** An event of a stream, kept so that a client that missed it can fetch it. */
export interface StoredEvent {
  /** Counts the events of its stream, from 1, without gaps. */
  readonly index: number;
  /** JSON text; empty for an event that only marks a place. */
  readonly data: string;
}

/**
 * Keeps the events of streams for clients that come back (MCP: Streamable HTTP, resumability). Each stream is a log of
 * its own. A store may forget whatever it likes, oldest events first; it only has to know that it did.
 */
export interface EventStore {
  /** True for a store that other instances read, see `SharedSessions`. */
  readonly isShared?: boolean;
  /** Adds to a stream. Calls for one stream come in order, without waiting for one another. */
  append(session: string, stream: string, event: StoredEvent): void | Promise<unknown>;
  /**
   * The events of one stream that came after a place in it, in order; undefined when the place is unknown, or
   * some of them are no longer there.
   */
  after(
    session: string,
    stream: string,
    index: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>;
  /** The session is over: nobody will ask for its events. */
  drop(session: string): void | Promise<void>;
}
