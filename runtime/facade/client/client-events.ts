import type { LogLevel } from "../../wire/index.js";

/** A message of a server's log. */
export interface LogMessage {
  readonly level: LogLevel;
  /** The part of the server that it comes from. */
  readonly logger?: string;
  /** Any JSON value. */
  readonly data: unknown;
}

/** Events of a server, with the arguments of their listeners. */
export interface ClientEvents {
  /** The list of tools is another one than before. */
  readonly toolsChanged: readonly [];
  readonly promptsChanged: readonly [];
  readonly resourcesChanged: readonly [];
  /** A resource that was subscribed to, or one below it, has changed. */
  readonly resourceUpdated: readonly [uri: string];
  /**
   * Servers without a handshake log for requests that ask for it: with a listener, all do, at the level `info` unless
   * `setLogLevel` was called.
   */
  readonly log: readonly [message: LogMessage];
  /**
   * News may have been missed, because what brings them was interrupted: what was listed or read before may not be
   * what there is now.
   */
  readonly stale: readonly [];
  /** The connection is over; with the error that ended it, if one did. */
  readonly close: readonly [error: Error | undefined];
}

export type ClientEvent = keyof ClientEvents;

export type ClientListener<Event extends ClientEvent> = (...news: ClientEvents[Event]) => void;
