import { type Tally, TransientMap, quiet, tally } from "../../ground/index.js";
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
import { customRoute } from "../define/binding.js";
import { busy, inFlight, internalError, methodNotFound, tooMany } from "../define/errors.js";
import type { SideDefinition } from "../define/side-definition.js";
import { type Answer, concludeLater, concluded, dispatch, errorAnswer, react } from "./dispatch.js";
import type { OpenResponse, RequestContext, RequestOwner } from "./request-context.js";

/**
 * The messages that one side has received. Calls their handlers and tracks the asynchronous ones, up to the limit,
 * until they are answered or cancelled.
 */
export class ReceivedRequests implements RequestOwner {
  readonly #definition: SideDefinition;
  readonly #idle: () => void;
  readonly #handlerTimeout: number;
  /** Unanswered requests. Requests that are answered synchronously are never added. */
  #running: TransientMap<unknown, RequestContext> | undefined;
  /** Unanswered requests whose handlers have returned and whose responses stay open. */
  #open: Set<RequestContext> | undefined;
  /**
   * The messages whose handlers are running, including those whose results are no longer needed, with the senders that
   * they count for. Like the other collections, it is created on first use, because there can be many connections and
   * most never need it.
   */
  #busy: TransientMap<RequestContext, string | undefined> | undefined;
  /** The number of running handlers per sender, if requests from many senders share the limit. */
  #perSender: Tally<string> | undefined;
  #reactions = 0;
  /** Creates the error for messages that can no longer be answered. It is undefined while the connection is open. */
  #closing: (() => Error) | undefined;

  /** @param idle - called when the last request has been answered and the last notification has been handled */
  constructor(definition: SideDefinition, idle: () => void) {
    this.#definition = definition;
    this.#idle = idle;
    this.#handlerTimeout = definition.options.handlerTimeout ?? Infinity;
  }

  get size(): number {
    return (this.#running?.size ?? 0) - (this.#open?.size ?? 0);
  }

  get isIdle(): boolean {
    return !this.#running?.size && this.#reactions === 0;
  }

  handle(context: RequestContext): void {
    const { log, rates, limits } = this.#definition;
    const { binding, method } = context;
    const route = binding.requests.get(method) ?? customRoute(binding.requests, context);
    log?.arrived(context);
    const rate = rates?.get(method);
    if (rate && (rate.anonymous || context.origin?.auth) && !rate.admits(context))
      return this.#refuse(context, tooMany(rate.perSecond));
    if (this.#running?.size && this.#running.has(keyOf(context)))
      return this.#refuse(context, inFlight());
    // A request that the engine answers itself, such as a ping, is too cheap to be limited.
    if (this.#busy?.size && (route === undefined || route.handler) && this.#isFull(context))
      return this.#refuse(context, busy(limits.incoming));
    context.owner = this;
    const answer = route
      ? dispatch(context, route)
      : errorAnswer(methodNotFound(binding.revision, context.conversation.side, method), context);
    if (answer instanceof Promise) this.#wait(context, answer);
    else if (answer && context.isOpen) this.#finish(context, answer);
    else this.take(context, answer);
  }

  /** Handles a notification, or drops it if the limit has been reached. */
  react(context: RequestContext): void {
    const { binding, method } = context;
    const route = binding.notifications.get(method) ?? customRoute(binding.notifications, context);
    if (route === undefined) return this.#ignore(context);
    if (route.handler && this.#busy?.size && this.#isFull(context)) {
      const error = new OverloadError(`${method} was dropped: too many handlers are running`);
      return this.#definition.report(error);
    }
    context.owner = this;
    const reaction = react(context, route);
    if (reaction === undefined) return;
    if (this.#closing) return abandon(context, reaction, this.#closing());
    this.#begin(context);
    this.#reactions += 1;
    void reaction.then(() => {
      this.#end(context);
      this.#reactions -= 1;
      if (this.isIdle) this.#idle();
    });
  }

  /**
   * Ignores a notification without a route. If its `params` are not an object, it is reported, because no revision
   * could define such a notification.
   */
  #ignore({ method, params }: RequestContext): void {
    if (params === undefined || isObject(params)) return;
    const text = `Received an unknown notification ${quote(method)} whose params are not an object`;
    this.#definition.report(new InvalidMessageError(text));
  }

  take(context: RequestContext, answer: Answer): void {
    this.#end(context);
    if (!context.isOpen) return;
    if (answer) this.#finish(context, answer);
    else if (context.openResponse) this.#keepOpen(context);
  }

  expire(context: RequestContext): void {
    const timeout = this.#handlerTimeout;
    const { method } = context;
    context.abort(new RequestTimeoutError(method, timeout, "the handler did not finish"));
    this.#definition.report(new HandlerError(method, `did not finish within ${timeout} ms`));
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
    this.#end(context);
    if (answer && context.isOpen) this.#finish(context, answer, openResponse);
  }

  retireAll(): void {
    for (const context of this.#open ?? []) this.retire(context);
  }

  cancel(key: unknown, reason?: unknown): void {
    const context = this.#running?.get(key);
    if (context === undefined) return;
    this.#running!.delete(key);
    this.#open?.delete(context);
    this.#definition.deadlines.delete(context);
    const text = typeof reason === "string" ? reason : undefined;
    this.#definition.log?.over(context, { outcome: "cancelled", reason: text });
    context.abort(new RequestCancelledError(context.id!, text));
    context.reply.cancelled(context.id!);
    if (this.isIdle) this.#idle();
  }

  /**
   * Aborts and returns all messages, because no more responses can be sent. The reason is created only if a message is
   * in progress.
   */
  close(reason: () => Error): Iterable<RequestContext> {
    this.#closing = reason;
    const open = new Set([...(this.#busy?.keys() ?? []), ...(this.#running?.values() ?? [])]);
    if (open.size === 0) return open;
    this.#running = undefined;
    this.#open = undefined;
    this.#busy = undefined;
    this.#perSender = undefined;
    const error = reason();
    for (const context of open) {
      this.#definition.deadlines.delete(context);
      this.#definition.log?.over(context, { outcome: "cancelled", reason: error.message });
      context.abort(error);
    }
    return open;
  }

  #wait(context: RequestContext, answer: Promise<Answer>): void {
    if (this.#closing) return abandon(context, answer, this.#closing());
    (this.#running ??= new TransientMap()).set(keyOf(context), context);
    this.#begin(context);
    if (this.#handlerTimeout === Infinity) return;
    context.deadline = performance.now() + this.#handlerTimeout;
    this.#definition.deadlines.add(context);
  }

  /** Tracks a request whose response stays open; its handler no longer counts as running. */
  #keepOpen(context: RequestContext): void {
    this.#definition.deadlines.delete(context);
    (this.#running ??= new TransientMap()).set(keyOf(context), context);
    (this.#open ??= new Set()).add(context);
  }

  #finish(context: RequestContext, answer: NonNullable<Answer>, ended?: OpenResponse): void {
    context.finish();
    try {
      context.reply.respond(answer);
      ended?.ended();
      this.#definition.log?.over(context, endOf(answer));
    } catch (error) {
      const problem = `returned a result that cannot be sent: ${describeThrown(error)}`;
      this.#definition.report(new HandlerError(context.method, problem, error));
      this.#refuse(context, internalError());
    }
    if (!this.#running?.size || !this.#running.delete(keyOf(context))) return;
    this.#definition.deadlines.delete(context);
    if (this.isIdle) this.#idle();
  }

  #refuse(context: RequestContext, error: RpcError): void {
    const { id, reply } = context;
    this.#definition.log?.over(context, { outcome: "error", code: error.code });
    try {
      reply.respond({ jsonrpc: "2.0", id: id!, error: error.toJSON() });
    } catch (failure) {
      this.#definition.report(failure as Error);
    }
  }

  /**
   * Returns true if too many handlers are running. The handlers of cancelled requests count only towards twice the
   * limit, because otherwise a few handlers that never end would block all others. If there are many senders, each may
   * use half of that.
   */
  #isFull(context: RequestContext): boolean {
    const limit = this.#definition.limits.incoming;
    if (this.size >= limit || this.#busy!.size >= 2 * limit) return true;
    const sender = senderOf(context);
    return sender !== undefined && (this.#perSender?.of(sender) ?? 0) >= limit;
  }

  #begin(context: RequestContext): void {
    this.#busy ??= new TransientMap();
    if (this.#busy.has(context)) return;
    const sender = senderOf(context);
    this.#busy.set(context, sender);
    if (sender !== undefined) (this.#perSender ??= tally()).add(sender, 1);
  }

  #end(context: RequestContext): void {
    const sender = this.#busy?.get(context);
    if (!this.#busy?.delete(context)) return;
    if (sender !== undefined) this.#perSender?.add(sender, -1);
  }
}

function endOf(answer: NonNullable<Answer>): { outcome: "result" | "error"; code?: number } {
  return "error" in answer ? { outcome: "error", code: answer.error.code } : { outcome: "result" };
}

/**
 * Returns the key of a request: its id, or its reply if it has its own stream. Requests with their own streams come
 * from many senders, whose ids may collide.
 */
function keyOf({ reply, id }: RequestContext): unknown {
  return reply.hasOwnStream ? reply : id;
}

/** Aborts a message whose connection ended before its handler reached the first `await`. */
function abandon(context: RequestContext, result: Promise<unknown>, reason: Error): void {
  void quiet(result);
  context.abort(reason);
}

/**
 * Returns the principal that sent a request. It is also undefined if the request has no stream of its own, because the
 * limits are then not shared with other senders.
 */
function senderOf({ reply, auth }: RequestContext): string | undefined {
  return reply.hasOwnStream ? auth?.principal : undefined;
}
