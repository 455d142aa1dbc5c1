import { OAuthError, OAuthErrorCode } from "../shared/index.js";
import { type OAuthClientProvider, UnauthorizedError } from "./auth-provider.js";
import { challengeOf } from "./challenges.js";
import type { Middleware } from "./middleware.js";
import { login } from "./provider-login.js";

/**
 * Returns middleware that authorizes requests through a provider.
 *
 * @param baseUrl - the server's URL. Default: the request's URL
 */
export function withOAuth(provider: OAuthClientProvider, baseUrl?: string | URL): Middleware {
  return (next) =>
    async (input, init = {}) => {
      const server = new URL(baseUrl ?? input);
      const send = async (): Promise<Response> => {
        const headers = new Headers(init.headers);
        const tokens = await provider.tokens();
        if (tokens) headers.set("Authorization", `Bearer ${tokens.access_token}`);
        return next(input, { ...init, headers });
      };
      const response = await send();
      if (response.status !== 401) return response;
      const { resourceMetadataUrl, scope } = challengeOf(response);
      const request = { serverUrl: server, resourceMetadataUrl, scope, fetchFn: next };
      if ((await login(provider, request)) === "REDIRECT") {
        throw new UnauthorizedError("The user has to authorize this client: redirect initiated");
      }
      const again = await send();
      if (again.status !== 401) return again;
      throw new UnauthorizedError(`Authentication failed for ${String(input)}`);
    };
}

/** Returns the parameters of a challenge (`WWW-Authenticate`). */
export function extractWWWAuthenticateParams(response: Response): {
  resourceMetadataUrl?: URL | undefined;
  scope?: string | undefined;
  error?: string | undefined;
} {
  const { errorDescription: _, ...parameters } = challengeOf(response);
  return parameters;
}

/** Returns the URL of the resource metadata that a challenge names. */
export function extractResourceMetadataUrl(response: Response): URL | undefined {
  return challengeOf(response).resourceMetadataUrl;
}

/** True for an `https:` URL with a path, as required of a client id. */
export function isHttpsUrl(value?: string): boolean {
  if (value === undefined || !URL.canParse(value)) return false;
  const { protocol, pathname } = new URL(value);
  return protocol === "https:" && pathname !== "/";
}

/**
 * Validates the URL of a client's metadata.
 * @throws OAuthError if the URL cannot be used as a client id
 */
export function validateClientMetadataUrl(url: string | undefined): void {
  if (url === undefined || isHttpsUrl(url)) return;
  const text = `clientMetadataUrl must be an https: URL with a path, not ${url}`;
  throw new OAuthError(OAuthErrorCode.InvalidClientMetadata, text);
}
