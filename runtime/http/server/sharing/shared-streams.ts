import { INTERNAL_ERROR, type RequestId } from "../../../wire/index.js";
import type { StreamSink } from "../limits.js";
import { EVENT_FIELDS, type Exchange } from "../requests/exchange.js";
import { PROBLEMS } from "../requests/problem.js";
import type { LocalSession } from "../sessions/session-sharing.js";
import type { SharedEvents, StoredEvent, StreamRequests } from "../streams/event-store.js";
import { MUCH, type StreamSettings } from "../streams/stream-settings.js";
import {
  formatEvent,
  formatEventId,
  formatPriming,
  storedText,
} from "../streams/server-sent-events.js";
import type { StoreAccess } from "./instances.js";
import type { SharedStores, StreamReading, StreamStore, StreamWriter } from "./stores.js";

interface OpenStream {
  readonly session: string;
  readonly stream: string;
  readonly writer: StreamWriter;
}

/** The events of the streams that this instance writes. */
export class InstanceEvents implements SharedEvents {
  readonly isShared = true;
  readonly #store: StreamStore;
  readonly #instance: string;
  readonly #access: StoreAccess;
  readonly #open = new Map<string, OpenStream>();
  /** Functions that end streams whose end the store has not confirmed, by session and stream. */
  readonly #unconfirmed = new Map<string, () => Promise<unknown>>();

  constructor(store: StreamStore, instance: string, access: StoreAccess) {
    this.#store = store;
    this.#instance = instance;
    this.#access = access;
  }

  open(session: string, stream: string, { ids, isBatch }: StreamRequests): void {
    const writer: StreamWriter = { instance: this.#instance, requests: ids, isBatch };
    this.#open.set(`${session} ${stream}`, { session, stream, writer });
    void this.#access.quietly(this.#store.open(session, stream, writer));
  }

  async append(
    session: string,
    stream: string,
    event: StoredEvent,
  ): ReturnType<SharedEvents["append"]> {
    try {
      const isAdded = await this.#access.to(this.#store.append(session, stream, event));
      if (isAdded !== undefined) return isAdded ? "saved" : "failed";
      // The store no longer keeps the stream, so `renew` must not create it again.
      this.#open.delete(`${session} ${stream}`);
      return "lost";
    } catch {
      return "failed";
    }
  }

  async after(
    session: string,
    stream: string,
    index: number,
  ): Promise<readonly StoredEvent[] | undefined> {
    const reading = await this.#access.to(this.#store.read(session, stream, index));
    return reading?.events;
  }

  end(session: string, stream: string, last: number): void {
    this.#endLater(session, stream, async ({ writer }) => {
      const isOver = await this.#store.end(session, stream, last);
      if (!isOver) await this.#store.settle(session, stream, goneAnswer(writer));
    });
  }

  abandon(session: string, stream: string): void {
    this.#endLater(session, stream, ({ writer }) =>
      this.#store.settle(session, stream, goneAnswer(writer)),
    );
  }

  /** Does nothing, because the stores end a session's streams with the session. */
  drop(): void {}

  /** Extends the lifetime of the open streams, because some handlers send nothing for a long time. */
  async renew(): Promise<void> {
    const opening = [...this.#open.values()].map(({ session, stream, writer }) =>
      this.#access.quietly(this.#store.open(session, stream, writer)),
    );
    await Promise.all(opening);
  }

  async settle(): Promise<void> {
    await Promise.all([...this.#unconfirmed].map(([key, end]) => this.#end(key, end)));
  }

  #endLater(session: string, stream: string, end: (open: OpenStream) => Promise<unknown>): void {
    const key = `${session} ${stream}`;
    const open = this.#open.get(key);
    if (open === undefined) return;
    this.#open.delete(key);
    const ending = (): Promise<unknown> => end(open);
    this.#unconfirmed.set(key, ending);
    void this.#end(key, ending);
  }

  async #end(key: string, end: () => Promise<unknown>): Promise<void> {
    const isDone = await this.#access.quietly(end().then(() => true));
    if (isDone) this.#unconfirmed.delete(key);
  }
}

function goneAnswer({ requests, isBatch }: StreamWriter): string {
  const answers = requests.map(goneError);
  return JSON.stringify(isBatch ? answers : answers[0]);
}

function goneError(id: RequestId): object {
  const message = "Internal error: the instance that worked on this request is gone";
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } };
}

export interface ReaderContext {
  readonly stores: SharedStores;
  readonly access: StoreAccess;
  readonly settings: StreamSettings;
  /** The time, in milliseconds, after which a reader reads even without a notification. */
  readonly interval: number;
}

interface ReadStream {
  readonly session: LocalSession;
  readonly stream: string;
  /** True to record which events were read, so that a client that reconnects without an id does not receive them again. */
  readonly sees: boolean;
}

/** Sends a stream's events from the store to a client, whichever instance writes them. */
export class StreamReader {
  onend: (() => void) | undefined;
  readonly #context: ReaderContext;
  readonly #source: ReadStream;
  #sink: StreamSink | undefined;
  #wake: (() => void) | undefined;
  #isDue = false;
  #unwatch: (() => void) | undefined;
  /** The time of the last check that the writer is alive, on the `performance.now()` clock. */
  #checked = 0;

  constructor(context: ReaderContext, source: ReadStream) {
    this.#context = context;
    this.#source = source;
  }

  /**
   * Answers a GET with the events after an index and with all later ones.
   *
   * @returns the first events, or undefined if the GET was refused
   */
  async begin(exchange: Exchange, after: number | "unseen"): Promise<StreamReading | undefined> {
    const { session } = this.#source;
    this.#watch();
    let first: StreamReading | undefined;
    try {
      first = await this.#read(after);
      if (first && (await this.#settles(first))) first = await this.#read(after);
    } catch (error) {
      this.stop();
      throw error;
    }
    const refused = session.isClosed ? PROBLEMS.noSession : PROBLEMS.unknownEvent;
    const hasNothing = exchange.isGone || first === undefined || (first.isOver && !first.events[0]);
    if (session.isClosed || hasNothing) {
      this.stop();
      exchange.refuse(refused, session.revision);
      return undefined;
    }
    this.#attach(exchange, first!);
    void this.#carry(first!);
    return first;
  }

  stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    const sink = this.#sink;
    this.#sink = undefined;
    this.#wake?.();
    if (sink === undefined) return;
    this.#context.settings.live.delete(sink);
    sink.end();
    this.onend?.();
  }

  #watch(): void {
    const { stores } = this.#context;
    this.#unwatch = stores.streams.watch(this.#source.session.sessionId!, () => {
      this.#isDue = true;
      this.#wake?.();
    });
  }

  #attach(exchange: Exchange, { events, last }: StreamReading): void {
    const { session, stream } = this.#source;
    const { retry, live } = this.#context.settings;
    const sink = exchange.openStream(EVENT_FIELDS);
    this.#sink = sink;
    sink.whenClosed(() => this.stop());
    live.add(sink);
    const start = events[0] ? events[0].index - 1 : last;
    if (session.primes) sink.write(formatPriming(formatEventId(stream, start), retry));
  }

  async #carry(first: StreamReading): Promise<void> {
    let reading = first;
    for (;;) {
      for (const { index, data } of reading.events) if (!this.#write(index, data)) return;
      if (reading.isOver) return this.stop();
      if (this.#sink!.waiting > MUCH) await this.#sink!.drained();
      const next = await this.#next(reading);
      if (this.#sink === undefined) return;
      if (next === undefined) return this.stop();
      reading = next;
    }
  }

  async #next(reading: StreamReading): Promise<StreamReading | undefined> {
    for (;;) {
      await this.#woken();
      if (this.#sink === undefined) return undefined;
      try {
        if (performance.now() - this.#checked > this.#context.interval)
          await this.#settles(reading);
        const next = await this.#read(reading.last);
        if (next === undefined || next.isOver || next.events.length > 0) return next;
      } catch {
        // The outage has been reported; the client waits until it is over.
      }
    }
  }

  /**
   * Ends the stream if its writer is gone.
   * @returns true if this call has ended it
   */
  async #settles({ writer, isOver }: StreamReading): Promise<boolean> {
    this.#checked = performance.now();
    if (writer === undefined || isOver) return false;
    const { stores, access } = this.#context;
    if (await access.to(stores.mail.isAlive(writer.instance))) return false;
    const { session, stream } = this.#source;
    await access.to(stores.streams.settle(session.sessionId!, stream, goneAnswer(writer)));
    return true;
  }

  #read(after: number | "unseen"): Promise<StreamReading | undefined> {
    const { stores, access } = this.#context;
    const { session, stream, sees } = this.#source;
    this.#isDue = false;
    return access.to(stores.streams.read(session.sessionId!, stream, after, sees));
  }

  async #woken(): Promise<void> {
    if (this.#isDue) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, this.#context.interval);
      this.#wake = done;
    });
  }

  #write(index: number, data: string): boolean {
    const sink = this.#sink;
    if (sink === undefined) return false;
    if (data === "") return true;
    const text = formatEvent(storedText(data), formatEventId(this.#source.stream, index));
    const isWritten = this.#context.settings.unread.write(sink, text);
    if (!isWritten) this.stop();
    return isWritten;
  }
}
