import type { Callback } from "../shared/internal/index.js";
import type { NativeContext } from "./connection.js";
import { nativeOf } from "./server-context.js";

type NativeCallback = (params: unknown, native: NativeContext) => unknown;
type Next = (params: unknown) => unknown;

/** Request handlers of a server by method, with those operations of a `Map` that programs use. */
export interface RequestHandlers {
  has(method: string): boolean;
  /**
   * Returns the handler of a method: the program's own, otherwise that of the registered tools, prompts and
   * resources.
   */
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
 * Callbacks of the servers whose program has read `_requestHandlers`, in order to call the handlers of registrations
 * from its own handlers.
 */
const wrapping = new WeakSet<HandlersOwner["callbacks"]>();

/** Handlers of registrations that a program's own handler replaces, by the context of the request. */
const replaced = new WeakMap<NativeContext, Next>();

export function noteReplaced(
  callbacks: HandlersOwner["callbacks"],
  native: NativeContext,
  next: Next | undefined,
): void {
  if (next && wrapping.has(callbacks)) replaced.set(native, next);
}

/**
 * Returns the request handlers of a server. Programs read them from the private member `_requestHandlers` of the
 * official SDK, to call the handler of the registered tools from their own handler.
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
