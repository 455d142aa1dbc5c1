import type { LogLevel } from "../../wire/index.js";
import type { AnyTypes, NeutralTypes } from "../neutral-types.js";
import type { ListEvents } from "../list-events.js";

/** A message of a server's log. */
export interface LogMessage {
  readonly level: LogLevel;
  /** The part of the server that it comes from. */
  readonly logger?: string;
  /** Any JSON value. */
  readonly data: unknown;
}

/** Events of every client, with the arguments of their listeners. */
export interface CommonEvents {
  /** A resource that was subscribed to, or one below it, has changed. */
  readonly resourceUpdated: readonly [uri: string];
  /**
   * Stateless servers log for requests that ask for it: with a listener, all requests do, at the level `info` unless
   * `setLogLevel` was called.
   */
  readonly log: readonly [message: LogMessage];
  /**
   * News may have been missed, because what brings them was interrupted: results of lists and reads may be outdated.
   */
  readonly stale: readonly [];
  /** The connection is over; with the error that ended it, if one did. */
  readonly close: readonly [error: Error | undefined];
}

/** All events: those of every client, and one for each list of the newest revision that can change (`toolsChanged`). */
export type ClientEvents<Types extends NeutralTypes = AnyTypes> = CommonEvents & {
  readonly [Event in ListEvents<Types["serverNotifications"]>]: readonly [];
};

export type ClientEvent<Types extends NeutralTypes = AnyTypes> = string & keyof ClientEvents<Types>;

export type ClientListener<Event, Types extends NeutralTypes = AnyTypes> = (
  ...news: Extract<ClientEvents<Types>[Event & keyof ClientEvents<Types>], readonly unknown[]>
) => void;
