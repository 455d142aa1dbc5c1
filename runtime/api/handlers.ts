import type { Auth, Method, RequestId, Revision } from "../wire/index.js";
import type { CustomMessage, CustomNotification, CustomRequest } from "./custom.js";
import type { GivenResult } from "./given.js";
import type { SendNotification, SendRequest } from "./messages.js";
import type { RequestOptions } from "./request-options.js";

/** Request of this side that a received message belongs to. */
export interface RelatedCall {
  readonly method: string;
  /** Parameters as they were sent. */
  readonly params: unknown;
  /** Option `context` of the request. */
  readonly context: unknown;
}

/** Task that a request has become (MCP: tasks). */
export interface TaskView {
  readonly id: string;
  /** Tells a line for people about the state of the work; the newest counts. */
  readonly status: (message: string) => void;
}

/**
 * Context of one received message. You may take the functions out of it (`({ signal, notify }) =>
 * …`); everything that they send belongs to this message.
 */
export interface HandlerContext<Requests = object, Notifications = object> {
  readonly method: string;
  /** Absent for a notification. */
  readonly id: RequestId | undefined;
  /** The connection, and what was agreed on for it. */
  readonly session: Session;
  /**
   * Request of this side that the message belongs to, where that is known: a question inside its result, one on the HTTP
   * response to it, one of the task that it has become. Undefined otherwise: over stdio, a session does not tell.
   */
  readonly call?: RelatedCall | undefined;
  /** Task that the request has become; undefined as long as its sender waits for the answer itself. */
  readonly task?: TaskView | undefined;
  /** Sender of the message, when the transport has authenticated it. */
  readonly auth: Auth | undefined;
  /** A header of the HTTP request that brought the message, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /**
   * Makes sure that the sender was granted all of these scopes. Call it before anything else: once progress or a message
   * was sent, the status of the response can no longer say it. Does nothing where the transport knows no senders, as
   * over stdio.
   *
   * @throws InsufficientScopeError which the client gets as status 403 and a challenge that names the scopes
   */
  readonly requireScopes: (...scopes: readonly string[]) => void;
  /** Aborts when the peer cancels, the handler's time is over, or the connection ends: nobody waits any more. */
  readonly signal: AbortSignal;
  /** Parameters of the message, in the shape that handlers of its method get. */
  readonly params: unknown;
  /** `params._meta`, when there is one. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /**
   * Tells the peer how far the work is, if it asked for that; does nothing otherwise. A value that does not
   * exceed the one before is not sent, and floods are thinned out (MCP: progress).
   * @param meta - `_meta` of the notification
   */
  readonly progress: (
    progress: number,
    total?: number,
    message?: string,
    meta?: Readonly<Record<string, unknown>>,
  ) => void;
  /** Asks the peer. Cancelled along with the message that is being handled. */
  readonly request: SendRequest<Requests>;
  /** Tells the peer something about this message; after it was cancelled, nothing is sent. */
  readonly notify: SendNotification<Notifications>;
  /**
   * Does something once for a request, and gives what came of it. Where questions to the client travel inside
   * results, a handler is called anew with each round of answers: what it has done before must not be done again, and
   * what it asks must not change. Work that fails can be tried again. Ask before or after, not in it.
   *
   * @param key - of this work among all of the request
   * @param work - what it gives is kept as JSON, and given as JSON has it
   * @throws what the work throws; TypeError when it gives what is not JSON
   */
  readonly once: <Value>(key: string, work: () => Value | Promise<Value>) => Promise<Value>;
  /**
   * Client's answers to the questions that the handler returned in the previous round
   * (`inputRequired()`), by their names; empty the first time. Answers of the wrong type are left
   * out. To be certain that a question was asked, remember a `state`.
   */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The `state` that the handler returned in the round before, as JSON has it. */
  readonly state: unknown;
  /**
   * Releases the stream that this request is answered on; the client comes back after `retry` milliseconds and
   * fetches what was said meanwhile. Does nothing where the revision or the transport has no such thing (MCP:
   * Streamable HTTP, polling).
   */
  readonly releaseStream: (retry?: number) => void;
}

/**
 * Answers a request, at once or later. Throw an `RpcError` to answer with an error; anything else that is
 * thrown, and any result that is not of the method's type, reaches the peer as -32603 without details, and
 * `onerror` with all of them.
 */
export type RequestHandler<Params, Result, Context = HandlerContext> = (
  params: Params,
  context: Context,
) => Result | Promise<Result>;

/** Reacts to a notification. What it throws goes to `onerror`. */
export type NotificationHandler<Params, Context = HandlerContext> = (
  params: Params,
  context: Context,
) => void | Promise<void>;

/** Any handler, as the engine calls it: the table's validator has made sure of the parameters. */
export type AnyHandler = (params: unknown, context: HandlerContext) => unknown;

/** A question to the client, as a request of the protocol that travels inside a result. */
export interface InputRequest {
  /** Such as `elicitation/create`. */
  readonly method: string;
  readonly params?: object | undefined;
}

/** Self-description of one side of a connection. */
export interface PeerDescription {
  /** Name and version, for people: it may say what it likes. Undefined when it never introduced itself. */
  readonly info: unknown;
  readonly capabilities: Record<string, unknown>;
  /** Only servers have some. */
  readonly instructions?: string | undefined;
}

/**
 * One connection under the revision that was agreed on: the same object as long as it lasts, so that state can be
 * kept with it in a `WeakMap`.
 */
export interface Session {
  /** The transport's name for it; undefined where sessions have none. */
  readonly id: string | undefined;
  readonly revision: Revision;
  readonly peer: PeerDescription;
  /**
   * Resolves when the connection is over, with the error that ended it, if one did. The session of a stateless
   * request is over with its answer.
   */
  readonly closed: Promise<Error | undefined>;
  /** Sends a request that belongs to no message under way; see `ServerBase.request` for what it throws. */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /**
   * Answers questions of a server that came by other ways than a request or the result of one, by the handlers of this
   * client; servers have no such thing.
   *
   * @param questions - by their keys, which the answers get
   * @param call - request of this side that the questions belong to
   * @throws InputRefusedError when one of them is refused, OverloadError when there are too many
   */
  answer?(
    questions: Readonly<Record<string, InputRequest>>,
    call: RelatedCall,
    signal?: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Sends a notification that belongs to no message under way.
   *
   * @param once - name of a broadcast that other instances send, too, where they share the session
   */
  notify(method: string, params?: unknown, once?: string): Promise<void>;
}

/** A message of your own and what handles it. Created by {@link onCustom}, passed with the option `custom`. */
export interface CustomHandler {
  readonly row: Method;
  readonly handler: AnyHandler;
  /**
   * True to give way to a message of the same name at revisions that define one. Default: false,
   * then the clash is an error.
   */
  readonly yields?: boolean;
}

/** Brings a message of your own together with its handler. */
export function onCustom<Params, Result, Context = HandlerContext>(
  message: CustomRequest<Params, Result>,
  handler: (
    params: NoInfer<Params>,
    context: Context,
  ) => GivenResult<NoInfer<Result>> | Promise<GivenResult<NoInfer<Result>>>,
): CustomHandler;
export function onCustom<Params, Context = HandlerContext>(
  message: CustomNotification<Params>,
  handler: (params: NoInfer<Params>, context: Context) => void | Promise<void>,
): CustomHandler;
export function onCustom(
  { row }: CustomMessage,
  handler: (params: never, context: never) => unknown,
): CustomHandler {
  return { row, handler: handler as unknown as AnyHandler };
}
