import type { AuthStore } from "@mcp-codegen/auth/client";
import type { OAuthClientProvider, StoredOAuthTokens } from "./auth-provider.js";

/** Members of the runtime's stored records that a provider stores, too. */
interface TokenRecord {
  readonly issuer: string;
  readonly resource: string;
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly expiresAt?: number | undefined;
  readonly requested: readonly string[];
  readonly granted: readonly string[];
}

/** Runtime store that keeps registrations and tokens in a provider of the SDK's shape. */
export class ProviderStore implements AuthStore {
  readonly #provider: OAuthClientProvider;
  /** Values that only this process stores, because providers cannot. */
  readonly #own = new Map<string, string>();

  constructor(provider: OAuthClientProvider) {
    this.#provider = provider;
  }

  async get(key: string): Promise<string | undefined> {
    const [kind, issuer = "", resource = ""] = key.split(" ");
    if (kind === "client") return this.#client(issuer);
    if (kind === "tokens") return this.#tokens(key, issuer, resource);
    if (kind === "server") return this.#own.get(key) ?? this.#last(issuer);
    return this.#own.get(key);
  }

  async set(key: string, value: string): Promise<void> {
    const [kind, issuer] = key.split(" ");
    this.#own.set(key, value);
    if (kind === "client") await this.#register(value, issuer);
    if (kind === "tokens") await this.#keep(JSON.parse(value) as TokenRecord);
  }

  async delete(key: string): Promise<void> {
    const [kind] = key.split(" ");
    this.#own.delete(key);
    if (kind === "tokens" || kind === "client") {
      await this.#provider.invalidateCredentials?.(kind);
    }
  }

  async #client(issuer: string): Promise<string | undefined> {
    const known = await this.#provider.clientInformation({ issuer });
    if (known === undefined || (known.issuer !== undefined && known.issuer !== issuer)) {
      return undefined;
    }
    const { redirectUrl, clientMetadata } = this.#provider;
    return JSON.stringify({
      token_endpoint_auth_method: clientMetadata.token_endpoint_auth_method,
      ...known,
      ...(redirectUrl === undefined ? {} : { redirectUri: String(redirectUrl) }),
    });
  }

  async #register(value: string, issuer = ""): Promise<void> {
    const registered = JSON.parse(value) as Record<string, unknown>;
    const { redirectUri: _uri, grantTypes: _types, isGiven: _given, ...information } = registered;
    await this.#provider.saveClientInformation?.({ ...information, issuer } as never, { issuer });
  }

  /** Returns the stored tokens, so that the first request has them. The SDK may not store the issuer. */
  async #last(server: string): Promise<string | undefined> {
    const tokens = await this.#provider.tokens();
    if (tokens === undefined) return undefined;
    const issuer = tokens.issuer ?? new URL(server).origin;
    return JSON.stringify({ issuer, resource: server });
  }

  async #tokens(key: string, issuer: string, resource: string): Promise<string | undefined> {
    const tokens = await this.#provider.tokens({ issuer });
    if (tokens === undefined || (tokens.issuer !== undefined && tokens.issuer !== issuer)) {
      return undefined;
    }
    const own = this.#own.get(key);
    const before = own === undefined ? undefined : (JSON.parse(own) as TokenRecord);
    if (before?.accessToken === tokens.access_token) return own;
    const client = await this.#client(issuer);
    const { client_id: clientId = "" } = JSON.parse(client ?? "{}") as { client_id?: string };
    const scopes = tokens.scope?.split(" ") ?? [];
    const record = {
      issuer,
      resource,
      clientId,
      ...(client === undefined ? {} : { client: JSON.parse(client) as object }),
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      requested: scopes,
      granted: scopes,
    };
    return JSON.stringify(record);
  }

  async #keep({ issuer, ...record }: TokenRecord): Promise<void> {
    const { accessToken, refreshToken, expiresAt, granted } = record;
    const tokens: StoredOAuthTokens = {
      access_token: accessToken,
      token_type: "Bearer",
      issuer,
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
      ...(granted.length === 0 ? {} : { scope: granted.join(" ") }),
      ...(expiresAt === undefined
        ? {}
        : { expires_in: Math.max(0, Math.round((expiresAt - Date.now()) / 1000)) }),
    };
    await this.#provider.saveTokens(tokens, { issuer });
  }
}
