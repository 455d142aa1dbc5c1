import { INVALID_PARAMS, type Revision, RpcError, isObject, quote } from "../wire/index.js";

/**
 * Error for a request that names an unknown resource, under a revision (MCP: resources, errors).
 */
export function resourceNotFound({ errorCodes }: Revision, uri: string): RpcError {
  const code = errorCodes["RESOURCE_NOT_FOUND"] ?? INVALID_PARAMS;
  return new RpcError(code, `Resource not found: ${quote(uri)}`, { uri });
}

/** Code for an unknown resource in sessions; stateless servers answer with -32602 (MCP: resources, errors). */
const RESOURCE_NOT_FOUND = -32_002;

/**
 * True for the error of a server that has no such resource, whatever its revision: -32002, which any server may send,
 * or -32602 that names the URI in its data. Other invalid parameters are something else (MCP: resources, errors).
 *
 * @example
 * ```ts
 * const found = await client.readResource({ uri }).catch((error) => {
 *   if (isResourceNotFound(error)) return undefined;
 *   throw error;
 * });
 * ```
 */
export function isResourceNotFound(error: unknown): error is RpcError {
  if (!(error instanceof RpcError)) return false;
  const { code, data } = error;
  if (code === RESOURCE_NOT_FOUND) return true;
  return code === INVALID_PARAMS && isObject(data) && typeof data["uri"] === "string";
}
