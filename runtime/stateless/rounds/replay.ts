import { Once, type Round, askedInOnce } from "../../engine/index.js";
import { quiet } from "../../ground/index.js";
import type { Method } from "../../wire/index.js";
import { canonical, digestOf } from "./canonical.js";
import { DivergenceError } from "./divergence-error.js";
import type { InputRequest } from "../../api/index.js";
import { Journal } from "./journal.js";
import type { Question, Memory } from "./memory.js";

/** Milliseconds that a handler has to come to the questions that it has asked before, while others wait already. */
const PATIENCE = 2000;
/** Milliseconds that work of `once` may keep a question waiting, before somebody is told. */
const LONG_WORK = 10_000;

/** Operations of its caller that the replay of a handler needs. */
export interface ReplayHost {
  /** True while an answer of the handler is still due. */
  isOpen(): boolean;
  /** @throws RpcError when the client cannot be asked this */
  assertCanAsk(row: Method, params: unknown): void;
  /**
   * Reads the value for the handler from a response, in an array; undefined for an invalid answer
   * to this kind of question.
   */
  read(row: Method, response: unknown): readonly [unknown] | undefined;
  /** Builds the result that asks the questions. */
  interim(requests: Readonly<Record<string, InputRequest>>): Promise<object>;
  /** Questions have been waiting for work of `once` for long; it may wait for them, which it must not. */
  blocked(keys: readonly string[]): void;
  /** Stops waiting for the handler. */
  over(outcome: Promise<unknown>): void;
}

/** Facts known at the start of a replay. */
export interface ReplayKnown {
  /** Identity of the request, see `identityOf`. */
  readonly identity: string;
  /** Absent in the first round. */
  readonly memory: Memory | undefined;
  /** Responses of the client, by the key of the question that they answer. */
  readonly responses: Readonly<Record<string, unknown>>;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly state: unknown;
}

/**
 * One call of a handler among several for the same request: questions that were answered before are answered at once;
 * when only new ones are left to wait for, the call is over.
 */
export class Replay implements Round {
  readonly identity: string;
  readonly memory: Memory | undefined;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly state: unknown;
  /** The answers, whatever the handler does to those that it gets. */
  readonly found: Readonly<Record<string, unknown>>;
  /** Outcome that replaces the result, once nobody waits for the handler. */
  outcome: Promise<unknown> | undefined;
  readonly #host: ReplayHost;
  readonly #journal: Journal;
  readonly #once: Once;
  readonly #waiting = new Map<string, InputRequest>();
  /** Digests and work of `once` that are under way: meanwhile the handler can go on. */
  #busy = 0;
  /** Runs while nothing happens. */
  #idle: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  /** The last question; those after it are dealt with when that has been. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: ReplayHost, { identity, memory, responses, answers, state }: ReplayKnown) {
    this.identity = identity;
    this.memory = memory;
    this.found = answers;
    this.answers = structuredClone(answers);
    this.state = structuredClone(state);
    this.#host = host;
    this.#journal = new Journal(memory, responses);
    this.#once = new Once(memory?.done);
  }

  /** Number of questions that have been named here. */
  get named(): number {
    return this.#journal.named;
  }

  /** Outcomes of `once` so far, by key. */
  get done(): Readonly<Record<string, readonly unknown[]>> {
    return this.#once.results;
  }

  get isSuspended(): boolean {
    return this.#isOver;
  }

  /** Questions that the client has been asked, with their answers, and those that it is going to be asked. */
  get asked(): readonly Question[] {
    return this.#journal.entries.filter(
      ({ key, answer }) => answer !== undefined || this.#waiting.has(key),
    );
  }

  /** @param key - its name, if the handler gave it one */
  async ask(row: Method, params: unknown, key: string | undefined): Promise<unknown> {
    if (this.#isOver) return never();
    if (this.#once.isCalling) throw askedInOnce(row.method);
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
    if (this.#isOver) return never();
    this.#begin();
    try {
      return await this.#once.do(key, work);
    } finally {
      this.#end();
    }
  }

  /** Ends the call, so that nothing comes of what the handler still does. */
  end(): void {
    clearTimeout(this.#idle);
    this.#waiting.clear();
    this.#isOver = true;
  }

  /**
   * Difference between the earlier questions of the handler and the present ones, in words;
   * undefined when there is none.
   */
  get divergence(): string | undefined {
    const left = this.memory?.given?.methods ? undefined : this.#journal.leftOut;
    return (
      left && `${left.method} (${left.key}) was asked before, and not when the handler ran again`
    );
  }

  async #claim(
    row: Method,
    params: unknown,
    text: string,
    key: string | undefined,
  ): Promise<readonly [unknown] | undefined> {
    const { method } = row;
    const found = this.#journal.claim(method, await digestOf(`${method} ${text}`), key);
    if (found === undefined) {
      this.#fail(`${method} (${key}) was asked with other parameters before`);
      return undefined;
    }
    if (found.answer) return structuredClone(found.answer);
    this.#host.assertCanAsk(row, params);
    const response = this.#journal.responseTo(found);
    const answer = response && this.#host.read(row, response[0]);
    if (answer) this.#journal.settle(found, answer);
    if (answer) return structuredClone(answer);
    const request: InputRequest = { method, params: params as object | undefined };
    this.#waiting.set(found.key, request);
    return undefined;
  }

  #begin(): void {
    this.#busy += 1;
    clearTimeout(this.#idle);
  }

  /** A handler that has not gone on after all microtasks and a turn of the event loop waits for the client. */
  #end(): void {
    this.#busy -= 1;
    clearTimeout(this.#idle);
    if (this.#waiting.size === 0) return;
    const isWorking = this.#busy > 0;
    const look = (): void => (isWorking ? this.#complain() : this.#stop(PATIENCE));
    this.#idle = setTimeout(look, isWorking ? LONG_WORK : 0);
  }

  #complain(): void {
    if (this.#host.isOpen()) this.#host.blocked([...this.#waiting.keys()]);
  }

  #stop(patience: number): void {
    if (this.#isOver || !this.#host.isOpen()) return;
    const { divergence } = this;
    if (divergence === undefined) this.#suspend();
    else if (patience === 0) this.#fail(divergence);
    else this.#idle = setTimeout(() => this.#stop(0), patience);
  }

  #suspend(): void {
    this.#finish(this.#host.interim(Object.fromEntries(this.#waiting)));
  }

  #fail(problem: string): void {
    this.#finish(Promise.reject(new DivergenceError(problem)));
  }

  #finish(outcome: Promise<unknown>): void {
    if (this.#isOver) return;
    this.end();
    this.outcome = quiet(outcome);
    this.#host.over(outcome);
  }
}

/** Promise of an earlier call: nobody will answer it. */
function never<T>(): Promise<T> {
  return new Promise(() => {});
}
