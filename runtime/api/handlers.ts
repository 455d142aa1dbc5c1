import type { Auth, Method, RequestId, Revision } from "../wire/index.js";
import type { CustomMessage, CustomNotification, CustomRequest } from "./custom.js";
import type { GivenResult } from "./given.js";
import type { SendNotification, SendRequest } from "./messages.js";
import type { RequestOptions } from "./request-options.js";

/** A request sent by this side that a received message belongs to. */
export interface RelatedCall {
  readonly method: string;
  /** The request's parameters, as they were sent. */
  readonly params: unknown;
  /** The request's `context` option. */
  readonly context: unknown;
}

/** A task that a request has turned into (MCP: tasks). */
export interface TaskView {
  readonly id: string;
  /** Sets the task's human-readable status message, which replaces the previous one. */
  readonly status: (message: string) => void;
}

/**
 * The context of one received message. Its functions can be destructured (`({ signal, notify }) => …`); everything they
 * send belongs to this message.
 */
export interface HandlerContext<Requests = object, Notifications = object> {
  readonly method: string;
  /** The request's id; absent for a notification. */
  readonly id: RequestId | undefined;
  /** The connection, and what was negotiated for it. */
  readonly session: Session;
  /**
   * The request sent by this side that the message belongs to, if known: the message is a question in the request's
   * result, arrived on the HTTP response to the request, or comes from the task that the request has become. Otherwise
   * undefined, as for messages in a session over stdio, which do not identify the request.
   */
  readonly call?: RelatedCall | undefined;
  /** The task that the request has become, or undefined if its sender is waiting for the result itself. */
  readonly task?: TaskView | undefined;
  /** The message's sender, if the transport has authenticated it. */
  readonly auth: Auth | undefined;
  /** The value that the HTTP handler's host passed with the request, as `handler(request, { locals })`. */
  readonly locals?: unknown;
  /**
   * Returns a header of the HTTP request that carried the message, by its lower-case name. Returns undefined if the
   * request has no such header or the message did not arrive over HTTP.
   */
  readonly header: (name: string) => string | undefined;
  /**
   * Asserts that the sender was granted all of these scopes. Call it first, because the response status can no longer
   * change once progress or a message has been sent. Does nothing if the transport does not authenticate senders, as
   * with stdio.
   *
   * @throws InsufficientScopeError, which the client receives as status 403 with a challenge that names the scopes
   */
  readonly requireScopes: (...scopes: readonly string[]) => void;
  /**
   * Aborts when this call's result is no longer needed, for example because the peer has cancelled the request, the
   * handler has exceeded its time limit, or the connection has ended.
   */
  readonly signal: AbortSignal;
  /** The message's parameters, in the form in which the method's handlers receive them. */
  readonly params: unknown;
  /** `params._meta`, if there is one. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /**
   * Sends progress to the peer if the peer asked for it, and does nothing otherwise. A value that is not greater than
   * the previous one is not sent, and the rate is limited (MCP: progress).
   *
   * @param meta - the notification's `_meta`
   * @throws TypeError if the progress is not a number
   */
  readonly progress: (
    progress: number,
    total?: number,
    message?: string,
    meta?: Readonly<Record<string, unknown>>,
  ) => void;
  /** Sends a request to the peer. If the message being handled is cancelled, so is this request. */
  readonly request: SendRequest<Requests>;
  /** Sends the peer a notification that belongs to this message. Does nothing once the message has been cancelled. */
  readonly notify: SendNotification<Notifications>;
  /**
   * Runs work once per request and returns its value. If questions to the client travel inside results, the handler is
   * called again for each round of answers. Work that it has already done must not be repeated, and its questions must
   * not change. Work that fails can be retried. Send questions to the client before or after the work, not inside it.
   *
   * @param key - a name for this work, unique within the request
   * @param work - returns a value, which is converted to JSON and back
   * @throws the work's own error, or a TypeError if its value is not JSON
   */
  readonly once: <Value>(key: string, work: () => Value | Promise<Value>) => Promise<Value>;
  /**
   * The client's answers to the questions that the handler returned in the previous round (`inputRequired()`), by name.
   * Empty in the first round. Answers of the wrong type are omitted. Keep a `state` if you need to be certain that a
   * question was asked.
   */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The `state` that the handler returned in the previous round, converted to JSON and back. */
  readonly state: unknown;
  /**
   * Releases the stream that carries the response to this request. The client reconnects after `retry` milliseconds and
   * receives the messages sent in the meantime. Does nothing if the revision or the transport does not support it (MCP:
   * Streamable HTTP, polling).
   */
  readonly releaseStream: (retry?: number) => void;
}

/**
 * A handler that answers a request, immediately or later. Throw an `RpcError` to answer with an error. Any other error,
 * or an invalid result, is answered with -32603 and no details for the peer; `onerror` receives the details.
 */
export type RequestHandler<Params, Result, Context = HandlerContext> = (
  params: Params,
  context: Context,
) => Result | Promise<Result>;

/** A notification handler. Errors that it throws are reported to `onerror`. */
export type NotificationHandler<Params, Context = HandlerContext> = (
  params: Params,
  context: Context,
) => void | Promise<void>;

/** Any handler, as the engine calls it. The parameters have already been validated. */
export type AnyHandler = (params: unknown, context: HandlerContext) => unknown;

/** A question for the client: a protocol request that travels inside a result. */
export interface InputRequest {
  /** The request's method, such as `elicitation/create`. */
  readonly method: string;
  readonly params?: object | undefined;
}

/** One side of a connection as it describes itself. */
export interface PeerDescription {
  /** The name and version for display, which are not verified. Undefined if the peer did not introduce itself. */
  readonly info: unknown;
  readonly capabilities: Record<string, unknown>;
  /** Instructions for using the server; undefined for a client. */
  readonly instructions?: string | undefined;
}

/**
 * A connection under the negotiated revision. The object stays the same for as long as the connection lasts, so you can
 * attach state to it with a `WeakMap`.
 */
export interface Session {
  /** The id that the transport assigned to the session, or undefined if the transport's sessions have no ids. */
  readonly id: string | undefined;
  readonly revision: Revision;
  readonly peer: PeerDescription;
  /**
   * Identifies the connection: the same object for all of its messages. Undefined for a stateless request over HTTP,
   * which has no connection.
   */
  readonly connection?: object | undefined;
  /**
   * Resolves when the connection has ended, with the error that ended it, if any. A stateless request's session ends
   * with its response.
   */
  readonly closed: Promise<Error | undefined>;
  /**
   * Sends a request that does not belong to a message in progress; see `ServerBase.request` for its
   * errors.
   */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /**
   * Uses this client's handlers to answer server questions that arrived neither as requests nor in a request's result
   * (for example, a task's questions). Absent on servers.
   *
   * @param questions - the questions by key; the answers have the same keys
   * @param call - the request sent by this side that the questions belong to
   * @throws InputRefusedError if one of them is refused, OverloadError if there are too many
   */
  answer?(
    questions: Readonly<Record<string, InputRequest>>,
    call: RelatedCall,
    signal?: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Sends a notification that does not belong to a message in progress.
   *
   * @param once - the name of a broadcast that other instances also send if they share the session, so that the peer
   *   receives it only once
   */
  notify(method: string, params?: unknown, once?: string): Promise<void>;
}

/** A message of your own with its handler. Created by {@link onCustom} and passed in the `custom` option. */
export interface CustomHandler {
  readonly row: Method;
  readonly handler: AnyHandler;
  /**
   * True to ignore this handler in revisions that define a message with the same name. Default: false, which makes such
   * a clash an error.
   */
  readonly yields?: boolean;
}

/** Combines a message of your own with its handler. */
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
