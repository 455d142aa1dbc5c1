import { INVALID_PARAMS, RpcError, quote } from "../../wire/index.js";

/**
 * Thrown when a resource does not exist; what reads a resource can as well give `undefined`. Each client gets the error
 * that its revision has for that (MCP: resources, errors).
 */
export class ResourceNotFoundError extends RpcError {
  override readonly name: string = "ResourceNotFoundError";

  constructor(uri: string | URL) {
    super(INVALID_PARAMS, `Resource not found: ${quote(String(uri))}`, { uri: String(uri) });
  }
}
