import type { Batch } from "./batch.js";
import { isForEngine } from "./binding.js";
import { BusyHandlers } from "./busy-handlers.js";
import { acceptsParams, acceptsResult, paramsIssues, summarize } from "./conformity.js";
import {
  HandlerError,
  INTERNAL_ERROR,
  InvalidMessageError,
  type Origin,
  OverloadError,
  RequestCancelledError,
  type RequestId,
  RequestTimeoutError,
  type ResponseMessage,
  RpcError,
  describeThrown,
  isRequestId,
} from "../wire/index.js";
import { Handling } from "./handling.js";
import type { Asked, IncomingHost, Told } from "./incoming-host.js";
import { invalidResult } from "./invalid-result.js";
import { isThenable, quiet } from "../ground/index.js";
import { busy, inFlight, internalError } from "./refusal.js";
import { concluded } from "./concluded.js";
import { callHandler, takeRequest } from "./take-request.js";

export interface IncomingOptions {
  /** Messages that may be handled at once. */
  readonly limit: number;
  /** Milliseconds that a handler may take. */
  readonly handlerTimeout: number;
}

/** Handles what the peer asks and tells: looks it up, checks it, calls its handler, answers. */
export class Incoming {
  readonly #host: IncomingHost;
  readonly #options: IncomingOptions;
  /** Requests that have not been answered, by id; those that were answered at once never are in it. */
  #running: Map<RequestId, Handling> | undefined;
  /** Those of `running` that are answered bit by bit: their handlers are done. */
  #standing: Set<Handling> | undefined;
  readonly #busy = new BusyHandlers();
  /** Notifications whose handlers have not come back. */
  #reactions = 0;
  /** Why the connection is over. */
  #end: (() => Error) | undefined;

  constructor(host: IncomingHost, options: IncomingOptions) {
    this.#host = host;
    this.#options = options;
  }

  get underWay(): number {
    return (this.#running?.size ?? 0) - (this.#standing?.size ?? 0);
  }

  get isIdle(): boolean {
    return !this.#running?.size && this.#reactions === 0;
  }

  request(asked: Asked, origin: Origin | undefined, batch: Batch | undefined): void {
    const { id } = asked;
    let handling: Handling;
    try {
      if (this.#running?.has(id)) throw inFlight();
      handling = takeRequest(this.#host, asked, origin, batch);
      if (this.#isBusy(handling)) throw busy(this.#options.limit);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return this.#refuse(id, error, batch);
    }
    try {
      const result = callHandler(handling);
      if (isThenable(result)) this.#wait(handling, id, result);
      else this.#succeed(handling, id, result);
    } catch (error) {
      this.#fail(handling, id, error);
    }
  }

  notification({ method, params }: Told, origin: Origin | undefined): void {
    const binding = this.#host.bindingFor("notification", method, params);
    const inbound = binding.notifications.get(method);
    if (inbound === undefined) return;
    const { row, handler } = inbound;
    if (!acceptsParams(inbound, params)) {
      if (row.role !== "cancelled") this.#reportInvalid(method, paramsIssues(inbound, params));
      return;
    }
    const { projection } = binding.revision ?? {};
    const taken = projection ? projection.up(row, "params", params) : params;
    const handling = new Handling(this.#host, binding, inbound, undefined, taken, origin);
    if (this.#isBusy(handling)) {
      this.#host.report(new OverloadError(`${method} was dropped: too many handlers are running`));
      return;
    }
    try {
      const result = handler(taken, handling);
      if (isThenable(result)) this.#waitForReaction(handling, result);
    } catch (error) {
      this.#reportFailure(handling, error);
    }
  }

  /** Answers what is answered bit by bit: there will be no more of it. */
  retireAll(): void {
    for (const handling of this.#standing ?? []) this.retire(handling);
  }

  retire(handling: Handling): void {
    const { standing, key } = handling;
    if (!this.#standing?.delete(handling)) return;
    handling.standing = undefined;
    this.#succeed(handling, key!, standing!.end());
  }

  /** Stops a request because the peer asks for it; what is unknown or cannot be stopped goes on. */
  cancel(id: unknown, reason: unknown): void {
    const handling = isRequestId(id) ? this.#running?.get(id) : undefined;
    if (handling === undefined) return;
    this.#running!.delete(handling.key!);
    this.#standing?.delete(handling);
    this.#host.deadlines.delete(handling);
    const text = typeof reason === "string" ? reason : undefined;
    handling.abort(new RequestCancelledError(handling.id!, text));
    handling.batch?.settle();
    this.#host.unanswered(handling.key!);
    if (this.isIdle) this.#host.idle();
  }

  /** Answers in place of a handler, which is not waited for any more: its signal aborts afterwards. */
  answer(handling: Handling, outcome: Promise<unknown>, reason: Error): void {
    const id = handling.key!;
    void outcome
      .then(
        (value) => this.#succeed(handling, id, value),
        (error: unknown) => this.#fail(handling, id, error),
      )
      .then(() => handling.abort(reason));
  }

  /** A handler's time is over: its signal aborts, and the peer hears why there is no result. */
  expire(handling: Handling): void {
    const { handlerTimeout } = this.#options;
    const what = "the handler did not finish";
    handling.abort(new RequestTimeoutError(handling.method, handlerTimeout, what));
    this.#host.report(new HandlerError(handling.method, `did not finish in ${handlerTimeout} ms`));
    this.#answer(
      handling,
      handling.key!,
      new RpcError(INTERNAL_ERROR, "Internal error: timed out"),
    );
  }

  /** Nobody waits for answers any more; the reason is made when something is under way. */
  close(reason: () => Error): void {
    this.#end = reason;
    const open = new Set([...this.#busy.all, ...(this.#running?.values() ?? [])]);
    if (open.size === 0) return;
    this.#running = undefined;
    this.#standing = undefined;
    this.#busy.clear();
    const error = reason();
    for (const handling of open) {
      this.#host.deadlines.delete(handling);
      handling.abort(error);
    }
  }

  #wait(handling: Handling, id: RequestId, result: PromiseLike<unknown>): void {
    if (this.#end) return abandon(handling, result, this.#end());
    (this.#running ??= new Map()).set(id, handling);
    this.#busy.add(handling);
    const { handlerTimeout } = this.#options;
    if (handlerTimeout !== Infinity) {
      handling.deadline = performance.now() + handlerTimeout;
      this.#host.deadlines.add(handling);
    }
    Promise.resolve(result).then(
      (value) => this.#succeed(handling, id, value),
      (error: unknown) => this.#fail(handling, id, error),
    );
  }

  #waitForReaction(handling: Handling, result: PromiseLike<unknown>): void {
    if (this.#end) return abandon(handling, result, this.#end());
    this.#busy.add(handling);
    this.#reactions += 1;
    Promise.resolve(result).then(
      () => this.#reacted(handling),
      (error: unknown) => {
        if (handling.isOpen) this.#reportFailure(handling, error);
        this.#reacted(handling);
      },
    );
  }

  #reacted(handling: Handling): void {
    this.#busy.delete(handling);
    this.#reactions -= 1;
    if (this.isIdle) this.#host.idle();
  }

  #succeed(handling: Handling, id: RequestId, result: unknown): void {
    this.#busy.delete(handling);
    if (!handling.isOpen) return;
    if (handling.standing) return this.#stand(handling, id);
    const concluding = concluded(result, handling);
    if (concluding) return this.#wait(handling, id, concluding);
    const { row, params } = handling;
    let sent: unknown;
    try {
      sent = this.#prepared(handling, result);
      if (!acceptsResult(row, params, sent)) {
        this.#host.report(invalidResult(row, params, sent));
        return this.#answer(handling, id, internalError());
      }
    } catch (error) {
      return this.#fail(handling, id, error);
    }
    this.#finish(handling, id, { jsonrpc: "2.0", id, result: sent });
  }

  /** Keeps a request that will be answered when one side ends it. It takes no part in any limit here. */
  #stand(handling: Handling, id: RequestId): void {
    this.#host.deadlines.delete(handling);
    (this.#running ??= new Map()).set(id, handling);
    (this.#standing ??= new Set()).add(handling);
  }

  #fail(handling: Handling, id: RequestId, thrown: unknown): void {
    this.#busy.delete(handling);
    if (!handling.isOpen) return;
    if (thrown instanceof RpcError) return this.#answer(handling, id, thrown);
    this.#reportFailure(handling, thrown);
    this.#answer(handling, id, internalError());
  }

  /** A handler's result in the words of the revision, with what every result of it has. */
  #prepared(handling: Handling, result: unknown): unknown {
    const { binding, row } = handling;
    const { projection } = binding.revision ?? {};
    const own = projection ? projection.down(row, "result", result, this.#host.onloss) : result;
    return binding.alone ? binding.alone.complete(own, handling) : own;
  }

  #answer(handling: Handling, id: RequestId, thrown: RpcError): void {
    const { binding } = handling;
    const { onloss } = this.#host;
    const error = binding.revision?.projectError?.(handling, thrown, onloss) ?? thrown;
    this.#finish(handling, id, { jsonrpc: "2.0", id, error: error.toJSON() });
  }

  #finish(handling: Handling, id: RequestId, answer: ResponseMessage): void {
    handling.finish();
    try {
      this.#host.respond(answer, handling.batch);
    } catch (error) {
      const problem = `gave an answer that cannot be sent: ${describeThrown(error)}`;
      this.#host.report(new HandlerError(handling.method, problem, error));
      this.#refuse(id, internalError(), handling.batch);
    }
    if (!this.#running?.delete(id)) return;
    this.#host.deadlines.delete(handling);
    if (this.isIdle) this.#host.idle();
  }

  #refuse(id: RequestId, error: RpcError, batch: Batch | undefined): void {
    try {
      this.#host.respond({ jsonrpc: "2.0", id, error: error.toJSON() }, batch);
    } catch (failure) {
      this.#host.report(failure as Error);
    }
  }

  /**
   * A handler that goes on after its request was cancelled no longer counts as in flight, or a few that never end
   * would stop all others; that there are not too many of those either, has a bound of its own. What the engine
   * answers itself, such as a ping, costs nothing that could run out.
   */
  #isBusy(handling: Handling): boolean {
    const { limit } = this.#options;
    const isFull = this.underWay >= limit || this.#busy.isFull(handling, limit);
    return isFull && !isForEngine(handling.row);
  }

  #reportFailure({ method }: Handling, thrown: unknown): void {
    this.#host.report(new HandlerError(method, `failed: ${describeThrown(thrown)}`, thrown));
  }

  #reportInvalid(method: string, issues: ReturnType<typeof paramsIssues>): void {
    this.#host.report(new InvalidMessageError(`${method}: ${summarize(issues)}`, issues));
  }
}

/** The connection ended before the handler had come to its first `await`. */
function abandon(handling: Handling, result: PromiseLike<unknown>, reason: Error): void {
  void quiet(Promise.resolve(result));
  handling.abort(reason);
}
