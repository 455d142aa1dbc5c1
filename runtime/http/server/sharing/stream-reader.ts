import { formatEvent, formatEventId, formatPriming, KEEP_ALIVE } from "../event-format.js";
import type { StreamSettings } from "../event-stream.js";
import type { Exchange, StreamSink } from "../exchange.js";
import type { HttpSession } from "../http-session.js";
import type { LiveStream } from "../live-streams.js";
import { EVENT_FIELDS } from "../post.js";
import { NO_SUCH_SESSION, refuse } from "../problem.js";
import { UNKNOWN } from "../resume.js";
import { MUCH } from "../unread-output.js";
import { goneAnswer } from "./instance-events.js";
import type { StoreAccess } from "./store-access.js";
import type { SharedStores, StreamReading } from "./stores.js";

/** Things that all readers of an instance share. */
export interface ReaderContext {
  readonly stores: SharedStores;
  readonly access: StoreAccess;
  readonly settings: StreamSettings;
  /** Milliseconds after which it looks without having been woken. */
  readonly interval: number;
}

/** Stream that is read. */
export interface ReadStream {
  readonly session: HttpSession;
  readonly stream: string;
  /** True to take note of what was read, so that a client that comes back without an id does not get it again. */
  readonly sees: boolean;
}

/** Carries the events of a stream from the store to a client, whichever instance writes them. */
export class StreamReader implements LiveStream {
  /** Called when it has ended. */
  onend: (() => void) | undefined;
  readonly #context: ReaderContext;
  readonly #source: ReadStream;
  #sink: StreamSink | undefined;
  #wake: (() => void) | undefined;
  /** True when something may have been added since it read last. */
  #isDue = false;
  #unwatch: (() => void) | undefined;
  /** Time at which it made sure last that the writer is there, on the clock of `performance.now()`. */
  #checked = 0;

  constructor(context: ReaderContext, source: ReadStream) {
    this.#context = context;
    this.#source = source;
  }

  /**
   * Answers a GET with the events after one of them, and with all that follow.
   *
   * @returns what there was; undefined when the GET was refused
   * @throws StoreError
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
    const refused = session.isClosed ? NO_SUCH_SESSION : UNKNOWN;
    const hasNothing = exchange.isGone || first === undefined || (first.isOver && !first.events[0]);
    if (session.isClosed || hasNothing) {
      this.stop();
      refuse(exchange, refused, session.revision);
      return undefined;
    }
    this.#attach(exchange, first!);
    void this.#carry(first!);
    return first;
  }

  /** Ends the connection, not the stream. */
  stop(): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    const sink = this.#sink;
    this.#sink = undefined;
    this.#wake?.();
    if (sink === undefined) return;
    this.#context.settings.live.delete(this);
    sink.end();
    this.onend?.();
  }

  keepAlive(): void {
    if (this.#sink?.waiting === 0) this.#sink.write(KEEP_ALIVE);
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
    live.add(this);
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

  /** Events after a reading, as soon as there are some; undefined when the stream is no longer there. */
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
        // The outage was reported; the client waits for the store as this does.
      }
    }
  }

  /** Ends the stream of a writer that is gone. @returns true when it is over now */
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

  /** Waits until something may have been added, for the interval at most. */
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
    const { unread } = this.#context.settings;
    if (!unread.admits(sink)) {
      this.stop();
      return false;
    }
    sink.write(formatEvent(data, formatEventId(this.#source.stream, index)));
    if (sink.waiting > MUCH) unread.watch(sink);
    return true;
  }
}
