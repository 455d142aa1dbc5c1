import type { Wire } from "../tap/wire-message.js";
import { until } from "./until.js";

/** One end of a connection in the hands of a test: says anything, and sees exactly what comes back. */
export abstract class RawEnd {
  /** All messages that came, the members of arrays one by one. */
  readonly received: Wire[] = [];
  /** Messages that came in a batch. */
  readonly arrays: Wire[][] = [];
  isClosed = false;
  readonly #taken = new Set<Wire>();

  /**
   * Says a message, or any text.
   * @param about - id of the other side's request that it is said for, where a wire has a stream for each
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

  /** The first message that matches and was not taken yet. */
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

  /** The answer to a request; an HTTP server may refuse one without telling which. */
  answerTo(id: unknown): Promise<Wire> {
    return this.next((message) => message?.method === undefined && message?.id === id);
  }

  /** Asks and gives the answer. */
  async call(id: unknown, method: string, params?: unknown): Promise<Wire> {
    this.ask(id, method, params);
    return this.answerTo(id);
  }

  /** Messages that the test has not taken yet. */
  get rest(): Wire[] {
    return this.received.filter((message) => !this.#taken.has(message));
  }

  protected take(value: Wire): void {
    if (Array.isArray(value)) this.arrays.push(value);
    this.received.push(...(Array.isArray(value) ? value : [value]));
  }
}
