import type { StoredEvent } from "../streams/event-store.js";
import { randomName } from "./instances.js";
import type {
  InstanceMail,
  KeptSession,
  SessionRecord,
  SessionStore,
  SharedStores,
  StreamReading,
  StreamStore,
  StreamWriter,
} from "./stores.js";

export interface MemoryStoresOptions {
  /** Milliseconds for which an unused session is stored. Default: 30 minutes. */
  readonly sessionTtl?: number | undefined;
  /** Milliseconds for which a stream without new events is stored. Default: 5 minutes. */
  readonly eventTtl?: number | undefined;
  /** Stored events of a stream. Default: 1000. */
  readonly maxEvents?: number | undefined;
}

/** Milliseconds for which the key of a pushed event is known. */
const ONCE_KNOWN = 60_000;

/**
 * Stores in the memory of one process: for several handlers in it, such as those of tests. Sessions cannot leave the
 * process with them.
 */
export function memoryStores(options: MemoryStoresOptions = {}): SharedStores {
  const { sessionTtl = 30 * 60_000, eventTtl = 5 * 60_000, maxEvents = 1000 } = options;
  const streams = new MemoryStreams(eventTtl, maxEvents);
  const sessions = new MemorySessions(sessionTtl, streams);
  return { sessions, streams, mail: new MemoryMail() };
}

/** Values that are removed if they have not been used for a time. */
class Expiring<Value> {
  readonly #ttl: number;
  /** Values with the time of their removal, the earliest first. */
  readonly #values = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor(ttl: number) {
    this.#ttl = ttl;
  }

  get keys(): Iterable<string> {
    this.#sweep();
    return this.#values.keys();
  }

  set(key: string, value: Value): void {
    this.#sweep();
    this.#values.delete(key);
    this.#values.set(key, { value, until: performance.now() + this.#ttl });
  }

  get(key: string): Value | undefined {
    this.#sweep();
    return this.#values.get(key)?.value;
  }

  /** Returns the value, and restarts its time. */
  use(key: string): Value | undefined {
    const value = this.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  delete(key: string): boolean {
    this.#sweep();
    return this.#values.delete(key);
  }

  #sweep(): void {
    const now = performance.now();
    for (const [key, { until }] of this.#values) {
      if (until > now) return;
      this.#values.delete(key);
    }
  }
}

interface MemorySession {
  readonly record: SessionRecord;
  readonly lasting: Set<string>;
  readonly since: number;
  version: number;
  count: number;
}

class MemorySessions implements SessionStore {
  readonly #sessions: Expiring<MemorySession>;
  readonly ttl: number;
  readonly #streams: MemoryStreams;

  constructor(ttl: number, streams: MemoryStreams) {
    this.ttl = ttl;
    this.#sessions = new Expiring(ttl);
    this.#streams = streams;
  }

  async create(id: string, record: SessionRecord): Promise<void> {
    this.#sessions.set(id, {
      record,
      lasting: new Set(),
      since: performance.now(),
      version: 0,
      count: 0,
    });
  }

  async use(id: string, known?: number): Promise<KeptSession | "known" | undefined> {
    const session = this.#sessions.use(id);
    if (session === undefined) return undefined;
    const { record, lasting, version, since } = session;
    const age = performance.now() - since;
    return version === known ? "known" : { record, lasting: [...lasting], version, age };
  }

  async touch(ids: readonly string[]): Promise<readonly string[]> {
    return ids.filter((id) => this.#sessions.use(id) === undefined);
  }

  async remember(id: string, message: string, most: number): Promise<number | "full" | undefined> {
    const session = this.#sessions.use(id);
    if (session === undefined) return undefined;
    const { lasting } = session;
    if (lasting.size >= most && !lasting.has(message)) return "full";
    lasting.delete(message);
    lasting.add(message);
    session.version += 1;
    return session.version;
  }

  async forget(id: string, message: string): Promise<number | undefined> {
    const session = this.#sessions.use(id);
    if (session === undefined) return undefined;
    if (session.lasting.delete(message)) session.version += 1;
    return session.version;
  }

  async count(id: string): Promise<number | undefined> {
    const session = this.#sessions.use(id);
    if (session) session.count += 1;
    return session?.count;
  }

  async end(id: string): Promise<boolean> {
    this.#streams.drop(id);
    return this.#sessions.delete(id);
  }
}

interface Log {
  readonly writer: StreamWriter | undefined;
  /** Stored events, in order. */
  events: StoredEvent[];
  last: number;
  /** Index of the newest event that was read with `sees`. */
  seen: number;
  isOver: boolean;
  /** True if another instance than its writer has ended it. */
  isSettled: boolean;
  readonly keys: Expiring<true>;
}

class MemoryStreams implements StreamStore {
  readonly #maxEvents: number;
  readonly #logs: Expiring<Log>;
  /** Streams of all instances, until their session ends. */
  readonly #common = new Map<string, Log>();
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(ttl: number, maxEvents: number) {
    this.#logs = new Expiring(ttl);
    this.#maxEvents = maxEvents;
  }

  async open(session: string, stream: string, writer?: StreamWriter): Promise<void> {
    const key = keyOf(session, stream);
    if (this.#use(session, stream)) return;
    const keys = new Expiring<true>(ONCE_KNOWN);
    const log: Log = {
      writer,
      events: [],
      last: 0,
      seen: 0,
      isOver: false,
      isSettled: false,
      keys,
    };
    if (writer) this.#logs.set(key, log);
    else this.#common.set(key, log);
  }

  async append(session: string, stream: string, event: StoredEvent): Promise<boolean | undefined> {
    const log = this.#use(session, stream);
    if (log === undefined) return undefined;
    if (log.isSettled) return false;
    if (event.index <= log.last) return true;
    if (log.isOver) return false;
    if (event.index !== log.last + 1) return undefined;
    this.#add(session, log, event);
    return true;
  }

  async end(session: string, stream: string, last: number): Promise<boolean> {
    const log = this.#use(session, stream);
    if (log === undefined || log.isOver) return true;
    if (log.last < last) return false;
    log.isOver = true;
    this.#wake(session);
    return true;
  }

  async push(session: string, stream: string, data: string, once?: string): Promise<void> {
    const log = this.#use(session, stream);
    if (log === undefined || log.isOver) return;
    if (once !== undefined) {
      if (log.keys.get(once)) return;
      log.keys.set(once, true);
    }
    this.#add(session, log, { index: log.last + 1, data });
  }

  async settle(session: string, stream: string, data: string): Promise<boolean> {
    const log = this.#use(session, stream);
    if (log === undefined || log.isOver) return false;
    log.isOver = log.isSettled = true;
    this.#add(session, log, { index: log.last + 1, data });
    return true;
  }

  async read(
    session: string,
    stream: string,
    after: number | "unseen",
    sees = false,
  ): Promise<StreamReading | undefined> {
    const log = this.#use(session, stream);
    if (log === undefined) return undefined;
    const { writer, last, isOver } = log;
    const index = after === "unseen" ? log.seen : after;
    const events = log.events.filter((event) => event.index > index);
    const isGone = after !== "unseen" && events.length < last - index;
    if (index > last || isGone) return undefined;
    if (sees) log.seen = Math.max(log.seen, last);
    return { events, last, isOver, writer };
  }

  watch(session: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(session);
    };
  }

  drop(session: string): void {
    const isOwn = (key: string): boolean => key.startsWith(`${session} `);
    for (const key of [...this.#logs.keys].filter(isOwn)) this.#logs.delete(key);
    for (const key of [...this.#common.keys()].filter(isOwn)) this.#common.delete(key);
    this.#wake(session);
  }

  #use(session: string, stream: string): Log | undefined {
    const key = keyOf(session, stream);
    return this.#common.get(key) ?? this.#logs.use(key);
  }

  #add(session: string, log: Log, event: StoredEvent): void {
    log.events.push(event);
    log.last = event.index;
    if (log.events.length > this.#maxEvents) log.events.shift();
    this.#wake(session);
  }

  #wake(session: string): void {
    for (const listener of this.#listeners.get(session) ?? []) queueMicrotask(listener);
  }
}

class MemoryMail implements InstanceMail {
  readonly #name = randomName(8);
  /** Time until which each instance is considered alive. */
  readonly #until = new Map<string, number>();
  readonly #waiting = new Map<string, string[]>();
  readonly #listeners = new Map<string, (text: string) => void>();

  async beat(instance: string, lease: number): Promise<string> {
    this.#until.set(instance, performance.now() + lease);
    return this.#name;
  }

  async leave(instance: string): Promise<void> {
    this.#until.delete(instance);
    this.#waiting.delete(instance);
  }

  async isAlive(instance: string): Promise<boolean> {
    return (this.#until.get(instance) ?? 0) > performance.now();
  }

  async send(to: string, text: string): Promise<boolean> {
    if (!(await this.isAlive(to))) return false;
    const waiting = this.#waiting.get(to) ?? [];
    waiting.push(text);
    this.#waiting.set(to, waiting);
    queueMicrotask(() => this.#deliver(to));
    return true;
  }

  async sendAll(text: string, from: string): Promise<void> {
    const others = [...this.#until.keys()].filter((instance) => instance !== from);
    await Promise.all(others.map((instance) => this.send(instance, text)));
  }

  receive(instance: string, listener: (text: string) => void): () => void {
    this.#listeners.set(instance, listener);
    this.#deliver(instance);
    return () => {
      this.#listeners.delete(instance);
    };
  }

  #deliver(instance: string): void {
    const listener = this.#listeners.get(instance);
    if (listener === undefined) return;
    for (const text of this.#waiting.get(instance)?.splice(0) ?? []) listener(text);
  }
}

function keyOf(session: string, stream: string): string {
  return `${session} ${stream}`;
}
