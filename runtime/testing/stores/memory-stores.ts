import type {
  InstanceMail,
  SessionRecord,
  SessionStore,
  SharedStores,
  StoredEvent,
  StreamStore,
  StreamWriter,
} from "@mcp-codegen/runtime/http/sharing";

export interface MemoryStoresOptions {
  /** The time for which an unused session is stored, in milliseconds. Default: 30 minutes. */
  readonly sessionTtl?: number | undefined;
  /** The time for which a stream without new events is stored, in milliseconds. Default: 5 minutes. */
  readonly eventTtl?: number | undefined;
  /** The maximum number of stored events per stream. Default: 1000. */
  readonly maxEvents?: number | undefined;
}

/** The time for which a pushed event's key is remembered, in milliseconds. */
const ONCE_KNOWN = 60_000;

/**
 * Creates in-memory stores for tests that use several handlers in one process. Sessions cannot be shared with other
 * processes.
 */
export function memoryStores(options: MemoryStoresOptions = {}): SharedStores {
  const { sessionTtl = 30 * 60_000, eventTtl = 5 * 60_000, maxEvents = 1000 } = options;
  const streams = memoryStreams(eventTtl, maxEvents);
  return { sessions: memorySessions(sessionTtl, streams), streams, mail: memoryMail() };
}

interface Expiring<Value> {
  keys(): Iterable<string>;
  set(key: string, value: Value): void;
  get(key: string): Value | undefined;
  /** Returns the value and restarts its lifetime. */
  use(key: string): Value | undefined;
  delete(key: string): boolean;
}

function expiring<Value>(ttl: number): Expiring<Value> {
  const values = new Map<string, { readonly value: Value; readonly until: number }>();
  const swept = (): typeof values => {
    const now = performance.now();
    for (const [key, { until }] of values) {
      if (until > now) break;
      values.delete(key);
    }
    return values;
  };
  const set = (key: string, value: Value): void => {
    swept().delete(key);
    values.set(key, { value, until: performance.now() + ttl });
  };
  return {
    keys: () => swept().keys(),
    set,
    get: (key) => swept().get(key)?.value,
    use(key) {
      const value = swept().get(key)?.value;
      if (value !== undefined) set(key, value);
      return value;
    },
    delete: (key) => swept().delete(key),
  };
}

interface MemorySession {
  readonly record: SessionRecord;
  readonly lasting: Set<string>;
  readonly since: number;
  version: number;
  count: number;
}

function memorySessions(ttl: number, streams: MemoryStreams): SessionStore {
  const sessions = expiring<MemorySession>(ttl);
  return {
    ttl,
    async create(id, record) {
      const since = performance.now();
      sessions.set(id, { record, lasting: new Set(), since, version: 0, count: 0 });
    },
    async use(id, known) {
      const session = sessions.use(id);
      if (session === undefined) return undefined;
      const { record, lasting, version, since } = session;
      const age = performance.now() - since;
      return version === known ? "known" : { record, lasting: [...lasting], version, age };
    },
    touch: async (ids) => ids.filter((id) => sessions.use(id) === undefined),
    async remember(id, message, most) {
      const session = sessions.use(id);
      if (session === undefined) return undefined;
      const { lasting } = session;
      if (lasting.size >= most && !lasting.has(message)) return "full";
      lasting.delete(message);
      lasting.add(message);
      session.version += 1;
      return session.version;
    },
    async forget(id, message) {
      const session = sessions.use(id);
      if (session === undefined) return undefined;
      if (session.lasting.delete(message)) session.version += 1;
      return session.version;
    },
    async count(id) {
      const session = sessions.use(id);
      if (session) session.count += 1;
      return session?.count;
    },
    async end(id) {
      streams.drop(id);
      return sessions.delete(id);
    },
  };
}

interface Log {
  readonly writer: StreamWriter | undefined;
  events: StoredEvent[];
  last: number;
  /** The index of the newest event that was read with the argument `sees`. */
  seen: number;
  isOver: boolean;
  /** True if the stream was ended by `settle` rather than by its writer. */
  isSettled: boolean;
  readonly keys: Expiring<true>;
}

interface MemoryStreams extends StreamStore {
  drop(session: string): void;
}

function memoryStreams(ttl: number, maxEvents: number): MemoryStreams {
  const logs = expiring<Log>(ttl);
  /** The streams to which all instances can write. They are stored until their session ends. */
  const common = new Map<string, Log>();
  const listenersOf = new Map<string, Set<() => void>>();
  const use = (session: string, stream: string): Log | undefined => {
    const key = keyOf(session, stream);
    return common.get(key) ?? logs.use(key);
  };
  const wake = (session: string): void => {
    for (const listener of listenersOf.get(session) ?? []) queueMicrotask(listener);
  };
  const add = (session: string, log: Log, event: StoredEvent): void => {
    log.events.push(event);
    log.last = event.index;
    if (log.events.length > maxEvents) log.events.shift();
    wake(session);
  };
  return {
    async open(session, stream, writer) {
      if (use(session, stream)) return;
      const log: Log = {
        writer,
        events: [],
        last: 0,
        seen: 0,
        isOver: false,
        isSettled: false,
        keys: expiring(ONCE_KNOWN),
      };
      (writer ? logs : common).set(keyOf(session, stream), log);
    },
    async append(session, stream, event) {
      const log = use(session, stream);
      if (log === undefined) return undefined;
      if (log.isSettled) return false;
      if (event.index <= log.last) return true;
      if (log.isOver) return false;
      if (event.index !== log.last + 1) return undefined;
      add(session, log, event);
      return true;
    },
    async end(session, stream, last) {
      const log = use(session, stream);
      if (log === undefined || log.isOver) return true;
      if (log.last < last) return false;
      log.isOver = true;
      wake(session);
      return true;
    },
    async push(session, stream, data, once) {
      const log = use(session, stream);
      if (log === undefined || log.isOver) return;
      if (once !== undefined) {
        if (log.keys.get(once)) return;
        log.keys.set(once, true);
      }
      add(session, log, { index: log.last + 1, data });
    },
    async settle(session, stream, data) {
      const log = use(session, stream);
      if (log === undefined || log.isOver) return false;
      log.isOver = log.isSettled = true;
      add(session, log, { index: log.last + 1, data });
      return true;
    },
    async read(session, stream, after, sees = false) {
      const log = use(session, stream);
      if (log === undefined) return undefined;
      const { writer, last, isOver } = log;
      const index = after === "unseen" ? log.seen : after;
      const events = log.events.filter((event) => event.index > index);
      const isGone = after !== "unseen" && events.length < last - index;
      if (index > last || isGone) return undefined;
      if (sees) log.seen = Math.max(log.seen, last);
      return { events, last, isOver, writer };
    },
    watch(session, listener) {
      const listeners = listenersOf.get(session) ?? new Set();
      listenersOf.set(session, listeners.add(listener));
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) listenersOf.delete(session);
      };
    },
    drop(session) {
      const isOwn = (key: string): boolean => key.startsWith(`${session} `);
      for (const key of [...logs.keys()].filter(isOwn)) logs.delete(key);
      for (const key of [...common.keys()].filter(isOwn)) common.delete(key);
      wake(session);
    },
  };
}

function memoryMail(): InstanceMail {
  const name = crypto.randomUUID().replaceAll("-", "");
  /** The time until which each instance is considered alive. */
  const until = new Map<string, number>();
  const waitingFor = new Map<string, string[]>();
  const listeners = new Map<string, (text: string) => void>();
  const isAlive = (instance: string): boolean => (until.get(instance) ?? 0) > performance.now();
  const deliver = (instance: string): void => {
    const listener = listeners.get(instance);
    if (listener === undefined) return;
    for (const text of waitingFor.get(instance)?.splice(0) ?? []) listener(text);
  };
  const send = async (to: string, text: string): Promise<boolean> => {
    if (!isAlive(to)) return false;
    const waiting = waitingFor.get(to) ?? [];
    waiting.push(text);
    waitingFor.set(to, waiting);
    queueMicrotask(() => deliver(to));
    return true;
  };
  return {
    async beat(instance, lease) {
      until.set(instance, performance.now() + lease);
      return name;
    },
    async leave(instance) {
      until.delete(instance);
      waitingFor.delete(instance);
    },
    isAlive: async (instance) => isAlive(instance),
    send,
    async sendAll(text, from) {
      const others = [...until.keys()].filter((instance) => instance !== from);
      await Promise.all(others.map((instance) => send(instance, text)));
    },
    receive(instance, listener) {
      listeners.set(instance, listener);
      deliver(instance);
      return () => {
        listeners.delete(instance);
      };
    },
  };
}

function keyOf(session: string, stream: string): string {
  return `${session} ${stream}`;
}
