import { type Method, isObject } from "../../../wire/index.js";
import type { LocalSession } from "../sessions/session-sharing.js";
import type { StreamReader } from "./shared-streams.js";
import type { KeptSession } from "./stores.js";

/**
 * The maximum total length of a session's lasting messages, in characters. It is higher than the limit on the session's
 * subscriptions.
 */
const MAX_CHARACTERS = 400_000;

export interface LastingChange {
  readonly adds?: string;
  readonly removes?: string;
}

export class Replica {
  readonly session: LocalSession;
  version = 0;
  /** The methods of lasting messages, each with the method that reverts it. */
  readonly #methods: Readonly<Record<string, string | undefined>>;
  /** True if the server at this instance knows that the client has initialized. */
  #isReady: boolean;
  #lasting: readonly string[] = [];
  readonly #readers = new Set<StreamReader>();
  /** Reads the messages that belong to no request, while the client listens here. */
  #listener: StreamReader | undefined;
  /** The highest listener number, from a counter that all instances of the session share. */
  #listening = 0;
  /** Counts the requests that were repeated at this instance, to make their ids unique. */
  #repeats = 0;

  constructor(
    session: LocalSession,
    methods: Readonly<Record<string, string | undefined>>,
    isReady: boolean,
  ) {
    this.session = session;
    this.#methods = { ...session.lasting, ...methods };
    this.#isReady = isReady;
  }

  get isReading(): boolean {
    return this.#readers.size > 0;
  }

  /** True if the client has initialized at another instance, which means that this replica must be replaced. */
  isOutdated({ lasting }: KeptSession): boolean {
    return !this.#isReady && lasting.some((text) => this.#rowOf(text)?.role === "initialized");
  }

  /**
   * Returns the change that a client's message causes. Returns undefined if the message has no lasting effect, or if
   * there are too many lasting messages.
   */
  changeBy(message: unknown): LastingChange | undefined {
    if (!isObject(message) || typeof message["method"] !== "string") return undefined;
    const { method } = message;
    const isInitialized = this.session.revision?.methods.get(method)?.role === "initialized";
    if (isInitialized) this.#isReady = true;
    const { _meta, ...rest } = isObject(message["params"]) ? message["params"] : {};
    const textOf = (name: string): string => JSON.stringify({ method: name, params: rest });
    if (isInitialized || Object.hasOwn(this.#methods, method)) {
      const adds = textOf(method);
      const characters = this.#lasting.reduce((sum, { length }) => sum + length, adds.length);
      return characters > MAX_CHARACTERS ? undefined : { adds };
    }
    const undone = Object.keys(this.#methods).find((name) => this.#methods[name] === method);
    return undone === undefined ? undefined : { removes: textOf(undone) };
  }

  /** Records a change that was made at this instance, unless other changes preceded it. */
  record({ adds, removes }: LastingChange, version: unknown): void {
    if (version !== this.version + 1) return;
    this.version = version;
    const others = this.#lasting.filter((text) => text !== adds && text !== removes);
    this.#lasting = adds === undefined ? others : [...others, adds];
  }

  /**
   * Brings the session up to date: delivers the lasting messages that it has not handled yet, and reverts the ones that
   * were removed. Resolves when the handlers have finished.
   */
  async update({ lasting, version }: KeptSession): Promise<void> {
    const deliveries: Promise<void>[] = [];
    for (const text of this.#lasting) {
      const { method, params } = JSON.parse(text) as LastingMessage;
      const undo = this.#methods[method];
      const isGone = undo !== undefined && !lasting.includes(text);
      if (isGone) deliveries.push(this.#deliver({ method: undo, params }));
    }
    for (const text of later(lasting, this.#lasting)) {
      const message = JSON.parse(text) as LastingMessage;
      if (this.#rowOf(text)?.role === undefined) deliveries.push(this.#deliver(message));
    }
    this.#lasting = lasting;
    this.version = version;
    await Promise.all(deliveries);
  }

  read(reader: StreamReader): void {
    this.#readers.add(reader);
    reader.onend = () => this.#readers.delete(reader);
  }

  listen(reader: StreamReader, number: number): void {
    // A later GET overtook this one, here or at another instance.
    if (number < this.#listening) return reader.stop();
    this.#listener?.stop();
    this.#listener = reader;
    this.#listening = number;
    this.read(reader);
  }

  listensElsewhere(number: number): void {
    if (number <= this.#listening) return;
    this.#listening = number;
    this.#listener?.stop();
  }

  stop(): void {
    for (const reader of this.#readers) reader.stop();
  }

  /** Delivers a message as if the client had sent it, but discards the answer. */
  async #deliver(message: LastingMessage): Promise<void> {
    const { session } = this;
    const { kind } = session.revision?.methods.get(message.method) ?? {};
    if (kind === "notification") return session.take({ jsonrpc: "2.0", ...message });
    const id = `${session.requestIds}repeat-${this.#repeats++}`;
    await session.repeat({ jsonrpc: "2.0", id, ...message });
  }

  #rowOf(text: string): Method | undefined {
    return this.session.revision?.methods.get((JSON.parse(text) as LastingMessage).method);
  }
}

interface LastingMessage {
  readonly method: string;
  readonly params: unknown;
}

/**
 * Returns the messages in `now`, starting with the first one that is new or that lost its place in `before` because it
 * was repeated.
 */
function later(now: readonly string[], before: readonly string[]): readonly string[] {
  let place = 0;
  for (const [index, text] of now.entries()) {
    const found = before.indexOf(text, place);
    if (found < 0) return now.slice(index);
    place = found + 1;
  }
  return [];
}
