import type {
  AnyHandler,
  AnyMiddleware,
  AnySendMiddleware,
  Send,
  Sending,
  Session,
} from "../../api/index.js";
import type { Method } from "../../wire/index.js";

/** Wraps a handler with middleware, once; without middleware, returns the handler itself. */
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

/** Combines the middleware of a side that applies to a message; undefined if none applies. */
export function middlewareAround(
  row: Method,
  sending: readonly AnySendMiddleware[],
  session: Session,
): readonly AnySendMiddleware[] | undefined {
  if (sending.length === 0 || row.role !== undefined) return undefined;
  const around = sending.filter(({ concerns }) => concerns?.(row, session) ?? true);
  return around.length > 0 ? around : undefined;
}

/** Sends a message. If composed by {@link sendThrough}, it rejects instead of throwing. */
export type SendThrough = (message: Sending) => Promise<unknown>;

/** Composes the middleware around a message, once, with the function that sends it. */
export function sendThrough(
  middleware: readonly AnySendMiddleware[],
  last: SendThrough,
): SendThrough {
  return [...middleware, last].reduceRight<SendThrough>(
    (inner, outer: AnySendMiddleware) => (message) => {
      const send: Send = (changed) => inner(changed ? { ...message, ...changed } : message);
      try {
        return Promise.resolve(outer(message, send));
      } catch (error) {
        return Promise.reject(error);
      }
    },
    last,
  );
}
