import type { HandlerContext } from "./handlers.js";
import type { RequestOptions } from "./options.js";
import type { Method } from "../wire/index.js";
import type { Session } from "./session.js";

/** A message of this side on its way to the peer; what the engine sends for itself is none. */
export interface Sending {
  readonly kind: Method["kind"];
  readonly method: string;
  readonly params: unknown;
  /** Options of the request. */
  readonly options: RequestOptions;
  /** The received message during whose handling it is sent. */
  readonly context: HandlerContext | undefined;
  readonly session: Session;
}

/**
 * Sends the message, and gives the result of a request. May be called more than once, or not at all.
 *
 * @param changed - takes the place of the message's parameters and options, where given
 */
export type Send = (changed?: Partial<Pick<Sending, "params" | "options">>) => Promise<unknown>;

/**
 * Stands around what is sent: may change it, answer it, or change the result of a request, which is not validated
 * again. The first of several is the outermost.
 */
export interface AnySendMiddleware {
  (message: Sending, send: Send): unknown;
  /** True for messages that the middleware wraps; called once for each kind of message of a connection. Default: all. */
  readonly concerns?: (row: Method, session: Session) => boolean;
}

/**
 * Sends a message through what stands around it.
 *
 * @param first - the outermost that is still to be passed
 */
export function sendThrough(
  middleware: readonly AnySendMiddleware[],
  message: Sending,
  last: (message: Sending) => Promise<unknown>,
  first = 0,
): Promise<unknown> {
  try {
    const outer = middleware[first];
    if (outer === undefined) return last(message);
    const send: Send = (changed) =>
      sendThrough(middleware, changed ? { ...message, ...changed } : message, last, first + 1);
    return Promise.resolve(outer(message, send));
  } catch (error) {
    return Promise.reject(error);
  }
}
