import type {
  CustomMessage,
  HandlerContext,
  RelatedCall,
  RequestOptions,
  SendNotification,
  SendRequest,
  Session,
} from "../../api/index.js";
import { type Timed, quiet } from "../../ground/index.js";
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
import type { Once } from "./once.js";
import { ProgressSender } from "./progress-sender.js";

/**
 * Kind of conversation that a received message belongs to: one over a connection, as sessions are, or one of stateless
 * requests. Everything that differs between the two while a message is handled is here.
 */
export interface Conversation {
  readonly side: Side;
  readonly binding: Binding;
  /** Session that the handler sees. */
  sessionOf(context: RequestContext): Session;
  /** Handles a message that is for the engine itself. */
  control(context: RequestContext): unknown;
  /** Sends a request while a message is handled. */
  request(
    method: string | CustomMessage,
    params: unknown,
    options: RequestOptions | undefined,
    context: RequestContext,
  ): Promise<unknown>;
  /** Sends a notification that belongs to a message under way. */
  notify(method: string | CustomMessage, params: unknown, context: RequestContext): Promise<void>;
  /** Does something once for a request, however often its handler is called. */
  once<Value>(
    key: string,
    work: () => Value | Promise<Value>,
    context: RequestContext,
  ): Promise<Value>;
  /** Releases the stream that a request is answered on, until the client comes back for the rest. */
  releaseStream(context: RequestContext, retry: number | undefined): void;
  /** Cancels the requests that were sent while a message was handled. */
  cancelRequestsOf(context: RequestContext, reason: Error): void;
  report(error: Error): void;
}

/** Way back to the sender of a message: a connection, or the HTTP request that brought it. */
export interface Reply {
  /** True when it is the way back of one request alone, on a stream of its own, which its sender leaves to cancel it. */
  readonly hasOwnStream: boolean;
  /** Same object for all messages that one connection brings. */
  readonly connection: object;
  /** @throws TypeError or RangeError when the answer cannot be written as JSON; nothing is sent then */
  respond(answer: ResponseMessage): void;
  /**
   * Sends a message that belongs to the one under way.
   *
   * @param relatedTo - id of the request under way, as long as that has no answer
   * @returns a promise that resolves when there is room for more
   */
  send(message: Message, relatedTo: RequestId | undefined): Promise<void> | undefined;
  /** Called when a request was cancelled, so that no answer follows. */
  cancelled(id: RequestId): void;
  /** Called when the server is closed, so that no answer follows; absent where a connection is told instead. */
  dropped?(): void;
}

/** Keeper of the requests that are in flight. */
export interface RequestOwner {
  /** Takes the answer of a handler that has taken time; undefined where none is due. */
  take(context: RequestContext, answer: ResponseMessage | undefined): void;
  /** Ends a request whose time is over. */
  expire(context: RequestContext): void;
  /** Answers in place of a handler, which is not waited for any more: its signal aborts afterwards. */
  answer(context: RequestContext, outcome: Promise<unknown>, reason: Error): void;
  /** Ends a response that stays open, with its result. */
  retire(context: RequestContext): void;
  /**
   * Stops a request: its handler is aborted, and no answer is sent. Does nothing for one that is not in flight.
   * @param key - id of the request; the reply of one with a stream of its own
   */
  cancel(key: unknown, reason?: unknown): void;
}

/** Progress of the questions in one call of a handler. */
export interface Round {
  /**
   * True when the handler waits for answers that will come with another request, so that this call
   * is over.
   */
  readonly isSuspended: boolean;
  /** Answers to the questions in the handler's previous result, by name. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** State that the handler asked to get back. */
  readonly state: unknown;
}

/** Response that stays open, as that of a subscription does: it is sent when one side ends it. */
export interface OpenResponse {
  /** Ends it from this side, and gives the result. */
  end(): unknown;
  /** Called when the result has been sent, and nothing else. */
  ended(): void;
  /** Releases what it holds: nobody waits for the result any more. */
  drop(): void;
}

/** Part of a received message that its context needs. */
export interface ReceivedMessage {
  /** Absent for a notification. */
  readonly id?: RequestId | undefined;
  readonly method: string;
  readonly params?: unknown;
}

/**
 * Context of one received message: the one that its handler gets. There is one for each message, so all that a handler
 * may never ask for is made when it does.
 */
export class RequestContext implements HandlerContext, Timed {
  readonly conversation: Conversation;
  readonly binding: Binding;
  readonly reply: Reply;
  readonly id: RequestId | undefined;
  readonly method: string;
  /** Row and handler; set once they have been looked up. */
  route!: Route;
  /** Parameters as the handler gets them; as they were received before they have been validated. */
  params: unknown;
  deadline: number = Infinity;
  /** True while an answer is due, or may at least still be given. */
  isOpen = true;
  /** Keeps the request while it is in flight; absent for other messages. */
  owner: RequestOwner | undefined;
  /** State of the questions to the client, where a request may take several rounds. */
  round: Round | undefined;
  call: RelatedCall | undefined;
  /** Work that a handler does once, where no round keeps it. */
  work: Once | undefined;
  /** Set while the response stays open. */
  openResponse: OpenResponse | undefined;
  readonly #origin: Origin | undefined;
  #hasAsked = false;
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
    this.id = id;
    this.method = method;
    this.params = params;
    this.#origin = origin;
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
    return this.#origin?.auth;
  }

  get header(): (name: string) => string | undefined {
    const origin = this.#origin;
    return origin?.header ? (name) => origin.header?.(name.toLowerCase()) : noHeader;
  }

  get requireScopes(): (...scopes: readonly string[]) => void {
    const origin = this.#origin;
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
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
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
      this.#hasAsked = true;
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

  /** Has the answer name the scopes that its sender lacks. */
  forbid(scopes: readonly string[]): void {
    this.#origin?.forbid?.(scopes);
  }

  /** Has the answer say that it may be there in so many seconds. */
  defer(retryAfter: number): void {
    this.#origin?.defer?.(retryAfter);
  }

  /** Resolves when no answer is due any more, with the error that ended it from outside, if one did. */
  get over(): Promise<Error | undefined> {
    this.#over ??= new Promise((resolve) => {
      if (this.isOpen) this.#end = resolve;
      else resolve(this.#reason);
    });
    return this.#over;
  }

  /** Ends the request from outside: no answer is due any more. */
  abort(reason: Error): void {
    this.#reason = reason;
    // While it is still open, so that the peer is told on the stream of this request.
    if (this.#hasAsked) this.conversation.cancelRequestsOf(this, reason);
    this.isOpen = false;
    this.openResponse?.drop();
    this.#progress?.stop();
    this.#controller?.abort(reason);
    this.#end?.(reason);
  }

  /** Ends the request with an answer; progress that was held back is sent before it. */
  finish(): void {
    this.#progress?.finish();
    this.isOpen = false;
    this.#end?.(undefined);
  }

  expire(): void {
    this.owner?.expire(this);
  }

  /** Takes note of progress that the handler sends itself; a rejection for one that must not be sent. */
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
    const sender = new ProgressSender(this.meta, revision, (news) => {
      if (row) void this.conversation.notify(row.method, news, this);
    });
    if (!this.isOpen) sender.stop();
    return sender;
  }
}

const NO_ANSWERS: Readonly<Record<string, unknown>> = Object.freeze({});

function noHeader(): undefined {
  return undefined;
}
