import { InsufficientScopeError } from "@mcp-codegen/universal";
import { type AuthInfo, authInfoOf, type JSONRPCRequest } from "../../shared/index.js";
import type { NativeContext } from "../connection.js";

/** The scopes that a client must obtain before its request is handled. */
export interface ScopeChallenge {
  /** All scopes that the request requires. */
  scopes: readonly [string, ...string[]];
  errorDescription?: string | undefined;
}

/** A function that returns the scopes that a request lacks, if any. */
export type ScopeChallengeHandler = (context: {
  request: JSONRPCRequest;
  authInfo?: AuthInfo | undefined;
}) => ScopeChallenge | undefined | Promise<ScopeChallenge | undefined>;

/**
 * Returns a handler that requires authenticated senders to have these scopes. Unauthenticated requests are left to the
 * authentication in front of the server.
 *
 * @throws TypeError if no scope is passed, or if a scope is invalid (RFC 6749, section 3.3)
 */
export function requireScopes(...scopes: readonly [string, ...string[]]): ScopeChallengeHandler {
  if (scopes.length === 0) throw new TypeError("requireScopes needs at least one scope");
  for (const scope of scopes) {
    if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)) {
      throw new TypeError(`requireScopes: ${JSON.stringify(scope)} is not a valid scope`);
    }
  }
  return ({ authInfo }) =>
    authInfo === undefined || scopes.every((scope) => authInfo.scopes.includes(scope))
      ? undefined
      : { scopes };
}

type Call = (...args: unknown[]) => unknown;

export function challenged(
  call: Call,
  handler: ScopeChallengeHandler | null | undefined,
  method: string,
  paramsOf: (...args: unknown[]) => object,
): Call {
  if (!handler) return call;
  return async (...args) => {
    const { id, auth } = args.at(-1) as NativeContext;
    const params = paramsOf(...args) as Record<string, unknown>;
    const request: JSONRPCRequest = { jsonrpc: "2.0", id: id!, method, params };
    const authInfo = authInfoOf(auth);
    const challenge = await handler({ request, ...(authInfo ? { authInfo } : {}) });
    if (challenge) throw new InsufficientScopeError(challenge.scopes);
    return call(...args);
  };
}
