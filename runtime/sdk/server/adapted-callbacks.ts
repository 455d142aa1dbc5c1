import { ToolError } from "@mcp-codegen/universal";
import { ProtocolErrorCode } from "../shared/index.js";
import type { NativeContext } from "./definition.js";
import { contextOf, type ServerContext } from "./server-context.js";

type Callback = (...args: never[]) => unknown;

/** Notes the request that is being handled. */
export type Seen = (native: NativeContext) => void;

/** Callback of ours that calls one of the SDK's: the context comes last, in its shape. */
export function adapted(callback: Callback, seen: Seen): (...args: unknown[]) => unknown {
  return (...args) => {
    const native = args.at(-1) as NativeContext;
    seen(native);
    const ctx: ServerContext = contextOf(native);
    return (callback as (...given: unknown[]) => unknown)(...args.slice(0, -1), ctx);
  };
}

/** {@link adapted} for a tool: the model reads every error but the one that asks for a web page. */
export function adaptedTool(callback: Callback, seen: Seen): (...args: unknown[]) => unknown {
  const call = adapted(callback, seen);
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
