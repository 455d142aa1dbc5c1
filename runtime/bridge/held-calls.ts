import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  type InputRequest,
  type RequestOptions,
  RpcError,
} from "@mcp-codegen/runtime";
import { type Asking, type AskingContext, inputRequired } from "@mcp-codegen/universal/server";
import { isRecord, unref } from "./callers.js";

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
   * @throws an error that names the ability if the client lacks it
   */
  ask(method: string, params: unknown, options?: RequestOptions): Promise<unknown>;
  /** Sends progress in the round that is in progress; between rounds, keeps the newest for the next one. */
  progress(...progress: Progress): void;
  /** Writes to the client's log; between rounds, keeps the newest 20 lines for the next one. */
  readonly log: AskingContext["log"];
}

type Progress = readonly [progress: number, total?: number, message?: string];

/** Maximum number of lines of the log that a call keeps between two rounds. */
const MOST_LINES = 20;

/** State that the client carries between two rounds. */
interface HeldState {
  /** Object that holds the call. */
  readonly holder: string;
  readonly id: string;
  /** Number of rounds so far. */
  readonly round: number;
}

interface Question {
  readonly request: InputRequest;
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
  readonly #name = crypto.randomUUID();
  /** Calls that wait for their next round, by id. */
  readonly #waiting = new Map<string, Work>();

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

  /** Ends all calls that wait. */
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

  /** @throws RpcError if there is no room */
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
    const timer = unref(setTimeout(() => one.abort(gone()), ttl));
    one.leave = () => {
      clearTimeout(timer);
      this.#waiting.delete(one.id);
    };
  }
}

/** Call of a session, which stays open while its client answers. */
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

/** Work of one request, over all its rounds. */
class Work implements HeldCall {
  readonly id: string = crypto.randomUUID();
  readonly result: Promise<unknown>;
  /** Number of rounds that have ended with questions. */
  rounds = 0;
  /** Context of the round in progress, or of the last one. */
  context: AskingContext;
  /** Ends the wait for a round. */
  leave: () => void = () => {};
  readonly #controller = new AbortController();
  readonly #open = new Map<string, Question>();
  #questions = 0;
  #isOver = false;
  #isInRound = true;
  #progress: Progress | undefined;
  /** Lines of the log from between two rounds. */
  #lines: Parameters<AskingContext["log"]>[] = [];
  /** Called when the round in progress may be about to end. */
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

  /** Waits until the work has ended, and returns undefined, or needs answers, and returns its questions. */
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
          // Questions that are sent in one turn of the event loop travel together.
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

/** Ability that a request to the client needs; undefined for unknown methods. */
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

/** Error for a valid state whose work has ended, or belongs to another process. */
function gone(why = "has ended"): RpcError {
  const advice = "and is not repeated: send the request again";
  return new RpcError(INVALID_PARAMS, `The call that needs this input ${why}, ${advice}`);
}
