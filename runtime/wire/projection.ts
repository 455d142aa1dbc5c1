import { RpcError } from "./errors.js";
import { INTERNAL_ERROR, INVALID_PARAMS } from "./jsonrpc.js";
import type { Method, Revision } from "./revision.js";
import { isObject } from "./validate.js";

/** Translation of whole messages between the newest revision, for which handlers are written, and another one. */
export interface Projection {
  /**
   * Returns the function that converts a part of an outgoing message to the form of the revision; undefined if the two
   * revisions do not differ there. The function throws a CapabilityError if the revision cannot express the message.
   */
  down(row: Method, part: MessagePart, onloss?: OnLoss | undefined): Convert | undefined;
  /**
   * Returns the function that converts a valid part of a received message to the form of the newest revision; undefined if
   * the two revisions do not differ there.
   */
  up(row: Method, part: MessagePart): Convert | undefined;
}

type Convert = (value: unknown) => unknown;

/** Maps an error to its equivalent in a revision. */
export type ProjectError = (
  request: { readonly method: string; readonly params: unknown },
  error: RpcError,
  onloss: OnLoss | undefined,
) => RpcError;

export type MessagePart = "params" | "result";

/** Something that a revision has no way to say. */
export interface Loss {
  /** Id of the revision that lacks it. */
  readonly revision: string;
  readonly method: string;
  /** JSON Pointer into the parameters or the result. */
  readonly path: string;
  readonly reason: string;
  /** Value that is lost. */
  readonly value: unknown;
  /** Value that replaces it; undefined when none does. */
  readonly replacement: unknown;
}

/** Called with each loss; what it returns, unless that is undefined, is sent instead of the replacement. */
export type OnLoss = (loss: Loss) => unknown;

/** Code for an unknown resource, in the revisions that have a code for it. */
const RESOURCE_NOT_FOUND = -32002;

/** Codes that only the protocol may give a meaning (MCP: error codes). */
const RESERVED = { from: -32099, to: -32020 };

/**
 * Maps errors to those of a revision: its own one for a resource that does not exist, and an internal error, which
 * counts as a loss, for a code that means something only in other revisions, or in none.
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
