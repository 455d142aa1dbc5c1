import { AuthorizationError } from "@mcp-codegen/runtime/http/client";
import { quoted } from "./text.js";

/**
 * Step of an authorization: finding the authorization server, getting known to it, asking the user, getting a token,
 * getting the scopes that an operation needs.
 */
export type OAuthStage = "discovery" | "registration" | "authorization" | "token" | "scope";

/** Facts about a failed authorization. */
export interface OAuthFailure {
  /** Condition that would have let it go on. */
  readonly expected?: string | undefined;
  /** Error code of OAuth, such as `access_denied`, as the authorization server sent it. */
  readonly error?: string | undefined;
  /** Status of the MCP server's response, if it is about that: 401 or 403. */
  readonly status?: number | undefined;
  /** Status of the authorization server's response, if it is about that. */
  readonly serverStatus?: number | undefined;
  /** The `WWW-Authenticate` header of the MCP server, if it is about that. */
  readonly challenge?: string | undefined;
  readonly cause?: unknown;
}

/** The client could not get a token that the MCP server accepts. Its texts hold no token, code or secret. */
export class OAuthError extends AuthorizationError {
  override readonly name: string = "OAuthError";
  readonly stage: OAuthStage;
  readonly expected: string | undefined;
  /** Error code of OAuth, such as `access_denied` or `invalid_grant`. */
  readonly error: string | undefined;
  /** Status with which the authorization server answered. */
  readonly serverStatus: number | undefined;

  constructor(stage: OAuthStage, message: string, failure: OAuthFailure = {}) {
    const { expected, error, status, serverStatus, challenge, cause } = failure;
    super(expected === undefined ? message : `${message}; expected ${expected}`, challenge, {
      ...(status !== undefined && { status }),
      ...(cause !== undefined && { cause }),
    });
    this.stage = stage;
    this.expected = expected;
    this.error = error;
    this.serverStatus = serverStatus;
  }
}

/** The user has been sent to the authorization server; `finish` of the `OAuth` object goes on when they are back. */
export class RedirectPendingError extends OAuthError {
  override readonly name: string = "RedirectPendingError";

  constructor() {
    super("authorization", "The user has been sent to the authorization server", {
      expected: "a call of finish() with the URL that the user comes back to",
    });
  }
}

/**
 * Metadata or an authorization response comes from another authorization server than was asked (RFC 8414 §3.3, RFC 9207).
 * What else it says is of an attacker, perhaps: do not show it.
 */
export class IssuerMismatchError extends OAuthError {
  override readonly name: string = "IssuerMismatchError";
  /** Issuer that was asked. */
  readonly issuer: string;
  /** Issuer that has answered; undefined where it does not say. */
  readonly received: string | undefined;

  constructor(
    stage: "discovery" | "authorization",
    message: string,
    issuer: string,
    received: string | undefined,
  ) {
    super(stage, message, { expected: quoted(issuer) });
    this.issuer = issuer;
    this.received = received;
  }
}

/** Failure of what the host gives, such as `visit` or a store, as an error of the authorization. */
export function hostFailure(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new OAuthError("authorization", `The authorization has failed: ${reason}`, {
    cause: error,
  });
}
