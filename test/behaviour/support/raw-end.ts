import type { Wire } from "../tap/wire-message.js";
import { until } from "./until.js";

/** One end of a connection that the test controls. It sends anything and records exactly what it receives. */
export abstract class RawEnd {
  /** All received messages, with the members of arrays listed one by one. */
  readonly received: Wire[] = [];
  /** The messages that arrived in batches. */
  readonly arrays: Wire[][] = [];
  isClosed = false;
  readonly #taken = new Set<Wire>();

  /**
   * Sends a message or any text.
   *
   * @param about - id of the other side's request that the message belongs to, for transports with a stream per request
   */
  abstract say(message: unknown, about?: unknown): void;

  abstract close(): Promise<void>;

  ask(id: unknown, method: string, params?: unknown, about?: unknown): void {
    this.say({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) }, about);
  }

  tell(method: string, params?: unknown, about?: unknown): void {
    this.say({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) }, about);
  }

  answer(id: unknown, result: unknown): void {
    this.say({ jsonrpc: "2.0", id, result });
  }

  refuse(id: unknown, error: unknown): void {
    this.say({ jsonrpc: "2.0", id, error });
  }

  /** Returns the first matching message that has not been taken yet. */
  async next(matches: (message: Wire) => boolean = () => true): Promise<Wire> {
    const find = (): Wire =>
      this.received.find((message) => !this.#taken.has(message) && matches(message));
    await until("a message", find, () => this.received);
    const found = find();
    this.#taken.add(found);
    return found;
  }

  nextOf(method: string): Promise<Wire> {
    return this.next((message) => message?.method === method);
  }

  /** Returns the response to a request. An HTTP server may refuse a request without an id. */
  answerTo(id: unknown): Promise<Wire> {
    return this.next((message) => message?.method === undefined && message?.id === id);
  }

  /** Sends a request and returns its response. */
  async call(id: unknown, method: string, params?: unknown): Promise<Wire> {
    this.ask(id, method, params);
    return this.answerTo(id);
  }

  /** The messages that the test has not taken yet. */
  get rest(): Wire[] {
    return this.received.filter((message) => !this.#taken.has(message));
  }

  protected take(value: Wire): void {
    if (Array.isArray(value)) this.arrays.push(value);
    this.received.push(...(Array.isArray(value) ? value : [value]));
  }
}
