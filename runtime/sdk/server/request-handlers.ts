import type { Callback } from "../shared/internal/index.js";
import type { NativeContext } from "./connection.js";
import { nativeOf } from "./server-context.js";

type NativeCallback = (params: unknown, native: NativeContext) => unknown;
type Next = (params: unknown) => unknown;

/** Handlers of requests by method, with the operations of a `Map` that programs use. */
export interface RequestHandlers {
  has(method: string): boolean;
  /** Handler of a method: that of the program, or else that of the registered tools, prompts and resources. */
  get(method: string): Callback | undefined;
  set(method: string, handler: Callback): void;
  delete(method: string): boolean;
}

/** Operations of a server that its {@link RequestHandlers} need. */
interface HandlersOwner {
  readonly callbacks: ReadonlyMap<string, NativeCallback>;
  /** True if the server registers what requests of a method list or use. */
  readonly registers: (method: string) => boolean;
  readonly set: (method: string, handler: Callback) => void;
  readonly remove: (method: string) => void;
}

/** Handlers of programs that read those of registrations, to call them from their own. */
const wrapping = new WeakSet<HandlersOwner["callbacks"]>();

/** Handlers of registrations, by the context of the request that a program's own handler receives instead. */
const replaced = new WeakMap<NativeContext, Next>();

/** Notes the handler that the program's own one replaces, for the time of one request. */
export function noteReplaced(
  callbacks: HandlersOwner["callbacks"],
  native: NativeContext,
  next: Next | undefined,
): void {
  if (next && wrapping.has(callbacks)) replaced.set(native, next);
}

/**
 * Handlers of a server as programs read them from the private `_requestHandlers` of the official SDK, to call the handler
 * of the registered tools from one of their own.
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
