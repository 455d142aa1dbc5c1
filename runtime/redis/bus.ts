import { type Bus, type BusEvent, MemoryBus } from "@mcp-codegen/runtime";
import { type Engine, NOW, Script } from "./engine.js";
import type { Subscriptions } from "./subscriptions.js";

/**
 * The time, in milliseconds, for which events are kept for `recent`. It is shorter than the 60 seconds for which
 * streams remember an event's id, so that no stream receives an event twice.
 */
const RECENT = 30_000;

/** A script whose key routes every event to the same server in a cluster, which preserves their order. */
const PUBLISH = new Script(`${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])
redis.call('ZADD', KEYS[1], now, ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return redis.call('PUBLISH', ARGV[1], ARGV[2])`);

const READ_RECENT = new Script(`${NOW}
return redis.call('ZRANGEBYSCORE', KEYS[1], now - ARGV[1], '+inf')`);

/**
 * An event bus that all instances share. Listeners in this instance receive its own events immediately, even while
 * Redis is unreachable.
 */
export class RedisBus implements Bus {
  readonly #engine: Engine;
  readonly #subscriptions: Subscriptions;
  readonly #here = new MemoryBus();
  /** The prefix of this instance's messages, which its own listeners have already received. */
  readonly #sign: string = crypto.randomUUID();
  #published = 0;

  constructor(engine: Engine, subscriptions: Subscriptions) {
    this.#engine = engine;
    this.#subscriptions = subscriptions;
  }

  /**
   * Publishes an event. Never rejects: if Redis fails, the failure is reported to `onerror`, and other instances miss
   * the event.
   */
  async publish(event: BusEvent): Promise<void> {
    const id = event.id ?? `${this.#sign}${this.#published++}`;
    const named = { ...event, id };
    this.#here.publish(named);
    const text = `${this.#sign}${JSON.stringify(named)}`;
    const log = this.#engine.key("bus", "log");
    await this.#engine.run(PUBLISH, [log], [this.#channel, text, RECENT]).catch(() => {});
  }

  async recent(within: number): Promise<readonly BusEvent[]> {
    const log = this.#engine.key("bus", "log");
    const texts = (await this.#engine.run(
      READ_RECENT,
      [log],
      [Math.min(within, RECENT)],
    )) as readonly string[];
    return texts.flatMap((text) => eventIn(text.slice(this.#sign.length)) ?? []);
  }

  /**
   * Subscribes to events.
   * @param lost - called after a reconnection, because events from other instances may have been missed
   * @returns a function that unsubscribes
   */
  subscribe(listener: (event: BusEvent) => void, lost?: () => void): () => void {
    const stopHere = this.#here.subscribe(listener);
    const stop = this.#subscriptions.listen(this.#channel, {
      message: (text) => {
        if (text.startsWith(this.#sign)) return;
        const event = eventIn(text.slice(this.#sign.length));
        if (event) listener(event);
      },
      holds: (isAgain) => {
        if (isAgain) lost?.();
      },
    });
    return () => {
      stopHere();
      stop();
    };
  }

  get #channel(): string {
    return this.#engine.key("bus", "events");
  }
}

function eventIn(text: string): BusEvent | undefined {
  try {
    return JSON.parse(text) as BusEvent;
  } catch {
    return undefined;
  }
}
