import type { Auth, Revision } from "../../wire/index.js";
import type { EventId } from "./event-format.js";
import type { EventStore } from "./event-store.js";
import type { StreamSettings } from "./event-stream.js";
import type { Exchange } from "./exchange.js";
import type { HttpSession } from "./http-session.js";
import type { Post } from "./post.js";
import { INTERNAL, type Problem, problem } from "./problem.js";

/** Store of events that other instances read: a client gets an event only when the store has it. */
export interface SharedEvents extends EventStore {
  readonly isShared: true;
  /** Begins a stream that answers a POST. */
  open(session: string, stream: string, post: Post): void;
  /** @returns false when the stream is over; never rejects */
  append(...event: Parameters<EventStore["append"]>): Promise<boolean>;
  /** Nothing will be added to the stream after the event of this index; without that event, clients get an error. */
  end(session: string, stream: string, last: number): void;
  /** The stream ends without the answer that it is for: clients get an error, unless it has been ended before. */
  abandon(session: string, stream: string): void;
}

/** Message for a session of HTTP+SSE that came to another instance than the one that has its stream. */
export interface RelayedMessage {
  /** Key of the session. */
  readonly session: string;
  readonly message: unknown;
  readonly auth: Auth | undefined;
}

/** Way of messages to the streams of HTTP+SSE, which stay at the instances that opened them. */
export interface MessageRelay {
  /** Makes a key, which tells the instance. @throws StoreError */
  newKey(): Promise<string>;
  /** Hands messages over that came to other instances, to one handler. */
  joinRelay(receiver: RelayReceiver): void;
  /** @returns false when the instance is gone. @throws StoreError */
  relay(relayed: RelayedMessage): Promise<boolean>;
  /** Rejects when the store cannot be reached. */
  check(): Promise<unknown>;
  /** Takes a handler out; with the last one, the instance leaves the others. */
  part(handler: RelayReceiver | SharingHost): Promise<void>;
}

/** Handler that has streams of HTTP+SSE. */
export interface RelayReceiver {
  take(relayed: RelayedMessage): void;
}

/** Sharing of a handler's sessions with those of other instances; the option `sessions` takes one. */
export interface SessionSharing extends MessageRelay {
  readonly events: SharedEvents;
  /**
   * Begins to share the sessions of a handler.
   * @throws TypeError when it shares those of another one already
   */
  join(host: SharingHost): void;
  /** Start of the ids of requests to the client of a session of this instance. */
  newRequestIds(): string;
  /** Keeps a session that its client has just opened. @throws StoreError */
  open(session: HttpSession): Promise<void>;
  /**
   * Finds a session of a sender: that of this instance, brought up to date, or one made out of what the store has.
   * @throws StoreError
   */
  find(id: string, principal: string | undefined): Promise<HttpSession | Problem | undefined>;
  /**
   * Passes on what concerns other instances of a message that a POST has brought.
   *
   * @returns the part that is for this instance; undefined when there is none
   * @throws StoreError
   */
  passOn(session: HttpSession, value: unknown): Promise<unknown>;
  /** Sends a message that belongs to no request. */
  tell(session: HttpSession, text: string, once: string | undefined): Promise<void>;
  /** Answers a GET with the messages that belong to no request. @throws StoreError */
  listen(session: HttpSession, exchange: Exchange): Promise<void>;
  /** Answers a GET that resumes a stream which is not written here. @throws StoreError */
  resume(session: HttpSession, exchange: Exchange, lastEvent: EventId): Promise<void>;
  /** True while a stream of another instance is read for the session. */
  isReading(session: HttpSession): boolean;
  /** Ends a session at all instances. @throws StoreError */
  end(session: HttpSession): Promise<void>;
  /** The session is no longer at this instance. */
  left(session: HttpSession): void;
}

/** Operations of the handler whose sessions are shared. */
export interface SharingHost {
  readonly streams: StreamSettings;
  /** Revisions of sessions. */
  readonly sessionRevisions: readonly Revision[];
  /** The session of that name at this instance. */
  local(id: string): HttpSession | undefined;
  /** Makes a session that was opened at another instance. */
  remake(session: RemadeSession): Promise<HttpSession | Problem>;
}

/** Session that another instance opened. */
export interface RemadeSession {
  readonly id: string;
  readonly revision: Revision;
  /** Parameters of the `initialize` that opened it. */
  readonly opening: unknown;
  readonly principal: string | undefined;
  /** Size of these parameters, in characters. */
  readonly size: number;
}

/** A store of shared sessions did not do what it was asked for. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** Problem of a request that has failed by an error, which is reported here unless it is that of a store. */
export function failureOf(error: unknown, report: (error: Error) => void): Problem {
  if (error instanceof StoreError) return STORE_AWAY;
  report(error as Error);
  return INTERNAL;
}

const STORE_AWAY: Problem = problem(
  503,
  "The sessions cannot be reached: try again later",
  { "Retry-After": "2" },
  "store",
);
