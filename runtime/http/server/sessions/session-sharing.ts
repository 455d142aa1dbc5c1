import type { LastingMethods } from "../../../api/index.js";
import type { Auth, RequestMessage, Revision } from "../../../wire/index.js";
import type { Exchange } from "../requests/exchange.js";
import type { Problem } from "../requests/problem.js";
import type { SharedEvents } from "../streams/event-store.js";
import type { EventStream } from "../streams/event-stream.js";
import type { EventId } from "../streams/server-sent-events.js";
import type { StreamSettings } from "../streams/stream-settings.js";

/** Session at this instance, as its sharing sees it. */
export interface LocalSession {
  readonly sessionId: string | undefined;
  readonly principal: string | undefined;
  readonly revision: Revision | undefined;
  /** Parameters of the `initialize` request that opened it. */
  readonly opening: unknown;
  /** Prefix of the ids of requests to the client. */
  readonly requestIds: string | undefined;
  /** Methods of messages that take effect for the whole session, with those that revert them. */
  readonly lasting: LastingMethods | undefined;
  readonly primes: boolean;
  readonly isBusy: boolean;
  readonly isClosed: boolean;
  /** True while a request with this id has no answer. */
  isWaiting(id: unknown): boolean;
  /** Receives a message that did not arrive in a POST to this instance; nothing is answered. */
  take(message: unknown): void;
  /** Repeats a request that another instance has answered. Resolves when its handler has finished. */
  repeat(request: RequestMessage): Promise<void>;
  /**
   * Notifies the client of changes that the session may have missed while no instance had it.
   * @param age - age of the session, in milliseconds
   */
  catchUp(age: number): Promise<void>;
  /** Returns the stream with this key, unless it is over. */
  stream(key: string): EventStream | undefined;
  /** Ends the session. */
  end(): void;
  /** Ends the session at this instance. */
  leave(): void;
  /** Ends a session that the store has lost, when its requests in progress have been answered. */
  retire(): void;
}

/** Message for a session of HTTP+SSE that reached an instance other than the one with its stream. */
export interface RelayedMessage {
  /** Key of the session. */
  readonly session: string;
  readonly message: unknown;
  readonly auth: Auth | undefined;
}

/** Relay of messages to the streams of HTTP+SSE, which stay at the instances that opened them. */
export interface MessageRelay {
  /** Creates a key that identifies the instance. @throws StoreError */
  newKey(): Promise<string>;
  /** Passes messages that reached other instances to a handler. */
  joinRelay(receiver: RelayReceiver): void;
  /**
   * Sends a message to the instance that has its stream.
   * @returns false if the instance is no longer running
   * @throws StoreError
   */
  relay(relayed: RelayedMessage): Promise<boolean>;
  /** Rejects if the store cannot be reached. */
  check(): Promise<unknown>;
  /** Removes a handler; after the last one, the instance leaves the group that shares the sessions. */
  part(handler: RelayReceiver | SharingHost): Promise<void>;
}

/** Handler with streams of HTTP+SSE. It receives messages for one of its streams that reached another instance. */
export interface RelayReceiver {
  take(relayed: RelayedMessage): void;
}

/** Sharing of a handler's sessions with those of other instances: a value of the option `sessions`. */
export interface SessionSharing extends MessageRelay {
  readonly events: SharedEvents;
  /**
   * Begins to share the sessions of a handler.
   * @throws TypeError if it shares those of another handler already
   */
  join(host: SharingHost): void;
  /**
   * Creates the prefix for the ids of requests that this instance sends to the client of a session.
   */
  newRequestIds(): string;
  /** Creates the id for a new session. @throws StoreError */
  newSessionId(): Promise<string>;
  /** Stores a session that its client has just opened. @throws StoreError */
  open(session: LocalSession): Promise<void>;
  /**
   * Finds a session of a sender: that of this instance, brought up to date, or one restored from its record.
   * @throws StoreError
   */
  find(id: string, principal: string | undefined): Promise<LocalSession | Problem | undefined>;
  /**
   * Forwards the messages of a POST that other instances handle.
   *
   * @returns the messages for this instance; undefined if there are none
   * @throws StoreError
   */
  forward(session: LocalSession, value: unknown): Promise<unknown>;
  /** Sends a message that belongs to no request. */
  send(session: LocalSession, text: string, once: string | undefined): Promise<void>;
  /** Answers a GET with the messages that belong to no request. @throws StoreError */
  listen(session: LocalSession, exchange: Exchange): Promise<void>;
  /** Answers a GET that resumes a stream which another instance writes. @throws StoreError */
  resume(session: LocalSession, exchange: Exchange, lastEvent: EventId): Promise<void>;
  /** True while a stream of another instance is read for the session. */
  isReading(session: LocalSession): boolean;
  /** Ends a session at all instances. @throws StoreError */
  end(session: LocalSession): Promise<void>;
  /** Called when a session is no longer at this instance. */
  left(session: LocalSession): void;
}

/** Handler whose sessions are shared. */
export interface SharingHost {
  /** Present when the handler has a session. */
  readonly streams: StreamSettings;
  /** Revisions of sessions. */
  readonly sessionRevisions: readonly Revision[];
  /** Restores a session that another instance opened. */
  restore(session: RestoredSession): Promise<LocalSession | Problem>;
}

/** Session that another instance opened. */
export interface RestoredSession {
  readonly id: string;
  readonly revision: Revision;
  /** Parameters of the `initialize` request that opened it. */
  readonly opening: unknown;
  readonly principal: string | undefined;
  /** Size of these parameters, in characters. */
  readonly size: number;
}
