import type { RequestId } from "../../../wire/index.js";

/** An event of a stream, kept so that a client that missed it can fetch it. */
export interface StoredEvent {
  /** Number of the event in its stream, from 1, without gaps. */
  readonly index: number;
  /** JSON text; empty for an event that only marks a position. */
  readonly data: string;
}

/**
 * Stores the events of streams for clients that reconnect (MCP: Streamable HTTP, resumability).
 * Each stream is a separate log. A store may remove events, the oldest first, if it records that it
 * did.
 */
export interface EventStore {
  /** True for a store that other instances read, too; see `SharedSessions`. */
  readonly isShared?: boolean;
  /** Adds to a stream. Calls for one stream are in order, and do not wait for each other. */
  append(session: string, stream: string, event: StoredEvent): void | Promise<unknown>;
  /**
   * Events of one stream after an index, in order; undefined if the stream is unknown, or some of these events were
   * forgotten.
   */
  after(
    session: string,
    stream: string,
    index: number,
  ): readonly StoredEvent[] | undefined | Promise<readonly StoredEvent[] | undefined>;
  /** Called when the session has ended, so that its events are not needed any more. */
  drop(session: string): void | Promise<void>;
}

/** Store of events that other instances read: a client receives an event only when the store has saved it. */
export interface SharedEvents extends EventStore {
  readonly isShared: true;
  /** Begins a stream that answers the requests of a POST. */
  open(session: string, stream: string, requests: StreamRequests): void;
  /**
   * Never rejects.
   *
   * @returns `saved`; `lost` if the store has lost the stream, so that only a connected client can receive the event;
   *   `failed` if another instance has ended the stream, or the store cannot be reached
   */
  append(...event: Parameters<EventStore["append"]>): Promise<"saved" | "lost" | "failed">;
  /** Ends the stream after the event of this index; if the store lacks that event, clients receive an error. */
  end(session: string, stream: string, last: number): void;
  /** Ends the stream without the answer that it is for: clients receive an error, unless it has been ended before. */
  abandon(session: string, stream: string): void;
}

/** Requests that a stream answers. */
export interface StreamRequests {
  readonly ids: readonly RequestId[];
  /** True if the requests came as one batch, which has one answer. */
  readonly isBatch: boolean;
}

export interface MemoryEventStoreOptions {
  /** Events of a stream. Default: 1000. */
  readonly maxEventsPerStream?: number | undefined;
  /** Estimated bytes of a session; the newest event may be longer. Default: 4 MiB. */
  readonly maxBytesPerSession?: number | undefined;
  /** Estimated bytes of all sessions. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Streams of a session, including those without events. Default: 64. */
  readonly maxStreamsPerSession?: number | undefined;
  /** Milliseconds for which an event is stored. Default: 300 000. */
  readonly ttl?: number | undefined;
}

interface Entry extends StoredEvent {
  readonly log: Log;
  data: string;
  /** Estimated bytes: two per UTF-16 unit, and those of the objects around it. */
  readonly size: number;
  /** Time in whole milliseconds, which V8 stores without allocating an object. */
  readonly time: number;
  /** Next event of its stream. */
  next: Entry | undefined;
  isGone: boolean;
}

/** Stored events of one stream, as a linked list. */
interface Log {
  readonly session: Session;
  oldest: Entry | undefined;
  newest: Entry | undefined;
  /** Index of the newest event, even if it was removed. */
  last: number;
}

interface Session {
  /** Logs by stream, the one with the newest event last. */
  readonly logs: Map<string, Log>;
  /** Last log of the map. */
  newest: Log | undefined;
  /** Over all streams, oldest first. */
  readonly entries: AgeOrderedList<Entry>;
  size: number;
}

const MIB = 1024 * 1024;
const ENTRY_OVERHEAD = 160;

/** Stores events in memory, within limits: the oldest are removed first. */
export class MemoryEventStore implements EventStore {
  readonly #options: Required<{ [Name in keyof MemoryEventStoreOptions]: number }>;
  readonly #sessions = new Map<string, Session>();
  /** Over all sessions, oldest first. */
  readonly #entries = new AgeOrderedList<Entry>();
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

  /** Estimated bytes in use. */
  get size(): number {
    return this.#size;
  }

  append(sessionId: string, stream: string, { index, data }: StoredEvent): void {
    const session = this.#session(sessionId);
    const log = this.#log(session, stream);
    const time = Math.floor(performance.now());
    const size = 2 * data.length + ENTRY_OVERHEAD;
    const entry: Entry = { log, index, data, size, time, next: undefined, isGone: false };
    if (log.newest) log.newest.next = entry;
    else log.oldest = entry;
    log.newest = entry;
    log.last = index;
    session.entries.add(entry);
    this.#entries.add(entry);
    session.size += size;
    this.#size += size;
    this.#makeRoom(log, time);
  }

  after(sessionId: string, stream: string, index: number): readonly StoredEvent[] | undefined {
    const log = this.#sessions.get(sessionId)?.logs.get(stream);
    if (log === undefined || index > log.last) return undefined;
    const first = log.oldest?.index ?? log.last + 1;
    if (index < first - 1) return undefined;
    const events: StoredEvent[] = [];
    for (let entry = log.oldest; entry; entry = entry.next) {
      // A copy, which outlives the entry.
      if (entry.index > index) events.push({ index: entry.index, data: entry.data });
    }
    return events;
  }

  drop(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    this.#sessions.delete(sessionId);
    this.#size -= session.size;
    for (const entry of session.entries.clear()) this.#drop(entry);
  }

  #makeRoom(log: Log, now: number): void {
    const { maxEventsPerStream, maxBytesPerSession, maxBytes, ttl } = this.#options;
    const { session } = log;
    const { oldest } = log;
    if (oldest && log.last - oldest.index >= maxEventsPerStream) this.#forget(oldest);
    // The newest event stays, however long it is: it may be the answer that a client reconnects for.
    while (session.size > maxBytesPerSession && session.entries.oldest !== log.newest)
      this.#forget(session.entries.oldest!);
    for (let entry = this.#entries.oldest; entry; entry = this.#entries.oldest) {
      if (this.#size <= maxBytes && now - entry.time <= ttl) break;
      this.#forget(entry);
    }
  }

  /**
   * Removes an entry. It is always the oldest of its stream, because the oldest of a session or of the store is that, too.
   */
  #forget(entry: Entry): void {
    const { log, size, next } = entry;
    log.oldest = next;
    if (next === undefined) log.newest = undefined;
    log.session.size -= size;
    this.#size -= size;
    this.#drop(entry);
    log.session.entries.lost();
  }

  /** Removes an entry from the list of all sessions, and releases its text. */
  #drop(entry: Entry): void {
    entry.isGone = true;
    entry.data = "";
    entry.next = undefined;
    this.#entries.lost();
  }

  #session(id: string): Session {
    let session = this.#sessions.get(id);
    if (session === undefined) {
      session = { logs: new Map(), newest: undefined, entries: new AgeOrderedList(), size: 0 };
      this.#sessions.set(id, session);
    }
    return session;
  }

  #log(session: Session, stream: string): Log {
    const known = session.logs.get(stream);
    if (known && known === session.newest) return known;
    if (known) session.logs.delete(stream);
    const log: Log = known ?? { session, oldest: undefined, newest: undefined, last: 0 };
    session.newest = log;
    session.logs.set(stream, log);
    if (session.logs.size > this.#options.maxStreamsPerSession) {
      const [name, unused] = session.logs.entries().next().value!;
      session.logs.delete(name);
      while (unused.oldest) this.#forget(unused.oldest);
    }
    return log;
  }
}

/** Entry that can be removed. */
interface StaleEntry {
  readonly isGone: boolean;
}

/** Number of removed members that a list may always hold. */
const FEW = 32;

/** List, oldest member first, from which members are removed at low cost. */
class AgeOrderedList<Member extends StaleEntry> {
  #members: Member[] = [];
  /** Index before which all members are removed. */
  #first = 0;
  #gone = 0;

  get oldest(): Member | undefined {
    while (this.#members[this.#first]?.isGone) this.#first += 1;
    return this.#members[this.#first];
  }

  add(member: Member): void {
    this.#members.push(member);
  }

  /** Called when one more member is removed. */
  lost(): void {
    this.#gone += 1;
    if (this.#gone > FEW && 2 * this.#gone > this.#members.length) this.#compact();
  }

  /** Removes and returns all members. */
  clear(): readonly Member[] {
    this.#compact();
    const members = this.#members;
    this.#members = [];
    return members;
  }

  #compact(): void {
    this.#members = this.#members.filter(({ isGone }) => !isGone);
    this.#first = 0;
    this.#gone = 0;
  }
}
