import type { OAuthErrorResponse } from "./oauth-types.js";

/** Error codes of OAuth (RFC 6749, 6750, 7009, 7591, 8707). */
export const OAuthErrorCode = {
  InvalidRequest: "invalid_request",
  InvalidClient: "invalid_client",
  InvalidGrant: "invalid_grant",
  UnauthorizedClient: "unauthorized_client",
  UnsupportedGrantType: "unsupported_grant_type",
  InvalidScope: "invalid_scope",
  AccessDenied: "access_denied",
  ServerError: "server_error",
  TemporarilyUnavailable: "temporarily_unavailable",
  UnsupportedResponseType: "unsupported_response_type",
  UnsupportedTokenType: "unsupported_token_type",
  InvalidToken: "invalid_token",
  MethodNotAllowed: "method_not_allowed",
  TooManyRequests: "too_many_requests",
  InvalidClientMetadata: "invalid_client_metadata",
  InvalidRedirectUri: "invalid_redirect_uri",
  InsufficientScope: "insufficient_scope",
  InvalidTarget: "invalid_target",
  InvalidDpopProof: "invalid_dpop_proof",
  UseDpopNonce: "use_dpop_nonce",
} as const;
/** One of the {@link OAuthErrorCode}s. */
export type OAuthErrorCode = (typeof OAuthErrorCode)[keyof typeof OAuthErrorCode];

/** An error in the form of OAuth. */
export class OAuthError extends Error {
  override readonly name: string = "OAuthError";
  readonly code: string;
  readonly errorUri?: string | undefined;

  /** True when the value is an instance of this class. */
  static isInstance<Instance>(
    this: abstract new (...args: never[]) => Instance,
    value: unknown,
  ): value is Instance {
    return value instanceof this;
  }

  /** Error that a response of an authorization server tells. */
  static fromResponse({ error, error_description, error_uri }: OAuthErrorResponse): OAuthError {
    return new OAuthError(error, error_description ?? error, error_uri);
  }

  constructor(code: OAuthErrorCode | (string & {}), message: string, errorUri?: string) {
    super(message);
    this.code = code;
    this.errorUri = errorUri;
  }

  /** Code, in version 1. */
  get errorCode(): string {
    return this.code;
  }

  /** Body of a response. */
  toResponseObject(): OAuthErrorResponse {
    const { code, message, errorUri } = this;
    return {
      error: code,
      error_description: message,
      ...(errorUri ? { error_uri: errorUri } : {}),
    };
  }
}
