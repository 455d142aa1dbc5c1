import type { Subscriber } from "./connection.js";
import type { Engine } from "./engine.js";

export interface ChannelListener {
  message(text: string): void;
  /**
   * Called when the subscription becomes active.
   *
   * @param isAgain - true if it was active before, so messages may have been missed
   */
  holds(isAgain: boolean): void;
}

/** The channels that this process listens to over one connection, which is opened on demand. */
export class Subscriptions {
  readonly #engine: Engine;
  readonly #channels = new Map<string, Set<ChannelListener>>();
  /** The channels that were subscribed to successfully, even if the connection is now lost. */
  readonly #held = new Set<string>();
  #subscriber: Subscriber | undefined;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  listen(channel: string, listener: ChannelListener): () => void {
    let listeners = this.#channels.get(channel);
    if (listeners === undefined) {
      this.#channels.set(channel, (listeners = new Set()));
      this.#subscribe(channel);
    }
    listeners.add(listener);
    if (this.#held.has(channel)) queueMicrotask(() => listener.holds(false));
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || this.#channels.get(channel) !== listeners) return;
      this.#channels.delete(channel);
      this.#held.delete(channel);
      this.#subscriber?.unsubscribe(channel).catch(() => {});
    };
  }

  close(): void {
    this.#channels.clear();
    this.#subscriber?.close();
    this.#subscriber = undefined;
  }

  #subscribe(channel: string): void {
    this.#subscriber ??= this.#open();
    const subscribing = this.#subscriber.subscribe(channel);
    subscribing.then(
      () => this.#holds(channel),
      (error: Error) => {
        if (!this.#channels.has(channel)) return;
        this.#engine.failed(error);
        setTimeout(() => this.#again(channel), AGAIN);
      },
    );
  }

  #again(channel: string): void {
    if (this.#channels.has(channel)) this.#subscribe(channel);
  }

  #open(): Subscriber {
    return this.#engine.connection.subscriber({
      message: (channel, text) => {
        for (const listener of this.#channels.get(channel) ?? []) listener.message(text);
      },
      ready: () => {
        for (const channel of this.#held) this.#holds(channel);
      },
      error: (error) => this.#engine.failed(error),
    });
  }

  #holds(channel: string): void {
    const listeners = this.#channels.get(channel);
    if (listeners === undefined) return;
    const isAgain = this.#held.has(channel);
    this.#held.add(channel);
    for (const listener of listeners) listener.holds(isAgain);
  }
}

/** The time, in milliseconds, after which a failed subscription is retried. */
const AGAIN = 1000;
