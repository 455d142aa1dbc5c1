import type {
  CustomMessage,
  HandlerContext,
  RelatedCall,
  RequestOptions,
  SendNotification,
  SendRequest,
  Session,
} from "../../api/index.js";
import { REQUESTS_OWN_IO, type Timed, quiet } from "../../ground/index.js";
import {
  type Auth,
  InsufficientScopeError,
  type Message,
  type Method,
  type Origin,
  type RequestId,
  type ResponseMessage,
  type Side,
  isObject,
} from "../../wire/index.js";
import type { Binding } from "../define/binding.js";
import type { Route } from "../define/route.js";
import type { Once } from "../once/index.js";
import { type ProgressSender, progressSender } from "./progress-sender.js";

/**
 * The conversation that a received message belongs to: a session over a connection, or stateless requests. It contains
 * everything that differs between the two while a message is being handled.
 */
export interface Conversation {
  readonly side: Side;
  readonly binding: Binding;
  sessionOf(context: RequestContext): Session;
  control(context: RequestContext): unknown;
  request(
    method: string | CustomMessage,
    params: unknown,
    options: RequestOptions | undefined,
    context: RequestContext,
  ): Promise<unknown>;
  notify(method: string | CustomMessage, params: unknown, context: RequestContext): Promise<void>;
  once<Value>(
    key: string,
    work: () => Value | Promise<Value>,
    context: RequestContext,
  ): Promise<Value>;
  releaseStream(context: RequestContext, retry: number | undefined): void;
  cancelRequestsOf(context: RequestContext, reason: Error): void;
  report(error: Error): void;
}

/** The channel for replying to a message's sender: a connection, or the HTTP request that carried the message. */
export interface Reply {
  /**
   * True if the reply belongs to one request that has its own stream, which the sender closes to cancel the request.
   */
  readonly hasOwnStream: boolean;
  readonly connection: object;
  /**
   * Sends the response to a request.
   *
   * @throws TypeError or RangeError if the response cannot be serialized as JSON; nothing is sent in that case
   */
  respond(answer: ResponseMessage): void;
  /**
   * Sends a message that belongs to the one in progress.
   *
   * @param relatedTo - id of the request in progress, until it has been answered
   * @returns a promise that resolves when more can be written
   */
  send(message: Message, relatedTo: RequestId | undefined): Promise<void> | undefined;
  /** Called when a request has been cancelled and no response will follow. */
  cancelled(id: RequestId): void;
  /** Called when the server is closed and no response will follow. Absent if the connection itself is notified. */
  dropped?(): void;
}

export interface RequestOwner {
  /** Receives an asynchronous handler's response, or undefined if none is due. */
  take(context: RequestContext, answer: ResponseMessage | undefined): void;
  expire(context: RequestContext): void;
  /**
   * Answers with the outcome of a promise instead of the handler's result, which is no longer awaited. The handler's
   * signal is aborted afterwards.
   */
  answer(context: RequestContext, outcome: Promise<unknown>, reason: Error): void;
  retire(context: RequestContext): void;
  /**
   * Stops a request: its handler is aborted, and no response is sent. Does nothing if the request is not in flight.
   *
   * @param key - the request's id, or its reply if the request has its own stream
   */
  cancel(key: unknown, reason?: unknown): void;
}

/** The state of the questions asked during one handler call. */
export interface Round {
  /** True if the handler is waiting for answers that will arrive with another request. This call then ends. */
  readonly isSuspended: boolean;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly state: unknown;
}

/** A response that stays open, such as that of a subscription. It is sent when either side ends it. */
export interface OpenResponse {
  /** Ends the response from this side, and returns its result. */
  end(): unknown;
  /** Called once the result has been sent, and only then. */
  ended(): void;
  drop(): void;
}

export interface ReceivedMessage {
  readonly id?: RequestId | undefined;
  readonly method: string;
  readonly params?: unknown;
}

/**
 * The context that a handler receives with its message. One is created for each message, so properties that handlers
 * may never use are created on first use.
 */
export class RequestContext implements HandlerContext, Timed {
  readonly conversation: Conversation;
  readonly binding: Binding;
  readonly reply: Reply;
  readonly origin: Origin | undefined;
  readonly id: RequestId | undefined;
  readonly method: string;
  route!: Route;
  /** The parameters in the form for handlers. Before validation, these are the parameters as received. */
  params: unknown;
  declare deadline: number;
  /** True while a response is due or can still be sent. */
  isOpen = true;
  /** The owner of the request while it is in flight; absent for other messages. */
  owner: RequestOwner | undefined;
  // Most messages need none of the following properties, so they are declared without being initialized.
  declare round?: Round | undefined;
  declare call?: RelatedCall | undefined;
  /** The results of `once`, for requests that have no `round` to store them. */
  declare work?: Once | undefined;
  declare openResponse?: OpenResponse | undefined;
  #hasSent = false;
  #session: Session | undefined;
  #controller: AbortController | undefined;
  #reason: Error | undefined;
  #progress: ProgressSender | undefined;
  #over: Promise<Error | undefined> | undefined;
  #end: ((reason: Error | undefined) => void) | undefined;

  constructor(
    conversation: Conversation,
    reply: Reply,
    { id, method, params }: ReceivedMessage,
    origin?: Origin,
  ) {
    this.conversation = conversation;
    this.binding = conversation.binding;
    this.reply = reply;
    this.origin = origin;
    this.id = id;
    this.method = method;
    this.params = params;
  }

  get row(): Method {
    return this.route.row;
  }

  get session(): Session {
    this.#session ??= this.conversation.sessionOf(this);
    return this.#session;
  }

  get once(): <Value>(key: string, work: () => Value | Promise<Value>) => Promise<Value> {
    return async (key, work) => this.conversation.once(key, work, this);
  }

  get answers(): Readonly<Record<string, unknown>> {
    return this.round?.answers ?? NO_ANSWERS;
  }

  get state(): unknown {
    return this.round?.state;
  }

  get auth(): Auth | undefined {
    return this.origin?.auth;
  }

  get locals(): unknown {
    return this.origin?.locals;
  }

  get header(): (name: string) => string | undefined {
    const origin = this.origin;
    return origin?.header ? (name) => origin.header?.(name.toLowerCase()) : noHeader;
  }

  get requireScopes(): (...scopes: readonly string[]) => void {
    const origin = this.origin;
    return (...scopes) => {
      if (origin?.header === undefined) return;
      const granted = origin.auth?.scopes ?? [];
      if (!scopes.every((scope) => granted.includes(scope)))
        throw new InsufficientScopeError(scopes);
    };
  }

  get releaseStream(): (retry?: number) => void {
    return (retry) => {
      if (this.isOpen) this.conversation.releaseStream(this, retry);
    };
  }

  get meta(): Readonly<Record<string, unknown>> | undefined {
    const meta = isObject(this.params) ? this.params["_meta"] : undefined;
    return isObject(meta) ? meta : undefined;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      if (this.#reason) controller.abort(this.#reason);
      else if (REQUESTS_OWN_IO) void this.over.then((reason) => reason && controller.abort(reason));
    }
    return this.#controller.signal;
  }

  get progress(): HandlerContext["progress"] {
    this.#progress ??= this.#progressSender();
    return this.#progress.report;
  }

  get request(): SendRequest<object> {
    const send = (
      method: string | CustomMessage,
      params?: unknown,
      options?: RequestOptions,
    ): Promise<unknown> => {
      this.#hasSent = true;
      return this.#reason
        ? quiet(Promise.reject(this.#reason))
        : this.conversation.request(method, params, options, this);
    };
    return send as SendRequest<object>;
  }

  get notify(): SendNotification<object> {
    const send = (method: string | CustomMessage, params?: unknown): Promise<void> => {
      if (this.#reason) return Promise.resolve();
      const isProgress = method === this.binding.roles.get("progress")?.method;
      const refused = isProgress ? this.#ownProgress(params) : undefined;
      return refused ?? this.conversation.notify(method, params, this);
    };
    return send as SendNotification<object>;
  }

  forbid(scopes: readonly string[]): void {
    this.origin?.forbid?.(scopes);
  }

  defer(retryAfter: number): void {
    this.origin?.defer?.(retryAfter);
  }

  /**
   * Resolves when a response is no longer due: with the error if something other than the handler ended the request,
   * otherwise with undefined.
   */
  get over(): Promise<Error | undefined> {
    this.#over ??= new Promise((resolve) => {
      if (this.isOpen) this.#end = resolve;
      else resolve(this.#reason);
    });
    return this.#over;
  }

  abort(reason: Error): void {
    this.#reason = reason;
    // Done while this request is open, so that the peer is notified on this request's stream.
    if (this.#hasSent) this.conversation.cancelRequestsOf(this, reason);
    this.isOpen = false;
    this.openResponse?.drop();
    this.#progress?.stop();
    if (!REQUESTS_OWN_IO) this.#controller?.abort(reason);
    this.#end?.(reason);
  }

  /** Ends the request with a response. Held-back progress is sent first. */
  finish(): void {
    this.#progress?.finish();
    this.isOpen = false;
    this.#end?.(undefined);
  }

  expire(): void {
    this.owner?.expire(this);
  }

  #ownProgress(params: unknown): Promise<never> | undefined {
    try {
      (this.#progress ??= this.#progressSender()).noteOwn(params);
      return undefined;
    } catch (error) {
      return quiet(Promise.reject(error));
    }
  }

  #progressSender(): ProgressSender {
    const { revision, roles } = this.binding;
    const row = roles.get("progress");
    const sender = progressSender(this.meta, revision, (progress) => {
      if (row) void this.conversation.notify(row.method, progress, this);
    });
    if (!this.isOpen) sender.stop();
    return sender;
  }
}

const NO_ANSWERS: Readonly<Record<string, unknown>> = Object.freeze({});

function noHeader(): undefined {
  return undefined;
}
