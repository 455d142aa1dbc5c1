import type { InputRequest } from "../../../api/index.js";
import { Once } from "../../../engine/once/index.js";
import { type RequestContext, type Round, requestedInOnce } from "../../../engine/index.js";
import { unanswerable } from "../../../engine/missing-capability/index.js";
import { quiet } from "../../../ground/index.js";
import { HandlerError, type Method, SuspendedError } from "../../../wire/index.js";
import { InputRecords } from "./input-records.js";
import {
  type InputRecord,
  type RoundProgress,
  type RoundState,
  canonical,
  digestOf,
} from "./state.js";

/**
 * The time a handler has to repeat its earlier input requests once new ones are waiting to be sent, in milliseconds.
 */
const PATIENCE = 2000;
/** The time for which the work of `once` may delay an input request before a warning is reported, in milliseconds. */
const LONG_WORK = 10_000;

/** The error for a handler that did not repeat the input requests from its earlier call. */
export class DivergenceError extends Error {
  constructor(problem: string) {
    const advice =
      "send the same requests each time, name them (option key), and wrap what can change in once()";
    super(`${problem}: ${advice}`);
  }
}

export interface ReplayHost {
  /**
   * Reads the handler's value from a response. Returns it as the only element of an array, or undefined if it is
   * invalid.
   */
  read(row: Method, response: unknown): readonly [unknown] | undefined;
  interim(
    context: RequestContext,
    requests: Readonly<Record<string, InputRequest>>,
  ): Promise<object>;
  readonly report: (error: Error) => void;
}

export interface ReplayStart {
  readonly identity: string;
  readonly state?: RoundState | undefined;
  readonly responses?: Readonly<Record<string, unknown>>;
  readonly answers?: Readonly<Record<string, unknown>>;
}

/**
 * One call of a handler, which may be called several times for the same request. Input requests that were answered in
 * earlier rounds are answered immediately. The call ends when the handler is waiting only for new input requests, which
 * are then sent in the result.
 */
export class Replay implements Round {
  readonly identity: string;
  readonly before: RoundState | undefined;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly state: unknown;
  /** The answers as the client sent them. The handler receives a copy, which it may change. */
  readonly found: Readonly<Record<string, unknown>>;
  /** The outcome that replaces the result once the call has been suspended or has failed. */
  outcome: Promise<unknown> | undefined;
  isSuspended = false;
  readonly #host: ReplayHost;
  readonly #context: RequestContext;
  readonly #records: InputRecords;
  readonly #once: Once;
  readonly #waiting = new Map<string, InputRequest>();
  /**
   * The number of input requests and `once` calls that are being processed. The handler may continue until they finish.
   */
  #busy = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;
  /** Settles when the last input request has been processed, so that the next one is processed after it. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: ReplayHost, context: RequestContext, start: ReplayStart) {
    const { identity, state, responses = {}, answers = {} } = start;
    this.identity = identity;
    this.before = state;
    this.found = answers;
    this.answers = structuredClone(answers);
    this.state = structuredClone(state?.given?.state);
    this.#host = host;
    this.#context = context;
    this.#records = new InputRecords(state, responses);
    this.#once = new Once(state?.done);
  }

  /** The progress to save in the next round's state: input requests that have been answered or are about to be sent. */
  get progress(): RoundProgress {
    const isKept = ({ key, answer }: InputRecord): boolean =>
      answer !== undefined || this.#waiting.has(key);
    return {
      asked: this.#records.entries.filter(isKept),
      named: this.#records.named,
      done: this.#once.results,
    };
  }

  /**
   * Returns the answer to an input request. If there is no answer yet, the promise never settles: the call ends, and
   * the next call receives the answer.
   */
  async ask(row: Method, params: unknown, key: string | undefined): Promise<unknown> {
    if (this.isSuspended) return never();
    if (this.#once.isCalling) throw requestedInOnce(row.method);
    const text = canonical(params);
    const claiming = this.#last.then(() => this.#claim(row, params, text, key));
    this.#last = claiming.catch(() => {});
    this.#begin();
    try {
      const answer = await claiming;
      return answer ? answer[0] : never();
    } finally {
      this.#end();
    }
  }

  async once<Value>(key: string, work: () => Value | Promise<Value>): Promise<Value> {
    if (this.isSuspended) return never();
    this.#begin();
    try {
      return await this.#once.do(key, work);
    } finally {
      this.#end();
    }
  }

  /** Ends the call: later operations of the handler have no effect. */
  end(): void {
    clearTimeout(this.#idle);
    this.#waiting.clear();
    this.isSuspended = true;
  }

  get divergence(): string | undefined {
    const left = this.before?.given?.methods ? undefined : this.#records.leftOut;
    return (
      left && `${left.method} (${left.key}) was sent before, but not when the handler ran again`
    );
  }

  async #claim(
    row: Method,
    params: unknown,
    text: string,
    key: string | undefined,
  ): Promise<readonly [unknown] | undefined> {
    const { method } = row;
    const found = this.#records.claim(method, await digestOf(`${method} ${text}`), key);
    if (found === undefined) {
      this.#fail(`${method} (${key}) was sent with other parameters before`);
      return undefined;
    }
    if (found.answer) return structuredClone(found.answer);
    const refused = unanswerable(row, params, this.#context);
    if (refused) throw refused;
    const response = this.#records.responseTo(found);
    const answer = response && this.#host.read(row, response[0]);
    if (answer) {
      this.#records.settle(found, answer);
      return structuredClone(answer);
    }
    this.#waiting.set(found.key, { method, params: params as object | undefined });
    return undefined;
  }

  #begin(): void {
    this.#busy += 1;
    clearTimeout(this.#idle);
  }

  /**
   * Finishes processing an operation. If the handler does not continue within one turn of the event loop, it is waiting
   * for the client, and the call ends.
   */
  #end(): void {
    this.#busy -= 1;
    clearTimeout(this.#idle);
    if (this.#waiting.size === 0) return;
    const isWorking = this.#busy > 0;
    const look = (): void => (isWorking ? this.#warn() : this.#stop(PATIENCE));
    this.#idle = setTimeout(look, isWorking ? LONG_WORK : 0);
  }

  /**
   * Reports that the work of `once` is delaying input requests. It may be waiting for their answers, which would be a
   * deadlock.
   */
  #warn(): void {
    const { isOpen, method } = this.#context;
    if (!isOpen) return;
    const keys = [...this.#waiting.keys()].join(", ");
    const advice = "send requests before or after once(), not in it";
    const problem = `waits with ${keys} for the work of once() to end: ${advice}`;
    this.#host.report(new HandlerError(method, problem));
  }

  #stop(patience: number): void {
    if (this.isSuspended || !this.#context.isOpen) return;
    const { divergence } = this;
    if (divergence !== undefined && patience === 0) return this.#fail(divergence);
    if (divergence === undefined) {
      this.#finish(this.#host.interim(this.#context, Object.fromEntries(this.#waiting)));
    } else {
      this.#idle = setTimeout(() => this.#stop(0), patience);
    }
  }

  #fail(problem: string): void {
    this.#finish(Promise.reject(new DivergenceError(problem)));
  }

  #finish(outcome: Promise<unknown>): void {
    if (this.isSuspended) return;
    this.end();
    this.outcome = quiet(outcome);
    this.#context.owner?.answer(this.#context, outcome, new SuspendedError());
  }
}

function never<T>(): Promise<T> {
  return new Promise(() => {});
}
