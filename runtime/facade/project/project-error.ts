import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isObject,
  type Revision,
  RpcError,
} from "../../internal.js";

/**
 * The error that a revision has in the place of one: its own code for a resource that does not exist, and an internal
 * error for a code that means something only in other revisions (MCP: error codes).
 */
export function projectError(
  method: string,
  error: RpcError,
  { errorCodes }: Pick<Revision, "errorCodes">,
  foreignCodes: readonly number[],
): RpcError {
  const { code, message, data } = error;
  const notFound = errorCodes["RESOURCE_NOT_FOUND"];
  const isNotFound =
    method === "resources/read" &&
    code === INVALID_PARAMS &&
    isObject(data) &&
    typeof data["uri"] === "string";
  if (isNotFound && notFound !== undefined) return new RpcError(notFound, message, data);
  return foreignCodes.includes(code) ? new RpcError(INTERNAL_ERROR, message) : error;
}
