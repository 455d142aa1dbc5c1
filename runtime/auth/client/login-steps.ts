import type { AuthorizationServer } from "oauth4webapi";
import { GuardedFetch } from "./guarded-fetch.js";
import type { OAuthOptions } from "./options.js";
import type { RegisteredClient, TokenResponse } from "./authorize.js";
import { readResourceMetadata, readServerMetadata } from "./discovery.js";
import { requestToken } from "./token-endpoint.js";

export interface LoginStepsOptions extends Pick<
  OAuthOptions,
  "fetch" | "privateNetworks" | "allowHttp"
> {
  /** Aborts all steps. Default: each has 30 seconds. */
  readonly signal?: AbortSignal | undefined;
}

/** Request to a token endpoint. */
export interface TokenStep {
  readonly metadata: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly grantType: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Types of a token that is no access token, such as `n_a`. */
  readonly otherTypes?: readonly string[];
}

/** Single steps of a login, for programs that keep its state themselves; `oauth` takes them all. */
export class LoginSteps {
  readonly #server: URL;
  readonly #fetch: GuardedFetch;
  readonly #signal: AbortSignal;

  /** @param server - the one that the user has named: what it names in turn has to be reachable from there */
  constructor(server: URL, options: LoginStepsOptions = {}) {
    const { signal, ...reach } = options;
    this.#server = server;
    this.#fetch = new GuardedFetch(server, reach);
    this.#signal = signal ?? new AbortController().signal;
  }

  /**
   * Reads the metadata of the MCP server (RFC 9728).
   * @param location - from a challenge. Default: well-known places
   * @returns undefined when there is none
   * @throws OAuthError when it is that of another resource
   */
  async resourceMetadata(
    location?: string,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const request = { server: this.#server, location, known: undefined, headers: {} };
    return (await readResourceMetadata(this.#fetch, request))?.document;
  }

  /**
   * Reads the metadata of an authorization server (RFC 8414, OpenID Connect Discovery).
   * @returns undefined when there is none
   * @throws IssuerMismatchError when it is that of another one
   */
  serverMetadata(issuer: string): Promise<AuthorizationServer | undefined> {
    return readServerMetadata(this.#fetch, issuer, issuer, {});
  }

  /** Asks a token endpoint. @throws OAuthError when it refuses */
  token(step: TokenStep): Promise<TokenResponse> {
    const fetch = this.#fetch.requests("token", "token endpoint", this.#signal);
    return requestToken({ ...step, fetch, known: undefined, dpop: undefined });
  }

  /**
   * Sends a registration (RFC 7591).
   * @deprecated Dynamic registration is deprecated since 2026-07-28: use a metadata document, or register by hand.
   */
  register(endpoint: string, clientMetadata: object): Promise<Response> {
    const send = this.#fetch.requests("registration", "registration endpoint", this.#signal);
    const headers = { "content-type": "application/json", accept: "application/json" };
    return send(endpoint, { method: "POST", headers, body: JSON.stringify(clientMetadata) });
  }
}
