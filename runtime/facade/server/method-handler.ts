import { ToolError, errorResult } from "../../features/index.js";
import type { AnyHandler } from "../../api/index.js";
import { assertAskable } from "./assert-askable.js";
import type { MakeContext } from "./facade-context.js";

type Callback = (params: unknown, ctx: object, next: (params?: unknown) => unknown) => unknown;

/**
 * Handler of a method that takes the place of the one that registered things have. A tool call can fail as those of
 * registered tools do.
 *
 * @param inner - handler whose place it takes, if there is one
 */
export function methodHandler(
  method: string,
  given: (params: never, ctx: never, next: never) => unknown,
  contextOf: MakeContext,
  inner: AnyHandler | undefined,
): AnyHandler {
  const callback = given as Callback;
  const call: AnyHandler = (params, context) =>
    callback(params, contextOf(context), async (changed = params) => {
      if (inner) return inner(changed, context);
      throw new TypeError(
        `Nothing is registered that answers ${method}: next() has nobody to call`,
      );
    });
  if (method !== "tools/call") return call;
  return async (params, context) => {
    try {
      const result = await call(params, context);
      assertAskable(result, context);
      return result;
    } catch (error) {
      if (error instanceof ToolError) return errorResult(error.message);
      throw error;
    }
  };
}
