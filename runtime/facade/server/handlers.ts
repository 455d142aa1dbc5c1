import type { AnyHandler } from "../../api/index.js";
import { errorResult, ToolError } from "../../features/server/index.js";
import type { Loss, OnLoss } from "../../wire/index.js";
import { askable, type MakeContext } from "./facade-context.js";

export type AnyMethodHandler = (
  params: unknown,
  ctx: object,
  next: (params?: unknown) => unknown,
) => unknown;

/**
 * Creates the handler for a method, which replaces a feature's handler. A handler for `tools/call` may throw a
 * `ToolError`, just like the handlers of registered tools.
 */
export function methodHandler(
  method: string,
  callback: AnyMethodHandler,
  contextOf: MakeContext,
  inner: AnyHandler | undefined,
): AnyHandler {
  const call: AnyHandler = (params, context) =>
    callback(params, contextOf(context), async (changed = params) => {
      if (inner) return inner(changed, context);
      throw new TypeError(`There is no handler for ${method} that next() could call`);
    });
  if (method !== "tools/call") return call;
  return async (params, context) => {
    try {
      return await askable(await call(params, context), context, (result) => result);
    } catch (error) {
      if (error instanceof ToolError) return errorResult(error.message);
      throw error;
    }
  };
}

/** Receives a server's errors and losses. */
export interface ServerObserver {
  readonly onerror?: ((error: Error) => void) | undefined;
  readonly onloss?: ((loss: Loss) => void) | undefined;
}

export function observedBy(
  observers: ReadonlySet<ServerObserver>,
  {
    onerror,
    onloss,
  }: {
    readonly onerror?: ((error: Error) => void) | undefined;
    readonly onloss?: OnLoss | undefined;
  },
): { readonly onerror: (error: Error) => void; readonly onloss: OnLoss } {
  return {
    onerror(error) {
      for (const observer of observers) observer.onerror?.(error);
      return onerror?.(error);
    },
    onloss(loss) {
      for (const observer of observers) observer.onloss?.(loss);
      return onloss?.(loss);
    },
  };
}
