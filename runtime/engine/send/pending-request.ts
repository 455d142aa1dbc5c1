import type { Progress, RelatedCall, RequestOptions } from "../../api/index.js";
import type { Abortable } from "../../ground/aborts/index.js";
import { type Throttle, type Timed, quiet, throttled } from "../../ground/index.js";
import {
  HandlerError,
  InvalidMessageError,
  type Method,
  type RequestId,
  RequestTimeoutError,
  describeThrown,
} from "../../wire/index.js";
import type { Binding } from "../define/binding.js";
import type { RequestTimes } from "../define/limits.js";
import type { OutboundRoute } from "../define/route.js";
import type { RequestContext } from "../receive/request-context.js";

export interface OutgoingRequest {
  readonly route: OutboundRoute;
  readonly params: unknown;
  readonly stateless?: Binding | undefined;
}

export interface PendingRequests {
  /** True if the peer has itself sent requests and may need their responses first. */
  readonly isServing: boolean;
  request(
    request: OutgoingRequest,
    options: RequestOptions,
    during?: RequestContext,
    sent?: (id: RequestId) => void,
  ): PendingRequest;
  /**
   * Stops waiting for a response. Notifies the peer unless the request cannot be cancelled by a notification (MCP:
   * cancellation).
   */
  cancel(pending: PendingRequest, reason: unknown): void;
  wait(pending: PendingRequest): void;
  readonly report: (error: Error) => void;
}

/** The continuation of a request whose first response may not be the final one. */
export interface Continuation {
  /**
   * Continues after a result.
   * @returns undefined if the result is final
   */
  answered?(
    request: PendingRequest,
    result: unknown,
    requests: PendingRequests,
  ): Promise<unknown> | undefined;
  /**
   * Handles an error response, for example by sending the request again.
   * @returns the outcome of the request, or undefined if the error is final
   */
  refused(
    request: PendingRequest,
    error: Error,
    requests: PendingRequests,
  ): Promise<unknown> | undefined;
}

export interface PendingRequestOptions {
  readonly id: RequestId;
  readonly route: OutboundRoute;
  readonly params: unknown;
  readonly options: RequestOptions;
  readonly times: RequestTimes;
  readonly during: RequestContext | undefined;
  readonly stateless: Binding | undefined;
}

/** A request from this side that has not yet been answered, timed out, or been cancelled. */
export class PendingRequest implements Timed, Abortable {
  readonly id: RequestId;
  readonly route: OutboundRoute;
  readonly row: Method;
  readonly params: unknown;
  readonly options: RequestOptions;
  readonly times: RequestTimes;
  readonly signal: AbortSignal | undefined;
  readonly during: RequestContext | undefined;
  readonly stateless: Binding | undefined;
  /** The time at which the request was created, on the `performance.now()` clock. */
  readonly started: number = performance.now();
  readonly promise: Promise<unknown>;
  deadline: number;
  readonly #requests: PendingRequests;
  readonly #onprogress: RequestOptions["onprogress"];
  #resolve!: (result: unknown) => void;
  #reject!: (reason: unknown) => void;
  #progress: ProgressReceiver | undefined;

  constructor(requests: PendingRequests, request: PendingRequestOptions) {
    this.id = request.id;
    this.route = request.route;
    this.row = request.route.row;
    this.params = request.params;
    this.options = request.options;
    this.times = request.times;
    this.signal = request.options.signal;
    this.during = request.during;
    this.stateless = request.stateless;
    this.#requests = requests;
    this.#onprogress = request.options.onprogress;
    this.deadline = this.started + this.times.timeout;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get call(): RelatedCall {
    const { row, params, options } = this;
    return { method: row.method, params, context: options.context };
  }

  get receiver(): ProgressReceiver | undefined {
    if (this.#onprogress)
      this.#progress ??= new ProgressReceiver(this.#onprogress, this.#requests.report);
    return this.#progress;
  }

  resolve(result: unknown): void {
    this.#progress?.flush();
    this.#resolve(result);
  }

  /** Returns the final result. The continuation runs in the caller's async context. */
  continued(by: Continuation): Promise<unknown> {
    const requests = this.#requests;
    const final = this.promise.then(
      (result) => by.answered?.(this, result, requests) ?? result,
      (error: Error) => by.refused(this, error, requests) ?? this.promise,
    );
    return quiet(final);
  }

  reject(reason: unknown): void {
    this.#progress?.flush();
    quiet(this.promise);
    this.#reject(reason);
  }

  progress(progress: Progress): void {
    if (this.receiver?.receive(progress) && this.times.resetTimeoutOnProgress) {
      this.deadline = this.#extended(performance.now());
    }
  }

  /**
   * Cancels the request with a timeout error. If no handler sent the request and the peer may be waiting for a response
   * from this side, extends the deadline instead, up to `maxTotalTimeout`.
   */
  expire(): void {
    const now = performance.now();
    const extended = this.#extended(now);
    if (extended > now && this.during === undefined && this.#requests.isServing) {
      this.deadline = extended;
      return this.#requests.wait(this);
    }
    this.#requests.cancel(this, this.#lateness());
  }

  abort(reason: unknown): void {
    this.#requests.cancel(this, reason);
  }

  #lateness(): RequestTimeoutError {
    const { timeout, maxTotalTimeout } = this.times;
    const waited = Math.round(this.deadline - this.started);
    const option = waited > timeout && waited >= maxTotalTimeout ? "maxTotalTimeout" : "timeout";
    return new RequestTimeoutError(this.row.method, waited, undefined, option);
  }

  #extended(now: number): number {
    const { timeout, maxTotalTimeout } = this.times;
    return Math.min(now + timeout, this.started + Math.max(maxTotalTimeout, timeout));
  }
}

/**
 * Receives a request's progress. Passes increasing values to a callback; if they arrive too fast, only the newest are
 * passed.
 */
export class ProgressReceiver {
  readonly #callback: (progress: Progress) => void;
  readonly #report: (error: Error) => void;
  readonly #throttle: Throttle<Progress> = throttled((progress) => this.#call(progress));
  #last = -Infinity;
  #hasStalled = false;

  constructor(callback: (progress: Progress) => void, report: (error: Error) => void) {
    this.#callback = callback;
    this.#report = report;
  }

  receive(progress: Progress): boolean {
    if (!(progress.progress > this.#last)) {
      this.#stalled(progress.progress);
      return false;
    }
    this.#last = progress.progress;
    this.#throttle.offer(progress);
    return true;
  }

  #stalled(value: number): void {
    if (this.#hasStalled) return;
    this.#hasStalled = true;
    const text = `Progress ${value} follows ${this.#last}: values that do not increase are ignored`;
    this.#report(new InvalidMessageError(text));
  }

  flush(): void {
    this.#throttle.flush();
  }

  stop(): void {
    this.#throttle.drop();
  }

  #call(progress: Progress): void {
    try {
      const result: unknown = this.#callback(progress);
      if (result instanceof Promise) result.catch(this.#failed);
    } catch (error) {
      this.#failed(error);
    }
  }

  readonly #failed = (error: unknown): void => {
    this.#report(new HandlerError("onprogress", `failed: ${describeThrown(error)}`, error));
  };
}
