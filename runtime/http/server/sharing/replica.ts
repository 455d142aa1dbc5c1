import { type Method, isObject } from "../../../wire/index.js";
import type { HttpSession } from "../http-session.js";
import type { KeptSession } from "./stores.js";
import type { StreamReader } from "./stream-reader.js";

/** Characters that the lasting messages of a session may have together: somewhat more than subscriptions may. */
const MOST_CHARACTERS = 400_000;

/** Change of the lasting messages of a session, as texts. */
export interface LastingChange {
  readonly adds?: string;
  readonly removes?: string;
}

/** A shared session at this instance. */
export class Replica {
  readonly session: HttpSession;
  version = 0;
  /** Methods of lasting messages, with those that undo them. */
  readonly #methods: Readonly<Record<string, string | undefined>>;
  /** True when the server here knows that the client has initialized. */
  #isReady: boolean;
  /** Lasting messages that it knows of. */
  #lasting: readonly string[] = [];
  /** Readers of streams that other instances write. */
  readonly #readers = new Set<StreamReader>();
  /** Reader of the messages that belong to no request, while the client listens here. */
  #news: StreamReader | undefined;
  /** Number of that reader among all of the session. */
  #listening = 0;
  /** Number of messages that were handed over without a POST. */
  #repeats = 0;

  constructor(
    session: HttpSession,
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

  /** True when the client has initialized elsewhere, so that this one has to be made anew. */
  isOutdated({ lasting }: KeptSession): boolean {
    return !this.#isReady && lasting.some((text) => this.#rowOf(text)?.role === "initialized");
  }

  /**
   * Change that a message from the client makes; undefined when it lasts no longer than its handling, or is too long with
   * all others.
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
      return characters > MOST_CHARACTERS ? undefined : { adds };
    }
    const undone = Object.keys(this.#methods).find((name) => this.#methods[name] === method);
    return undone === undefined ? undefined : { removes: textOf(undone) };
  }

  /** Takes note of a change that was made here, which makes a version, unless something else has changed, too. */
  note({ adds, removes }: LastingChange, version: unknown): void {
    if (version !== this.version + 1) return;
    this.version = version;
    const others = this.#lasting.filter((text) => text !== adds && text !== removes);
    this.#lasting = adds === undefined ? others : [...others, adds];
  }

  /**
   * Brings it up to date: hands over the lasting messages that it does not know, and undoes those that are gone.
   * Resolves when their handlers are done.
   */
  async update({ lasting, version }: KeptSession): Promise<void> {
    const handing: Promise<void>[] = [];
    for (const text of this.#lasting) {
      const { method, params } = JSON.parse(text) as LastingMessage;
      const undo = this.#methods[method];
      const isGone = undo !== undefined && !lasting.includes(text);
      if (isGone) handing.push(this.#hand({ method: undo, params }));
    }
    for (const text of later(lasting, this.#lasting)) {
      const message = JSON.parse(text) as LastingMessage;
      if (this.#rowOf(text)?.role === undefined) handing.push(this.#hand(message));
    }
    this.#lasting = lasting;
    this.version = version;
    await Promise.all(handing);
  }

  /** Adds a reader of a stream, until that is over. */
  read(reader: StreamReader): void {
    this.#readers.add(reader);
    reader.onend = () => this.#readers.delete(reader);
  }

  /** Lets the client listen through a reader; the one before ends. */
  hear(reader: StreamReader, number: number): void {
    this.#news?.stop();
    this.#news = reader;
    this.#listening = number;
    this.read(reader);
  }

  /** Its client listens elsewhere, unless it came here after that. */
  hearNoMore(number: number): void {
    if (number > this.#listening) this.#news?.stop();
  }

  stop(): void {
    for (const reader of this.#readers) reader.stop();
  }

  /** Hands a message over as if the client had sent it; the answer reaches nobody. */
  async #hand(message: LastingMessage): Promise<void> {
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

/** Messages of a list that are not in their old order before them: new ones, and those that came again. */
function later(now: readonly string[], before: readonly string[]): readonly string[] {
  let place = 0;
  for (const [index, text] of now.entries()) {
    const found = before.indexOf(text, place);
    if (found < 0) return now.slice(index);
    place = found + 1;
  }
  return [];
}
