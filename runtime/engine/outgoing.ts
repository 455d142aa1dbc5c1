import type { AbortWatch, Deadlines } from "../ground/index.js";
import type { Binding } from "./binding.js";
import { acceptsResult, asksForTask, invalidAnswer } from "./conformity.js";
import {
  InvalidMessageError,
  type Method,
  OverloadError,
  RequestCancelledError,
  type RequestId,
  type RequestMessage,
  RequestTimeoutError,
  type Side,
  isObject,
  quote,
  receivedError,
} from "../wire/index.js";
import type { Handling } from "./handling.js";
import type { Incoming } from "./incoming.js";
import type { Admitted } from "./lifecycle.js";
import type { Progress, RequestOptions, Timeouts } from "../api/index.js";
import { Pending, type PendingOwner } from "./pending.js";
import type { ProgressReceiver } from "./progress-receiver.js";
import { DEFAULT_TIMES, type RequestTimes, timesOf } from "./request-times.js";

/** What the own requests need of their connection. */
export interface OutgoingHost {
  readonly side: Side;
  readonly deadlines: Deadlines;
  readonly aborts: AbortWatch;
  readonly binding: Binding;
  /**
   * A result with what its revision lets be absent.
   * @throws InvalidMessageError when it is no result of this row whatever else it has
   */
  arrived(row: Method, result: unknown): unknown;
  send(message: RequestMessage, during: Handling | undefined): void;
  notify(method: string, params: unknown, during: Handling | undefined): Promise<void>;
  /** @returns whether that tells the peer to stop */
  giveUp(id: RequestId): boolean;
  report(error: Error): void;
}

/** Sends requests and brings each together with its answer, or with the end of waiting for one. */
export class Outgoing implements PendingOwner {
  readonly #host: OutgoingHost;
  readonly #incoming: Pick<Incoming, "underWay">;
  readonly #limit: number;
  readonly #times: RequestTimes;
  #pending: Map<RequestId, Pending> | undefined;
  /** Answered with a task, of which there may still be news; the oldest first (MCP: tasks, progress). */
  #tasks: Map<RequestId, ProgressReceiver> | undefined;
  #lastId = 0;
  /** Why nothing can be answered any more. */
  #end: (() => Error) | undefined;

  constructor(
    host: OutgoingHost,
    incoming: Pick<Incoming, "underWay">,
    limit: number,
    times: Timeouts,
  ) {
    this.#host = host;
    this.#incoming = incoming;
    this.#limit = limit;
    this.#times = timesOf(times, DEFAULT_TIMES);
  }

  /** A client's answers are what servers wait for; a server answers whatever it waits for itself. */
  get isAsked(): boolean {
    return this.#host.side === "client" && this.#incoming.underWay > 0;
  }

  /**
   * @param sent - hears the id
   * @throws what hinders it from being sent
   */
  request(
    { row, params }: Admitted,
    options: RequestOptions,
    during?: Handling,
    sent?: (id: RequestId) => void,
  ): Pending {
    options.signal?.throwIfAborted();
    if (this.#end) throw this.#end();
    if (this.#pending && this.#pending.size >= this.#limit) {
      throw new OverloadError(`${row.method} was not sent: ${this.#limit} requests are waiting`);
    }
    const id = ++this.#lastId;
    const times = timesOf(options, this.#times);
    const pending = new Pending(this, { id, row, params, options, times, during });
    (this.#pending ??= new Map()).set(id, pending);
    this.#host.deadlines.add(pending);
    if (options.signal) this.#host.aborts.add(options.signal, pending);
    try {
      sent?.(id);
      this.#host.send(requestMessage(pending), during);
    } catch (error) {
      this.#settle(pending);
      throw error;
    }
    return pending;
  }

  /** Takes a received message that is an answer, or would be one. */
  response(message: Record<string, unknown>, problem?: string): void {
    const { id, error } = message;
    const pending = this.#pending?.get(id as RequestId);
    if (pending === undefined) return this.#reportStray(id, error);
    this.#settle(pending);
    if (problem !== undefined) {
      pending.reject(new InvalidMessageError(`The answer to ${pending.row.method} ${problem}`));
    } else if (error !== undefined) {
      pending.reject(rpcError(error, pending.row));
    } else {
      this.#succeed(pending, message["result"]);
    }
  }

  /** A request that was sent cannot be answered any more. */
  fail(id: RequestId, error: Error): void {
    const pending = this.#pending?.get(id);
    if (pending === undefined) return;
    this.#settle(pending);
    pending.reject(error);
  }

  isPending(id: unknown): boolean {
    return this.#pending?.has(id as RequestId) ?? false;
  }

  /** Takes news of a request; its id is its token. */
  progress(params: Progress & { readonly progressToken: RequestId }): void {
    const { progressToken, progress, total, message } = params;
    const pending = this.#pending?.get(progressToken);
    const task = this.#tasks?.get(progressToken);
    if (pending || task) {
      const news = {
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      };
      pending?.progress(news);
      task?.receive(news);
    } else if (!this.#wasIssued(progressToken)) {
      const text = `Progress for ${quote(String(progressToken))}, which is no token of ours`;
      this.#host.report(new InvalidMessageError(text));
    }
  }

  /** Stops waiting and asks the peer to stop working (MCP: cancellation). */
  cancel(pending: Pending, reason: unknown): void {
    if (!this.#settle(pending)) return;
    const { row, params, id, during } = pending;
    pending.reject(reason);
    if (this.#host.giveUp(id)) return;
    const notification = this.#host.binding.roles.get("cancelled");
    if (asksForTask(row, params) || !notification) return;
    const text = reasonForPeer(reason);
    const cancelled = { requestId: id, ...(text === undefined ? {} : { reason: text }) };
    void this.#host.notify(notification.method, cancelled, during);
  }

  /** Cancels what was sent while a received message was handled. */
  cancelDuring(during: Handling, reason: unknown): void {
    for (const pending of this.#pending?.values() ?? []) {
      if (pending.during === during) this.cancel(pending, reason);
    }
  }

  /** @param reason - made when somebody waits: most connections end in peace */
  close(reason: () => Error): void {
    this.#end ??= reason;
    for (const task of this.#tasks?.values() ?? []) task.stop();
    this.#tasks = undefined;
    const pending = [...(this.#pending?.values() ?? [])];
    this.#pending = undefined;
    if (pending.length === 0) return;
    const error = reason();
    for (const one of pending) {
      this.#release(one);
      one.reject(error);
    }
  }

  wait(pending: Pending): void {
    this.#host.deadlines.add(pending);
  }

  report(error: Error): void {
    this.#host.report(error);
  }

  #succeed(pending: Pending, received: unknown): void {
    const { row, params } = pending;
    try {
      const result = this.#host.arrived(row, received);
      if (!acceptsResult(row, params, result))
        return pending.reject(invalidAnswer(row, params, result));
      const { projection } = this.#host.binding.revision ?? {};
      pending.resolve(projection ? projection.up(row, "result", result) : result);
      if (asksForTask(row, params) && row.taskResult!(result)) this.#follow(pending);
    } catch (error) {
      pending.reject(error);
    }
  }

  #follow({ id, news }: Pending): void {
    if (news === undefined) return;
    const tasks = (this.#tasks ??= new Map());
    const [oldest] = tasks.keys();
    if (oldest !== undefined && tasks.size >= this.#limit) tasks.delete(oldest);
    tasks.set(id, news);
  }

  #settle(pending: Pending): boolean {
    this.#release(pending);
    return this.#pending?.delete(pending.id) ?? false;
  }

  #release(pending: Pending): void {
    this.#host.deadlines.delete(pending);
    if (pending.signal) this.#host.aborts.delete(pending.signal, pending);
  }

  /** Ours are the integers up to the last: an answer may be late, or come twice. */
  #wasIssued(id: unknown): boolean {
    return typeof id === "number" && Number.isInteger(id) && id >= 1 && id <= this.#lastId;
  }

  #reportStray(id: unknown, error: unknown): void {
    if (this.#wasIssued(id)) return;
    const { code, message } = isObject(error) ? error : {};
    const text =
      id === undefined || id === null
        ? `The peer could not read a message: ${quote(String(message))} (${String(code)})`
        : `An answer has the id ${quote(String(id))}, which no request has`;
    this.#host.report(new InvalidMessageError(text));
  }
}

/** Our own words, or a text that the caller gave; what any other error says is not for the peer. */
function reasonForPeer(reason: unknown): string | undefined {
  const isOwn = reason instanceof RequestTimeoutError || reason instanceof RequestCancelledError;
  if (isOwn) return reason.message;
  return typeof reason === "string" ? reason : undefined;
}

function requestMessage({ id, row, params, wantsProgress }: Pending): RequestMessage {
  const { method } = row;
  const sent = wantsProgress ? withProgressToken(params, id) : params;
  return sent === undefined
    ? { jsonrpc: "2.0", id, method }
    : { jsonrpc: "2.0", id, method, params: sent };
}

function withProgressToken(params: unknown, token: RequestId): unknown {
  const { _meta, ...rest } = (params ?? {}) as { _meta?: object };
  return { ...rest, _meta: { ..._meta, progressToken: token } };
}

function rpcError(error: unknown, { method }: Method): Error {
  const { code, message, data } = isObject(error) ? error : {};
  if (!Number.isSafeInteger(code) || typeof message !== "string") {
    return new InvalidMessageError(`The answer to ${method} has an error without code or message`);
  }
  return receivedError(code as number, message, data);
}
