import type { JWK } from "oauth4webapi";
import type { RegisteredClient, TokenResponse } from "./authorize.js";
import type { KnownResource } from "./discovery.js";
import { type AuthStore, storedRecord } from "./store.js";
import { isHeaderToken } from "./errors.js";

/**
 * Time before the expiry of a token at which it counts as expired, in milliseconds: a request takes time to arrive, and
 * clocks differ.
 */
const MARGIN = 10_000;

/** Tokens in their stored form. */
export interface TokenRecord extends KnownResource {
  readonly clientId: string;
  /** Registration that the tokens were issued to; undefined for a client from the options. */
  readonly client?: RegisteredClient | undefined;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Time at which the access token expires, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined;
  readonly requested: readonly string[];
  readonly granted: readonly string[];
  /** Key that the tokens are bound to. */
  readonly key?: JWK | undefined;
}

/** Tokens in use. */
export class Tokens {
  readonly record: TokenRecord;
  readonly origin: "stored" | "refreshed" | "issued";
  readonly #since = Date.now();
  /** True once the MCP server has accepted the token. */
  isAccepted = false;

  constructor(record: TokenRecord, origin: Tokens["origin"]) {
    Object.defineProperty(this, "record", { enumerable: false });
    this.record = record;
    this.origin = origin;
  }

  /** Milliseconds since this client received the token. */
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

/** Properties of a token that the token response does not contain. */
export interface TokenOrigin extends KnownResource {
  readonly clientId: string;
  readonly client: RegisteredClient | undefined;
  readonly requested: readonly string[];
  readonly key: JWK | undefined;
  /** Refresh token to keep if the response contains none. */
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

/** Storage of the tokens of one client for one MCP server. */
export class TokenStorage {
  readonly #store: AuthStore;
  readonly #server: string;
  readonly #client: string;

  /** @param client - id from the options; empty for a client that registers itself */
  constructor(store: AuthStore, server: URL, client: string) {
    this.#store = store;
    this.#server = `server ${server.href} ${client}`;
    this.#client = client;
  }

  /** Returns the authorization server whose tokens were used last. */
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

  /** Stores tokens while {@link exclusively} is running. */
  async write(record: TokenRecord): Promise<void> {
    const { issuer, resource, location } = record;
    await this.#store.set(this.#key(issuer, resource), JSON.stringify(record));
    await this.#store.set(this.#server, JSON.stringify({ issuer, resource, location }));
  }

  /** Removes and returns the tokens of an issuer, which is then no longer recorded as the one used last. */
  take(issuer: string, resource: string): Promise<TokenRecord | undefined> {
    return this.exclusively(issuer, resource, async () => {
      const record = await this.read(issuer, resource);
      await this.#store.delete(this.#key(issuer, resource));
      await this.#store.delete(this.#server);
      return record;
    });
  }

  /** Runs work while no other process changes the tokens. */
  exclusively<T>(issuer: string, resource: string, work: () => Promise<T>): Promise<T> {
    const store = this.#store;
    return store.exclusive ? store.exclusive(this.#key(issuer, resource), work) : work();
  }

  #key(issuer: string, resource: string): string {
    return `tokens ${issuer} ${resource} ${this.#client}`;
  }
}

/** Splits a space-separated list of scopes. */
export function scopesIn(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.split(" ").filter((scope) => scope !== "");
}

/** Returns the union of several lists of scopes. */
export function union(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}

/** True if a list contains all scopes of another one. */
export function includesAll(list: readonly string[], others: readonly string[]): boolean {
  return others.every((one) => list.includes(one));
}

/** Input of the scope selection. */
export interface ScopeSources {
  readonly challenge: string | undefined;
  /** Scopes that were requested before, which a step-up keeps. */
  readonly before: readonly string[];
  readonly resource: readonly string[] | undefined;
  readonly configured: readonly string[];
  /** Scopes that the authorization server lists. */
  readonly server: unknown;
  /** True if a refresh token is useful. */
  readonly isLasting: boolean;
}

/**
 * Returns the scopes to request (MCP: scope selection strategy): those requested before and those
 * in the challenge or, if there are neither, those of the resource. Configured scopes are added,
 * and `offline_access` if a refresh token is useful and the authorization server lists that scope.
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
