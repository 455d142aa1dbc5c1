import { type Deadlines, Tally, quiet } from "../../ground/index.js";
import {
  HandlerError,
  INTERNAL_ERROR,
  InvalidMessageError,
  OverloadError,
  RequestCancelledError,
  RequestTimeoutError,
  RpcError,
  describeThrown,
  isObject,
  quote,
} from "../../wire/index.js";
import { busy, inFlight, internalError, methodNotFound, tooMany } from "../define/errors.js";
import type { RequestRates } from "../define/limits.js";
import type { RequestLog } from "../define/logs.js";
import { type Answer, concludeLater, concluded, dispatch, errorAnswer, react } from "./dispatch.js";
import type { OpenResponse, RequestContext, RequestOwner } from "./request-context.js";

export interface ReceivedRequestsOptions {
  /** Maximum number of messages that are handled at once. */
  readonly limit: number;
  /** Time limit for a handler, in milliseconds. */
  readonly handlerTimeout: number;
  readonly deadlines: Deadlines;
  readonly rates: RequestRates | undefined;
  readonly log: RequestLog | undefined;
  readonly report: (error: Error) => void;
  /** Called when the last request has been answered, and the last notification handled. */
  readonly idle: () => void;
}

/**
 * Handles received messages, and tracks asynchronous ones, up to the limit, until they are answered
 * or cancelled.
 */
export class ReceivedRequests implements RequestOwner {
  readonly #options: ReceivedRequestsOptions;
  /** Unanswered requests; those that are answered synchronously are never added. */
  #running: Map<unknown, RequestContext> | undefined;
  /** Requests among them whose responses stay open; their handlers have returned. */
  #open: Set<RequestContext> | undefined;
  readonly #busy = new BusyHandlers();
  /** Number of notifications whose handlers are running. */
  #reactions = 0;
  #end: (() => Error) | undefined;

  constructor(options: ReceivedRequestsOptions) {
    this.#options = options;
  }

  /** Number of requests whose handlers are running. */
  get size(): number {
    return (this.#running?.size ?? 0) - (this.#open?.size ?? 0);
  }

  get isIdle(): boolean {
    return !this.#running?.size && this.#reactions === 0;
  }

  /** Handles a request and answers it: at once, or when its handler has finished. */
  handle(context: RequestContext): void {
    const { log, rates } = this.#options;
    const { binding, method } = context;
    const route = binding.requests.get(method);
    log?.arrived(context);
    const rate = rates?.exceededBy(context);
    if (rate !== undefined) return this.#refuse(context, tooMany(rate));
    if (this.#running?.has(keyOf(context))) return this.#refuse(context, inFlight());
    // A request that the engine answers itself, such as a ping, costs too little to be limited.
    if (this.#busy.count > 0 && (route === undefined || route.handler) && this.#isFull(context))
      return this.#refuse(context, busy(this.#options.limit));
    context.owner = this;
    const answer = route
      ? dispatch(context, route)
      : errorAnswer(methodNotFound(binding.revision, context.conversation.side, method), context);
    if (answer instanceof Promise) this.#wait(context, answer);
    else if (answer && context.isOpen) this.#finish(context, answer);
    else this.take(context, answer);
  }

  /** Handles a notification; it is dropped if the limit is reached. */
  react(context: RequestContext): void {
    const { method } = context;
    const route = context.binding.notifications.get(method);
    if (route === undefined) return this.#ignore(context);
    if (route.handler && this.#busy.count > 0 && this.#isFull(context)) {
      const error = new OverloadError(`${method} was dropped: too many handlers are running`);
      return this.#options.report(error);
    }
    context.owner = this;
    const reaction = react(context, route);
    if (reaction === undefined) return;
    if (this.#end) return abandon(context, reaction, this.#end());
    this.#busy.add(context);
    this.#reactions += 1;
    void reaction.then(() => {
      this.#busy.delete(context);
      this.#reactions -= 1;
      if (this.isIdle) this.#options.idle();
    });
  }

  /** Ignores a notification without a route; one that no revision could define is reported. */
  #ignore({ method, params }: RequestContext): void {
    if (params === undefined || isObject(params)) return;
    const text = `Received an unknown notification ${quote(method)} whose params are not an object`;
    this.#options.report(new InvalidMessageError(text));
  }

  /** Sends a response, unless the request has been answered or cancelled meanwhile. */
  take(context: RequestContext, answer: Answer): void {
    this.#busy.delete(context);
    if (!context.isOpen) return;
    if (answer) this.#finish(context, answer);
    else if (context.openResponse) this.#keepOpen(context);
  }

  expire(context: RequestContext): void {
    const { handlerTimeout, report } = this.#options;
    const { method } = context;
    context.abort(new RequestTimeoutError(method, handlerTimeout, "the handler did not finish"));
    report(new HandlerError(method, `did not finish in ${handlerTimeout} ms`));
    const error = new RpcError(INTERNAL_ERROR, "Internal error: timed out");
    this.#finish(context, errorAnswer(error, context));
  }

  answer(context: RequestContext, outcome: Promise<unknown>, reason: Error): void {
    void concludeLater(outcome, context).then(() => context.abort(reason));
  }

  retire(context: RequestContext): void {
    const { openResponse } = context;
    if (!this.#open?.delete(context)) return;
    context.openResponse = undefined;
    const answer = concluded(openResponse!.end(), context) as Answer;
    this.#busy.delete(context);
    if (answer && context.isOpen) this.#finish(context, answer, openResponse);
  }

  /** Ends all open responses, with their results. */
  retireAll(): void {
    for (const context of this.#open ?? []) this.retire(context);
  }

  cancel(key: unknown, reason?: unknown): void {
    const context = this.#running?.get(key);
    if (context === undefined) return;
    this.#running!.delete(key);
    this.#open?.delete(context);
    this.#options.deadlines.delete(context);
    const text = typeof reason === "string" ? reason : undefined;
    this.#options.log?.over(context, { outcome: "cancelled", reason: text });
    context.abort(new RequestCancelledError(context.id!, text));
    context.reply.cancelled(context.id!);
    if (this.isIdle) this.#options.idle();
  }

  /**
   * Aborts all messages, because no responses can be sent.
   * @param reason - creates the error if a message is in progress
   * @returns the aborted messages
   */
  close(reason: () => Error): Iterable<RequestContext> {
    this.#end = reason;
    const open = new Set([...this.#busy.all, ...(this.#running?.values() ?? [])]);
    if (open.size === 0) return open;
    this.#running = undefined;
    this.#open = undefined;
    this.#busy.clear();
    const error = reason();
    for (const context of open) {
      this.#options.deadlines.delete(context);
      this.#options.log?.over(context, { outcome: "cancelled", reason: error.message });
      context.abort(error);
    }
    return open;
  }

  #wait(context: RequestContext, answer: Promise<Answer>): void {
    if (this.#end) return abandon(context, answer, this.#end());
    (this.#running ??= new Map()).set(keyOf(context), context);
    this.#busy.add(context);
    const { handlerTimeout, deadlines } = this.#options;
    if (handlerTimeout !== Infinity) {
      context.deadline = performance.now() + handlerTimeout;
      deadlines.add(context);
    }
  }

  /**
   * Tracks a request whose response stays open. Such requests do not count towards the limits here.
   */
  #keepOpen(context: RequestContext): void {
    this.#options.deadlines.delete(context);
    (this.#running ??= new Map()).set(keyOf(context), context);
    (this.#open ??= new Set()).add(context);
  }

  #finish(context: RequestContext, answer: NonNullable<Answer>, ended?: OpenResponse): void {
    context.finish();
    try {
      context.reply.respond(answer);
      ended?.ended();
      this.#options.log?.over(context, endOf(answer));
    } catch (error) {
      const problem = `gave an answer that cannot be sent: ${describeThrown(error)}`;
      this.#options.report(new HandlerError(context.method, problem, error));
      this.#refuse(context, internalError());
    }
    if (!this.#running?.delete(keyOf(context))) return;
    this.#options.deadlines.delete(context);
    if (this.isIdle) this.#options.idle();
  }

  #refuse(context: RequestContext, error: RpcError): void {
    const { id, reply } = context;
    this.#options.log?.over(context, { outcome: "error", code: error.code });
    try {
      reply.respond({ jsonrpc: "2.0", id: id!, error: error.toJSON() });
    } catch (failure) {
      this.#options.report(failure as Error);
    }
  }

  /**
   * A handler that continues after its request was cancelled no longer counts as in flight;
   * otherwise a few handlers that never end would block all others. Such handlers have their own
   * limit.
   */
  #isFull(context: RequestContext): boolean {
    const { limit } = this.#options;
    return this.size >= limit || this.#busy.isFull(context, limit);
  }
}

function endOf(answer: NonNullable<Answer>): { outcome: "result" | "error"; code?: number } {
  return "error" in answer ? { outcome: "error", code: answer.error.code } : { outcome: "result" };
}

/** Requests with their own streams come from many senders, whose ids may be equal. */
function keyOf({ reply, id }: RequestContext): unknown {
  return reply.hasOwnStream ? reply : id;
}

/** Handles a connection that ended before the handler reached its first `await`. */
function abandon(context: RequestContext, result: Promise<unknown>, reason: Error): void {
  void quiet(result);
  context.abort(reason);
}

/** Messages whose handlers are running, including those whose results are no longer needed. */
export class BusyHandlers {
  /** Number of running handlers. */
  count = 0;
  /**
   * Created on first use, because most connections never need it and there can be many connections.
   */
  #all: Set<RequestContext> | undefined;
  /** Number of running handlers per sender, if requests of many senders share this limit. */
  #perSender: Tally<string> | undefined;

  get all(): Iterable<RequestContext> {
    return this.#all ?? [];
  }

  /** True if the limit is reached. With many senders, each may use half of it. */
  isFull(context: RequestContext, limit: number): boolean {
    if (this.#all === undefined || this.#all.size === 0) return false;
    if (this.#all.size >= 2 * limit) return true;
    const sender = senderOf(context);
    return sender !== undefined && (this.#perSender?.of(sender) ?? 0) >= limit;
  }

  add(context: RequestContext): void {
    this.#all ??= new Set();
    if (this.#all.has(context)) return;
    this.#all.add(context);
    this.#count(context, 1);
  }

  delete(context: RequestContext): void {
    if (this.#all?.delete(context)) this.#count(context, -1);
  }

  clear(): void {
    this.count = 0;
    this.#all = undefined;
    this.#perSender = undefined;
  }

  #count(context: RequestContext, change: 1 | -1): void {
    this.count += change;
    const sender = senderOf(context);
    if (sender !== undefined) (this.#perSender ??= new Tally()).add(sender, change);
  }
}

function senderOf({ reply, auth }: RequestContext): string | undefined {
  return reply.hasOwnStream ? auth?.principal : undefined;
}
