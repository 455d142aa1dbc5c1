import { AgeOrderedList } from "./age-ordered-list.js";
import type { EventStore, StoredEvent } from "./event-store.js";

export interface MemoryEventStoreOptions {
  /** Default: 1000. */
  readonly maxEventsPerStream?: number | undefined;
  /** Beyond, the oldest events go; the newest event may be longer. Default: 4 MiB. */
  readonly maxBytesPerSession?: number | undefined;
  /** Over all sessions. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Streams of a session that are remembered, also when their events are gone. Default: 64. */
  readonly maxStreamsPerSession?: number | undefined;
  /** Milliseconds for which an event is kept. Default: 300 000. */
  readonly ttl?: number | undefined;
}

interface Entry extends StoredEvent {
  readonly log: Log;
  data: string;
  /** Two per UTF-16 unit, and something for the objects around it. */
  readonly size: number;
  /** Time in whole milliseconds, which V8 stores without an object of their own. */
  readonly time: number;
  /** The one after it in its stream. */
  next: Entry | undefined;
  isGone: boolean;
}

/** One stream: what is left of its events, as a chain. */
interface Log {
  readonly session: Session;
  oldest: Entry | undefined;
  newest: Entry | undefined;
  /** Index of the newest event, also when that is gone. */
  last: number;
}

interface Session {
  /** Logs by stream, the one with the newest event last. */
  readonly logs: Map<string, Log>;
  /** The last one of them. */
  newest: Log | undefined;
  /** Over all streams, oldest first. */
  readonly entries: AgeOrderedList<Entry>;
  size: number;
}

const MIB = 1024 * 1024;
const ENTRY_OVERHEAD = 160;

/** Keeps events in memory, within bounds: the oldest go first. */
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

  /** Bytes that are taken up, estimated. */
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
      // A copy, for whoever still needs it when the entry is forgotten.
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
    // The newest stays, however long it is: it may be the answer that a client comes back for.
    while (session.size > maxBytesPerSession && session.entries.oldest !== log.newest)
      this.#forget(session.entries.oldest!);
    for (let entry = this.#entries.oldest; entry; entry = this.#entries.oldest) {
      if (this.#size <= maxBytes && now - entry.time <= ttl) break;
      this.#forget(entry);
    }
  }

  /**
   * Removes an entry, which is always the oldest of its stream: the oldest of a session or of the
   * store is that, too.
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

  /** Takes an entry out of the list of all; what may still refer to it no longer keeps its event. */
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
