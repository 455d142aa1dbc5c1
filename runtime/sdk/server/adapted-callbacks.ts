import { ToolError } from "@mcp-codegen/universal";
import { ProtocolErrorCode } from "../shared/index.js";
import type { NativeContext } from "./definition.js";
import type { ServerContext } from "./server-context.js";

type Callback = (...args: never[]) => unknown;

/** Makes the context of a request; a promise where what the handler remembered has to be read first. */
export type MakeContext = (native: NativeContext) => ServerContext | Promise<ServerContext>;

/** Callback of ours that calls one of the SDK's: the context comes last, in its shape. */
export function adapted(
  callback: Callback,
  contextOf: MakeContext,
): (...args: unknown[]) => unknown {
  return (...args) => {
    const native = args.at(-1) as NativeContext;
    const call = (ctx: ServerContext): unknown =>
      (callback as (...given: unknown[]) => unknown)(...args.slice(0, -1), ctx);
    const ctx = contextOf(native);
    return ctx instanceof Promise ? ctx.then(call) : call(ctx);
  };
}

/** {@link adapted} for a tool: the model reads every error but the one that asks for a web page. */
export function adaptedTool(
  callback: Callback,
  contextOf: MakeContext,
): (...args: unknown[]) => unknown {
  const call = adapted(callback, contextOf);
  return async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (code === ProtocolErrorCode.UrlElicitationRequired) throw error;
      throw new ToolError(error instanceof Error ? error.message : String(error));
    }
  };
}
