import type { AuthorizationServer } from "oauth4webapi";

/** Context of one authorization, as a grant uses it. */
export interface Flow {
  readonly server: URL;
  readonly metadata: AuthorizationServer;
  readonly issuer: string;
  /** Value of the parameter `resource`; undefined if it is omitted. */
  readonly resource: string | undefined;
  readonly scopes: readonly string[];
  /** Aborts after the timeout, or when no caller is waiting any longer. */
  readonly signal: AbortSignal;
  /**
   * Returns the registration of this client at the authorization server. @param needs - requirements on the
   * registration
   */
  client(needs: ClientNeeds): Promise<RegisteredClient>;
  /** Sends a token request. */
  token(
    client: RegisteredClient,
    grantType: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<TokenResponse>;
  /** Requests a token that is not an access token from the token endpoint of another server. */
  exchange(
    provider: AuthorizationServer,
    client: RegisteredClient,
    grantType: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<TokenResponse>;
  /** Parameters of both authorization and token requests: resource, scope, and those from the options. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Validates an endpoint that the authorization server names. */
  check(url: unknown, role: string): Promise<URL>;
  /** Performs a request of the OAuth library. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Thumbprint of the key that the token will be bound to. */
  readonly thumbprint: string | undefined;
  /** True if PKCE is assumed to be supported, even if the metadata does not say so. */
  readonly isPkceAssumed: boolean;
  /** Redirect URI that was registered before. */
  readonly redirectUri: string | undefined;
  /** Stores the data that `finish` needs under a `state`, or deletes them. */
  suspend(state: string, record: CodeRecord | undefined): Promise<void>;
}

/** Record of an authorization request until its response. */
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

/** Requirements of a grant on the registration of the client. */
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
  /** Grant types that the client was registered for. */
  readonly grantTypes?: readonly string[];
  /** True if the client was configured in the options; it is then used with any redirect URI. */
  readonly isGiven?: boolean;
}

/** Response of a token endpoint. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in?: number | undefined;
  readonly refresh_token?: string | undefined;
  readonly scope?: string | undefined;
  readonly issued_token_type?: string | undefined;
}
