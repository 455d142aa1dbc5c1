import type { StreamReading, StreamStore, StreamWriter } from "@mcp-codegen/runtime/http/sharing";
import type { StoredEvent } from "@mcp-codegen/runtime/http/server";
import type { Engine } from "./engine.js";
import { READ, WRITE } from "./stream-scripts.js";
import type { Subscriptions } from "./subscriptions.js";

export interface RedisStreamsOptions {
  /** Milliseconds for which a stream is kept that is over. */
  readonly ttl: number;
  /** Milliseconds for which one is kept to which something may be added. */
  readonly openTtl: number;
  /** Events of a stream that are kept. */
  readonly maxEvents: number;
}

/** Change of a stream: a letter, and two values. */
type Operation = readonly [kind: "o" | "a" | "e" | "p" | "s", one: string | number, other: string];

interface Waiting {
  readonly operation: Operation;
  resolve(done: number): void;
  reject(error: unknown): void;
}

/** Most operations in one call of a script. */
const MOST = 500;

/**
 * Streams of events in Redis. What is done to a stream at once, or while a call is under way, goes together in the next
 * one: an answer and the end of its stream cost one.
 */
export class RedisStreams implements StreamStore {
  readonly #engine: Engine;
  readonly #subscriptions: Subscriptions;
  readonly #options: RedisStreamsOptions;
  /** Changes that wait for the call that is under way for a stream, by its name. */
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(engine: Engine, subscriptions: Subscriptions, options: RedisStreamsOptions) {
    this.#engine = engine;
    this.#subscriptions = subscriptions;
    this.#options = options;
  }

  async open(session: string, stream: string, writer?: StreamWriter): Promise<void> {
    await this.#do(session, stream, ["o", writer ? JSON.stringify(writer) : "", ""]);
  }

  async append(
    session: string,
    stream: string,
    { index, data }: StoredEvent,
  ): Promise<boolean | undefined> {
    const done = await this.#do(session, stream, ["a", index, data]);
    return done === 2 ? undefined : done === 1;
  }

  async end(session: string, stream: string, last: number): Promise<boolean> {
    return (await this.#do(session, stream, ["e", last, ""])) === 1;
  }

  async push(session: string, stream: string, data: string, once?: string): Promise<void> {
    await this.#do(session, stream, ["p", once === undefined ? "" : `k${once}`, data]);
  }

  async settle(session: string, stream: string, data: string): Promise<boolean> {
    return (await this.#do(session, stream, ["s", "", data])) === 1;
  }

  async read(
    session: string,
    stream: string,
    after: number | "unseen",
    sees = false,
  ): Promise<StreamReading | undefined> {
    const keys = this.#keys(session, stream).slice(0, 2);
    const args = [stream, after === "unseen" ? -1 : after, sees ? 1 : 0];
    const reply = await this.#engine.run(READ, keys, args);
    if (!Array.isArray(reply)) return undefined;
    const [first, last, isOver, writer, texts] = reply as [
      number,
      number,
      number,
      string,
      string[],
    ];
    const events = texts.map((data, place) => ({ index: Number(first) + place, data }));
    const reading = { events, last: Number(last), isOver: Number(isOver) === 1 };
    return writer === "" ? reading : { ...reading, writer: JSON.parse(writer) as StreamWriter };
  }

  watch(session: string, listener: () => void): () => void {
    const channel = this.#engine.key(session, "w");
    return this.#subscriptions.listen(channel, { message: listener, holds: listener });
  }

  #do(session: string, stream: string, operation: Operation): Promise<number> {
    const name = this.#engine.key(session, stream);
    return new Promise((resolve, reject) => {
      const one = { operation, resolve, reject };
      const waiting = this.#waiting.get(name);
      if (waiting) {
        waiting.push(one);
        return;
      }
      this.#waiting.set(name, [one]);
      void this.#work(name, session, stream);
    });
  }

  async #work(name: string, session: string, stream: string): Promise<void> {
    const waiting = this.#waiting.get(name)!;
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MOST);
      try {
        const results = await this.#write(session, stream, batch);
        for (const [index, { resolve }] of batch.entries()) resolve(Number(results[index]));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#waiting.delete(name);
  }

  async #write(
    session: string,
    stream: string,
    batch: readonly Waiting[],
  ): Promise<readonly unknown[]> {
    const { ttl, openTtl, maxEvents } = this.#options;
    const operations = batch.flatMap(({ operation }) => operation);
    const channel = this.#engine.key(session, "w");
    const args = [stream, ttl, openTtl, maxEvents, channel, ...operations];
    return (await this.#engine.run(WRITE, this.#keys(session, stream), args)) as unknown[];
  }

  #keys(session: string, stream: string): string[] {
    const names = ["c", `e:${stream}`, "k"];
    return names.map((name) => this.#engine.key(session, name));
  }
}
