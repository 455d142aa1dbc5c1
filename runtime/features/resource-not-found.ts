import { INVALID_PARAMS, type Revision, RpcError, quote } from "../wire/index.js";

/**
 * Error for a request that names an unknown resource, under a revision (MCP: resources, errors).
 */
export function resourceNotFound({ errorCodes }: Revision, uri: string): RpcError {
  const code = errorCodes["RESOURCE_NOT_FOUND"] ?? INVALID_PARAMS;
  return new RpcError(code, `Resource not found: ${quote(uri)}`, { uri });
}
