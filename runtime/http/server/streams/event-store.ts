import type { RequestId } from "../../../wire/index.js";

/** An event of a stream, kept so that a client that missed it can fetch it. */
export interface StoredEvent {
  /** The number of the event in its stream, starting from 1, without gaps. */
  readonly index: number;
  /** JSON text; empty for an event that only marks a position. */
  readonly data: string;
}

/**
 * Stores the events of streams for clients that reconnect (MCP: Streamable HTTP, resumability). Each stream is a
 * separate log. A store may remove events, oldest first, but must record that they are missing.
 */
export interface EventStore {
  /** True for a store that other instances also read; see `SharedSessions`. */
  readonly isShared?: boolean;
  /** Adds an event to a stream. Calls for one stream arrive in order, but without waiting for each other. */
  append(session: string, stream: string, event: StoredEvent): void | Promise<unknown>;
  /**
   * Returns a stream's events after an index, in order. Returns undefined if the stream is unknown, or if the store has
   * removed some of these events.
   */
  after(
    session: string,
    stream: string,
    index: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>;
  /** Called when the session has ended and its events are no longer needed. */
  drop(session: string): void | Promise<void>;
}

/**
 * A store whose events other instances also read. A client receives an event only after the store has saved it or lost
 * the stream.
 */
export interface SharedEvents extends EventStore {
  readonly isShared: true;
  open(session: string, stream: string, requests: StreamRequests): void;
  /**
   * Adds an event to a stream. Never rejects.
   * @returns `saved`; `lost` if the store has lost the stream, so that only a connected client can receive the event;
   *   `failed` if another instance has ended the stream, or the store cannot be reached
   */
  append(...event: Parameters<EventStore["append"]>): Promise<"saved" | "lost" | "failed">;
  /** Ends the stream after the event with this index; if the store lacks that event, clients receive an error. */
  end(session: string, stream: string, last: number): void;
  /**
   * Ends the stream without the answer it was opened for. Clients receive an error, unless the stream has already
   * ended.
   */
  abandon(session: string, stream: string): void;
}

export interface StreamRequests {
  readonly ids: readonly RequestId[];
  /** True if the requests came as one batch, which has one answer. */
  readonly isBatch: boolean;
}

export interface MemoryEventStoreOptions {
  /** The maximum number of events per stream. Default: 1000. */
  readonly maxEventsPerStream?: number | undefined;
  /** The maximum estimated size of a session's events, in bytes. The newest event may be larger. Default: 4 MiB. */
  readonly maxBytesPerSession?: number | undefined;
  /** The maximum estimated size of all events, in bytes. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** The maximum number of streams per session, including streams without events. Default: 64. */
  readonly maxStreamsPerSession?: number | undefined;
  /**
   * The time, in milliseconds, for which an event is stored. An expired event is removed when a later one is added.
   * Default: 300,000.
   */
  readonly ttl?: number | undefined;
}

interface Entry extends StoredEvent {
  readonly log: Log;
  /** The estimated size in bytes: two per UTF-16 unit, plus the objects around the text. */
  readonly size: number;
  /** The time in whole milliseconds, which V8 stores without allocating an object. */
  readonly time: number;
  /** The position among all events, in the order in which they were added. */
  readonly order: number;
  older: Entry | undefined;
  newer: Entry | undefined;
}

interface Log {
  readonly session: Session;
  readonly entries: Entry[];
  /** The index of the newest event, even if it has been removed. */
  last: number;
}

interface Session {
  /** The logs by stream. The one with the newest event is last. */
  readonly logs: Map<string, Log>;
  size: number;
}

const MIB = 1024 * 1024;
const ENTRY_OVERHEAD = 160;

/** An in-memory event store that limits the number and size of events. The oldest are removed first. */
export class MemoryEventStore implements EventStore {
  readonly #options: Required<{ [Name in keyof MemoryEventStoreOptions]: number }>;
  readonly #sessions = new Map<string, Session>();
  /** The first and last entries in the list of all events. */
  #oldest: Entry | undefined;
  #newest: Entry | undefined;
  #count = 0;
  #size = 0;

  constructor(options: MemoryEventStoreOptions = {}) {
    this.#options = {
      maxEventsPerStream: options.maxEventsPerStream ?? 1000,
      maxBytesPerSession: options.maxBytesPerSession ?? 4 * MIB,
      maxBytes: options.maxBytes ?? 64 * MIB,
      maxStreamsPerSession: options.maxStreamsPerSession ?? 64,
      ttl: options.ttl ?? 300_000,
    };
  }

  /** The estimated size of all events, in bytes. */
  get size(): number {
    return this.#size;
  }

  append(sessionId: string, stream: string, { index, data }: StoredEvent): void {
    const log = this.#log(sessionId, stream);
    const older = this.#newest;
    const entry: Entry = {
      log,
      index,
      data,
      size: 2 * data.length + ENTRY_OVERHEAD,
      time: Math.floor(performance.now()),
      order: this.#count++,
      older,
      newer: undefined,
    };
    if (older) older.newer = entry;
    else this.#oldest = entry;
    this.#newest = entry;
    log.entries.push(entry);
    log.last = index;
    log.session.size += entry.size;
    this.#size += entry.size;
    this.#makeRoom(entry);
  }

  after(sessionId: string, stream: string, index: number): readonly StoredEvent[] | undefined {
    const log = this.#sessions.get(sessionId)?.logs.get(stream);
    if (log === undefined || index > log.last) return undefined;
    const first = log.entries[0]?.index ?? log.last + 1;
    if (index < first - 1) return undefined;
    const missed = log.entries.filter((entry) => entry.index > index);
    return missed.map((entry) => ({ index: entry.index, data: entry.data }));
  }

  drop(sessionId: string): void {
    for (const log of this.#sessions.get(sessionId)?.logs.values() ?? []) this.#clear(log);
    this.#sessions.delete(sessionId);
  }

  #makeRoom(newest: Entry): void {
    const { maxEventsPerStream, maxBytesPerSession, maxBytes, ttl } = this.#options;
    const { entries, session } = newest.log;
    if (entries.length > maxEventsPerStream) this.#remove(entries[0]!);
    // The newest event stays, however long it is: it may be the answer that a client reconnects for.
    while (session.size > maxBytesPerSession && session.size > newest.size)
      this.#remove(oldestOf(session));
    for (let entry = this.#oldest; entry; entry = this.#oldest) {
      if (this.#size <= maxBytes && newest.time - entry.time <= ttl) break;
      this.#remove(entry);
    }
  }

  #clear({ entries }: Log): void {
    while (entries[0]) this.#remove(entries[0]);
  }

  #remove({ log, size, older, newer }: Entry): void {
    log.entries.shift();
    log.session.size -= size;
    this.#size -= size;
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
  }

  /** Returns a stream's log, and moves it to the last place in its session. */
  #log(sessionId: string, stream: string): Log {
    const session = this.#sessions.get(sessionId) ?? { logs: new Map<string, Log>(), size: 0 };
    this.#sessions.set(sessionId, session);
    const { logs } = session;
    const known = logs.get(stream);
    if (known) logs.delete(stream);
    const log: Log = known ?? { session, entries: [], last: 0 };
    logs.set(stream, log);
    if (logs.size > this.#options.maxStreamsPerSession) {
      const [name, unused] = logs.entries().next().value!;
      logs.delete(name);
      this.#clear(unused);
    }
    return log;
  }
}

function oldestOf({ logs }: Session): Entry {
  let oldest: Entry | undefined;
  for (const { entries } of logs.values()) {
    const [first] = entries;
    if (first && (oldest === undefined || first.order < oldest.order)) oldest = first;
  }
  return oldest!;
}
