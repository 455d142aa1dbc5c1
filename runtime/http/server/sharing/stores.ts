import type { RequestId } from "../../../wire/index.js";
import type { StoredEvent } from "../streams/event-store.js";

/**
 * Stores that the instances of a server share, so that any of them can serve any request of a session. All methods
 * reject when the store cannot be reached; what is under way then fails closed. No value in them is larger than
 * the messages that it comes from.
 */
export interface SharedStores {
  readonly sessions: SessionStore;
  readonly streams: StreamStore;
  readonly mail: InstanceMail;
  /** True when they report their outages themselves, so that sessions tell an `onerror` of their own only. */
  readonly reportsOutages?: boolean | undefined;
}

/** Part of a session that its client and its server agreed on once: enough for any instance to go on with it. */
export interface SessionRecord {
  /** Id of the revision, such as `2025-06-18`. */
  readonly revision: string;
  /** Parameters of the client's `initialize`, as JSON text. */
  readonly opening: string;
  /** Owner of the session; absent where senders are not known. */
  readonly principal?: string | undefined;
}

/** Session as a {@link SessionStore} has it. */
export interface KeptSession {
  readonly record: SessionRecord;
  /** Messages of the client that hold for as long as the session does, as JSON text, in order. */
  readonly lasting: readonly string[];
  /** Number of changes of `lasting`. */
  readonly version: number;
  /** Milliseconds since it was made. */
  readonly age: number;
}

/** Keeps sessions until nobody has used them for the time to live of the store. */
export interface SessionStore {
  /** Time to live, in milliseconds. */
  readonly ttl: number;
  /** Keeps a new session. Ids are never used again. */
  create(id: string, record: SessionRecord): Promise<void>;
  /**
   * Reads a session that a request came for; its time to live begins anew.
   *
   * @param known - version that the caller has already
   * @returns undefined when there is none, `known` when nothing has changed since that version
   */
  use(id: string, known?: number): Promise<KeptSession | "known" | undefined>;
  /**
   * Begins the time to live of sessions anew that are in use without requests.
   * @returns the ids of those that are no longer there
   */
  touch(ids: readonly string[]): Promise<readonly string[]>;
  /**
   * Adds a lasting message; the same text is kept once, at its latest place.
   *
   * @param most - messages that a session can have
   * @returns the new version; `full` when there is no room, undefined when there is no such session
   */
  remember(id: string, message: string, most: number): Promise<number | "full" | undefined>;
  /**
   * Takes a lasting message out.
   * @returns the new version, also when it was not there; undefined when there is no such session
   */
  forget(id: string, message: string): Promise<number | undefined>;
  /**
   * Counts for a session, from 1: the instance with the higher number listens for its client.
   * @returns undefined when there is no such session
   */
  count(id: string): Promise<number | undefined>;
  /** Ends a session, and all its streams. @returns false when it was not there */
  end(id: string): Promise<boolean>;
}

/** Instance that writes a stream, and the requests that the stream answers. */
export interface StreamWriter {
  readonly instance: string;
  readonly requests: readonly RequestId[];
  /** True when the requests came as one batch, which gets one answer. */
  readonly isBatch: boolean;
}

/** Part of a stream that was read. */
export interface StreamReading {
  /** Events in order, without gaps. */
  readonly events: readonly StoredEvent[];
  /** Index of the newest event of the stream, 0 without any. */
  readonly last: number;
  /** True when nothing will be added. */
  readonly isOver: boolean;
  /** Absent when every instance adds to the stream. */
  readonly writer?: StreamWriter | undefined;
}

/**
 * Keeps the events of streams, up to a number; the oldest are forgotten first. Events of a stream are counted from 1,
 * without gaps. Calls for one stream come in order, without waiting for one another. A stream of one writer is kept for
 * a time after the last event; a stream of all instances for as long as its session.
 */
export interface StreamStore {
  /**
   * Begins a stream: that of one writer, or, without one, of all instances. One that was begun before is kept for as
   * long as if something had been added.
   */
  open(session: string, stream: string, writer?: StreamWriter): Promise<void>;
  /**
   * Adds an event of the stream's writer; one that is there changes nothing.
   *
   * @returns false when the stream is over, not there, or without the event before this one
   */
  append(session: string, stream: string, event: StoredEvent): Promise<boolean>;
  /**
   * Ends a stream after the event of this index; what it has is kept for as long as before.
   * @returns false when that event is not there, and the stream not over
   */
  end(session: string, stream: string, last: number): Promise<boolean>;
  /**
   * Adds an event to a stream of all instances, which gets the next index.
   *
   * @param once - key; nothing is added when an event with the same key was added within the last minute
   */
  push(session: string, stream: string, data: string, once?: string): Promise<void>;
  /**
   * Ends a stream whose writer is gone with one event more, unless it is over.
   * @returns true when this call has done it
   */
  settle(session: string, stream: string, data: string): Promise<boolean>;
  /**
   * Reads the events after an index; `unseen`: those after the newest one that was read with `sees`, as far as they
   * are kept.
   *
   * @param sees - true to take note that the events that are returned were read
   * @returns undefined when there is no such stream, or some of these events were forgotten or never stored
   */
  read(
    session: string,
    stream: string,
    after: number | "unseen",
    sees?: boolean,
  ): Promise<StreamReading | undefined>;
  /**
   * Calls a function soon after something was added to a stream of a session, or one of them has ended. It may be
   * called without a cause, and calls may be lost while the store cannot be reached.
   *
   * @returns what stops it
   */
  watch(session: string, listener: () => void): () => void;
}

/** Mail between the instances of a server: delivered in order, each text once. */
export interface InstanceMail {
  /** Makes an instance known, or says that it is still there; without another beat it is taken for gone after `lease` milliseconds. */
  beat(instance: string, lease: number): Promise<void>;
  /** Takes an instance out, at once. */
  leave(instance: string): Promise<void>;
  isAlive(instance: string): Promise<boolean>;
  /** @returns false when the instance is gone */
  send(to: string, text: string): Promise<boolean>;
  /** Sends to all instances that are there, but one. */
  sendAll(text: string, from: string): Promise<void>;
  /**
   * Delivers the mail of an instance to a listener, from its first beat on.
   * @returns what stops it
   */
  receive(instance: string, listener: (text: string) => void): () => void;
}
