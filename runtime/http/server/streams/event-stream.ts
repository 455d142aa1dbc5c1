import type { StreamSink } from "../limits.js";
import type { SharedEvents, StoredEvent } from "./event-store.js";
import {
  formatEvent,
  formatEventId,
  formatPriming,
  formatRetry,
  storedText,
} from "./server-sent-events.js";
import { MUCH, type StreamSettings } from "./stream-settings.js";

/** The maximum number of a stream's events that a store may still be saving. Beyond it, the sender has to wait. */
const MAX_UNSAVED = 64;

/**
 * A stream of server-sent events. It outlives the connections that carry it, one after another. Events sent while there
 * is no connection are kept in the store; without a store, they are lost.
 */
export class EventStream {
  readonly key: string;
  last = 0;
  isOver = false;
  readonly #settings: StreamSettings;
  #session: string | undefined;
  readonly #ondetach: (() => void) | undefined;
  #sink: StreamSink | undefined;
  #sent = 0;
  /** Resolves when the store has saved all events; undefined if the store is idle or synchronous. */
  saving: Promise<void> | undefined = undefined;
  /** The store that must have saved an event before the client receives it. */
  #shared: SharedEvents | undefined;
  #unsaved = 0;
  /** The number of clients that are receiving earlier events. New events are held until they have caught up. */
  #catchingUp = 0;
  #held: StoredEvent[] | undefined;

  /** @param ondetach - called when a connection has ended */
  constructor(
    settings: StreamSettings,
    session: string | undefined,
    key: string,
    ondetach?: () => void,
  ) {
    this.#settings = settings;
    this.#session = settings.store && session;
    this.#shared = session !== undefined && isShared(settings.store) ? settings.store : undefined;
    this.key = key;
    this.#ondetach = ondetach;
  }

  get hasSink(): boolean {
    return this.#sink !== undefined;
  }

  get isReachable(): boolean {
    return this.#sink !== undefined || this.#session !== undefined;
  }

  attach(sink: StreamSink): void {
    this.#detach()?.end();
    this.#sink = sink;
    sink.whenClosed(() => {
      if (this.#sink === sink) this.#detach();
    });
    this.#settings.live.add(sink);
  }

  /** Sends an id from which the client can resume, in case the connection breaks before the first message. */
  prime(): void {
    if (this.#session === undefined) return;
    this.#add("", ({ index }) => {
      this.#sink?.write(formatPriming(formatEventId(this.key, index), this.#settings.retry));
    });
  }

  send(data: string): Promise<void> | undefined {
    if (this.isOver) return undefined;
    this.#add(data, (event) => {
      if (this.#catchingUp > 0) (this.#held ??= []).push(event);
      else if (event.index > this.#sent) this.#write(event);
    });
    return this.#unsaved > MAX_UNSAVED ? this.saving : this.#waitForRoom();
  }

  /**
   * Ends the connection but not the stream, so that the client reconnects after `retry` milliseconds. Does nothing if
   * the stream is not saved.
   */
  release(retry?: number): void {
    if (this.#session === undefined) return;
    this.#whenSaved(() => {
      const sink = this.#detach();
      const isUsable = retry !== undefined && retry >= 0 && retry < Infinity;
      sink?.write(formatRetry(isUsable ? Math.round(retry) : this.#settings.retry));
      sink?.end();
    });
  }

  /** Ends the connection, because another instance carries the stream now. */
  yield(): void {
    this.#detach()?.end();
  }

  /** True if no event after this index remains to be sent. */
  isOverAfter(index: number): boolean {
    return this.isOver && index >= this.last;
  }

  /** Ends the stream. A reconnecting client still receives all events. */
  end(): void {
    this.isOver = true;
    this.#shared?.end(this.#session!, this.key, this.last);
    this.#whenSaved(() => {
      if (this.#catchingUp === 0) this.#detach()?.end();
    });
  }

  /**
   * Ends the stream and its connection, even while earlier events are being read from the store. Does nothing if the
   * stream has already ended and a shared store is still saving its events, because the client then receives them.
   */
  abandon(): void {
    if (!this.isOver) this.#shared?.abandon(this.#session!, this.key);
    else if (this.#unsaved > 0) return;
    this.isOver = true;
    this.#held = undefined;
    this.#detach()?.end();
  }

  /**
   * Returns the events after an index, or undefined if the store has removed some of them. New events are held until
   * {@link caughtUp} is called.
   */
  async missed(index: number): Promise<readonly StoredEvent[] | undefined> {
    this.#catchingUp += 1;
    await this.saving;
    const { store } = this.#settings;
    const session = this.#session;
    const kept = session === undefined ? undefined : await store?.after(session, this.key, index);
    return kept ?? (index === this.last ? [] : undefined);
  }

  resume(sink: StreamSink, index: number, events: readonly StoredEvent[], primes: boolean): void {
    this.attach(sink);
    this.#sent = index;
    const id = formatEventId(this.key, index);
    if (primes) sink.write(formatPriming(id, this.#settings.retry));
    for (const { index: at, data } of events) this.#write({ index: at, data: storedText(data) });
  }

  /** Sends the events that were held since {@link missed}. It must be called once after each call to `missed`. */
  caughtUp(): void {
    this.#catchingUp -= 1;
    if (this.#catchingUp > 0) return;
    const held = this.#held;
    this.#held = undefined;
    for (const event of held ?? []) if (event.index > this.#sent) this.#write(event);
    // Events that the store has not saved yet follow, and the connection ends after the last one.
    if (this.isOver && this.#unsaved === 0) this.#detach()?.end();
  }

  #write({ index, data }: StoredEvent): void {
    const sink = this.#sink;
    if (sink === undefined) return;
    this.#sent = index;
    if (data === "") return;
    const id = this.#session === undefined ? undefined : formatEventId(this.key, index);
    if (!this.#settings.unread.write(sink, formatEvent(data, id))) this.#detach();
  }

  #waitForRoom(): Promise<void> | undefined {
    const sink = this.#sink;
    return sink && sink.waiting > MUCH ? sink.drained() : undefined;
  }

  #add(data: string, write: (event: StoredEvent) => void): void {
    const event = { index: ++this.last, data };
    if (this.#shared) return this.#addShared(event, write, this.#shared);
    this.#keep(event);
    write(event);
  }

  #addShared(event: StoredEvent, write: (event: StoredEvent) => void, store: SharedEvents): void {
    this.#unsaved += 1;
    const session = this.#session!;
    const adding = store.append(session, this.key, event);
    this.saving = Promise.all([adding, this.saving]).then(([outcome]) => {
      this.#unsaved -= 1;
      if (outcome === "failed") {
        store.abandon(session, this.key);
        return this.abandon();
      }
      if (outcome === "lost") this.#session = this.#shared = undefined;
      write(event);
    });
  }

  #whenSaved(then: () => void): void {
    if (this.#unsaved > 0) this.saving = this.saving!.then(then);
    else then();
  }

  #keep(event: StoredEvent): void {
    if (this.#session === undefined) return;
    const { store, report } = this.#settings;
    try {
      const saving = store!.append(this.#session, this.key, event);
      if (saving) this.saving = Promise.all([this.saving, saving.catch(report)]).then(() => {});
    } catch (error) {
      report(error as Error);
    }
  }

  #detach(): StreamSink | undefined {
    const sink = this.#sink;
    if (sink === undefined) return undefined;
    this.#sink = undefined;
    this.#settings.live.delete(sink);
    this.#ondetach?.();
    return sink;
  }
}

function isShared(store: StreamSettings["store"]): store is SharedEvents {
  return store?.isShared === true;
}
