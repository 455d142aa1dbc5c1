import { type Abortable, type Timed, quiet } from "../ground/index.js";
import { type Method, type RequestId, RequestTimeoutError } from "../wire/index.js";
import type { Handling } from "./handling.js";
import type { Progress, RequestOptions } from "../api/index.js";
import type { Outgoing } from "./outgoing.js";
import { type ProgressOwner, ProgressReceiver } from "./progress-receiver.js";
import type { RequestTimes } from "./request-times.js";

/** Who wants to know how a request ends. */
export interface PendingOwner extends ProgressOwner {
  /** Whether the peer has asked something in turn, and may need the answer to that first. */
  readonly isAsked: boolean;
  /** It is waited for until its new deadline. */
  wait(pending: Pending): void;
  /** It is over without an answer; the peer should stop. */
  cancel(pending: Pending, reason: unknown): void;
}

/** Decides what a request comes to when its answer is not the end of it. */
export interface Continuation {
  /** @returns undefined for a result that is the final one */
  answered?(request: Pending, result: unknown, outgoing: Outgoing): Promise<unknown> | undefined;
  /** @returns undefined for an error that is the final one */
  refused(request: Pending, error: Error, outgoing: Outgoing): Promise<unknown> | undefined;
}

export interface PendingRequest {
  readonly id: RequestId;
  readonly row: Method;
  readonly params: unknown;
  readonly options: RequestOptions;
  readonly times: RequestTimes;
  /** The received message during whose handling it was sent. */
  readonly during: Handling | undefined;
}

/** An own request that waits for its answer, for its time to be over, or for being aborted. */
export class Pending implements Timed, Abortable {
  readonly id: RequestId;
  readonly row: Method;
  readonly params: unknown;
  readonly options: RequestOptions;
  readonly times: RequestTimes;
  readonly signal: AbortSignal | undefined;
  readonly during: Handling | undefined;
  /** On the clock of `performance.now()`. */
  readonly started: number = performance.now();
  readonly promise: Promise<unknown>;
  deadline: number;
  readonly #owner: PendingOwner;
  readonly #onprogress: RequestOptions["onprogress"];
  #resolve!: (result: unknown) => void;
  #reject!: (reason: unknown) => void;
  #news: ProgressReceiver | undefined;

  constructor(owner: PendingOwner, request: PendingRequest) {
    this.id = request.id;
    this.row = request.row;
    this.params = request.params;
    this.options = request.options;
    this.times = request.times;
    this.signal = request.options.signal;
    this.during = request.during;
    this.#owner = owner;
    this.#onprogress = request.options.onprogress;
    this.deadline = this.started + this.times.timeout;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get wantsProgress(): boolean {
    return this.#onprogress !== undefined;
  }

  /** Who gets the news, if anybody wants them. */
  get news(): ProgressReceiver | undefined {
    if (this.#onprogress) this.#news ??= new ProgressReceiver(this.#onprogress, this.#owner);
    return this.#news;
  }

  resolve(result: unknown): void {
    this.#news?.flush();
    this.#resolve(result);
  }

  /** What it comes to in the end; that is found out where it was asked, as far as contexts of async calls go. */
  continued(by: Continuation, outgoing: Outgoing): Promise<unknown> {
    const final = this.promise.then(
      (result) => by.answered?.(this, result, outgoing) ?? result,
      (error: Error) => by.refused(this, error, outgoing) ?? this.promise,
    );
    return quiet(final);
  }

  reject(reason: unknown): void {
    this.#news?.flush();
    quiet(this.promise);
    this.#reject(reason);
  }

  /** Passes news on, if they are news, and gives the request more time. */
  progress(progress: Progress): void {
    if (this.news?.receive(progress) && this.times.resetTimeoutOnProgress) {
      this.deadline = this.#extended(performance.now());
    }
  }

  /** What a handler asks keeps its time: nothing that the peer waits for can be what holds it up. */
  expire(): void {
    const now = performance.now();
    const extended = this.#extended(now);
    if (extended > now && this.during === undefined && this.#owner.isAsked) {
      this.deadline = extended;
      return this.#owner.wait(this);
    }
    const waited = Math.round(this.deadline - this.started);
    this.#owner.cancel(this, new RequestTimeoutError(this.row.method, waited));
  }

  abort(reason: unknown): void {
    this.#owner.cancel(this, reason);
  }

  /** The deadline when the time starts anew. */
  #extended(now: number): number {
    const { timeout, maxTotalTimeout } = this.times;
    return Math.min(now + timeout, this.started + Math.max(maxTotalTimeout, timeout));
  }
}
