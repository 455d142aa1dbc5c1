import { RpcError } from "../errors.js";
import { INTERNAL_ERROR, INVALID_PARAMS } from "../messages/jsonrpc.js";
import { isObject } from "../validation/tests.js";
import type { ProjectError, Revision } from "./revision.js";

/** Code for an unknown resource, in the revisions that have one. */
const RESOURCE_NOT_FOUND = -32002;

/** Codes that only the protocol may define (MCP: error codes). */
const RESERVED = { from: -32099, to: -32020 };

/**
 * Maps errors to those of a revision. A resource that does not exist becomes the revision's own error; a reserved code
 * that this revision does not define becomes an internal error, which counts as a loss.
 */
export function errorProjection({ id, errorCodes }: Revision): ProjectError {
  const own = new Set(Object.values(errorCodes));
  const notFound = errorCodes["RESOURCE_NOT_FOUND"] ?? INVALID_PARAMS;
  return ({ method, params }, error, onloss) => {
    const { code, message, data } = error;
    if (method === "resources/read" && code !== notFound && isNotFound(error)) {
      return new RpcError(notFound, message, data ?? uriOf(params));
    }
    if (own.has(code) || !isReserved(code)) return error;
    const replacement = new RpcError(INTERNAL_ERROR, message);
    const reason = `there is no error with the code ${code}`;
    const instead = onloss?.({ revision: id, method, path: "", reason, value: error, replacement });
    return instead instanceof RpcError ? instead : replacement;
  };
}

function isNotFound({ code, data }: RpcError): boolean {
  const hasUri = isObject(data) && typeof data["uri"] === "string";
  return code === RESOURCE_NOT_FOUND || (code === INVALID_PARAMS && hasUri);
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
 * Codes of errors that only servers of stateless requests send (MCP: versioning, compatibility).
 */
export function statelessErrors({ traits, errorCodes }: Revision): readonly number[] {
  if (traits.lifecycle !== "discover") return [];
  return NAMES.flatMap((name) => errorCodes[name] ?? []);
}
