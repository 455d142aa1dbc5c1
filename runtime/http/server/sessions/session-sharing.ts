import type { LastingMethods } from "../../../api/index.js";
import type { Auth, RequestMessage, Revision } from "../../../wire/index.js";
import type { Exchange } from "../requests/exchange.js";
import type { Problem } from "../requests/problem.js";
import type { SharedEvents } from "../streams/event-store.js";
import type { EventStream } from "../streams/event-stream.js";
import type { EventId } from "../streams/server-sent-events.js";
import type { StreamSettings } from "../streams/stream-settings.js";

export interface LocalSession extends Sender {
  readonly sessionId: string | undefined;
  readonly revision: Revision | undefined;
  readonly opening: unknown;
  readonly requestIds: string | undefined;
  /** The methods of messages that take effect for the whole session, each with the method that reverts it. */
  readonly lasting: LastingMethods | undefined;
  readonly primes: boolean;
  readonly isBusy: boolean;
  readonly isClosed: boolean;
  isWaiting(id: unknown): boolean;
  /** Receives a message that did not arrive in a POST to this instance; no answer is sent. */
  take(message: unknown): void;
  /** Repeats a request that another instance has answered. Resolves when the handler has finished. */
  repeat(request: RequestMessage): Promise<void>;
  catchUp(age: number): Promise<void>;
  stream(key: string): EventStream | undefined;
  end(): void;
  /** Ends the session at this instance only. */
  leave(): void;
  /** Ends a session that the store has lost, once its requests in progress have been answered. */
  retire(): void;
}

export interface Sender {
  readonly principal: string | undefined;
  readonly address: string | undefined;
}

/** A message for an HTTP+SSE session that reached an instance other than the one with the session's stream. */
export interface RelayedMessage {
  readonly session: string;
  readonly message: unknown;
  readonly auth: Auth | undefined;
}

/** Relays messages to HTTP+SSE streams, which stay at the instances that opened them. */
export interface MessageRelay {
  /** Creates a key that identifies the instance. */
  newKey(): Promise<string>;
  /** Registers a handler to receive the messages for its streams that reach other instances. */
  joinRelay(receiver: RelayReceiver): void;
  /**
   * Sends a message to the instance that has the stream.
   * @returns false if that instance is no longer running
   */
  relay(relayed: RelayedMessage): Promise<boolean>;
  /** Rejects if the store cannot be reached. */
  check(): Promise<unknown>;
  /** Removes a handler; after the last one, the instance leaves the group that shares the sessions. */
  part(handler: RelayReceiver | SharingHost): Promise<void>;
}

/** A handler with HTTP+SSE streams. It receives messages that reached another instance. */
export interface RelayReceiver {
  take(relayed: RelayedMessage): void;
}

export interface SessionSharing extends MessageRelay {
  readonly events: SharedEvents;
  /**
   * Begins to share a handler's sessions.
   *
   * @throws TypeError if another handler's sessions are already shared
   */
  join(host: SharingHost): void;
  /** Creates a prefix for the ids of requests from this instance to a session's client. */
  newRequestIds(): string;
  newSessionId(): Promise<string>;
  open(session: LocalSession): Promise<void>;
  /** Finds a sender's session: the one at this instance, brought up to date, or one restored from its record. */
  find(id: string, sender: Sender): Promise<LocalSession | Problem | undefined>;
  forward(session: LocalSession, value: unknown): Promise<unknown>;
  send(session: LocalSession, text: string, once: string | undefined): Promise<void>;
  listen(session: LocalSession, exchange: Exchange): Promise<void>;
  /** Answers a GET that resumes a stream, which another instance may be writing. */
  resume(session: LocalSession, exchange: Exchange, lastEvent: EventId): Promise<void>;
  /** True while a stream is being read from the store for the session. */
  isReading(session: LocalSession): boolean;
  end(session: LocalSession): Promise<void>;
  left(session: LocalSession): void;
}

export interface SharingHost {
  /** Present once the handler has a session. */
  readonly streams: StreamSettings;
  readonly sessionRevisions: readonly Revision[];
  restore(session: RestoredSession): Promise<LocalSession | Problem>;
}

export interface RestoredSession extends Sender {
  readonly id: string;
  readonly revision: Revision;
  readonly opening: unknown;
  readonly size: number;
}
