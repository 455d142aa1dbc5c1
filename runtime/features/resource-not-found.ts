import { INVALID_PARAMS, type Revision, RpcError, quote } from "../wire/index.js";

/** What a request for a resource that does not exist is answered with, under a revision (MCP: resources, errors). */
export function resourceNotFound({ errorCodes }: Revision, uri: string): RpcError {
  const code = errorCodes["RESOURCE_NOT_FOUND"] ?? INVALID_PARAMS;
  return new RpcError(code, `Resource not found: ${quote(uri)}`, { uri });
}
