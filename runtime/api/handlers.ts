import type { Auth, Method, RequestId, Revision } from "../wire/index.js";
import type { CustomMessage, CustomNotification, CustomRequest } from "./custom.js";
import type { GivenResult } from "./given.js";
import type { SendNotification, SendRequest } from "./messages.js";
import type { RequestOptions } from "./request-options.js";

/** Request sent by this side, to which a received message belongs. */
export interface RelatedCall {
  readonly method: string;
  /** Parameters of the request, as they were sent. */
  readonly params: unknown;
  /** Option `context` of the request. */
  readonly context: unknown;
}

/** Task that a request has become (MCP: tasks). */
export interface TaskView {
  readonly id: string;
  /**
   * Sets the human-readable status message of the task; a new message replaces the previous one.
   */
  readonly status: (message: string) => void;
}

/**
 * Context of one received message. Its functions can be destructured (`({ signal, notify }) => …`); everything that
 * they send belongs to this message.
 */
export interface HandlerContext<Requests = object, Notifications = object> {
  readonly method: string;
  /** Absent for a notification. */
  readonly id: RequestId | undefined;
  /** The connection, and what was negotiated for it. */
  readonly session: Session;
  /**
   * Request sent by this side to which the message belongs, if that is known: the message is a question in the
   * request's result, arrived on the HTTP response to the request, or comes from the task that the request has
   * become. Otherwise undefined, as for messages of a session over stdio, which do not identify the request.
   */
  readonly call?: RelatedCall | undefined;
  /** Task that the request has become; undefined if its sender waits for the result itself. */
  readonly task?: TaskView | undefined;
  /** Sender of the message, if the transport has authenticated it. */
  readonly auth: Auth | undefined;
  /** Value that the host of an HTTP handler passed with the request, as `handler(request, { locals })`. */
  readonly locals?: unknown;
  /**
   * Returns a header of the HTTP request that carried the message, by its name in lower case; undefined if the
   * request has no such header, or the message did not arrive over HTTP.
   */
  readonly header: (name: string) => string | undefined;
  /**
   * Asserts that the sender was granted all of these scopes. Call it first: after progress or a
   * message has been sent, the status of the response can no longer change. Does nothing if the
   * transport does not authenticate senders, as over stdio.
   *
   * @throws InsufficientScopeError which the client receives as status 403 with a challenge that names the scopes
   */
  readonly requireScopes: (...scopes: readonly string[]) => void;
  /**
   * Aborts when the result of this call is no longer needed, for example because the peer has cancelled the request,
   * the handler has exceeded its time limit, or the connection has ended.
   */
  readonly signal: AbortSignal;
  /** Parameters of the message, in the form in which the method's handlers receive them. */
  readonly params: unknown;
  /** `params._meta`, if there is one. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  /**
   * Sends progress to the peer, if the peer requested it; otherwise does nothing. A value that is
   * not greater than the previous one is not sent, and the rate is limited (MCP: progress).
   *
   * @param meta - `_meta` of the notification
   */
  readonly progress: (
    progress: number,
    total?: number,
    message?: string,
    meta?: Readonly<Record<string, unknown>>,
  ) => void;
  /**
   * Sends a request to the peer. It is cancelled together with the message that is being handled.
   */
  readonly request: SendRequest<Requests>;
  /**
   * Sends the peer a notification that belongs to this message. Once the message has been cancelled, nothing is
   * sent.
   */
  readonly notify: SendNotification<Notifications>;
  /**
   * Runs work once per request, and returns its value. If questions to the client travel inside results, a handler
   * is called again with each round of answers: work that it has already done must not be repeated, and its
   * questions must not change. Work that fails can be retried. Send questions to the client before or after the
   * work, not inside it.
   *
   * @param key - name of this work, unique within the request
   * @param work - its value is converted to JSON and back
   * @throws the error of the work; TypeError if its value is not JSON
   */
  readonly once: <Value>(key: string, work: () => Value | Promise<Value>) => Promise<Value>;
  /**
   * Client's answers to the questions that the handler returned in the previous round
   * (`inputRequired()`), by their names; empty in the first round. Answers of the wrong type are
   * omitted. To be certain that a question was asked, keep a `state`.
   */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The `state` that the handler returned in the previous round, converted to JSON and back. */
  readonly state: unknown;
  /**
   * Releases the stream that this request is answered on; the client reconnects after `retry`
   * milliseconds and receives the messages sent meanwhile. Does nothing if the revision or the
   * transport does not support it (MCP: Streamable HTTP, polling).
   */
  readonly releaseStream: (retry?: number) => void;
}

/**
 * Handler that answers a request, immediately or later. Throw an `RpcError` to answer with an error. Any other error, or
 * an invalid result, is answered with -32603 without details for the peer; `onerror` receives the details.
 */
export type RequestHandler<Params, Result, Context = HandlerContext> = (
  params: Params,
  context: Context,
) => Result | Promise<Result>;

/** Handler of a notification. Errors that it throws are reported to `onerror`. */
export type NotificationHandler<Params, Context = HandlerContext> = (
  params: Params,
  context: Context,
) => void | Promise<void>;

/** Any handler, as the engine calls it. Its parameters have been validated. */
export type AnyHandler = (params: unknown, context: HandlerContext) => unknown;

/** Question to the client: a request of the protocol that travels inside a result. */
export interface InputRequest {
  /** Method of the request, such as `elicitation/create`. */
  readonly method: string;
  readonly params?: object | undefined;
}

/** Self-description of one side of a connection. */
export interface PeerDescription {
  /**
   * Name and version for display; they are not verified. Undefined if the peer did not introduce
   * itself.
   */
  readonly info: unknown;
  readonly capabilities: Record<string, unknown>;
  /** Instructions on using the server; undefined for a client. */
  readonly instructions?: string | undefined;
}

/**
 * One connection under the negotiated revision. The object stays the same while the connection
 * lasts, so state can be attached to it with a `WeakMap`.
 */
export interface Session {
  /** Id that the transport assigns to the session; undefined if sessions of the transport have no ids. */
  readonly id: string | undefined;
  readonly revision: Revision;
  readonly peer: PeerDescription;
  /**
   * Identity of the connection, the same object for all its messages; undefined for a stateless
   * request over HTTP, which has none.
   */
  readonly connection?: object | undefined;
  /**
   * Resolves when the connection has ended, with the error that ended it, if one did. The session of a stateless
   * request ends with its response.
   */
  readonly closed: Promise<Error | undefined>;
  /**
   * Sends a request that does not belong to a message in progress; see `ServerBase.request` for its
   * errors.
   */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown>;
  /**
   * Answers server questions that arrived neither as requests nor in the result of a request (those of tasks, for
   * example), with the handlers of this client. Absent on servers.
   *
   * @param questions - by key; the answers have the same keys
   * @param call - request sent by this side, to which the questions belong
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
   * @param once - name of a broadcast that other instances also send if they share the session, so that the peer
   *   receives it only once
   */
  notify(method: string, params?: unknown, once?: string): Promise<void>;
}

/**
 * Message of your own, with its handler. Created by {@link onCustom}, passed with the option
 * `custom`.
 */
export interface CustomHandler {
  readonly row: Method;
  readonly handler: AnyHandler;
  /**
   * True to ignore this handler in revisions that define a message of the same name. Default: false, which makes
   * such a clash an error.
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
