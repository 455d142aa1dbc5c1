import { type FetchLike, OAuthError, OAuthErrorCode } from "../shared/index.js";
import { type OAuthClientProvider, UnauthorizedError } from "./auth-provider.js";
import { loginErrorIn } from "./login-errors.js";
import type { Middleware } from "./middleware.js";
import { providerAuth } from "./provider-auth.js";

/** Outcome of `auth`: a token is available, or the user was redirected to the authorization server. */
export type AuthResult = "AUTHORIZED" | "REDIRECT";

/** Options of `auth`. */
export interface AuthOptions {
  serverUrl: string | URL;
  /** Authorization code from the redirect. */
  authorizationCode?: string | undefined;
  /** Issuer from the redirect (`iss`). */
  iss?: string | undefined;
  scope?: string | undefined;
  resourceMetadataUrl?: URL | undefined;
  fetchFn?: FetchLike | undefined;
}

/** Obtains a token for a server through a provider, or redirects the user to the authorization server. */
export async function auth(
  provider: OAuthClientProvider,
  { serverUrl, authorizationCode, iss, fetchFn }: AuthOptions,
): Promise<AuthResult> {
  const authorization = providerAuth(provider, fetchFn);
  try {
    if (authorizationCode === undefined) await authorization.login(new URL(serverUrl));
    else await authorization.finish(authorizationCode, iss);
    return "AUTHORIZED";
  } catch (error) {
    if (error instanceof UnauthorizedError) return "REDIRECT";
    throw error;
  }
}

/**
 * Middleware that authorizes requests through a provider. @param baseUrl - URL of the server. Default: that of the
 * request
 */
export function withOAuth(provider: OAuthClientProvider, baseUrl?: string | URL): Middleware {
  const authorization = providerAuth(provider);
  return (next) => {
    const plain = (url: URL, init: RequestInit): Promise<Response> => next(url, init);
    return async (input, init = {}) => {
      const server = new URL(baseUrl ?? input);
      try {
        return await authorization.fetchFor(server, plain)(new URL(input), init);
      } catch (error) {
        throw loginErrorIn(error) ?? error;
      }
    };
  };
}

/** Parameters of a challenge (`WWW-Authenticate`). */
export function extractWWWAuthenticateParams(response: Response): {
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
  error?: string | undefined;
} {
  const challenge = response.headers.get("WWW-Authenticate") ?? "";
  if (!/^\s*(?:bearer|dpop)\b/i.test(challenge)) return {};
  const value = (name: string): string | undefined => {
    const [, quoted, plain] =
      new RegExp(`\\b${name}=(?:"([^"]*)"|([^\\s,"]+))`, "i").exec(challenge) ?? [];
    return quoted ?? plain;
  };
  const place = value("resource_metadata");
  return {
    resourceMetadataUrl: place !== undefined && URL.canParse(place) ? new URL(place) : undefined,
    scope: value("scope"),
    error: value("error"),
  };
}

/** URL of the resource metadata in a challenge. */
export function extractResourceMetadataUrl(response: Response): URL | undefined {
  return extractWWWAuthenticateParams(response).resourceMetadataUrl;
}

/** True for an `https:` URL with a path, which a client id must be. */
export function isHttpsUrl(value?: string): boolean {
  if (value === undefined || !URL.canParse(value)) return false;
  const { protocol, pathname } = new URL(value);
  return protocol === "https:" && pathname !== "/";
}

/** @throws OAuthError if the URL cannot be used as a client id */
export function validateClientMetadataUrl(url: string | undefined): void {
  if (url === undefined || isHttpsUrl(url)) return;
  const text = `clientMetadataUrl must be an https: URL with a path, not ${url}`;
  throw new OAuthError(OAuthErrorCode.InvalidClientMetadata, text);
}
