import type { RequestId } from "../../../wire/index.js";
import type { StoredEvent } from "../streams/event-store.js";

/**
 * The stores that a server's instances share, so that any of them can serve any request in a session. All methods
 * reject if the store cannot be reached, and the requests in progress are then refused. No stored value is larger than
 * the messages it comes from.
 */
export interface SharedStores {
  readonly sessions: SessionStore;
  readonly streams: StreamStore;
  readonly mail: InstanceMail;
  /** True if the stores report outages themselves. Sessions then report them only to an explicit `onerror`. */
  readonly reportsOutages?: boolean | undefined;
}

/**
 * The facts that the client and the server agreed on when the session was opened. They are enough for any instance to
 * restore it.
 */
export interface SessionRecord {
  /** The id of the revision, such as `2025-06-18`. */
  readonly revision: string;
  /** The parameters of the client's `initialize`, as JSON text. */
  readonly opening: string;
  /** The owner of the session; absent if senders are not authenticated. */
  readonly principal?: string | undefined;
}

/** A session in a {@link SessionStore}. */
export interface KeptSession {
  readonly record: SessionRecord;
  /** The client's messages that take effect for the whole session, as JSON text, in order. */
  readonly lasting: readonly string[];
  /** The number of changes to `lasting`. */
  readonly version: number;
  /** The time since the session was created, in milliseconds. */
  readonly age: number;
}

/** Stores sessions. A session is removed when it has been unused for the time to live. */
export interface SessionStore {
  /** The time to live, in milliseconds. */
  readonly ttl: number;
  /** Stores a new session. Ids are never reused. */
  create(id: string, record: SessionRecord): Promise<void>;
  /**
   * Reads a request's session, and restarts its time to live.
   *
   * @param known - the version that the caller already has
   * @returns undefined if there is no such session, or `known` if it has not changed since that version
   */
  use(id: string, known?: number): Promise<KeptSession | "known" | undefined>;
  /**
   * Restarts the time to live of sessions that are in use without requests.
   *
   * @returns the ids of the sessions that no longer exist
   */
  touch(ids: readonly string[]): Promise<readonly string[]>;
  /**
   * Adds a lasting message. If the same text is already stored, it moves to the end.
   *
   * @param most - the maximum number of messages in the session
   * @returns the new version; `full` if there is no room, or undefined if there is no such session
   */
  remember(id: string, message: string, most: number): Promise<number | "full" | undefined>;
  /**
   * Removes a lasting message.
   *
   * @returns the new version, even if the message was not there, or undefined if there is no such session
   */
  forget(id: string, message: string): Promise<number | undefined>;
  /**
   * Increments a session's counter. An instance calls this when the client opens its listening stream there. The client
   * listens at the instance with the highest number.
   *
   * @returns the new number, starting from 1, or undefined if there is no such session
   */
  count(id: string): Promise<number | undefined>;
  /**
   * Ends a session and all its streams.
   * @returns false if there was no such session
   */
  end(id: string): Promise<boolean>;
}

/** The instance that writes a stream, and the requests that the stream answers. */
export interface StreamWriter {
  readonly instance: string;
  readonly requests: readonly RequestId[];
  /** True if the requests came as one batch, which has one answer. */
  readonly isBatch: boolean;
}

/** The result of reading a stream. */
export interface StreamReading {
  /** The events, in order and without gaps. */
  readonly events: readonly StoredEvent[];
  /** The index of the stream's newest event, or 0 if there is none. */
  readonly last: number;
  /** True if no more events will be added. */
  readonly isOver: boolean;
  /** The stream's writer; absent if all instances add to the stream. */
  readonly writer?: StreamWriter | undefined;
}

/**
 * Stores the events of streams, up to a limit; the oldest are removed first. A stream's events are numbered from 1,
 * without gaps. Calls for one stream arrive in order, but without waiting for each other. A stream with one writer is
 * kept for some time after its last event. A stream written by all instances is kept for as long as its session.
 */
export interface StreamStore {
  /**
   * Begins a stream, with one writer or, if `writer` is undefined, with all instances as writers. If the stream already
   * exists, its lifetime is extended as it would be by an event.
   */
  open(session: string, stream: string, writer?: StreamWriter): Promise<void>;
  /**
   * Adds an event from the stream's writer. An event that is already stored is ignored.
   *
   * @returns true if the event is stored; false if the stream is over; undefined if the store has no such stream, or
   *   lacks the previous event
   */
  append(session: string, stream: string, event: StoredEvent): Promise<boolean | undefined>;
  /**
   * Ends a stream after the event with this index. Its events are kept for as long as before.
   *
   * @returns false if the stream is not over and the store lacks that event
   */
  end(session: string, stream: string, last: number): Promise<boolean>;
  /**
   * Adds an event with the next index to a stream that all instances write.
   *
   * @param once - a key: the event is ignored if one with the same key was added within the last minute
   */
  push(session: string, stream: string, data: string, once?: string): Promise<void>;
  /**
   * Adds a final event to a stream whose writer is gone, and ends the stream, unless it is already over.
   *
   * @returns true if this call ended it
   */
  settle(session: string, stream: string, data: string): Promise<boolean>;
  /**
   * Reads the events after an index or, given `unseen`, the stored events after the newest one that was read with
   * `sees`.
   *
   * @param sees - true to record that the returned events were read
   * @returns undefined if there is no such stream, or if some of these events were removed or never stored
   */
  read(
    session: string,
    stream: string,
    after: number | "unseen",
    sees?: boolean,
  ): Promise<StreamReading | undefined>;
  /**
   * Calls a function soon after an event is added to one of a session's streams, or a stream ends. It may also be
   * called without a cause, and calls may be lost while the store cannot be reached.
   *
   * @returns a function that stops watching
   */
  watch(session: string, listener: () => void): () => void;
}

/** Carries messages between a server's instances. Each is delivered once, and in order. */
export interface InstanceMail {
  /**
   * Records an instance's heartbeat. If no other follows within `lease` milliseconds, the instance is considered gone.
   *
   * @returns the store's random name, 8 to 64 lower-case letters and digits: it is the same for all instances, and
   *   changes when the store has lost its data. If it is undefined, instances with different stores are not detected.
   */
  beat(instance: string, lease: number): Promise<string | undefined>;
  /** Removes an instance immediately. */
  leave(instance: string): Promise<void>;
  isAlive(instance: string): Promise<boolean>;
  /**
   * Sends a message to an instance.
   * @returns false if the instance is gone
   */
  send(to: string, text: string): Promise<boolean>;
  /** Sends a message to all live instances except the sender. */
  sendAll(text: string, from: string): Promise<void>;
  /**
   * Delivers the messages for an instance to a listener, starting with the instance's first heartbeat.
   *
   * @returns a function that stops the delivery
   */
  receive(instance: string, listener: (text: string) => void): () => void;
}
