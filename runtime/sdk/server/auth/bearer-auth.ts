import {
  type AuthInfo,
  OAuthError,
  OAuthErrorCode,
  resourceUrlFromServerUrl,
} from "../../shared/index.js";

/** Verifies access tokens. */
export interface OAuthTokenVerifier {
  /**
   * Validates an access token.
   * @throws OAuthError `invalid_token` if the token is rejected
   */
  verifyAccessToken(token: string): Promise<AuthInfo>;
}

/** The requirements for access tokens in requests. */
export interface BearerAuthOptions {
  verifier: OAuthTokenVerifier;
  /** The scopes that every token must have. */
  requiredScopes?: string[] | undefined;
  /** The URL of the metadata that directs clients to the authorization server (RFC 9728). */
  resourceMetadataUrl?: string | undefined;
  /** The resource for which tokens must have been issued. */
  expectedResource?: URL | undefined;
}

/** The options of {@link verifyBearerToken}. */
export type VerifyBearerTokenOptions = BearerAuthOptions;

type Challenge = Pick<BearerAuthOptions, "requiredScopes" | "resourceMetadataUrl">;

const STATUSES: Readonly<Record<string, number>> = {
  [OAuthErrorCode.InvalidToken]: 401,
  [OAuthErrorCode.InsufficientScope]: 403,
  [OAuthErrorCode.ServerError]: 500,
};

/**
 * Validates the token in an `Authorization` header.
 * @throws OAuthError `invalid_token` or `insufficient_scope`, or the verifier's error
 */
export async function verifyBearerToken(
  authorization: string | null | undefined,
  { verifier, requiredScopes = [], resourceMetadataUrl, expectedResource }: BearerAuthOptions,
): Promise<AuthInfo> {
  if (!authorization) throw invalid("Missing Authorization header");
  const [, token] = /^Bearer +([^\s,]+)$/i.exec(authorization.trim()) ?? [];
  if (token === undefined) {
    throw invalid("Invalid Authorization header format, expected 'Bearer TOKEN'");
  }
  const info = await verifier.verifyAccessToken(token);
  if (!requiredScopes.every((scope) => info.scopes.includes(scope))) {
    throw new OAuthError(OAuthErrorCode.InsufficientScope, "Insufficient scope");
  }
  const { expiresAt, resource } = info;
  if (typeof expiresAt !== "number" || Number.isNaN(expiresAt)) {
    throw invalid("Token has no expiration time");
  }
  if (expiresAt < Date.now() / 1000) throw invalid("Token has expired");
  if (expectedResource && !isSame(resource, expectedResource)) {
    throw invalid("Token was issued for another resource");
  }
  return resourceMetadataUrl === undefined ? info : { resourceMetadataUrl, ...info };
}

/**
 * Returns the response to a request whose token was rejected: 401, 403, 400 or 500. The response has a challenge if
 * the client can react to one.
 */
export function bearerAuthChallengeResponse(error: unknown, challenge: Challenge = {}): Response {
  const { status, body, headers } = refusalOf(error, challenge);
  return Response.json(body, { status, headers });
}

/**
 * Returns a function for web-standard servers that authenticates a request. It returns either the sender or the
 * response that rejects the request.
 */
export function requireBearerAuth(
  options: BearerAuthOptions,
): (request: Request) => Promise<AuthInfo | Response> {
  const { verifier } = options;
  if (typeof verifier?.verifyAccessToken !== "function") {
    throw new TypeError("requireBearerAuth needs a verifier with verifyAccessToken");
  }
  return async (request) => {
    try {
      return await verifyBearerToken(request.headers.get("authorization"), options);
    } catch (error) {
      return bearerAuthChallengeResponse(error, options);
    }
  };
}

export interface Refusal {
  status: number;
  body: object;
  headers: Record<string, string>;
}

/** Returns the rejection that corresponds to an error. Only OAuth errors are described to the client. */
export function refusalOf(error: unknown, challenge: Challenge): Refusal {
  const known =
    error instanceof OAuthError
      ? error
      : new OAuthError(OAuthErrorCode.ServerError, "Internal Server Error");
  const status = STATUSES[known.code] ?? 400;
  const isChallenge = status === 401 || status === 403;
  return {
    status,
    body: known.toResponseObject(),
    headers: isChallenge ? { "WWW-Authenticate": challengeText(known, challenge) } : {},
  };
}

function challengeText(
  { code, message }: OAuthError,
  { requiredScopes = [], resourceMetadataUrl }: Challenge,
): string {
  const parameters = {
    error: code,
    error_description: message,
    ...(requiredScopes.length > 0 ? { scope: requiredScopes.join(" ") } : {}),
    ...(resourceMetadataUrl === undefined ? {} : { resource_metadata: resourceMetadataUrl }),
  };
  const text = Object.entries(parameters).map(([name, value]) => `${name}="${quotable(value)}"`);
  return `Bearer ${text.join(", ")}`;
}

/** Escapes text for a quoted string in a header field (RFC 9110, section 5.6.4). */
function quotable(text: string): string {
  return text.replaceAll(/[\\"]/g, "\\$&").replaceAll(/[^\u0020-\u007e]/g, " ");
}

function isSame(resource: URL | undefined, expected: URL): boolean {
  return resource !== undefined && comparable(resource) === comparable(expected);
}

function comparable(resource: URL): string {
  return resourceUrlFromServerUrl(resource).href.replace(/\/$/, "");
}

function invalid(message: string): OAuthError {
  return new OAuthError(OAuthErrorCode.InvalidToken, message);
}
