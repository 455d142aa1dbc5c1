import { INTERNAL_ERROR, RpcError, type Session } from "@mcp-codegen/runtime";
import {
  type Abilities,
  abilitiesOf,
  type Caller,
  callerOf,
  canAnswer,
  covers,
  type Sender,
  LONGEST_DELAY,
  unref,
} from "./callers.js";
import { Conversation, type ConversationEvents } from "./conversation.js";
import type { NamedUpstream } from "./upstream.js";

/** Limits on the conversations with one upstream server. */
export interface ConversationsOptions {
  /** The maximum number of conversations. One caller can have at most half of them. Default: 100. */
  readonly max?: number | undefined;
  /**
   * The number of milliseconds after which an unused conversation ends if its caller has no session. Default: 300,000.
   */
  readonly idle?: number | undefined;
}

/** The delay before the second attempt to reach a server, in milliseconds. Each further failure doubles it. */
const FIRST_PAUSE = 250;
/** The maximum delay between attempts, in milliseconds. */
const LONGEST_PAUSE = 30_000;

/**
 * The time that a call waits for a free conversation, in milliseconds, unless the `timeout` connection option is set.
 */
const LONGEST_WAIT = 60_000;

interface Opening {
  readonly abilities: Abilities;
  readonly conversation: Promise<Conversation>;
  isOpen: boolean;
  /** True while a single call has exclusive use of the conversation. */
  isLent: boolean;
}

export interface Loan {
  readonly conversation: Conversation;
  end(): void;
}

interface Waiting {
  readonly caller: Caller;
  readonly abilities: Abilities;
  take(opening: Opening): void;
  refuse(error: unknown): void;
}

/**
 * The conversations with one upstream server: a shared one that does not belong to any caller and, if the server keeps
 * sessions, others for each caller.
 */
export class Conversations {
  readonly upstream: NamedUpstream;
  readonly #events: ConversationEvents;
  readonly #max: number;
  readonly #idle: number;
  readonly #own = new Map<Caller["key"], readonly Opening[]>();
  readonly #waiting = new Map<Caller["key"], Set<Waiting>>();
  readonly #closing = new AbortController();
  #shared: Promise<Conversation> | undefined;
  #sweeper: ReturnType<typeof setInterval> | undefined;
  #reopening: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** The times until which steps that took too long are not tried. */
  readonly #lateUntil = new Map<string, number>();
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
   * Returns the conversation that does not belong to any caller and declares no capabilities. If it ends or cannot be
   * opened, it is opened again after increasing delays.
   */
  shared(): Promise<Conversation> {
    this.#shared ??= this.#open(undefined, {}, () => {
      this.#shared = undefined;
      this.#reopen();
    });
    return this.#shared;
  }

  /**
   * Runs a step within a time. Once the server has taken too long for it, the step fails immediately until the server
   * connects or responds or, because lists are cancelled, a pause has passed.
   *
   * @param step - the method of a list, or `connect`, which continues
   * @param late - aborts when the server has taken too long
   */
  async promptly<Value>(
    step: string,
    late: AbortSignal,
    run: () => Promise<Value>,
  ): Promise<Value> {
    if (performance.now() < (this.#lateUntil.get(step) ?? 0)) throw tooLate();
    try {
      const value = await inTime(run(), late);
      this.#lateUntil.delete(step);
      return value;
    } catch (error) {
      const pause = step === "connect" ? Infinity : LONGEST_PAUSE;
      if (late.aborted) this.#lateUntil.set(step, performance.now() + pause);
      throw error;
    }
  }

  async of(sender: Sender): Promise<Conversation> {
    const caller = await this.#callerOf(sender);
    return caller ? this.#commonOf(caller, abilitiesOf(sender)).conversation : this.shared();
  }

  /**
   * Returns the conversation for a call. If a server keeps sessions, its questions do not identify the call they belong
   * to: over stdio they cannot, and over HTTP many servers omit it. A caller without a session may stand for several
   * users, so each of its calls that may lead to questions gets its own conversation. Calls from clients that cannot
   * answer questions share one.
   *
   * @param signal - ends the wait for a conversation
   */
  async lend(sender: Sender, mayAsk: boolean, signal: AbortSignal): Promise<Loan> {
    const caller = await this.#callerOf(sender);
    if (!mayAsk || !caller || caller.session)
      return { conversation: await this.of(sender), end: () => {} };
    const abilities = abilitiesOf(sender);
    if (!canAnswer(abilities)) {
      const opening = this.#commonOf(caller, abilities, (one) => !canAnswer(one.abilities));
      return { conversation: await opening.conversation, end: () => {} };
    }
    const opening = await this.#borrow(caller, abilities, signal);
    const end = (): void => {
      // The server may still send a question about an aborted call, and the next call may be from another user.
      if (signal.aborted && typeof caller.key === "string") retire(opening);
      else opening.isLent = false;
      this.#serve(caller.key);
    };
    try {
      return { conversation: await opening.conversation, end };
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * Calls a function for each of a session's conversations or, if `session` is undefined, for those without a session.
   */
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

  /** Returns the caller if it has its own conversations with this server, or undefined if it uses the shared one. */
  async #callerOf(sender: Sender): Promise<Caller | undefined> {
    return (await this.shared()).isStateless ? undefined : callerOf(sender);
  }

  #commonOf(
    caller: Caller,
    abilities: Abilities,
    suits: (one: Opening) => boolean = () => true,
  ): Opening {
    const all = this.#own.get(caller.key) ?? [];
    // A session declares its capabilities only once, so it needs only one conversation.
    const known = caller.session
      ? all[0]
      : all.find((one) => covers(one.abilities, abilities) && suits(one));
    return known ?? this.#openFor(caller, abilities);
  }

  async #borrow(caller: Caller, abilities: Abilities, signal: AbortSignal): Promise<Opening> {
    const { key } = caller;
    const free = this.#own.get(key)?.find((one) => isFree(one, abilities));
    if (free && !this.#waiting.has(key)) {
      free.isLent = true;
      return free;
    }
    const waiting = this.#waiting.get(key) ?? new Set<Waiting>();
    this.#waiting.set(key, waiting);
    const late = AbortSignal.timeout(this.upstream.options.timeout ?? LONGEST_WAIT);
    const end = AbortSignal.any([signal, this.#closing.signal, late]);
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        end.removeEventListener("abort", abort);
        waiting.delete(one);
        if (waiting.size === 0) this.#waiting.delete(key);
        act();
      };
      const refuse = (error: unknown): void => settle(() => reject(error as Error));
      const abort = (): void => refuse(late.aborted ? busy() : end.reason);
      const take = (opening: Opening): void => {
        opening.isLent = true;
        settle(() => resolve(opening));
      };
      const one: Waiting = { caller, abilities, take, refuse };
      if (end.aborted) return abort();
      end.addEventListener("abort", abort, { once: true });
      waiting.add(one);
      this.#serve(key);
    });
  }

  /** Assigns a caller's free conversations to its waiting calls, and opens missing ones, one at a time. */
  #serve(key: Caller["key"]): void {
    let isFull = false;
    for (const one of this.#waiting.get(key) ?? []) {
      const all = this.#own.get(key) ?? [];
      const free = all.find((opening) => isFree(opening, one.abilities));
      try {
        if (free) one.take(free);
        else if (!isFull && all.every(({ isOpen }) => isOpen))
          one.take(this.#openFor(one.caller, one.abilities));
        else if (all.every(({ isLent }) => isLent)) return;
      } catch (error) {
        isFull = true;
        if (!all.some(({ abilities }) => covers(abilities, one.abilities))) one.refuse(error);
      }
    }
  }

  #openFor(caller: Caller, abilities: Abilities): Opening {
    const { key, session } = caller;
    const own = this.#own.get(key) ?? [];
    if (this.#all().length > this.#max || own.length >= Math.ceil(this.#max / 2)) {
      this.#sweep(1000);
      throw busy();
    }
    const opening: Opening = {
      abilities,
      isOpen: false,
      isLent: false,
      conversation: this.#open(caller, abilities, () => {
        const left = (this.#own.get(key) ?? []).filter((one) => one !== opening);
        if (left.length > 0) this.#own.set(key, left);
        else this.#own.delete(key);
        this.#serve(key);
      }),
    };
    this.#own.set(key, [...own, opening]);
    const opened = (): void => {
      opening.isOpen = true;
      this.#serve(key);
    };
    opening.conversation.then(opened, () => {});
    if (session) void session.closed.then(() => opening.conversation.then(close, () => {}));
    else
      this.#sweeper ??= unref(
        setInterval(
          () => this.#sweep(this.#idle),
          Math.min(Math.max(this.#idle / 4, 10), LONGEST_DELAY),
        ),
      );
    return opening;
  }

  /** Opens a conversation. Calls `ended` when it has ended or could not be opened. */
  async #open(
    caller: Caller | undefined,
    abilities: Abilities,
    ended: () => void,
  ): Promise<Conversation> {
    const conversation = new Conversation(this.upstream, caller, abilities, this.#events);
    const { signal } = this.#closing;
    // Yield once, so that the caller has stored this function's promise before anything can fail.
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
      this.#lateUntil.clear();
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

  #reopen(): void {
    if (this.#closing.signal.aborted || this.#reopening) return;
    const attempt = (): void => {
      this.#reopening = undefined;
      this.shared().catch(() => {});
    };
    this.#reopening = unref(setTimeout(attempt, Math.max(this.#retryAt - performance.now(), 0)));
  }

  #sweep(idle: number): void {
    const before = performance.now() - idle;
    void this.each(undefined, async (one) => {
      if (one.caller && !one.isBusy && one.usedAt <= before) await one.close();
    });
  }
}

async function inTime<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(tooLate()), { once: true });
  });
  return Promise.race([promise, late]);
}

function busy(): RpcError {
  return new RpcError(INTERNAL_ERROR, "Busy: too many conversations with the server; try again");
}

function tooLate(): Error {
  return new Error("there was no response in time");
}

function isFree(opening: Opening, abilities: Abilities): boolean {
  return !opening.isLent && covers(opening.abilities, abilities);
}

/** Closes a conversation that is no longer lent, unless other requests or subscriptions still use it. */
function retire({ conversation }: Opening): void {
  conversation.then((one) => (one.isBusy ? undefined : one.close())).catch(() => {});
}

async function close(one: Conversation): Promise<void> {
  await one.close();
}
