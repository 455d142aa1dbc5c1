import { type RequestOptions, inputRequired } from "../../api/index.js";
import type { Log } from "../../features/index.js";
import { quiet, toBase64Url } from "../../ground/index.js";
import { INTERNAL_ERROR, INVALID_PARAMS, RpcError, isObject } from "../../wire/index.js";
import type { AnyTypes, NeutralTypes } from "../neutral-types.js";
import { abilityFor } from "./abilities.js";
import type { AskingContext } from "./context-types.js";
import type { Asking } from "./input-required.js";

/** Limits of the calls that wait for an answer of their client. */
export interface HeldCallsOptions {
  /** Maximum number of waiting calls. Default: 1000. */
  readonly max?: number | undefined;
  /** Maximum number of waiting calls of one principal. Default: 100. */
  readonly perPrincipal?: number | undefined;
  /** Milliseconds that a call waits for the next round; then its signal aborts. Default: 600 000. */
  readonly ttl?: number | undefined;
}

/** Work for one request, which questions to its client do not interrupt. */
export interface HeldCall {
  /** Aborts if the client no longer needs the result, or does not answer in time. */
  readonly signal: AbortSignal;
  /**
   * Sends a request to the client, and returns its answer. If the revision embeds requests in results, the answer arrives
   * with the next round, and the work continues.
   * @throws as `ctx.require` does if the client lacks the ability
   */
  ask(method: string, params: unknown, options?: RequestOptions): Promise<unknown>;
  /** Sends progress in the round that is in progress; between rounds, keeps the newest for the next one. */
  progress(progress: number, total?: number, message?: string): void;
  /** Writes to the client's log, in the round that is in progress. */
  readonly log: Log;
}

/** State that the client carries between two rounds. */
interface HeldState {
  /** Object that holds the call. */
  readonly holder: string;
  readonly id: string;
  /** Number of rounds so far. */
  readonly round: number;
}

type Context = AskingContext<AnyTypes>;

interface Question {
  readonly method: string;
  readonly params: unknown;
  readonly answer: (answer: unknown) => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Calls that go on while their client answers questions, for handlers whose work cannot be repeated: a gateway's call of
 * another server. In sessions a question is a request of its own. Otherwise the result of the round contains the question,
 * the work waits in this process, and the next round continues it, so that its effects happen once. A client that is late
 * or returns to another process is refused; the work is never repeated.
 *
 * @example
 * ```ts
 * const held = new HeldCalls({ max: 100, ttl: 300_000 });
 * server.registerTool("pay", {}, (ctx) =>
 *   held.run(ctx, async (call) => {
 *     const question = { message: "Pay?", requestedSchema: { type: "object", properties: {} } };
 *     const answer = await call.ask("elicitation/create", question);
 *     return JSON.stringify(answer);
 *   }),
 * );
 * ```
 */
export class HeldCalls {
  readonly #options: Required<{ [Name in keyof HeldCallsOptions]: number }>;
  readonly #name = toBase64Url(crypto.getRandomValues(new Uint8Array(9)));
  /** Calls that wait for their next round, by id. */
  readonly #waiting = new Map<string, Work<unknown>>();
  readonly #byPrincipal = new Map<string, number>();
  #started = 0;

  /** @throws TypeError for an option that is not a whole number above 0 */
  constructor({ max = 1000, perPrincipal = 100, ttl = 600_000 }: HeldCallsOptions = {}) {
    this.#options = { max, perPrincipal, ttl };
    for (const [name, value] of Object.entries(this.#options)) {
      if (Number.isInteger(value) && value > 0) continue;
      throw new TypeError(`${name} must be a whole number above 0, not ${value}`);
    }
  }

  /** Number of calls that wait for their next round. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Starts the work of a request, or continues it if the request is a further round. Return its result from the handler.
   *
   * @throws RpcError -32602 if the work that the request continues has ended, -32603 if too many calls wait
   */
  async run<Types extends NeutralTypes, Result>(
    context: AskingContext<Types>,
    work: (call: HeldCall) => Promise<Result>,
  ): Promise<Result | Asking> {
    const { state } = context;
    const ctx = context as unknown as Context;
    if (ctx.traits.serverRequests === "wire") return work(new OpenCall(ctx));
    const own = isHeld(state) ? this.#resume(state) : new Work(`${++this.#started}`, ctx, work);
    const outcome = await own.round(ctx);
    if (outcome === undefined) return (await own.result) as Result;
    this.#wait(own, ctx);
    const held: HeldState = { holder: this.#name, id: own.id, round: own.rounds };
    return inputRequired({ requests: outcome, state: held }) as unknown as Asking;
  }

  /** Ends all calls that wait. */
  close(): void {
    for (const one of this.#waiting.values()) one.abort(ended());
  }

  #resume({ holder, id, round }: HeldState): Work<unknown> {
    if (holder !== this.#name) throw elsewhere();
    const found = this.#waiting.get(id);
    if (found?.rounds !== round) throw ended();
    this.#leave(found);
    return found;
  }

  /** @throws RpcError if there is no room */
  #wait(one: Work<unknown>, { auth }: Context): void {
    const { max, perPrincipal, ttl } = this.#options;
    const owner = auth?.principal ?? "";
    const count = this.#byPrincipal.get(owner) ?? 0;
    const isFull = this.#waiting.size >= max || (owner !== "" && count >= perPrincipal);
    if (isFull) {
      const error = new RpcError(INTERNAL_ERROR, "Busy: too many calls await a response");
      one.abort(error);
      throw error;
    }
    this.#waiting.set(one.id, one);
    this.#byPrincipal.set(owner, count + 1);
    one.timer = setTimeout(() => one.abort(ended()), ttl);
    (one.timer as { unref?: () => void }).unref?.();
    one.owner = owner;
    one.onend = () => this.#leave(one);
  }

  #leave(one: Work<unknown>): void {
    if (!this.#waiting.delete(one.id)) return;
    clearTimeout(one.timer);
    const count = this.#byPrincipal.get(one.owner)! - 1;
    if (count > 0) this.#byPrincipal.set(one.owner, count);
    else this.#byPrincipal.delete(one.owner);
  }
}

/** Call of a session, which stays open while its client answers. Reads of the context only what the work uses. */
class OpenCall implements HeldCall {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get progress(): HeldCall["progress"] {
    return this.#context.progress;
  }

  get log(): Log {
    return this.#context.log;
  }

  async ask(method: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    requireAbility(this.#context, method, params);
    const send = this.#context.request as (...call: unknown[]) => Promise<unknown>;
    return send(method, params, { timeout: Infinity, maxTotalTimeout: Infinity, ...options });
  }
}

/** @throws as `ctx.require` does if the client lacks the ability to answer */
function requireAbility({ require }: Context, method: string, params: unknown): void {
  const ability = abilityFor(method, params);
  if (ability) require(ability);
}

/** Work of one request, over all its rounds. */
class Work<Result> implements HeldCall {
  readonly id: string;
  readonly result: Promise<Result>;
  /** Number of rounds that have ended with questions. */
  rounds = 0;
  timer: ReturnType<typeof setTimeout> | undefined;
  owner = "";
  /** Called when the work is aborted while it waits for a round. */
  onend: () => void = () => {};
  readonly #controller = new AbortController();
  readonly #open = new Map<string, Question>();
  #questions = 0;
  #isOver = false;
  /** Context of the round in progress, or of the last one. */
  #context: Context;
  #isInRound = true;
  #progress: readonly [number, number?, string?] | undefined;
  /** Called when the round in progress may be about to end. */
  #changed: () => void = () => {};

  constructor(id: string, context: Context, work: (call: HeldCall) => Promise<Result>) {
    this.id = id;
    this.#context = context;
    this.result = quiet(Promise.resolve().then(() => work(this)));
    const over = (): void => {
      this.#isOver = true;
      if (this.#open.size > 0) this.#refuseAll(ended());
      this.#changed();
    };
    this.result.then(over, over);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
    this.#refuseAll(reason);
    this.#changed();
    this.onend();
  }

  /** Waits until the work has ended, and returns undefined, or needs answers, and returns its questions. */
  async round(context: Context): Promise<Record<string, never> | undefined> {
    this.#context = context;
    this.#isInRound = true;
    this.#answerAll(context.answers);
    if (this.#progress) context.progress(...this.#progress);
    this.#progress = undefined;
    const { signal } = context;
    const abort = (): void => this.abort(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    try {
      for (;;) {
        if (this.#isOver || this.signal.aborted) return undefined;
        if (this.#open.size > 0) {
          // Questions that are sent in one turn of the event loop travel together.
          await new Promise((resolve) => setTimeout(resolve, 0));
          if (this.#open.size > 0 && !this.#isOver && !this.signal.aborted) break;
        } else {
          await new Promise<void>((resolve) => (this.#changed = resolve));
        }
      }
    } finally {
      signal.removeEventListener("abort", abort);
      this.#isInRound = false;
    }
    this.rounds += 1;
    const questions = [...this.#open].map(([key, { method, params }]) => [key, { method, params }]);
    return Object.fromEntries(questions) as Record<string, never>;
  }

  async ask(method: string, params: unknown, options: RequestOptions = {}): Promise<unknown> {
    requireAbility(this.#context, method, params);
    options.signal?.throwIfAborted();
    this.signal.throwIfAborted();
    if (this.#isOver) throw ended();
    const key = `question-${++this.#questions}`;
    const { signal } = options;
    return new Promise((answer, refuse) => {
      const withdraw = (): void => {
        this.#open.delete(key);
        refuse(signal?.reason);
      };
      const settled = <Value>(settle: (value: Value) => void) => {
        return (value: Value): void => {
          signal?.removeEventListener("abort", withdraw);
          this.#open.delete(key);
          settle(value);
        };
      };
      signal?.addEventListener("abort", withdraw, { once: true });
      this.#open.set(key, { method, params, answer: settled(answer), refuse: settled(refuse) });
      this.#changed();
    });
  }

  progress(...values: [number, number?, string?]): void {
    if (this.#isInRound) this.#context.progress(...values);
    else this.#progress = values;
  }

  get log(): Log {
    return this.#isInRound ? this.#context.log : () => {};
  }

  #answerAll(answers: Readonly<Record<string, unknown>>): void {
    for (const [key, question] of this.#open) {
      if (Object.hasOwn(answers, key)) question.answer(answers[key]);
    }
  }

  #refuseAll(reason: unknown): void {
    for (const { refuse } of this.#open.values()) refuse(reason);
  }
}

function isHeld(state: unknown): state is HeldState {
  return isObject(state) && typeof state["holder"] === "string" && typeof state["id"] === "string";
}

/** Error for a valid state whose work belongs to another process, or has ended. */
function elsewhere(): RpcError {
  const text =
    "The call that needs this input is held by another process, which requests have to reach, or which has ended; " +
    "it is not repeated: send the request again";
  return new RpcError(INVALID_PARAMS, text);
}

function ended(): RpcError {
  const text =
    "The call that needs this input has ended, and is not repeated: send the request again";
  return new RpcError(INVALID_PARAMS, text);
}
