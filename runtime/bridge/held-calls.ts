import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type InputRequest,
  type RequestOptions,
  RpcError,
} from "@mcp-codegen/runtime";
import { type Asking, type AskingContext, inputRequired } from "@mcp-codegen/universal/server";
import { isRecord, LONGEST_DELAY, unref } from "./callers.js";

/** Limits on calls that are waiting for a client's answer to a question. */
export interface HeldCallsOptions {
  /** The maximum number of waiting calls. Default: 1000. */
  readonly max?: number | undefined;
  /** The maximum number of waiting calls per principal. Default: 100. */
  readonly perPrincipal?: number | undefined;
  /**
   * The time that a call waits for the next round, in milliseconds. After that, its signal aborts. Default: 600,000.
   */
  readonly ttl?: number | undefined;
}

/** A call that keeps working while its client answers questions. */
export interface HeldCall {
  /** Aborts if the result is no longer needed, or if the client does not answer in time. */
  readonly signal: AbortSignal;
  /**
   * Sends a question to the client and returns the answer. If the revision embeds questions in results, the answer
   * arrives with the next round, and the work waits for it before it continues.
   *
   * @throws an error that names the missing capability if the client lacks it
   */
  ask(method: string, params: unknown, options?: RequestOptions): Promise<unknown>;
  /** Sends progress during a round. Between rounds, keeps the latest progress for the next round. */
  progress(...progress: Progress): void;
  /** Writes to the client's log during a round; between rounds, keeps the latest 20 messages for the next round. */
  readonly log: AskingContext["log"];
}

type Progress = readonly [progress: number, total?: number, message?: string];

const MOST_LINES = 20;

/** The state that the client carries from one round to the next. */
interface HeldState {
  /** The id of the `HeldCalls` object that holds the call. */
  readonly holder: string;
  readonly id: string;
  readonly round: number;
}

interface Question {
  readonly request: InputRequest;
  readonly answer: (answer: unknown) => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Calls whose work continues while their client answers questions, for handlers whose work must not run twice, such
 * as a gateway's call of another server. In a session, a question is a separate request. Otherwise, the result of the
 * round contains the question; the work waits in this process and continues with the next round. If the next round is
 * too late or reaches another process, it is rejected; the work never runs again.
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
  readonly #name = crypto.randomUUID();
  readonly #waiting = new Map<string, Work>();

  /** @throws TypeError if an option is not a whole number above 0 */
  constructor({ max = 1000, perPrincipal = 100, ttl = 600_000 }: HeldCallsOptions = {}) {
    this.#options = { max, perPrincipal, ttl };
    for (const [name, value] of Object.entries(this.#options)) {
      if (Number.isInteger(value) && value > 0) continue;
      throw new TypeError(`${name} must be a whole number above 0, not ${value}`);
    }
  }

  /** The number of calls that are waiting for their next round. */
  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Starts a request's work or, if the request is a later round, continues it. The handler must return the value that
   * this method returns.
   *
   * @throws RpcError -32602 if the work to be continued has ended or belongs to another process, -32603 if too many
   *   calls are waiting
   */
  async run<Result>(
    context: AskingContext,
    work: (call: HeldCall) => Promise<Result>,
  ): Promise<Result | Asking> {
    const { state, traits } = context;
    if (traits.serverRequests === "wire") return work(openCall(context));
    const own = isHeld(state) ? this.#resume(state) : new Work(context, work);
    const requests = await own.round(context);
    if (requests === undefined) return own.result as Promise<Result>;
    this.#wait(own);
    const held: HeldState = { holder: this.#name, id: own.id, round: own.rounds };
    return inputRequired({ requests, state: held });
  }

  /** Aborts all calls that are waiting for their next round. */
  close(): void {
    for (const one of this.#waiting.values()) one.abort(gone());
  }

  #resume({ holder, id, round }: HeldState): Work {
    if (holder !== this.#name)
      throw gone("is held by another process, which requests have to reach, or which has ended");
    const found = this.#waiting.get(id);
    if (found?.rounds !== round) throw gone();
    found.leave();
    return found;
  }

  #wait(one: Work): void {
    const { max, perPrincipal, ttl } = this.#options;
    const { auth } = one.context;
    const own = [...this.#waiting.values()].filter(
      ({ context }) => context.auth?.principal === auth?.principal,
    );
    if (this.size >= max || (auth && own.length >= perPrincipal)) {
      const error = new RpcError(INTERNAL_ERROR, "Busy: too many calls await a response");
      one.abort(error);
      throw error;
    }
    this.#waiting.set(one.id, one);
    const timer = unref(setTimeout(() => one.abort(gone()), Math.min(ttl, LONGEST_DELAY)));
    one.leave = () => {
      clearTimeout(timer);
      this.#waiting.delete(one.id);
    };
  }
}

/** Returns a call that does not need rounds, because its request stays open while the client answers. */
function openCall(context: AskingContext): HeldCall {
  const send = context.request as (...request: unknown[]) => Promise<unknown>;
  return {
    signal: context.signal,
    ask: (method, params, options) =>
      send(method, params, { timeout: Infinity, maxTotalTimeout: Infinity, ...options }),
    progress: (...progress) => context.progress(...progress),
    log: (...message) => context.log(...message),
  };
}

/** The work of one request, across all its rounds. */
class Work implements HeldCall {
  readonly id: string = crypto.randomUUID();
  readonly result: Promise<unknown>;
  /** The number of rounds that have ended with questions. */
  rounds = 0;
  context: AskingContext;
  /** Removes this call from the ones waiting for their next round. */
  leave: () => void = () => {};
  readonly #controller = new AbortController();
  readonly #open = new Map<string, Question>();
  #questions = 0;
  #isOver = false;
  #isInRound = true;
  #progress: Progress | undefined;
  #lines: Parameters<AskingContext["log"]>[] = [];
  /** Called when the current round may have to end, because there are new questions or the work has ended. */
  #changed: () => void = () => {};

  constructor(context: AskingContext, work: (call: HeldCall) => Promise<unknown>) {
    this.context = context;
    this.result = Promise.resolve().then(() => work(this));
    const over = (): void => {
      this.#isOver = true;
      this.#refuseAll(gone);
    };
    this.result.then(over, over);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#controller.abort(reason);
    this.#refuseAll(() => reason);
    this.leave();
  }

  /** Runs one round and returns the work's questions, or undefined if the work has ended or was aborted. */
  async round(context: AskingContext): Promise<Record<string, InputRequest> | undefined> {
    const { answers, signal } = context;
    this.context = context;
    this.#isInRound = true;
    for (const [key, { answer }] of this.#open) {
      if (Object.hasOwn(answers, key) && this.#open.delete(key)) answer(answers[key]);
    }
    if (this.#progress) context.progress(...this.#progress);
    this.#progress = undefined;
    for (const line of this.#lines.splice(0)) context.log(...line);
    const abort = (): void => this.abort(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    try {
      while (!this.#isOver && !this.signal.aborted) {
        const isAsking = this.#open.size > 0;
        await new Promise<void>((resolve) => {
          // Questions that are sent in the same turn of the event loop are returned together.
          if (isAsking) setTimeout(resolve, 0);
          else this.#changed = resolve;
        });
        if (!isAsking || this.#open.size === 0) continue;
        this.rounds += 1;
        return Object.fromEntries([...this.#open].map(([key, { request }]) => [key, request]));
      }
      return undefined;
    } finally {
      signal.removeEventListener("abort", abort);
      this.#isInRound = false;
    }
  }

  async ask(method: string, params: unknown, { signal }: RequestOptions = {}): Promise<unknown> {
    const ability = abilityFor(method, params);
    if (ability) this.context.require(ability);
    signal?.throwIfAborted();
    this.signal.throwIfAborted();
    if (this.#isOver) throw gone();
    const key = `question-${++this.#questions}`;
    const withdraw = (): void => {
      this.#open.get(key)?.refuse(signal?.reason);
      this.#open.delete(key);
    };
    signal?.addEventListener("abort", withdraw, { once: true });
    const answered = new Promise((answer, refuse) => {
      this.#open.set(key, { request: { method, params: params as object }, answer, refuse });
    });
    this.#changed();
    return answered.finally(() => signal?.removeEventListener("abort", withdraw));
  }

  progress(...progress: Progress): void {
    if (this.#isInRound) this.context.progress(...progress);
    else this.#progress = progress;
  }

  get log(): AskingContext["log"] {
    if (this.#isInRound) return this.context.log;
    return (...line) => {
      this.#lines = [...this.#lines, line].slice(-MOST_LINES);
    };
  }

  #refuseAll(reason: () => Error): void {
    for (const { refuse } of this.#open.values()) refuse(reason());
    this.#open.clear();
    this.#changed();
  }
}

function abilityFor(
  method: string,
  params: unknown,
): Parameters<AskingContext["require"]>[0] | undefined {
  const { mode, tools, toolChoice } = isRecord(params) ? params : {};
  if (method === "roots/list") return "roots";
  if (method === "elicitation/create") return mode === "url" ? "elicitUrl" : "elicit";
  if (method !== "sampling/createMessage") return undefined;
  return (tools ?? toolChoice) === undefined ? "sample" : "sampleWithTools";
}

function isHeld(state: unknown): state is HeldState {
  return isRecord(state) && typeof state["holder"] === "string" && typeof state["id"] === "string";
}

function gone(why = "has ended"): RpcError {
  const advice = "and is not repeated: send the request again";
  return new RpcError(INVALID_PARAMS, `The call that needs this input ${why}, ${advice}`);
}
