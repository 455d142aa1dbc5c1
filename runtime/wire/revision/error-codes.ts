import { RpcError } from "../errors.js";
import { INTERNAL_ERROR, INVALID_PARAMS, quote } from "../messages/jsonrpc.js";
import { isObject } from "../validation/tests.js";
import type { ProjectError, Revision } from "./revision.js";

/**
 * The code for an unknown resource in sessions. Stateless servers answer with -32602 instead (MCP: resources, errors).
 */
const RESOURCE_NOT_FOUND = -32002;

/** The codes that only the protocol may define (MCP: error codes). */
const RESERVED = { from: -32099, to: -32020 };

/**
 * Maps errors to those of a revision. A nonexistent resource becomes the revision's own error. A reserved code that the
 * revision does not define becomes an internal error, which counts as a loss.
 */
export function errorProjection({ id, errorCodes }: Revision): ProjectError {
  const own = new Set(Object.values(errorCodes));
  const notFound = errorCodes["RESOURCE_NOT_FOUND"] ?? INVALID_PARAMS;
  return ({ method, params }, error, onloss) => {
    const { code, message, data } = error;
    if (method === "resources/read" && code !== notFound && isResourceNotFound(error)) {
      return new RpcError(notFound, message, data ?? uriOf(params));
    }
    if (own.has(code) || !isReserved(code)) return error;
    const replacement = new RpcError(INTERNAL_ERROR, message);
    const reason = `there is no error with the code ${code}`;
    const instead = onloss?.({ revision: id, method, path: "", reason, value: error, replacement });
    return instead instanceof RpcError ? instead : replacement;
  };
}

/**
 * Creates the error for a request that names an unknown resource, with the revision's code (MCP: resources, errors).
 */
export function resourceNotFound({ errorCodes }: Revision, uri: string): RpcError {
  const code = errorCodes["RESOURCE_NOT_FOUND"] ?? INVALID_PARAMS;
  return new RpcError(code, `Resource not found: ${quote(uri)}`, { uri });
}

/**
 * True for the error of a server that does not have a resource, regardless of its revision: -32002, which any server may
 * send, or -32602 with the URI in its data. An error -32602 without the URI means that other parameters are invalid
 * (MCP: resources, errors).
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

function isReserved(code: number): boolean {
  return code === RESOURCE_NOT_FOUND || (code >= RESERVED.from && code <= RESERVED.to);
}

function uriOf(params: unknown): { readonly uri: unknown } | undefined {
  return isObject(params) ? { uri: params["uri"] } : undefined;
}

const NAMES = [
  "HEADER_MISMATCH",
  "MISSING_REQUIRED_CLIENT_CAPABILITY",
  "UNSUPPORTED_PROTOCOL_VERSION",
] as const;

/**
 * Returns the error codes that only stateless servers send (MCP: versioning, compatibility); empty for a revision with
 * sessions.
 */
export function statelessErrors({ traits, errorCodes }: Revision): readonly number[] {
  if (traits.lifecycle !== "discover") return [];
  return NAMES.flatMap((name) => errorCodes[name] ?? []);
}
