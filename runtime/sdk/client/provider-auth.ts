import type { ClientAuth, Fetch } from "@mcp-codegen/runtime/http/client";
import { type FetchLike, SdkErrorCode, SdkHttpError } from "../shared/index.js";
import {
  type AuthProvider,
  isOAuthProvider,
  type OAuthClientProvider,
  UnauthorizedError,
} from "./auth-provider.js";
import { challengeOf } from "./challenges.js";
import { InsufficientScopeError, LoginFailure } from "./login-errors.js";
import {
  type AuthOptions,
  codeIn,
  computeScopeUnion,
  isStrictScopeSuperset,
  login,
} from "./provider-login.js";

export interface ProviderAuth extends ClientAuth {
  /**
   * Completes the authorization after the user has returned.
   *
   * @param answer - the code, or all parameters of the redirect URL
   * @throws UnauthorizedError if the provider only supplies tokens
   */
  finish(answer: string | URLSearchParams, issuer?: string): Promise<void>;
}

export interface ProviderAuthOptions {
  readonly server: URL;
  readonly fetchFn?: FetchLike | undefined;
  /** The maximum number of times that one request leads to another authorization with more scopes. Default: 1. */
  readonly maxStepUpRetries?: number | undefined;
  readonly skipIssuerMetadataValidation?: boolean | undefined;
}

export function providerAuth(
  provider: AuthProvider | OAuthClientProvider,
  options: ProviderAuthOptions,
): ProviderAuth {
  return isOAuthProvider(provider)
    ? new OAuthProviderAuth(provider, options)
    : new TokenAuth(provider);
}

export function refusingScopes(fetch: Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { scope, error, resourceMetadataUrl, errorDescription } = challengeOf(response);
    if (response.status !== 403 || error !== "insufficient_scope") return response;
    void response.body?.cancel().catch(() => {});
    throw unauthorized(
      new InsufficientScopeError({
        ...(scope === undefined ? {} : { requiredScope: scope }),
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
        ...(errorDescription === undefined ? {} : { errorDescription }),
      }),
    );
  };
}

function unauthorized(cause: Error): LoginFailure {
  return new LoginFailure(cause);
}

function refusedAgain(status: 401 | 403, text: string): SdkHttpError {
  const code =
    status === 401 ? SdkErrorCode.ClientHttpAuthentication : SdkErrorCode.ClientHttpForbidden;
  return new SdkHttpError(code, text, { status, statusText: "", text: "" });
}

class TokenAuth implements ProviderAuth {
  readonly #provider: AuthProvider;

  constructor(provider: AuthProvider) {
    this.#provider = provider;
  }

  account(): string {
    return "";
  }

  fetchFor(server: URL, fetch: Fetch): Fetch {
    const send = async (url: URL, init: RequestInit): Promise<Response> => {
      const token = await this.#provider.token();
      const headers = new Headers(init.headers);
      if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
      return fetch(url, { ...init, headers });
    };
    return async (url, init) => {
      const response = await send(url, init);
      if (response.status !== 401) return response;
      await this.#renew(response, server, fetch);
      const again = await send(url, init);
      if (again.status !== 401) return again;
      await again.body?.cancel();
      throw unauthorized(new UnauthorizedError("The server rejects the new token, too"));
    };
  }

  async finish(): Promise<void> {
    throw new UnauthorizedError("finishAuth() needs an OAuthClientProvider");
  }

  async #renew(response: Response, server: URL, fetch: Fetch): Promise<void> {
    const provider = this.#provider;
    if (provider.onUnauthorized === undefined) {
      await response.body?.cancel();
      throw unauthorized(new UnauthorizedError());
    }
    try {
      const fetchFn = (url: string | URL, init: RequestInit = {}): Promise<Response> =>
        fetch(new URL(url), init);
      await provider.onUnauthorized({ response, serverUrl: server, fetchFn });
    } catch (error) {
      throw error instanceof UnauthorizedError ? unauthorized(error) : error;
    }
  }
}

const AGAIN = "Server returned 401 after re-authentication";

/**
 * Authorizes with a provider that stores what a login needs. It performs the same steps as the SDK, in the same order.
 */
class OAuthProviderAuth implements ProviderAuth {
  readonly #provider: OAuthClientProvider;
  readonly #options: ProviderAuthOptions;
  #running: Promise<void> | undefined;

  constructor(provider: OAuthClientProvider, options: ProviderAuthOptions) {
    this.#provider = provider;
    this.#options = options;
  }

  account(): string {
    return "";
  }

  fetchFor(server: URL, fetch: Fetch): Fetch {
    return async (url, init) => {
      if (url.origin !== server.origin) return fetch(url, init);
      try {
        return await this.#send(url, init, fetch);
      } catch (error) {
        throw error instanceof SentError ? error.cause : unauthorized(error as Error);
      }
    };
  }

  async finish(answer: string | URLSearchParams, iss?: string): Promise<void> {
    const request = this.#request();
    const given =
      typeof answer === "string"
        ? { authorizationCode: answer, iss }
        : await codeIn(this.#provider, answer, request);
    await login(this.#provider, { ...request, ...given });
  }

  #request(fetch?: Fetch): AuthOptions {
    const { server, fetchFn, skipIssuerMetadataValidation } = this.#options;
    const own: FetchLike | undefined =
      fetchFn ?? (fetch && ((url, init = {}) => fetch(new URL(url), init)));
    return { serverUrl: server, skipIssuerMetadataValidation, ...(own && { fetchFn: own }) };
  }

  async #send(url: URL, init: RequestInit, fetch: Fetch): Promise<Response> {
    const { maxStepUpRetries = 1 } = this.#options;
    let hasLoggedIn = false;
    for (let stepUps = 0; ;) {
      const tokens = await this.#provider.tokens();
      const headers = new Headers(init.headers);
      if (tokens) headers.set("Authorization", `Bearer ${tokens.access_token}`);
      const response = await fetch(url, { ...init, headers }).catch((error: unknown) => {
        throw new SentError(error);
      });
      const { status } = response;
      if ((status !== 401 && status !== 403) || init.method === "DELETE") return response;
      const { resourceMetadataUrl, scope, error } = challengeOf(response);
      if (status === 403 && error !== "insufficient_scope") return response;
      void response.body?.cancel().catch(() => {});
      const request = { ...this.#request(fetch), resourceMetadataUrl };
      if (status === 401) {
        if (hasLoggedIn) throw refusedAgain(401, AGAIN);
        hasLoggedIn = true;
        await this.#login({ ...request, scope }, tokens?.access_token);
        continue;
      }
      if (stepUps >= maxStepUpRetries) {
        const limit = `retry limit ${maxStepUpRetries} reached`;
        throw refusedAgain(
          403,
          `Server returned 403 insufficient_scope after step-up re-authorization (${limit})`,
        );
      }
      stepUps += 1;
      const all = computeScopeUnion(tokens?.scope, scope);
      const forceReauthorization = isStrictScopeSuperset(all, tokens?.scope);
      await this.#login({ ...request, scope: all, forceReauthorization }, tokens?.access_token);
    }
  }

  /**
   * Obtains another token, unless another request has already done so.
   *
   * @param refused - the token that is no longer usable
   */
  async #login(request: AuthOptions, refused: string | undefined): Promise<void> {
    const current = await this.#provider.tokens();
    if (current && current.access_token !== refused) return;
    this.#running ??= login(this.#provider, request)
      .then((result) => {
        if (result === "REDIRECT") throw new UnauthorizedError();
      })
      .finally(() => {
        this.#running = undefined;
      });
    await this.#running;
  }
}

/** An error from the request itself, as opposed to one from the login. */
class SentError extends Error {
  constructor(cause: unknown) {
    super("", { cause });
  }
}
