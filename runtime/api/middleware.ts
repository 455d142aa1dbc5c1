import type { Method } from "../wire/index.js";
import type { HandlerContext, Session } from "./handlers.js";
import type { NotificationTypes, RequestTypes } from "./messages.js";
import type { RequestOptions } from "./request-options.js";

/** Received message on its way to its handler; its parameters have been validated. */
export interface AnyCall<Context = HandlerContext> {
  readonly kind: Method["kind"];
  readonly method: string;
  readonly params: unknown;
  readonly context: Context;
}

/**
 * Function that calls the next middleware or, in the last one, the handler. May be called more than once, or not at
 * all.
 *
 * @param changed - replaces the call's parameters or context; parameters are not validated again
 */
export type Next = (changed?: Partial<Pick<AnyCall, "params" | "context">>) => Promise<unknown>;

/**
 * Function around the handlers of one side, and around the answer to a discovery. It receives each message that the
 * engine does not answer itself, and may change it, answer it, or change its result, which is validated afterwards.
 * The first middleware is the outermost.
 */
export type AnyMiddleware = (call: AnyCall, next: Next) => unknown;

/** Any middleware, whatever the type of its calls. */
export type SomeMiddleware = (call: never, next: Next) => unknown;

/** Calls that a side may receive: one alternative per method. */
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

/** {@link AnyMiddleware}, typed by the messages that a side may receive. */
export type Middleware<
  Requests extends RequestTypes<Requests>,
  Notifications extends NotificationTypes<Notifications>,
  Context = HandlerContext,
> = (call: CallOf<Requests, Notifications, Context>, next: Next) => unknown;

/** Message that this side is sending to the peer. The engine's own messages are not included. */
export interface Sending {
  readonly kind: Method["kind"];
  readonly method: string;
  readonly params: unknown;
  /** Options of the request. */
  readonly options: RequestOptions;
  /** Context of the received message that is being handled while this message is sent; undefined if there is none. */
  readonly context: HandlerContext | undefined;
  readonly session: Session;
}

/**
 * Function that sends the message, and returns the result of a request. May be called more than once, or not at all.
 *
 * @param changed - replaces the message's parameters or options
 */
export type Send = (changed?: Partial<Pick<Sending, "params" | "options">>) => Promise<unknown>;

/**
 * Function around the sending of messages. It may change a message, answer it, or change the result of a request,
 * which is not validated again. The first middleware is the outermost.
 */
export interface AnySendMiddleware {
  (message: Sending, send: Send): unknown;
  /** True for messages that the middleware wraps; called once for each kind of message of a connection. Default: all. */
  readonly concerns?: (row: Method, session: Session) => boolean;
}
