import type { JWK } from "oauth4webapi";
import type { RegisteredClient, TokenResponse } from "./authorize.js";
import type { KnownResource } from "./discovery.js";
import { type AuthStore, storedRecord } from "./store.js";
import { isHeaderToken } from "./errors.js";

/**
 * The time before its actual expiry at which a token already counts as expired, in milliseconds. A request takes time
 * to arrive, and clocks differ.
 */
const MARGIN = 10_000;

export interface TokenRecord extends KnownResource {
  readonly clientId: string;
  readonly client?: RegisteredClient | undefined;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** The time at which the access token expires, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  readonly requested: readonly string[];
  readonly granted: readonly string[];
  readonly key?: JWK | undefined;
}

export class Tokens {
  readonly record: TokenRecord;
  readonly origin: "stored" | "refreshed" | "issued";
  readonly #since = Date.now();
  isAccepted = false;

  constructor(record: TokenRecord, origin: Tokens["origin"]) {
    Object.defineProperty(this, "record", { enumerable: false });
    this.record = record;
    this.origin = origin;
  }

  /** The number of milliseconds since this process received or loaded the token. */
  get age(): number {
    return Date.now() - this.#since;
  }

  get isExpired(): boolean {
    return isExpired(this.record);
  }
}

export function isExpired({ expiresAt = Infinity }: TokenRecord): boolean {
  return expiresAt - MARGIN < Date.now();
}

export interface TokenOrigin extends KnownResource {
  readonly clientId: string;
  readonly client: RegisteredClient | undefined;
  readonly requested: readonly string[];
  readonly key: JWK | undefined;
  readonly refreshToken?: string | undefined;
}

export function tokenRecord(answer: TokenResponse, origin: TokenOrigin): TokenRecord {
  const { access_token, refresh_token = origin.refreshToken, expires_in, scope } = answer;
  return {
    ...origin,
    accessToken: access_token,
    refreshToken: refresh_token,
    expiresAt: expires_in === undefined ? undefined : Date.now() + expires_in * 1000,
    requested: union(origin.requested),
    granted: scope === undefined ? origin.requested : scopesIn(scope),
  };
}

export class TokenStorage {
  readonly #store: AuthStore;
  readonly #server: string;
  readonly #client: string;

  /** @param client - the id from the options; empty for a client that registers itself */
  constructor(store: AuthStore, server: URL, client: string) {
    this.#store = store;
    this.#server = `server ${server.href} ${client}`;
    this.#client = client;
  }

  /** Returns the issuer and resource of the tokens that were stored last. */
  async last(): Promise<KnownResource | undefined> {
    return storedRecord(this.#store, this.#server, ["issuer", "resource"]);
  }

  async read(issuer: string, resource: string): Promise<TokenRecord | undefined> {
    const record = await storedRecord<TokenRecord>(this.#store, this.#key(issuer, resource), [
      "issuer",
      "resource",
      "clientId",
      "accessToken",
    ]);
    const hasScopes = Array.isArray(record?.requested) && Array.isArray(record.granted);
    return hasScopes && isHeaderToken(record.accessToken) ? record : undefined;
  }

  /** Stores tokens. Callers must run it within {@link exclusively}. */
  async write(record: TokenRecord): Promise<void> {
    const { issuer, resource, location } = record;
    await this.#store.set(this.#key(issuer, resource), JSON.stringify(record));
    await this.#store.set(this.#server, JSON.stringify({ issuer, resource, location }));
  }

  /** Removes and returns an issuer's tokens, and unsets {@link last}. */
  take(issuer: string, resource: string): Promise<TokenRecord | undefined> {
    return this.exclusively(issuer, resource, async () => {
      const record = await this.read(issuer, resource);
      await this.#store.delete(this.#key(issuer, resource));
      await this.#store.delete(this.#server);
      return record;
    });
  }

  /** Runs work while no other process changes the tokens, if the store supports that. */
  exclusively<T>(issuer: string, resource: string, work: () => Promise<T>): Promise<T> {
    const store = this.#store;
    return store.exclusive ? store.exclusive(this.#key(issuer, resource), work) : work();
  }

  #key(issuer: string, resource: string): string {
    return `tokens ${issuer} ${resource} ${this.#client}`;
  }
}

export function scopesIn(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(" ").filter((scope) => scope !== "");
}

export function union(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}

export function includesAll(list: readonly string[], others: readonly string[]): boolean {
  return others.every((one) => list.includes(one));
}

export interface ScopeSources {
  readonly challenge: string | undefined;
  readonly before: readonly string[];
  readonly resource: readonly string[] | undefined;
  readonly configured: readonly string[];
  /** `scopes_supported` from the authorization server's metadata, not yet validated. */
  readonly server: unknown;
  readonly isLasting: boolean;
}

/**
 * Returns the scopes to request (MCP: scope selection strategy): those requested before and those in the challenge or,
 * if there are neither, the resource's scopes. Configured scopes are added. `offline_access` is added to a non-empty
 * list if a refresh token is useful and the authorization server lists that scope.
 */
export function chooseScopes(sources: ScopeSources): readonly string[] {
  const { challenge, before, resource = [], configured, server, isLasting } = sources;
  const required = scopesIn(challenge);
  const chosen = union(
    before,
    required.length > 0 || before.length > 0 ? required : resource,
    configured,
  );
  const knowsOffline = Array.isArray(server) && server.includes("offline_access");
  const addsOffline = isLasting && knowsOffline && chosen.length > 0;
  return addsOffline ? union(chosen, ["offline_access"]) : chosen;
}
