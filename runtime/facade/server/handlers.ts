import type { AnyHandler, AnyMiddleware } from "../../api/index.js";
import { errorResult, ToolError } from "../../features/server/index.js";
import { oncePerKey } from "../../ground/index.js";
import {
  INTERNAL_ERROR,
  type Loss,
  type OnLoss,
  RpcError,
  SharedError,
  describeThrown,
} from "../../wire/index.js";
import { askable, type MakeContext } from "./facade-context.js";

/** Handler of any method, as `setHandler` receives it. */
export type AnyMethodHandler = (
  params: unknown,
  ctx: object,
  next: (params?: unknown) => unknown,
) => unknown;

/**
 * Handler of a method, which replaces the one of a feature. A tool call can fail as those of registered tools do.
 * @param inner - handler that it replaces, if there is one
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

/** Middleware that sends clients the messages of all errors. */
export const tellErrors: AnyMiddleware = async ({ method, kind }, next) => {
  try {
    return await next();
  } catch (error) {
    if (kind === "notification" || error instanceof RpcError) throw error;
    if (method === "tools/call") return errorResult(describeThrown(error));
    throw new RpcError(INTERNAL_ERROR, describeThrown(error));
  }
};

/**
 * Maximum number of kinds of losses that are reported, so that reports end even if kinds never
 * repeat.
 */
const MAX_KINDS = 1000;

/** A message contains a value that its revision cannot express. */
export class LossWarning extends SharedError {
  static override readonly errorName: string = "LossWarning";
  readonly loss: Loss;

  constructor(loss: Loss) {
    const { revision, method, path, reason, replacement } = loss;
    const done = replacement === undefined ? "left out" : "replaced";
    const where = path === "" ? method : `${method} ${path}`;
    super(
      `${where} ${reason} in ${revision}, and is ${done} for its clients: nothing to do (warnOfLosses: false hides this)`,
    );
    this.loss = loss;
  }
}

/** Functions that receive the errors and losses of a server. */
export interface ServerObserver {
  readonly onerror?: ((error: Error) => void) | undefined;
  readonly onloss?: ((loss: Loss) => void) | undefined;
}

/** Callbacks that call all observers, and then the callbacks of the options. */
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

/** Reports each kind of loss once, and lets `onloss` choose the replacement. */
export function warnOfLosses(report: (error: Error) => void, onloss: OnLoss | undefined): OnLoss {
  const isNew = oncePerKey(MAX_KINDS);
  return (loss) => {
    const kind = `${loss.revision} ${loss.method} ${loss.path.replace(/\d+/g, "0")} ${loss.reason}`;
    if (isNew(kind)) report(new LossWarning(loss));
    return onloss?.(loss);
  };
}
