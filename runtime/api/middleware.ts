import type { AnyHandler, HandlerContext } from "./handlers.js";
import type { NotificationTypes, RequestTypes } from "./message-types.js";
import type { Method } from "../wire/index.js";

/** A received message on its way to its handler; its parameters have been validated. */
export interface AnyCall<Context = HandlerContext> {
  readonly kind: Method["kind"];
  readonly method: string;
  readonly params: unknown;
  readonly context: Context;
}

/**
 * Calls what comes after: the next middleware, in the end the handler. May be called more than once, or not at
 * all.
 *
 * @param changed - takes the place of the call's parameters and context, where given; parameters are not
 *   validated again
 */
export type Next = (changed?: Partial<Pick<AnyCall, "params" | "context">>) => Promise<unknown>;

/**
 * Stands around the handlers of one side, and around the answer to a discovery: sees each message that the engine does
 * not answer itself, may change it, answer it, or change its result, which is validated afterwards. The first of several
 * is the outermost.
 */
export type AnyMiddleware = (call: AnyCall, next: Next) => unknown;

/** Middleware for some calls or other, where it does not matter which. */
export type SomeMiddleware = (call: never, next: Next) => unknown;

/** The calls that a side may receive, one alternative per method. */
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

/** Puts middleware around a handler, once; without any the handler stays as it is. */
export function wrap(
  row: Method,
  handler: AnyHandler,
  middleware: readonly AnyMiddleware[],
): AnyHandler {
  const { kind, method } = row;
  return middleware.reduceRight<AnyHandler>(
    (inner, outer) => (params, context) =>
      outer({ kind, method, params, context }, async (changed) =>
        inner(
          changed && "params" in changed ? changed.params : params,
          changed?.context ?? context,
        ),
      ),
    handler,
  );
}
