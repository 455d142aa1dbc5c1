import type { Authorize, OAuth, OAuthOptions } from "@mcp-codegen/auth/client";
import { type FetchLike, resourceUrlFromServerUrl } from "../shared/index.js";
import { type ClientAuth, type Fetch, HttpError } from "@mcp-codegen/runtime/http/client";
import {
  type AuthProvider,
  isOAuthProvider,
  type OAuthClientProvider,
  UnauthorizedError,
} from "./auth-provider.js";
import { loginErrorOf, OAuthClientFlowError } from "./login-errors.js";
import { withTls } from "./token-endpoints.js";
import { ProviderStore } from "./provider-store.js";

/** Members of a provider of this package in addition to the SDK's shape. */
export interface NativeProvider {
  /** Runtime options that the provider represents. */
  nativeOptions(): Promise<Partial<OAuthOptions>>;
}

/** Authorization of the runtime, implemented with a provider of the SDK's shape. */
export interface ProviderAuth extends ClientAuth {
  /**
   * Completes the authorization after the user has returned.
   * @param answer - code, or all parameters of the redirect URL
   * @throws UnauthorizedError if the provider has no user
   */
  finish(answer: string | URLSearchParams, issuer?: string): Promise<void>;
  /** Obtains a token now. @throws UnauthorizedError if the user was redirected to the authorization server */
  login(server: URL): Promise<void>;
}

/**
 * Creates the authorization for the runtime. The OAuth package is loaded with the first request.
 * @param fetchFn - performs all requests, including those to the authorization server
 */
export function providerAuth(
  provider: AuthProvider | OAuthClientProvider,
  fetchFn?: FetchLike,
): ProviderAuth {
  if (!isOAuthProvider(provider)) return new TokenAuth(provider);
  return new OAuthAuth(provider, fetchFn && ((url, init) => fetchFn(url, init)));
}

/** Error that passes through the transport; its callers see the cause. */
function unauthorized(cause: UnauthorizedError | OAuthClientFlowError): HttpError {
  return new HttpError(cause.message, { status: 401, cause });
}

/** Authorization with a provider that only supplies tokens. */
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

  async login(): Promise<void> {
    throw new UnauthorizedError("There is no OAuthClientProvider");
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

/** Authorization with a provider that implements the whole OAuth flow. */
class OAuthAuth implements ProviderAuth {
  readonly #provider: OAuthClientProvider;
  readonly #store: ProviderStore;
  #oauth: Promise<OAuth> | undefined;
  readonly #fetch: Fetch | undefined;
  /** MCP server. */
  #server: URL | undefined;

  constructor(provider: OAuthClientProvider, fetch: Fetch | undefined) {
    this.#provider = provider;
    this.#fetch = fetch;
    this.#store = new ProviderStore(provider);
  }

  account(): string {
    return "";
  }

  fetchFor(server: URL, fetch: Fetch): Fetch {
    this.#server ??= server;
    let authorized: Promise<Fetch> | undefined;
    return async (url, init) => {
      authorized ??= this.#load(fetch).then((oauth) => oauth.fetchFor(server, fetch));
      try {
        return await (
          await authorized
        )(url, init);
      } catch (error) {
        const seen = loginErrorOf(error, this.#provider.clientMetadata);
        const isOfFlow = seen instanceof UnauthorizedError || seen instanceof OAuthClientFlowError;
        throw isOfFlow ? unauthorized(seen) : error;
      }
    };
  }

  async finish(answer: string | URLSearchParams, issuer?: string): Promise<void> {
    const { state, redirectUri } = await this.#store.pending();
    const back = new URL(redirectUri);
    if (typeof answer === "string") back.searchParams.set("code", answer);
    else for (const [name, value] of answer) back.searchParams.set(name, value);
    if (!back.searchParams.has("state")) back.searchParams.set("state", state);
    if (issuer !== undefined) back.searchParams.set("iss", issuer);
    try {
      await (await this.#load()).finish(back);
    } catch (error) {
      throw loginErrorOf(error);
    }
  }

  async login(server: URL): Promise<void> {
    this.#server ??= server;
    try {
      await (await this.#load()).login(server);
    } catch (error) {
      throw loginErrorOf(error);
    }
  }

  #load(fetch?: Fetch): Promise<OAuth> {
    this.#oauth ??= this.#open(this.#fetch ?? fetch);
    return this.#oauth;
  }

  async #open(fetch: Fetch | undefined): Promise<OAuth> {
    const { oauth, authorizationCode } = await import("@mcp-codegen/auth/client");
    const provider = this.#provider;
    const { clientMetadataUrl, clientMetadata } = provider;
    const { scope, redirect_uris: _uris, ...metadata } = clientMetadata;
    const native =
      "nativeOptions" in provider ? (provider as unknown as NativeProvider) : undefined;
    return oauth({
      authorize: provider.prepareTokenRequest
        ? withoutUser(provider)
        : this.#withUser(authorizationCode),
      store: this.#store,
      clientMetadata: metadata,
      onwarning: () => {},
      // As in the SDK: servers of private networks often have no TLS. Token endpoints need it, see `withTls`.
      allowHttp: true,
      ...(scope ? { scopes: scope.split(" ") } : {}),
      ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
      fetch: withTls(fetch, (code) => invalidated(provider, code)),
      ...(await this.#pinned()),
      ...(await native?.nativeOptions()),
    });
  }

  /** Resource to request tokens for, if the provider chooses it. */
  async #pinned(): Promise<Partial<OAuthOptions>> {
    const provider = this.#provider;
    if (!provider.validateResourceURL || !this.#server) return {};
    const url = await provider.validateResourceURL(resourceUrlFromServerUrl(this.#server));
    return { interop: { resource: url?.href ?? "omit" } };
  }

  #withUser(
    authorizationCode: typeof import("@mcp-codegen/auth/client").authorizationCode,
  ): Authorize {
    const provider = this.#provider;
    return authorizationCode(async () => ({
      redirectUri: String(provider.redirectUrl),
      isShared: true,
      state: await provider.state?.(),
      go: async (url) => {
        await noteMetadataClient(provider, url);
        await provider.redirectToAuthorization(url);
        return undefined;
      },
      close: () => {},
    }));
  }
}

/** Stores the URL of a metadata document as the client's id, which needs no registration. */
async function noteMetadataClient(provider: OAuthClientProvider, url: URL): Promise<void> {
  const id = url.searchParams.get("client_id");
  if (id === null || id !== provider.clientMetadataUrl) return;
  await provider.saveClientInformation?.({ client_id: id });
}

/** Removes what a token endpoint refuses, as the SDK does. */
async function invalidated(provider: OAuthClientProvider, code: string): Promise<void> {
  if (!["invalid_grant", "invalid_client", "unauthorized_client"].includes(code)) return;
  if (code !== "invalid_grant") await provider.invalidateCredentials?.("client");
  await provider.invalidateCredentials?.("tokens");
}

/** Grant that uses the parameters prepared by a provider. */
function withoutUser(provider: OAuthClientProvider): Authorize {
  return {
    hasUser: false,
    tokens: async (flow) => {
      const scope = flow.scopes.length === 0 ? undefined : flow.scopes.join(" ");
      const prepared = await provider.prepareTokenRequest!(scope);
      const { grant_type: grantType = "client_credentials", ...parameters } = Object.fromEntries(
        prepared ?? [],
      );
      const client = await flow.client({ grantTypes: [grantType] });
      return flow.token(client, grantType, { ...flow.parameters, ...parameters });
    },
  };
}
