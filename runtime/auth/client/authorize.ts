import type { AuthorizationServer } from "oauth4webapi";

/** The context that a grant receives for one authorization. */
export interface Flow {
  readonly server: URL;
  readonly metadata: AuthorizationServer;
  readonly issuer: string;
  /** The value of the `resource` parameter, or undefined if it is omitted. */
  readonly resource: string | undefined;
  readonly scopes: readonly string[];
  /** Aborts after the timeout, or when there are no more callers waiting. */
  readonly signal: AbortSignal;
  /**
   * Returns this client as the authorization server knows it, and registers it if necessary.
   *
   * @param needs - the registration's requirements
   */
  client(needs: ClientNeeds): Promise<RegisteredClient>;
  /** Sends a request to the authorization server's token endpoint. */
  token(
    client: RegisteredClient,
    grantType: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<TokenResponse>;
  /**
   * Sends a token request to another authorization server, without DPoP. The response need not contain an access
   * token.
   */
  exchange(
    provider: AuthorizationServer,
    client: RegisteredClient,
    grantType: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<TokenResponse>;
  /** The parameters of both authorization and token requests: the resource, the scope, and those from the options. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Validates an endpoint URL provided by the authorization server. */
  check(url: unknown, role: string): Promise<URL>;
  /** Performs a request for the OAuth library, with limits on size, time and reachable addresses. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The thumbprint of the DPoP key that the token will be bound to. */
  readonly thumbprint: string | undefined;
  /** True if the server is assumed to support PKCE, even if its metadata does not say so. */
  readonly isPkceAssumed: boolean;
  /** The redirect URI from this client's stored registration. */
  readonly redirectUri: string | undefined;
  /** Stores the data that `finish` needs for a `state`, or deletes it if `record` is undefined. */
  suspend(state: string, record: CodeRecord | undefined): Promise<void>;
}

/** An authorization request that is awaiting its response. */
export interface CodeRecord {
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly client: RegisteredClient;
}

/** A grant: a way to obtain a token. */
export interface Authorize {
  /** True if the user takes part in the grant. */
  readonly hasUser: boolean;
  /** Obtains a token. @throws OAuthError */
  tokens(flow: Flow): Promise<TokenResponse>;
}

/** A grant's requirements for the client's registration. */
export interface ClientNeeds {
  readonly grantTypes: readonly string[];
  readonly redirectUri?: string;
}

/** This client, as one authorization server knows it. */
export interface RegisteredClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly client_secret_expires_at?: number;
  readonly token_endpoint_auth_method?: string;
  readonly redirectUri?: string;
  /** The grant types that the client was registered for. */
  readonly grantTypes?: readonly string[];
  /**
   * True if the client comes from the options (`client` or `clientMetadataUrl`). It is then used with any redirect URI.
   */
  readonly isGiven?: boolean;
}

/** A token endpoint's response. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in?: number | undefined;
  readonly refresh_token?: string | undefined;
  readonly scope?: string | undefined;
  readonly issued_token_type?: string | undefined;
}
