import { type FetchLike, OAuthError, OAuthErrorCode } from "../shared/index.js";
import { type OAuthClientProvider, UnauthorizedError } from "./auth-provider.js";
import { providerAuth } from "./provider-auth.js";

/** Outcome of `auth`: there is a token now, or the user was sent to the authorization server. */
export type AuthResult = "AUTHORIZED" | "REDIRECT";

/** Options of `auth`. */
export interface AuthOptions {
  serverUrl: string | URL;
  /** Code with which the user came back. */
  authorizationCode?: string | undefined;
  /** Issuer with which the user came back. */
  iss?: string | undefined;
  scope?: string | undefined;
  resourceMetadataUrl?: URL | undefined;
  fetchFn?: FetchLike | undefined;
}

/** Gets a token for a server by a provider, or sends the user to the authorization server. */
export async function auth(
  provider: OAuthClientProvider,
  { serverUrl, authorizationCode, iss }: AuthOptions,
): Promise<AuthResult> {
  const authorization = providerAuth(provider);
  try {
    if (authorizationCode === undefined) await authorization.login(new URL(serverUrl));
    else await authorization.finish(authorizationCode, iss);
    return "AUTHORIZED";
  } catch (error) {
    if (error instanceof UnauthorizedError) return "REDIRECT";
    throw error;
  }
}

/** Wraps a function that does HTTP requests. */
export type Middleware = (next: FetchLike) => FetchLike;

/** Combines middleware: the first one is outermost. */
export function applyMiddlewares(...middleware: Middleware[]): Middleware {
  return (next) => middleware.reduceRight((inner, outer) => outer(inner), next);
}

/** Makes middleware of a function that gets the next one first. */
export function createMiddleware(
  handler: (next: FetchLike, input: string | URL, init?: RequestInit) => Promise<Response>,
): Middleware {
  return (next) => (input, init) => handler(next, input, init);
}

/** Middleware that authorizes requests by a provider. @param baseUrl - server; that of the request unless given */
export function withOAuth(provider: OAuthClientProvider, baseUrl?: string | URL): Middleware {
  const authorization = providerAuth(provider);
  return (next) => {
    const plain = (url: URL, init: RequestInit): Promise<Response> => next(url, init);
    return async (input, init = {}) => {
      const server = new URL(baseUrl ?? input);
      try {
        return await authorization.fetchFor(server, plain)(new URL(input), init);
      } catch (error) {
        throw unauthorizedIn(error) ?? error;
      }
    };
  };
}

/** Writes a line of a log. */
export type RequestLogger = (input: {
  method: string;
  url: string | URL;
  status: number;
  statusText: string;
  duration: number;
  requestHeaders?: Headers | undefined;
  responseHeaders?: Headers | undefined;
  error?: Error | undefined;
}) => void;

/** Options of `withLogging`. */
export type LoggingOptions = {
  logger?: RequestLogger | undefined;
  includeRequestHeaders?: boolean | undefined;
  includeResponseHeaders?: boolean | undefined;
  /** Least status that is logged; 0 unless given. */
  statusLevel?: number | undefined;
};

/** Middleware that logs requests: to standard error, unless a logger is given. Credentials are not logged. */
export function withLogging(options: LoggingOptions = {}): Middleware {
  const { logger = logLine, statusLevel = 0 } = options;
  const { includeRequestHeaders = false, includeResponseHeaders = false } = options;
  return (next) => async (url, init) => {
    const { method = "GET" } = init ?? {};
    const started = performance.now();
    const requestHeaders = includeRequestHeaders ? visible(init?.headers) : undefined;
    try {
      const response = await next(url, init);
      const { status, statusText, headers } = response;
      const duration = performance.now() - started;
      const responseHeaders = includeResponseHeaders ? headers : undefined;
      if (status >= statusLevel) {
        logger({ method, url, status, statusText, duration, requestHeaders, responseHeaders });
      }
      return response;
    } catch (error) {
      const duration = performance.now() - started;
      const failure = { status: 0, statusText: "Network Error", error: error as Error };
      logger({ method, url, duration, requestHeaders, ...failure });
      throw error;
    }
  };
}

function visible(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  for (const name of ["authorization", "cookie", "dpop"]) headers.delete(name);
  return headers;
}

const logLine: RequestLogger = ({ method, url, status, statusText, duration, error }) => {
  const failure = error ? `: ${error.message}` : "";
  console.error(
    `${method} ${String(url)} ${status} ${statusText} (${duration.toFixed(0)} ms)${failure}`,
  );
};

/** The refusal behind an error, if it is one. */
export function unauthorizedIn(error: unknown): UnauthorizedError | undefined {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth += 1) {
    if (inner instanceof UnauthorizedError) return inner;
    inner = inner.cause;
  }
  return undefined;
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

/** URL of the metadata of the resource in a challenge. */
export function extractResourceMetadataUrl(response: Response): URL | undefined {
  return extractWWWAuthenticateParams(response).resourceMetadataUrl;
}

/** True for an https: URL with a path, as the id of a client has to be. */
export function isHttpsUrl(value?: string): boolean {
  if (value === undefined || !URL.canParse(value)) return false;
  const { protocol, pathname } = new URL(value);
  return protocol === "https:" && pathname !== "/";
}

/** @throws OAuthError for a URL that cannot be the id of a client */
export function validateClientMetadataUrl(url: string | undefined): void {
  if (url === undefined || isHttpsUrl(url)) return;
  const text = `clientMetadataUrl is an https: URL with a path, not ${url}`;
  throw new OAuthError(OAuthErrorCode.InvalidClientMetadata, text);
}
