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

interface Opening {
  readonly abilities: Abilities;
  readonly conversation: Promise<Conversation>;
}

/**
 * Conversations with one upstream server: one that belongs to no caller, and one for each caller unless its requests
 * are self-contained.
 */
export class Conversations {
  readonly upstream: NamedUpstream;
  readonly #events: ConversationEvents;
  readonly #max: number;
  readonly #idle: number;
  readonly #own = new Map<object | string, readonly Opening[]>();
  readonly #closing = new AbortController();
  #shared: Promise<Conversation> | undefined;
  #sweeper: ReturnType<typeof setInterval> | undefined;
  #reopening: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #isLate = false;
  #retryAt = 0;

  constructor(
    upstream: NamedUpstream,
    events: ConversationEvents,
    { max = 100, idle = 300_000 }: ConversationsOptions,
  ) {
    this.upstream = upstream;
    this.#events = events;
    this.#max = max;
    this.#idle = idle;
  }

  /**
   * Conversation that belongs to no caller, and for which the client declares no abilities. Once it has ended or cannot
   * be opened, it is opened again, ever more slowly.
   *
   * @throws the error of connecting
   */
  shared(): Promise<Conversation> {
    this.#shared ??= this.#open(undefined, {}, () => {
      this.#shared = undefined;
      this.#reopen();
    });
    return this.#shared;
  }

  /**
   * Shared conversation, for one of several servers. A server that was late is not waited for again until it is there.
   *
   * @param late - signal that aborts when it has taken too long
   */
  async promptly(late: AbortSignal): Promise<Conversation> {
    if (this.#isLate) throw tooLate();
    const shared = inTime(this.shared(), late);
    shared.catch(() => (this.#isLate = late.aborted));
    return shared;
  }

  /** Conversation for a request. @throws RpcError if there are too many; the error of connecting */
  async of(sender: Sender): Promise<Conversation> {
    const shared = await this.shared();
    const caller = shared.isStateless ? undefined : callerOf(sender);
    if (caller === undefined) return shared;
    const all = this.#own.get(caller.key) ?? [];
    // A session declares its abilities once.
    if (caller.session && all[0]) return all[0].conversation;
    const abilities = abilitiesOf(sender, this.#events.families);
    const known = all.find((one) => covers(one.abilities, abilities));
    return (known ?? this.#openFor(caller, abilities, all)).conversation;
  }

  /** Calls a function with each open conversation of a session; with those that belong to none, if it is undefined. */
  async each(
    session: Session | undefined,
    act: (one: Conversation) => Promise<unknown>,
  ): Promise<void> {
    const visits = this.#all().map(async (opening) => {
      const one = await opening.catch(() => undefined);
      if (one && one.caller?.session === session) await act(one);
    });
    await Promise.all(visits);
  }

  /** Ends all conversations. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("The server is closing"));
    clearInterval(this.#sweeper);
    clearTimeout(this.#reopening);
    await Promise.all(this.#all().map((opening) => opening.then(close, () => {})));
  }

  #all(): readonly Promise<Conversation>[] {
    const own = [...this.#own.values()].flat().map(({ conversation }) => conversation);
    return this.#shared ? [this.#shared, ...own] : own;
  }

  /** @throws RpcError if there are too many conversations */
  #openFor(caller: Caller, abilities: Abilities, others: readonly Opening[]): Opening {
    if (this.#all().length > this.#max) {
      this.#sweep(1000);
      throw new RpcError(INTERNAL_ERROR, "Busy: too many conversations with the server; try again");
    }
    const { key, session } = caller;
    const opening: Opening = {
      abilities,
      conversation: this.#open(caller, abilities, () => {
        const left = (this.#own.get(key) ?? []).filter((one) => one !== opening);
        if (left.length > 0) this.#own.set(key, left);
        else this.#own.delete(key);
      }),
    };
    this.#own.set(key, [...others, opening]);
    if (session) void session.closed.then(() => opening.conversation.then(close, () => {}));
    else
      this.#sweeper ??= unref(
        setInterval(() => this.#sweep(this.#idle), Math.max(this.#idle / 4, 10)),
      );
    return opening;
  }

  /** @param ended - called when the conversation has ended, or could not be opened */
  async #open(
    caller: Caller | undefined,
    abilities: Abilities,
    ended: () => void,
  ): Promise<Conversation> {
    const conversation = new Conversation(this.upstream, caller, abilities, this.#events);
    const { signal } = this.#closing;
    // The promise of this function is stored before anything can fail.
    await Promise.resolve();
    try {
      signal.throwIfAborted();
      const wait = Math.ceil((this.#retryAt - performance.now()) / 1000);
      if (wait > 0) throw new Error(`the next attempt is possible in ${wait} s`);
      await this.#connect(conversation, signal);
    } catch (error) {
      ended();
      throw error;
    }
    const changed = (): void => {
      if (caller !== undefined) return;
      this.#isLate = false;
      this.#events.changed(undefined, caller);
    };
    changed();
    void conversation.client.closed.then((error) => {
      ended();
      if (signal.aborted) return;
      if (error) this.#events.report(error);
      changed();
    });
    return conversation;
  }

  async #connect(conversation: Conversation, signal: AbortSignal): Promise<void> {
    try {
      await conversation.open(signal);
      this.#failures = 0;
    } catch (error) {
      const pause = Math.min(FIRST_PAUSE * 2 ** this.#failures, LONGEST_PAUSE);
      this.#failures += 1;
      this.#retryAt = performance.now() + pause;
      throw error;
    }
    if (signal.aborted) await conversation.close();
    signal.throwIfAborted();
  }

  /** Opens the shared conversation as soon as the next attempt is possible. */
  #reopen(): void {
    if (this.#closing.signal.aborted || this.#reopening) return;
    const attempt = (): void => {
      this.#reopening = undefined;
      this.shared().catch(() => {});
    };
    this.#reopening = unref(setTimeout(attempt, Math.max(this.#retryAt - performance.now(), 0)));
  }

  /** Ends conversations of callers without a session that have not been used for a time. */
  #sweep(idle: number): void {
    const before = performance.now() - idle;
    void this.each(undefined, async (one) => {
      if (one.caller && !one.isBusy && one.usedAt <= before) await one.close();
    });
  }
}

/** Waits for a promise until a signal aborts. */
export async function inTime<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(tooLate()), { once: true });
  });
  return Promise.race([promise, late]);
}

function tooLate(): Error {
  return new Error("there was no response in time");
}

async function close(one: Conversation): Promise<void> {
  await one.close();
}

/** Lets the process end although a timer is set. */
function unref<Timer>(timer: Timer): Timer {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}
