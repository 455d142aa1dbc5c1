import type { AuthorizationServer } from "oauth4webapi";

/** One authorization, as a way to a token sees it. */
export interface Flow {
  readonly server: URL;
  readonly metadata: AuthorizationServer;
  readonly issuer: string;
  /** Value of the parameter `resource`; undefined where that is left out. */
  readonly resource: string | undefined;
  readonly scopes: readonly string[];
  /** Aborts when the time is over, or nobody waits any more. */
  readonly signal: AbortSignal;
  /** This client at the authorization server. @param needs - for a registration */
  client(needs: ClientNeeds): Promise<RegisteredClient>;
  /** Asks the token endpoint. */
  token(
    client: RegisteredClient,
    grantType: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<TokenResponse>;
  /** Asks the token endpoint of another server for a token that is no access token. */
  exchange(
    provider: AuthorizationServer,
    client: RegisteredClient,
    grantType: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<TokenResponse>;
  /** Parameters that authorization and token requests have in common: resource, scope, those of the options. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Checks an endpoint that the authorization server names. */
  check(url: unknown, role: string): Promise<URL>;
  /** Does a request of the OAuth library. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Thumbprint of the key that the token will be bound to. */
  readonly thumbprint: string | undefined;
  /** True when PKCE counts as supported, whatever the metadata says. */
  readonly isPkceAssumed: boolean;
  /** Redirect URI that was registered before. */
  readonly redirectUri: string | undefined;
  /** Keeps what `finish` needs under a `state`, or forgets it. */
  suspend(state: string, record: CodeRecord | undefined): Promise<void>;
}

/** Memory of an authorization request until its answer. */
export interface CodeRecord {
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  readonly client: RegisteredClient;
}

/** A way to a token. */
export interface Authorize {
  /** True when a user is asked. */
  readonly hasUser: boolean;
  /** Gets a token. @throws OAuthError */
  tokens(flow: Flow): Promise<TokenResponse>;
}

/** Demands of a way to a token on the registration of the client. */
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
  /** Grant types that it was registered for. */
  readonly grantTypes?: readonly string[];
  /** True when it came with the options: whatever the redirect URI, it is this one. */
  readonly isGiven?: boolean;
}

/** Answer of a token endpoint. */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in?: number | undefined;
  readonly refresh_token?: string | undefined;
  readonly scope?: string | undefined;
  readonly issued_token_type?: string | undefined;
}
