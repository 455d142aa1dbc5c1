import type { AuthorizationServer } from "oauth4webapi";
import { GuardedFetch } from "./guarded-fetch.js";
import type { OAuthOptions } from "./options.js";
import type { RegisteredClient, TokenResponse } from "./authorize.js";
import { readResourceMetadata, readServerMetadata } from "./discovery.js";
import { type ClientAuthentication, requestToken } from "./token-endpoint.js";

export interface LoginStepsOptions extends Pick<
  OAuthOptions,
  "fetch" | "privateNetworks" | "allowHttp"
> {
  /** Aborts all steps. Default: each step has a timeout of 30 seconds. */
  readonly signal?: AbortSignal | undefined;
}

/** A request to a token endpoint. */
export interface TokenStep {
  readonly metadata: AuthorizationServer;
  readonly client: RegisteredClient;
  readonly grantType: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Additional `token_type` values to accept, such as `n_a` for tokens that are not access tokens. */
  readonly otherTypes?: readonly string[];
  /** Authenticates the client instead of its secret. */
  readonly authentication?: ClientAuthentication | undefined;
}

/** The individual steps of a login, for programs that manage its state themselves. `oauth` performs all of them. */
export class LoginSteps {
  readonly #server: URL;
  readonly #fetch: GuardedFetch;
  readonly #signal: AbortSignal;

  /**
   * @param server - the MCP server's URL; by default, only a server in a private network may name URLs in a private
   *   network
   */
  constructor(server: URL, options: LoginStepsOptions = {}) {
    const { signal, ...reach } = options;
    this.#server = server;
    this.#fetch = new GuardedFetch(server, reach);
    this.#signal = signal ?? new AbortController().signal;
  }

  /**
   * Reads the MCP server's metadata (RFC 9728).
   *
   * @param location - the location from a challenge. Default: the well-known locations
   * @returns undefined if there is no metadata
   * @throws OAuthError if it describes a different resource
   */
  async resourceMetadata(
    location?: string,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const request = { server: this.#server, location, known: undefined, headers: {} };
    return (await readResourceMetadata(this.#fetch, request))?.document;
  }

  /**
   * Reads an authorization server's metadata (RFC 8414, OpenID Connect Discovery).
   *
   * @param accepted - the issuer that the metadata must name. Default: the issuer itself, as RFC 8414 requires
   * @returns undefined if there is no metadata
   * @throws IssuerMismatchError if it is from a different issuer
   */
  serverMetadata(
    issuer: string,
    accepted: string = issuer,
  ): Promise<AuthorizationServer | undefined> {
    return readServerMetadata(this.#fetch, issuer, accepted, {});
  }

  /** Sends a token request. @throws OAuthError if the server rejects it */
  token(step: TokenStep): Promise<TokenResponse> {
    const fetch = this.#fetch.requests("token", "token endpoint", this.#signal);
    return requestToken({ ...step, fetch, known: undefined, dpop: undefined });
  }

  /**
   * Sends a registration request (RFC 7591).
   *
   * @deprecated MCP has deprecated dynamic registration. Use a metadata document or register manually.
   */
  register(endpoint: string, clientMetadata: object): Promise<Response> {
    const send = this.#fetch.requests("registration", "registration endpoint", this.#signal);
    const headers = { "content-type": "application/json", accept: "application/json" };
    return send(endpoint, { method: "POST", headers, body: JSON.stringify(clientMetadata) });
  }
}
