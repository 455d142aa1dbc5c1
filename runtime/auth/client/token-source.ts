import type { DPoPHandle, JWK } from "oauth4webapi";
import { redeem } from "./authorization-code.js";
import type { CodeRecord, Flow, RegisteredClient, TokenResponse } from "./authorize.js";
import { type Challenge, challengeIn } from "./resource-request.js";
import { type Discovery, discover, type KnownResource } from "./discovery.js";
import {
  assertSeconds,
  type DpopKey,
  dpopKey,
  requestToken,
  requireDpop,
  revoke,
} from "./token-endpoint.js";
import { OAuthError, place } from "./errors.js";
import { GuardedFetch } from "./guarded-fetch.js";
import type { OAuthOptions } from "./options.js";
import { isLoopback } from "../addresses.js";
import { clientFor, clientOf, forgetClient, registeredAt } from "./registration.js";
import type { AuthStore } from "./store.js";
import { isExpired, type TokenStorage, type TokenRecord, tokenRecord } from "./tokens.js";

export interface PendingRecord {
  readonly server: string;
  readonly discovery: Discovery;
  readonly scopes: readonly string[];
  readonly code: CodeRecord;
  readonly key?: JWK | undefined;
  /** The time of the request, in milliseconds since 1970. */
  readonly since: number;
}

export class TokenSource {
  readonly #server: URL;
  readonly #options: OAuthOptions;
  readonly #store: AuthStore;
  readonly #storage: TokenStorage;
  readonly #fetch: GuardedFetch;

  constructor(server: URL, options: OAuthOptions, store: AuthStore, storage: TokenStorage) {
    this.#server = server;
    this.#options = options;
    this.#store = store;
    this.#storage = storage;
    this.#fetch = new GuardedFetch(server, options);
  }

  discover(
    location: string | undefined,
    known: KnownResource | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Discovery> {
    const server = this.#server;
    if (server.protocol === "http:" && !isLoopback(server.hostname) && !this.#options.allowHttp) {
      const text = `The MCP server ${place(server)} does not use TLS`;
      const expected = `https:, http: on this machine, or the option "allowHttp"`;
      return Promise.reject(new OAuthError("discovery", text, { expected }));
    }
    const request = { server, location, known, headers };
    return discover(this.#fetch, request, this.#options);
  }

  async firstChallenge(signal: AbortSignal | undefined): Promise<Challenge> {
    return challengeIn(await this.#fetch.head(signal));
  }

  async issue(
    discovery: Discovery,
    scopes: readonly string[],
    signal: AbortSignal,
  ): Promise<TokenRecord> {
    const key = this.#options.dpop ? await dpopKey() : undefined;
    let client: RegisteredClient | undefined;
    const flow = await this.#flow(discovery, scopes, key, signal, (used) => (client = used));
    const answer = await this.#options.authorize.tokens(flow).catch(async (error: unknown) => {
      const { error: code } = error as { error?: unknown };
      if (code === "invalid_client")
        await forgetClient(this.#store, discovery.issuer, client?.client_id);
      throw error;
    });
    return this.#keepNew(this.#record(answer, discovery, scopes, client!, key));
  }

  async finish(record: PendingRecord, back: URL, signal: AbortSignal): Promise<TokenRecord> {
    const { discovery, scopes, code } = record;
    const key = record.key && (await dpopKey(record.key));
    const flow = await this.#flow(discovery, scopes, key, signal, () => {});
    const answer = await redeem(flow, code, back);
    return this.#keepNew(this.#record(answer, discovery, scopes, code.client, key));
  }

  /**
   * Exchanges the stored refresh token. If another usable access token has been stored in the meantime, returns that
   * one instead.
   *
   * @param refused - the access token that is no longer usable
   * @returns undefined if a refresh is not possible, so that the client has to be authorized again
   */
  refresh(
    discovery: Discovery,
    refused: string | undefined,
    signal: AbortSignal,
  ): Promise<TokenRecord | undefined> {
    const { issuer, resource } = discovery;
    return this.#storage.exclusively(issuer, resource, async () => {
      const kept = await this.#storage.read(issuer, resource);
      if (kept === undefined) return undefined;
      if (kept.accessToken !== refused && !isExpired(kept)) return kept;
      const client = await clientOf(this.#host(signal), issuer, discovery.metadata, kept);
      if (kept.refreshToken === undefined || client === undefined) return undefined;
      const key = kept.key && (await dpopKey(kept.key));
      const { refreshToken } = kept;
      const flow = await this.#flow(discovery, [], key, signal, () => {});
      const parameters = { ...flow.parameters, refresh_token: refreshToken };
      try {
        const answer = await flow.token(client, "refresh_token", parameters);
        const record = this.#record(answer, discovery, kept.requested, client, key, refreshToken);
        await this.#storage.write(record);
        return record;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        await this.#storage.write({ ...kept, refreshToken: undefined });
        if (error.error === "invalid_client")
          await forgetClient(this.#store, issuer, client.client_id);
        return undefined;
      }
    });
  }

  async revoke(discovery: Discovery, record: TokenRecord, signal: AbortSignal): Promise<boolean> {
    const { issuer, metadata } = discovery;
    const client = await clientOf(this.#host(signal), issuer, metadata, record);
    if (client === undefined) return false;
    return revoke({
      metadata,
      client,
      known: this.#options.client,
      tokens: record,
      fetch: this.#fetch.requests("token", "revocation endpoint", signal),
    });
  }

  /**
   * Stores new tokens once any refresh by another process has finished, so that the refresh does not overwrite them.
   */
  async #keepNew(record: TokenRecord): Promise<TokenRecord> {
    const { issuer, resource } = record;
    await this.#storage.exclusively(issuer, resource, () => this.#storage.write(record));
    return record;
  }

  #record(
    answer: TokenResponse,
    { issuer, resource, location }: Discovery,
    requested: readonly string[],
    client: RegisteredClient,
    key: DpopKey | undefined,
    refreshToken?: string,
  ): TokenRecord {
    if (key !== undefined && answer.token_type.toLowerCase() !== "dpop") {
      const text = "The authorization server issued a token that is not bound to the key";
      throw new OAuthError("token", text, { expected: `the token type "DPoP"` });
    }
    // A grant of one's own may not have read its response with this package.
    assertSeconds(answer.expires_in, "token");
    const registered = client.isGiven ? undefined : client;
    const issued = { issuer, resource, location, clientId: client.client_id, client: registered };
    return tokenRecord(answer, { ...issued, requested, key: key?.jwk, refreshToken });
  }

  async #flow(
    discovery: Discovery,
    scopes: readonly string[],
    key: DpopKey | undefined,
    signal: AbortSignal,
    used: (client: RegisteredClient) => void,
  ): Promise<Flow> {
    const { issuer, metadata } = discovery;
    const { interop = {}, client: known } = this.#options;
    if (key !== undefined) requireDpop(metadata);
    const resource =
      interop.resource === "omit" ? undefined : (interop.resource ?? discovery.resource);
    const fetch = this.#fetch.requests("token", "token endpoint", signal);
    const send = (
      handle: DPoPHandle | undefined,
      ...[server, client, grantType, parameters]: Parameters<Flow["exchange"]>
    ): Promise<TokenResponse> => {
      const otherTypes = handle === undefined ? ["n_a"] : [];
      return requestToken({
        metadata: server,
        client,
        known,
        grantType,
        parameters,
        fetch,
        dpop: handle,
        otherTypes,
      });
    };
    return {
      server: this.#server,
      metadata,
      issuer,
      resource,
      scopes,
      signal,
      fetch,
      parameters: {
        ...(resource !== undefined && { resource }),
        ...(scopes.length > 0 && { scope: scopes.join(" ") }),
        ...interop.parameters,
      },
      thumbprint: await key?.handle.calculateThumbprint(),
      isPkceAssumed: interop.pkce === "assumed",
      redirectUri: (await registeredAt(this.#store, issuer))?.redirectUri,
      client: async (needs) => {
        const client = await clientFor(this.#host(signal), issuer, metadata, needs);
        used(client);
        return client;
      },
      token: (client, ...rest) => send(key?.handle, metadata, client, ...rest),
      exchange: (...request) => send(undefined, ...request),
      check: (url, role) => {
        const target = url === undefined ? undefined : String(url);
        return this.#fetch.check(target, "authorization", role);
      },
      suspend: (state, code) => this.#suspend(state, code, discovery, scopes, key),
    };
  }

  async #suspend(
    state: string,
    code: CodeRecord | undefined,
    discovery: Discovery,
    scopes: readonly string[],
    key: DpopKey | undefined,
  ): Promise<void> {
    const name = `pending ${state}`;
    if (code === undefined) return this.#store.delete(name);
    const server = this.#server.href;
    const record: PendingRecord = {
      server,
      discovery,
      scopes,
      code,
      key: key?.jwk,
      since: Date.now(),
    };
    await this.#store.set(name, JSON.stringify(record));
  }

  #host(signal: AbortSignal) {
    const host = { options: this.#options, store: this.#store, fetch: this.#fetch };
    return { ...host, server: this.#server, signal };
  }
}

/**
 * Returns true if the refresh token was rejected. Network failures, 5xx, 408 and 429 can be temporary and do not count.
 */
function isRefusal(error: unknown): error is OAuthError {
  if (!(error instanceof OAuthError)) return false;
  const { serverStatus: status = 0 } = error;
  return status >= 400 && status <= 499 && status !== 408 && status !== 429;
}
