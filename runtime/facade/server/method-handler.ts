import { ToolError, errorResult } from "../../features/index.js";
import type { AnyHandler } from "../../api/index.js";
import { assertAskable } from "./assert-askable.js";
import type { MakeContext } from "./facade-context.js";

type Callback = (params: unknown, ctx: object) => unknown;

/**
 * Handler of a method that replaces the built-in one. A tool call can fail as those of registered
 * tools do.
 */
export function methodHandler(
  method: string,
  given: (params: never, ctx: never) => unknown,
  contextOf: MakeContext,
): AnyHandler {
  const callback = given as Callback;
  if (method !== "tools/call") return (params, context) => callback(params, contextOf(context));
  return async (params, context) => {
    try {
      const result = await callback(params, contextOf(context));
      assertAskable(result, context);
      return result;
    } catch (error) {
      if (error instanceof ToolError) return errorResult(error.message);
      throw error;
    }
  };
}
