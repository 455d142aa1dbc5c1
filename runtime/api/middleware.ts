import type { Method } from "../wire/index.js";
import type { HandlerContext, Session } from "./handlers.js";
import type { NotificationTypes, RequestTypes } from "./messages.js";
import type { RequestOptions } from "./request-options.js";

/** A received message on its way to its handler. The parameters have already been validated. */
export interface AnyCall<Context = HandlerContext> {
  readonly kind: Method["kind"];
  readonly method: string;
  readonly params: unknown;
  readonly context: Context;
}

/**
 * Calls the next middleware or, from the last one, the handler. It may be called more than once or not at all.
 *
 * @param changed - replaces the call's parameters or context; parameters are not validated again
 */
export type Next = (changed?: Partial<Pick<AnyCall, "params" | "context">>) => Promise<unknown>;

/**
 * A function that wraps one side's handlers and the answer to a discovery. It receives each message that the engine
 * does not answer itself. It may change the message, answer it, or change its result, which is validated afterwards.
 * The first middleware is the outermost.
 */
export type AnyMiddleware = (call: AnyCall, next: Next) => unknown;

/** Any middleware, regardless of its call type. */
export type SomeMiddleware = (call: never, next: Next) => unknown;

/** The calls that a side may receive: one alternative per method. */
export type CallOf<Requests, Notifications, Context> =
  | {
      [Name in keyof Requests & string]: Call<"request", Name, Requests[Name], Context>;
    }[keyof Requests & string]
  | {
      [Name in keyof Notifications & string]: Call<
        "notification",
        Name,
        Notifications[Name],
        Context
      >;
    }[keyof Notifications & string];

interface Call<Kind, Name, Types, Context> {
  readonly kind: Kind;
  readonly method: Name;
  readonly params: Types extends { readonly params: infer Params }
    ? Params
    : Types extends { readonly params?: infer Params }
      ? Params | undefined
      : undefined;
  readonly context: Context;
}

/** An {@link AnyMiddleware} typed by the messages that a side may receive. */
export type Middleware<
  Requests extends RequestTypes<Requests>,
  Notifications extends NotificationTypes<Notifications>,
  Context = HandlerContext,
> = (call: CallOf<Requests, Notifications, Context>, next: Next) => unknown;

/** A message that this side is sending to the peer. The engine's own messages are not included. */
export interface Sending {
  readonly kind: Method["kind"];
  readonly method: string;
  readonly params: unknown;
  /** The request's options. */
  readonly options: RequestOptions;
  /** The context of the received message that is being handled while this message is sent, if any. */
  readonly context: HandlerContext | undefined;
  readonly session: Session;
}

/**
 * Sends the message, and returns the result if it is a request. It may be called more than once or not at all.
 *
 * @param changed - replaces the message's parameters or options
 */
export type Send = (changed?: Partial<Pick<Sending, "params" | "options">>) => Promise<unknown>;

/**
 * A function that wraps the sending of messages. It may change a message, answer it, or change a request's result,
 * which is not validated again. The first middleware is the outermost.
 */
export interface AnySendMiddleware {
  (message: Sending, send: Send): unknown;
  /**
   * Returns true for messages that the middleware wraps. Called once for each kind of message on a connection. Default:
   * all messages.
   */
  readonly concerns?: (row: Method, session: Session) => boolean;
}
