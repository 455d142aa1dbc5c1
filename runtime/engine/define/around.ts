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

/**
 * Sends a message through the middleware around it.
 *
 * @param first - index of the outermost middleware that has not been called yet
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
