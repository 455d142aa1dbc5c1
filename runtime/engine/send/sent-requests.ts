import type { Progress, RelatedCall, RequestOptions } from "../../api/index.js";
import { aborts } from "../../ground/aborts/index.js";
import { TransientMap } from "../../ground/index.js";
import {
  InvalidMessageError,
  LifecycleError,
  META,
  type Method,
  type Origin,
  OverloadError,
  RequestCancelledError,
  type RequestId,
  type RequestMessage,
  RequestTimeoutError,
  isObject,
  quote,
  receivedError,
} from "../../wire/index.js";
import { timesOf } from "../define/limits.js";
import { requestsTask } from "../define/validity.js";
import { strayProgress, strayResponse } from "../define/errors.js";
import type { RequestContext } from "../receive/request-context.js";
import type { OwnRequests, SendingHost } from "./own-requests.js";
import {
  PendingRequest,
  type PendingRequests,
  type ProgressReceiver,
  type OutgoingRequest,
} from "./pending-request.js";

export { pages } from "../../api/paging/index.js";

/** The pending requests from this side. Matches each request with its response, or stops waiting for it. */
export class SentRequests implements OwnRequests, PendingRequests {
  readonly #connection: SendingHost;
  readonly report: (error: Error) => void;
  #pending: TransientMap<RequestId, PendingRequest> | undefined;
  hasTasks = false;
  #tasks: RequestsAsTasks | undefined;
  #nextId: number;
  #probes = 0;
  /** The ids of abandoned requests, whose responses may still arrive. */
  #abandoned: Set<RequestId> | undefined;
  /** Creates the error for requests that can no longer be answered. It is undefined while the connection is open. */
  #end: (() => Error) | undefined;

  constructor(connection: SendingHost) {
    this.#connection = connection;
    this.report = connection.report;
    // A client's first request is often `initialize`, and some servers answer it with the id 0, whatever its id was.
    this.#nextId = connection.side === "client" ? 0 : 1;
  }

  /**
   * True if the peer has itself sent a request and may need the response before it continues. Always false on a server,
   * because a client answers the server's requests even while it is waiting for a response.
   */
  get isServing(): boolean {
    return this.#connection.side === "client" && this.#connection.received.size > 0;
  }

  load(): undefined {
    return undefined;
  }

  get pending(): this {
    return this;
  }

  request(
    { route, params, stateless }: OutgoingRequest,
    options: RequestOptions,
    during?: RequestContext,
    sent?: (id: RequestId) => void,
  ): PendingRequest {
    const { definition } = this.#connection;
    const { outgoing: most } = definition.limits;
    const { row } = route;
    options.signal?.throwIfAborted();
    if (this.#end) throw this.#end();
    if (this.#pending && this.#pending.size >= most) {
      throw new OverloadError(`${row.method} was not sent: ${most} requests are waiting`);
    }
    const id = this.#newId(row);
    const times = timesOf(options, definition.times);
    const pending = new PendingRequest(this, {
      id,
      route,
      params,
      options,
      times,
      during,
      stateless,
    });
    (this.#pending ??= new TransientMap()).set(id, pending);
    definition.deadlines.add(pending);
    if (options.signal) aborts.add(options.signal, pending);
    try {
      sent?.(id);
      const { hooks } = this.#connection;
      if (hooks?.sending || options.resumption) this.#route(id, options);
      void this.#connection.transmit(requestMessage(pending), during, stateless);
    } catch (error) {
      this.#settle(pending);
      throw error;
    }
    return pending;
  }

  response(message: Record<string, unknown>, problem?: string): void {
    const { id, error } = message;
    const pending = this.#pending?.get(id as RequestId);
    if (pending === undefined) return this.#reportStray(id, error);
    this.#settle(pending);
    if (problem !== undefined) {
      pending.reject(new InvalidMessageError(`The answer to ${pending.row.method} ${problem}`));
    } else if (error !== undefined) {
      pending.reject(this.#refusal(error, pending.row));
    } else {
      this.#succeed(pending, message["result"]);
    }
  }

  fail(id: RequestId, error: Error): void {
    const pending = this.#pending?.get(id);
    if (pending === undefined) return;
    this.#abandon(pending);
    pending.reject(error);
  }

  lost(problem: string): void {
    const whose = this.#pending?.size === 1 ? "The" : "A possible";
    for (const pending of this.#pending?.values() ?? []) {
      const text = `${whose} response to ${pending.row.method} cannot be read: ${problem}`;
      this.fail(pending.id, new InvalidMessageError(text));
    }
  }

  has(id: unknown): boolean {
    return this.#pending?.has(id as RequestId) ?? false;
  }

  relatedCall(params: unknown, origin: Origin | undefined): RelatedCall | undefined {
    const id = origin?.ownRequest;
    const call = this.#tasks?.callOf(params);
    return call ?? (id === undefined ? undefined : this.#pending?.get(id)?.call);
  }

  progress(params: Progress & { readonly progressToken: RequestId }): void {
    const { progressToken, progress, total, message } = params;
    const pending = this.#pending?.get(progressToken);
    const task = this.#tasks?.receiverOf(progressToken);
    if (pending || task) {
      const current = {
        progress,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      };
      pending?.progress(current);
      task?.receive(current);
    } else if (!this.#wasIssued(progressToken)) {
      this.report(strayProgress(progressToken));
    }
  }

  cancel(pending: PendingRequest, reason: unknown): void {
    if (!this.#abandon(pending)) return;
    const { row, params, id, during, stateless } = pending;
    const { hooks, binding } = this.#connection;
    pending.reject(reason);
    if (stateless && hooks?.stateless?.cancel(id)) return;
    const notification = binding.roles.get("cancelled");
    if (requestsTask(row, params) || !notification) return;
    const text = reasonForPeer(reason);
    const cancelled = { requestId: id, ...(text === undefined ? {} : { reason: text }) };
    void this.#connection.notify(notification.method, cancelled, during);
  }

  cancelDuring(during: RequestContext, reason: unknown): void {
    for (const pending of this.#pending?.values() ?? []) {
      if (pending.during === during) this.cancel(pending, reason);
    }
  }

  close(reason: () => Error): void {
    this.#end ??= reason;
    this.#tasks?.stop();
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

  wait(pending: PendingRequest): void {
    this.#connection.definition.deadlines.add(pending);
  }

  #route(id: RequestId, options: RequestOptions): void {
    const { hooks } = this.#connection;
    if (hooks?.sending) hooks.sending(id, options);
    else if (options.resumption?.token) {
      throw new LifecycleError("resumption needs a session over HTTP");
    }
  }

  #succeed(pending: PendingRequest, received: unknown): void {
    const { route, row, params } = pending;
    try {
      const { definition } = this.#connection;
      pending.resolve(route.readResult(received, params));
      const { task } = (params ?? {}) as { readonly task?: unknown };
      if (task === undefined || !row.taskResult?.(received)) return;
      this.#tasks ??= new RequestsAsTasks(definition.limits.outgoing);
      this.hasTasks = true;
      this.#tasks.add(pending, received as { readonly task: object });
    } catch (error) {
      pending.reject(error);
    }
  }

  #refusal(error: unknown, { method }: Method): Error {
    const { code, message, data } = isObject(error) ? error : {};
    if (!Number.isSafeInteger(code) || typeof message !== "string") {
      return new InvalidMessageError(
        `The answer to ${method} has an error without code or message`,
      );
    }
    const received = receivedError(code as number, message, data);
    return this.#connection.refused(received);
  }

  #settle(pending: PendingRequest): boolean {
    this.#release(pending);
    return this.#pending?.delete(pending.id) ?? false;
  }

  #abandon(pending: PendingRequest): boolean {
    const abandoned = (this.#abandoned ??= new Set());
    const [oldest] = abandoned.size < MAX_ABANDONED ? [] : abandoned;
    if (oldest !== undefined) abandoned.delete(oldest);
    abandoned.add(pending.id);
    return this.#settle(pending);
  }

  #release(pending: PendingRequest): void {
    this.#connection.definition.deadlines.delete(pending);
    if (pending.signal) aborts.delete(pending.signal, pending);
  }

  /**
   * Creates a request id: a number, preceded by the transport's prefix if there is one. Without a prefix, discovery
   * requests to an unknown server get string ids with their own count, so that a handshake that follows gets the first
   * number.
   */
  #newId({ role }: Method): RequestId {
    const { hooks } = this.#connection;
    const start = hooks?.requestIds;
    if (start !== undefined) return `${start}${this.#nextId++}`;
    if (role !== "discover" || this.#connection.agreement) return this.#nextId++;
    return `${PROBE}${this.#probes++}`;
  }

  /** Returns true if this side has issued the id. For a string, only the prefix is examined. */
  #wasIssued(id: unknown): boolean {
    if (typeof id === "number") return Number.isInteger(id) && id >= 0 && id < this.#nextId;
    if (typeof id !== "string") return false;
    const start = this.#connection.hooks?.requestIds;
    return start !== undefined ? id.startsWith(start) : id.startsWith(PROBE) && this.#probes > 0;
  }

  #reportStray(id: unknown, error: unknown): void {
    if (this.#abandoned?.has(id as RequestId)) return;
    if (this.#wasIssued(id)) {
      const text = `A second answer has the id ${quote(String(id))}; it was ignored`;
      return this.report(new InvalidMessageError(text));
    }
    this.report(strayResponse(id, error));
  }
}

/** Empty parameters for list requests without any, because some servers require parameters. */
const NO_PARAMS = {};

const MAX_ABANDONED = 1000;

const PROBE = "discover-";

/**
 * Returns the reason to send to the peer: the message of a timeout or cancellation error from this package, or a string
 * that the caller passed. Other reasons are not sent.
 */
function reasonForPeer(reason: unknown): string | undefined {
  const isOwn = reason instanceof RequestTimeoutError || reason instanceof RequestCancelledError;
  if (isOwn) return reason.message;
  return typeof reason === "string" ? reason : undefined;
}

function requestMessage({ id, row, params, options }: PendingRequest): RequestMessage {
  const { method, paginated } = row;
  const given = params ?? (paginated ? NO_PARAMS : undefined);
  const sent = options.onprogress ? withProgressToken(given, id) : given;
  return sent === undefined
    ? { jsonrpc: "2.0", id, method }
    : { jsonrpc: "2.0", id, method, params: sent };
}

function withProgressToken(params: unknown, token: RequestId): unknown {
  const { _meta, ...rest } = (params ?? {}) as { _meta?: object };
  return { ...rest, _meta: { ..._meta, progressToken: token } };
}

/**
 * The requests from this side that were answered with a task. Progress and questions may still arrive for them (MCP:
 * tasks).
 */
export class RequestsAsTasks {
  readonly #limit: number;
  readonly #receivers = new Map<RequestId, ProgressReceiver>();
  readonly #calls = new Map<unknown, RelatedCall>();

  /** @param limit - the maximum number of requests to keep; the oldest is removed first */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add({ id, receiver, call }: PendingRequest, { task }: { readonly task: object }): void {
    if (receiver) this.#keep(this.#receivers, id, receiver);
    this.#keep(this.#calls, (task as Record<string, unknown>)["taskId"], call);
  }

  receiverOf(id: RequestId): ProgressReceiver | undefined {
    return this.#receivers.get(id);
  }

  callOf(params: unknown): RelatedCall | undefined {
    const meta = isObject(params) ? params["_meta"] : undefined;
    const related = isObject(meta) ? meta[META.relatedTask] : undefined;
    return isObject(related) ? this.#calls.get(related["taskId"]) : undefined;
  }

  stop(): void {
    for (const receiver of this.#receivers.values()) receiver.stop();
  }

  #keep<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
    const [oldest] = map.keys();
    if (oldest !== undefined && map.size >= this.#limit) map.delete(oldest);
    map.set(key, value);
  }
}
