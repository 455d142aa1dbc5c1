import { errorResult } from "../../features/index.js";
import type { AnyMiddleware } from "../../api/index.js";
import { INTERNAL_ERROR, RpcError } from "../../wire/index.js";

/** Message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Middleware that tells clients the messages of errors that are not meant for them. */
export const tellErrors: AnyMiddleware = async ({ method, kind }, next) => {
  try {
    return await next();
  } catch (error) {
    if (kind === "notification" || error instanceof RpcError) throw error;
    if (method === "tools/call") return errorResult(messageOf(error));
    throw new RpcError(INTERNAL_ERROR, messageOf(error));
  }
};
