import { OAuthError as GeneralError, OAuthErrorCode } from "../../shared/index.js";

/** A version 1 OAuth error, whose class determines its code. */
export class OAuthError extends GeneralError {
  static errorCode: string = OAuthErrorCode.ServerError;

  constructor(message: string, errorUri?: string) {
    super(new.target.errorCode, message, errorUri);
  }
}

/** An OAuth error with a custom code. */
export class CustomOAuthError extends GeneralError {}

export class InvalidRequestError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.InvalidRequest;
}
export class InvalidClientError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.InvalidClient;
}
export class InvalidGrantError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.InvalidGrant;
}
export class UnauthorizedClientError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.UnauthorizedClient;
}
export class UnsupportedGrantTypeError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.UnsupportedGrantType;
}
export class InvalidScopeError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.InvalidScope;
}
export class AccessDeniedError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.AccessDenied;
}
export class ServerError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.ServerError;
}
export class TemporarilyUnavailableError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.TemporarilyUnavailable;
}
export class UnsupportedResponseTypeError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.UnsupportedResponseType;
}
export class UnsupportedTokenTypeError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.UnsupportedTokenType;
}
export class InvalidTokenError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.InvalidToken;
}
export class MethodNotAllowedError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.MethodNotAllowed;
}
export class TooManyRequestsError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.TooManyRequests;
}
export class InvalidClientMetadataError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.InvalidClientMetadata;
}
export class InsufficientScopeError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.InsufficientScope;
}
export class InvalidTargetError extends OAuthError {
  static override errorCode: string = OAuthErrorCode.InvalidTarget;
}

/** Maps error codes to error classes. */
export const OAUTH_ERRORS: Readonly<Record<string, typeof OAuthError>> = {
  [OAuthErrorCode.InvalidRequest]: InvalidRequestError,
  [OAuthErrorCode.InvalidClient]: InvalidClientError,
  [OAuthErrorCode.InvalidGrant]: InvalidGrantError,
  [OAuthErrorCode.UnauthorizedClient]: UnauthorizedClientError,
  [OAuthErrorCode.UnsupportedGrantType]: UnsupportedGrantTypeError,
  [OAuthErrorCode.InvalidScope]: InvalidScopeError,
  [OAuthErrorCode.AccessDenied]: AccessDeniedError,
  [OAuthErrorCode.ServerError]: ServerError,
  [OAuthErrorCode.TemporarilyUnavailable]: TemporarilyUnavailableError,
  [OAuthErrorCode.UnsupportedResponseType]: UnsupportedResponseTypeError,
  [OAuthErrorCode.UnsupportedTokenType]: UnsupportedTokenTypeError,
  [OAuthErrorCode.InvalidToken]: InvalidTokenError,
  [OAuthErrorCode.MethodNotAllowed]: MethodNotAllowedError,
  [OAuthErrorCode.TooManyRequests]: TooManyRequestsError,
  [OAuthErrorCode.InvalidClientMetadata]: InvalidClientMetadataError,
  [OAuthErrorCode.InsufficientScope]: InsufficientScopeError,
  [OAuthErrorCode.InvalidTarget]: InvalidTargetError,
};
