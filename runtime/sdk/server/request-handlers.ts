import type { Callback } from "../shared/internal/index.js";
import type { NativeContext } from "./connection.js";
import { nativeOf } from "./server-context.js";

type NativeCallback = (params: unknown, native: NativeContext) => unknown;
type Next = (params: unknown) => unknown;

/** A server's request handlers by method, with the `Map` operations that programs use. */
export interface RequestHandlers {
  has(method: string): boolean;
  /** Returns a method's handler: the program's own, or else the one for the registered tools, prompts and resources. */
  get(method: string): Callback | undefined;
  set(method: string, handler: Callback): void;
  delete(method: string): boolean;
}

interface HandlersOwner {
  readonly callbacks: ReadonlyMap<string, NativeCallback>;
  readonly registers: (method: string) => boolean;
  readonly set: (method: string, handler: Callback) => void;
  readonly remove: (method: string) => void;
}

/**
 * The callbacks of servers whose program has read `_requestHandlers` in order to call the registrations' handlers from
 * its own.
 */
const wrapping = new WeakSet<HandlersOwner["callbacks"]>();

/** Maps a request's context to the registration handler that the program's own handler replaces. */
const replaced = new WeakMap<NativeContext, Next>();

export function noteReplaced(
  callbacks: HandlersOwner["callbacks"],
  native: NativeContext,
  next: Next | undefined,
): void {
  if (next && wrapping.has(callbacks)) replaced.set(native, next);
}

/**
 * Returns a server's request handlers. Programs read them from the official SDK's private property `_requestHandlers`,
 * in order to call the registered tools' handler from their own.
 */
export function requestHandlersOf(owner: HandlersOwner): RequestHandlers {
  const { callbacks, registers, set, remove } = owner;
  wrapping.add(callbacks);
  return {
    has: (method) => callbacks.has(method) || registers(method),
    get: (method) => {
      const own = callbacks.get(method);
      if (own === undefined && !registers(method)) return undefined;
      return ({ params }, ctx) => {
        const native = nativeOf(ctx);
        const call = own ?? (native && replaced.get(native));
        if (native && call) return call(params, native);
        throw new TypeError(
          `The handler of ${method} can only be called within a handler of ${method}, with the context of the request`,
        );
      };
    },
    set,
    delete: (method) => {
      const isKnown = callbacks.has(method);
      remove(method);
      return isKnown;
    },
  };
}
