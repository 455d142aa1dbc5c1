import { INTERNAL_ERROR, RpcError, type Session } from "@mcp-codegen/runtime";
import {
  type Abilities,
  abilitiesOf,
  type Caller,
  callerOf,
  covers,
  type Sender,
} from "./callers.js";
import { Conversation, type ConversationEvents } from "./conversation.js";
import type { NamedUpstream } from "./upstream.js";

/** Limits of the conversations with one upstream server. */
export interface ConversationsOptions {
  /** Maximum number of conversations. Default: 100. */
  readonly max?: number | undefined;
  /** Milliseconds after which an unused conversation of a caller without a session ends. Default: 300 000. */
  readonly idle?: number | undefined;
}

/** Milliseconds between two attempts to reach a server that cannot be reached; each failure doubles the wait. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 30_000;

/**
 * Conversations with one upstream server: one for each caller, or one for all if its requests are
 * self-contained.
 */
export class Conversations {
  readonly upstream: NamedUpstream;
  readonly #events: ConversationEvents;
  readonly #lists: readonly string[];
  readonly #families: readonly string[];
  readonly #max: number;
  readonly #idle: number;
  readonly #own = new Map<object | string, Opening[]>();
  /** Sessions whose end is awaited. */
  readonly #awaited = new WeakSet<Session>();
  readonly #closing = new AbortController();
  #shared: Promise<Conversation> | undefined;
  #sweeper: ReturnType<typeof setInterval> | undefined;
  #failures = 0;
  #retryAt = 0;

  /** @param lists - lists that can change, by name: `tools` */
  constructor(
    upstream: NamedUpstream,
    events: ConversationEvents,
    lists: readonly string[],
    { max = 100, idle = 300_000 }: ConversationsOptions,
  ) {
    this.upstream = upstream;
    this.#events = events;
    this.#lists = lists;
    this.#max = max;
    this.#idle = idle;
    this.#families = events.questions.flatMap(({ capability }) => capability?.split(".")[1] ?? []);
  }

  /** Number of conversations. */
  get size(): number {
    let count = 0;
    for (const openings of this.#own.values()) count += openings.length;
    return count;
  }

  /**
   * Conversation that belongs to no caller, and for which the client declares no abilities.
   *
   * @throws the error of connecting
   */
  shared(): Promise<Conversation> {
    this.#shared ??= this.#open(undefined, {}, () => (this.#shared = undefined));
    return this.#shared;
  }

  /** Conversation for a request. @throws RpcError if there are too many; the error of connecting */
  async of(sender: Sender): Promise<Conversation> {
    const shared = await this.shared();
    const caller = shared.isStateless ? undefined : callerOf(sender);
    if (caller === undefined) return shared;
    const abilities = abilitiesOf(sender, this.#families);
    const all = this.#own.get(caller.key) ?? [];
    const known = all.find((one) => covers(one.abilities, abilities));
    if (known) return known.conversation;
    this.#makeRoom();
    const opening: Opening = {
      abilities,
      conversation: this.#open(caller, abilities, () => this.#drop(caller.key, opening)),
    };
    this.#own.set(caller.key, [...all, opening]);
    this.#awaitEnd(caller);
    return opening.conversation;
  }

  /** Conversations that belong to a session. */
  async *ofSession(session: Session): AsyncGenerator<Conversation> {
    for (const { conversation } of this.#own.get(session) ?? []) yield conversation;
  }

  /** Ends all conversations. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("The server is closing"));
    clearInterval(this.#sweeper);
    const open = [...this.#own.values()].flat().map(({ conversation }) => conversation);
    await Promise.all([this.#shared, ...open].map((one) => one?.then(close, () => {})));
  }

  /** @param ended - called when the conversation has ended, or could not be opened */
  async #open(
    caller: Caller | undefined,
    abilities: Abilities,
    ended: () => void,
  ): Promise<Conversation> {
    const conversation = new Conversation(this.upstream, caller, abilities, this.#events);
    // The promise of this function is stored before anything can fail.
    await Promise.resolve();
    try {
      this.#closing.signal.throwIfAborted();
      const wait = Math.ceil((this.#retryAt - performance.now()) / 1000);
      if (wait > 0) throw new Error(`the next attempt is possible in ${wait} s`);
      await this.#connect(conversation);
    } catch (error) {
      ended();
      throw error;
    }
    void conversation.client.closed.then((error) => {
      ended();
      if (this.#closing.signal.aborted) return;
      if (error) this.#events.report(error);
      if (caller === undefined) this.#events.changed(undefined, caller);
    });
    return conversation;
  }

  async #connect(conversation: Conversation): Promise<void> {
    try {
      await conversation.open(this.#lists, this.#closing.signal);
      this.#failures = 0;
    } catch (error) {
      const pause = Math.min(FIRST_PAUSE * 2 ** this.#failures, LONGEST_PAUSE);
      this.#failures += 1;
      this.#retryAt = performance.now() + pause;
      throw error;
    }
    if (this.#closing.signal.aborted) await conversation.close();
    this.#closing.signal.throwIfAborted();
  }

  /** Ends the conversations of a session together with it, and those of other callers when they are idle. */
  #awaitEnd({ key, session }: Caller): void {
    if (session === undefined) {
      this.#sweeper ??= setInterval(() => this.#sweep(this.#idle), Math.max(this.#idle / 4, 10));
      (this.#sweeper as { unref?: () => void }).unref?.();
      return;
    }
    if (this.#awaited.has(session)) return;
    this.#awaited.add(session);
    void session.closed.then(() => {
      for (const { conversation } of this.#own.get(key) ?? [])
        void conversation.then(close, () => {});
    });
  }

  /** Ends conversations without a session that have not been used for a time. */
  #sweep(idle: number): void {
    const before = performance.now() - idle;
    for (const { conversation } of [...this.#own.values()].flat()) {
      void conversation.then(
        async (one) => {
          const isUnused = !one.isBusy && one.usedAt <= before;
          if (isUnused && one.caller?.session === undefined) await close(one);
        },
        () => {},
      );
    }
  }

  /** @throws RpcError if there are too many conversations */
  #makeRoom(): void {
    if (this.size < this.#max) return;
    this.#sweep(1000);
    throw new RpcError(INTERNAL_ERROR, "Busy: too many conversations with the server; try again");
  }

  #drop(key: object | string, opening: Opening): void {
    const others = (this.#own.get(key) ?? []).filter((one) => one !== opening);
    if (others.length > 0) this.#own.set(key, others);
    else this.#own.delete(key);
  }
}

interface Opening {
  readonly abilities: Abilities;
  readonly conversation: Promise<Conversation>;
}

async function close(one: Conversation): Promise<void> {
  await one.close();
}
