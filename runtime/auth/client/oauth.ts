import type { ClientAuth, Fetch } from "@mcp-codegen/runtime/http/client";
import type { PendingRecord } from "./token-source.js";
import { assertKnownOptions } from "../known-options.js";
import { hostFailure, OAuthError } from "./errors.js";
import type { LogoutResult, OAuthOptions } from "./options.js";
import { ServerAuthorization } from "./server-authorization.js";
import { type AuthStore, memoryStore, storedRecord } from "./store.js";

const MOST_SERVERS = 1000;

const OPTIONS: ReadonlySet<string> = new Set<keyof OAuthOptions>([
  "authorize",
  "store",
  "client",
  "clientMetadataUrl",
  "clientMetadata",
  "scopes",
  "issuer",
  "dpop",
  "interop",
  "fetch",
  "privateNetworks",
  "allowHttp",
  "onwarning",
  "timeout",
]);

/** A client's authorization, for the `auth` option of `connect` and of the HTTP transports. */
export interface OAuth extends ClientAuth {
  /**
   * Obtains a new token for an MCP server immediately. If the grant involves the user, they are asked for their consent
   * again.
   *
   * @param options - `signal` aborts the attempt
   * @throws OAuthError, or the signal's reason if it aborts
   */
  login(server: string | URL, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Deletes an MCP server's tokens and, if possible, revokes them. */
  logout(server: string | URL): Promise<LogoutResult>;
  /**
   * Completes the authorization after `redirect`, possibly in a different process with the same store.
   *
   * @param back - the URL that the user returned to
   * @returns the URL of the MCP server that the client is now authorized for
   * @throws OAuthError if the URL does not belong to a request that this client sent, or if it reports a rejection
   */
  finish(back: string | URL): Promise<URL>;
}

/**
 * Logs a client in if a server requires it, and keeps it logged in (MCP: authorization).
 *
 * @example
 * ```ts
 * import { fileStore, loopback } from "@mcp-codegen/auth/node";
 *
 * const auth = oauth({ authorize: loopback(), store: fileStore() });
 * const client = await connect("https://mcp.example.com/mcp", { auth });
 * ```
 *
 * @throws TypeError if an option is unknown or `authorize` is missing
 */
export function oauth(options: OAuthOptions): OAuth {
  assertKnownOptions(options, OPTIONS, "oauth");
  if (typeof options.authorize?.tokens !== "function")
    throw new TypeError("oauth: authorize must be a grant, such as loopback() or redirect()");
  return new OAuthClient(options);
}

class OAuthClient implements OAuth {
  readonly #options: OAuthOptions;
  readonly #store: AuthStore;
  readonly #servers = new Map<string, ServerAuthorization>();
  /** An account name that no other `OAuth` object uses. */
  readonly #name = crypto.randomUUID();
  #logins = 0;
  readonly #finishing = new Set<string>();

  constructor(options: OAuthOptions) {
    this.#options = options;
    this.#store = options.store ?? memoryStore();
  }

  fetchFor(server: URL, fetch: Fetch): Fetch {
    const authorization = this.#at(server);
    return (url, init) => authorization.fetch(url, init, fetch);
  }

  account(): string {
    return `${this.#name} ${this.#logins}`;
  }

  async login(server: string | URL, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
    await this.#at(new URL(server)).login(signal);
  }

  async logout(server: string | URL): Promise<LogoutResult> {
    try {
      return await this.#at(new URL(server)).logout();
    } catch (error) {
      throw hostFailure(error);
    }
  }

  async finish(back: string | URL): Promise<URL> {
    const url = new URL(back);
    const key = `pending ${url.searchParams.get("state") ?? ""}`;
    const record = await this.#take(key);
    if (record === undefined) {
      const what = "The authorization response belongs to no request of this client";
      throw new OAuthError("authorization", what, { expected: `the "state" that was sent, once` });
    }
    const server = new URL(record.server);
    await this.#at(server).finish(record, url);
    return server;
  }

  /**
   * Removes a suspended request from the store, so that its code is sent only once. Servers revoke tokens if a code is
   * reused.
   */
  async #take(key: string): Promise<PendingRecord | undefined> {
    if (this.#finishing.has(key)) return undefined;
    this.#finishing.add(key);
    const store = this.#store;
    const take = async (): Promise<PendingRecord | undefined> => {
      const record = await storedRecord<PendingRecord>(store, key, ["server"]);
      await store.delete(key);
      return record;
    };
    try {
      return await (store.exclusive ? store.exclusive(key, take) : take());
    } finally {
      this.#finishing.delete(key);
    }
  }

  #at(server: URL): ServerAuthorization {
    const known = this.#servers.get(server.href);
    if (known !== undefined) return known;
    const authorization = new ServerAuthorization(server, this.#options, this.#store, () => {
      this.#logins += 1;
    });
    if (this.#servers.size >= MOST_SERVERS) this.#servers.clear();
    this.#servers.set(server.href, authorization);
    return authorization;
  }
}
