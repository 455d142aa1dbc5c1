import type { EventStore, KeptEvent } from "./event-store.js";

export interface MemoryEventStoreOptions {
  /** Default: 1000. */
  readonly maxEventsPerStream?: number | undefined;
  /** Default: 4 MiB. */
  readonly maxBytesPerSession?: number | undefined;
  /** Over all sessions. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** Streams of a session that are remembered, also when their events are gone. Default: 64. */
  readonly maxStreamsPerSession?: number | undefined;
  /** Milliseconds for which an event is kept. Default: 300 000. */
  readonly ttl?: number | undefined;
}

interface Entry extends KeptEvent {
  readonly log: Log;
  /** Two per UTF-16 unit, and something for the objects around it. */
  readonly size: number;
  readonly time: number;
}

/** One stream: what is left of its events, oldest first. */
interface Log {
  readonly session: Session;
  readonly entries: Entry[];
  /** Index of the newest event, also when that is gone. */
  last: number;
}

interface Session {
  /** By the name of the stream, the one with the newest event last. */
  readonly logs: Map<string, Log>;
  /** Over all streams, oldest first. */
  readonly entries: Set<Entry>;
  size: number;
}

const MIB = 1024 * 1024;
const ENTRY_OVERHEAD = 160;

/** Keeps events in memory, within bounds: the oldest go first. */
export class MemoryEventStore implements EventStore {
  readonly #options: Required<{ [Name in keyof MemoryEventStoreOptions]: number }>;
  readonly #sessions = new Map<string, Session>();
  /** Over all sessions, oldest first. */
  readonly #entries = new Set<Entry>();
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

  append(sessionId: string, stream: string, { index, data }: KeptEvent): void {
    const session = this.#session(sessionId);
    const log = this.#log(session, stream);
    const time = performance.now();
    const entry: Entry = { log, index, data, size: 2 * data.length + ENTRY_OVERHEAD, time };
    log.entries.push(entry);
    log.last = index;
    session.entries.add(entry);
    this.#entries.add(entry);
    session.size += entry.size;
    this.#size += entry.size;
    this.#makeRoom(log, time);
  }

  after(sessionId: string, stream: string, index: number): readonly KeptEvent[] | undefined {
    const log = this.#sessions.get(sessionId)?.logs.get(stream);
    if (log === undefined || index > log.last) return undefined;
    const first = log.entries[0]?.index ?? log.last + 1;
    return index < first - 1 ? undefined : log.entries.slice(index - first + 1);
  }

  drop(sessionId: string): void {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    this.#sessions.delete(sessionId);
    this.#size -= session.size;
    for (const entry of session.entries) this.#entries.delete(entry);
  }

  #makeRoom(log: Log, now: number): void {
    const { maxEventsPerStream, maxBytesPerSession, maxBytes, ttl } = this.#options;
    const { session } = log;
    if (log.entries.length > maxEventsPerStream) this.#forget(log.entries[0]!);
    for (const entry of session.entries) {
      if (session.size <= maxBytesPerSession) break;
      this.#forget(entry);
    }
    for (const entry of this.#entries) {
      if (this.#size <= maxBytes && now - entry.time <= ttl) break;
      this.#forget(entry);
    }
  }

  /** Whatever an entry is the oldest of, it is the oldest of its stream too. */
  #forget(entry: Entry): void {
    const { log, size } = entry;
    log.entries.shift();
    log.session.entries.delete(entry);
    this.#entries.delete(entry);
    log.session.size -= size;
    this.#size -= size;
  }

  #session(id: string): Session {
    let session = this.#sessions.get(id);
    if (session === undefined) {
      session = { logs: new Map(), entries: new Set(), size: 0 };
      this.#sessions.set(id, session);
    }
    return session;
  }

  #log(session: Session, stream: string): Log {
    const known = session.logs.get(stream);
    if (known) session.logs.delete(stream);
    const log = known ?? { session, entries: [], last: 0 };
    session.logs.set(stream, log);
    if (session.logs.size > this.#options.maxStreamsPerSession) {
      const [oldest, { entries }] = session.logs.entries().next().value!;
      session.logs.delete(oldest);
      while (entries[0]) this.#forget(entries[0]);
    }
    return log;
  }
}
