import type { Batch } from "./batch.js";
import { type Binding, isForEngine } from "./binding.js";
import { declaredBy, dropUndeclared, otherSide } from "./capabilities.js";
import { acceptsParams, acceptsResult, paramsIssues, summarize } from "./conformity.js";
import type { Deadlines } from "./deadlines.js";
import {
  describeThrown,
  HandlerError,
  InvalidMessageError,
  OverloadError,
  RequestCancelledError,
  RequestTimeoutError,
  RpcError,
} from "./errors.js";
import { type Conversation, Handling } from "./handling.js";
import { invalidResult } from "./invalid-result.js";
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  isRequestId,
  type RequestId,
  type ResponseMessage,
} from "./jsonrpc.js";
import type { Origin } from "./origin.js";
import { quiet } from "./quiet.js";
import { internalError, methodNotFound, refusal } from "./refusal.js";
import type { Method, Side } from "./revision.js";
import { isThenable } from "./thenable.js";

/** What the handling of received messages needs of its connection. */
export interface IncomingHost extends Conversation {
  readonly side: Side;
  readonly deadlines: Deadlines;
  /**
   * Sends an answer, alone or as part of a batch.
   * @throws when it cannot be written as JSON; nothing is sent then
   */
  respond(message: ResponseMessage, batch: Batch | undefined): void;
  /** A request was cancelled: no answer will follow. */
  unanswered(id: RequestId): void;
  /** Called when the last request under way has been answered, and the last notification handled. */
  idle(): void;
  report(error: Error): void;
}

/** A request as it was received. */
export interface Asked {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

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
  readonly #running = new Map<RequestId, Handling>();
  /** Whose handlers have not come back, those of notifications and of cancelled requests included. */
  readonly #busy = new Set<Handling>();
  /** Notifications whose handlers have not come back. */
  #reactions = 0;
  /** Why the connection is over. */
  #end: (() => Error) | undefined;

  constructor(host: IncomingHost, options: IncomingOptions) {
    this.#host = host;
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#running.size === 0 && this.#reactions === 0;
  }

  request(
    binding: Binding,
    { id, method, params }: Asked,
    origin: Origin | undefined,
    batch: Batch | undefined,
  ): void {
    if (this.#running.has(id)) {
      const text = "Invalid request: a request with this id is in flight";
      return this.#refuse(id, new RpcError(INVALID_REQUEST, text), batch);
    }
    const { side } = this.#host;
    const inbound = binding.requests.get(method);
    if (inbound === undefined) {
      return this.#refuse(id, methodNotFound(binding, side, method), batch);
    }
    const refused = refusal(binding, side, inbound, params) ?? this.#refuseBusy(inbound.row);
    if (refused) return this.#refuse(id, refused, batch);

    const { row, handler } = inbound;
    const taken = row.conditions ? this.#dropUndeclared(binding, row, params) : params;
    const handling = new Handling(this.#host, binding, row, id, taken, origin, batch);
    try {
      const result = handler(taken, handling);
      if (isThenable(result)) this.#wait(handling, id, result);
      else this.#succeed(handling, id, result);
    } catch (error) {
      this.#fail(handling, id, error);
    }
  }

  notification(
    binding: Binding,
    method: string,
    params: unknown,
    origin: Origin | undefined,
  ): void {
    const inbound = binding.notifications.get(method);
    if (inbound === undefined) return;
    const { row, handler } = inbound;
    if (!acceptsParams(inbound, params)) {
      if (row.role !== "cancelled") this.#reportInvalid(method, paramsIssues(inbound, params));
      return;
    }
    if (this.#isBusy(row)) {
      this.#host.report(new OverloadError(`${method} was dropped: too many handlers are running`));
      return;
    }
    const handling = new Handling(this.#host, binding, row, undefined, params, origin);
    try {
      const result = handler(params, handling);
      if (isThenable(result)) this.#waitForReaction(handling, result);
    } catch (error) {
      this.#reportFailure(handling, error);
    }
  }

  /** Stops a request because the peer asks for it; what is unknown or cannot be stopped goes on. */
  cancel(id: unknown, reason: unknown): void {
    const handling = isRequestId(id) ? this.#running.get(id) : undefined;
    if (handling === undefined) return;
    this.#running.delete(handling.id!);
    this.#host.deadlines.delete(handling);
    const text = typeof reason === "string" ? reason : undefined;
    handling.abort(new RequestCancelledError(handling.id!, text));
    handling.batch?.settle();
    this.#host.unanswered(handling.id!);
    if (this.isIdle) this.#host.idle();
  }

  /** A handler's time is over: its signal aborts, and the peer hears why there is no result. */
  expire(handling: Handling): void {
    const { handlerTimeout } = this.#options;
    const what = "the handler did not finish";
    handling.abort(new RequestTimeoutError(handling.method, handlerTimeout, what));
    this.#host.report(new HandlerError(handling.method, `did not finish in ${handlerTimeout} ms`));
    this.#answer(handling, handling.id!, new RpcError(INTERNAL_ERROR, "Internal error: timed out"));
  }

  /** Nobody waits for answers any more; the reason is made when something is under way. */
  close(reason: () => Error): void {
    this.#end = reason;
    if (this.#busy.size === 0) return;
    const open = [...this.#busy];
    this.#running.clear();
    this.#busy.clear();
    const error = reason();
    for (const handling of open) {
      this.#host.deadlines.delete(handling);
      handling.abort(error);
    }
  }

  #wait(handling: Handling, id: RequestId, result: PromiseLike<unknown>): void {
    if (this.#end) return abandon(handling, result, this.#end());
    this.#running.set(id, handling);
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
    const { row, params } = handling;
    try {
      if (!acceptsResult(row, params, result)) {
        this.#host.report(invalidResult(row, params, result));
        return this.#answer(handling, id, internalError());
      }
    } catch (error) {
      return this.#fail(handling, id, error);
    }
    this.#finish(handling, id, { jsonrpc: "2.0", id, result });
  }

  #fail(handling: Handling, id: RequestId, thrown: unknown): void {
    this.#busy.delete(handling);
    if (!handling.isOpen) return;
    if (thrown instanceof RpcError) return this.#answer(handling, id, thrown);
    this.#reportFailure(handling, thrown);
    this.#answer(handling, id, internalError());
  }

  #answer(handling: Handling, id: RequestId, error: RpcError): void {
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
    if (!this.#running.delete(id)) return;
    this.#host.deadlines.delete(handling);
    if (this.isIdle) this.#host.idle();
  }

  #dropUndeclared({ capabilities }: Binding, row: Method, params: unknown): unknown {
    const { side } = this.#host;
    return dropUndeclared(row, params, otherSide(side), declaredBy(side, capabilities));
  }

  #refuse(id: RequestId, error: RpcError, batch: Batch | undefined): void {
    try {
      this.#host.respond({ jsonrpc: "2.0", id, error: error.toJSON() }, batch);
    } catch (failure) {
      this.#host.report(failure as Error);
    }
  }

  #refuseBusy(row: Method): RpcError | undefined {
    if (!this.#isBusy(row)) return undefined;
    const { limit } = this.#options;
    return new RpcError(INTERNAL_ERROR, `Busy: ${limit} requests are in flight, try again later`);
  }

  /**
   * A handler that goes on after its request was cancelled no longer counts as in flight, or a few that never end
   * would stop all others; that there are not too many of those either, has a bound of its own. What the engine
   * answers itself, such as a ping, costs nothing that could run out.
   */
  #isBusy(row: Method): boolean {
    const { limit } = this.#options;
    const isFull = this.#running.size >= limit || this.#busy.size >= 2 * limit;
    return isFull && !isForEngine(row);
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
