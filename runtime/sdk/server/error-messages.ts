import { type AnyMiddleware, INTERNAL_ERROR, RpcError } from "@mcp-codegen/runtime";

export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return "a value was thrown that cannot be shown";
  }
}

/**
 * Middleware that sends the client the message of any error that a request handler throws. An RpcError is sent
 * unchanged.
 */
export const errorMessages: AnyMiddleware = async ({ method, kind }, next) => {
  try {
    return await next();
  } catch (error) {
    if (kind === "notification" || error instanceof RpcError) throw error;
    const text = messageOf(error);
    if (method === "tools/call") return { content: [{ type: "text", text }], isError: true };
    throw new RpcError(INTERNAL_ERROR, text);
  }
};
