import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthClientMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "../shared/index.js";

/** Request that the server refused with 401. */
export interface UnauthorizedContext {
  response: Response;
  serverUrl: URL;
  fetchFn: FetchLike;
}

/** Source of the token for requests, which obtains another token if a server refuses the current one. */
export interface AuthProvider {
  token(): Promise<string | undefined>;
  /** Called after a refusal; the request is then sent once more. Without this method, a refusal is final. */
  onUnauthorized?(ctx: UnauthorizedContext): Promise<void>;
}

/** Authorization server to which registrations and tokens belong. */
export interface OAuthClientInformationContext {
  issuer: string;
}

type MaybePromise<Value> = Value | Promise<Value>;

/** Function that adds a client's authentication to the parameters or headers of a token request. */
export type AddClientAuthentication = (
  headers: Headers,
  params: URLSearchParams,
  url: string | URL,
  metadata?: AuthorizationServerMetadata,
) => MaybePromise<void>;

/** Information about an authorization server that is kept between requests. */
export interface OAuthDiscoveryState {
  authorizationServerUrl: string;
  resourceMetadataUrl?: string | undefined;
  resourceMetadata?: object | undefined;
  authorizationServerMetadata?: object | undefined;
}

/** Part of the stored values of a provider. */
export type CredentialScope = "all" | "client" | "tokens" | "verifier" | "discovery";

/** Storage for what an authorization needs. It also redirects the user to the authorization server. */
export interface OAuthClientProvider {
  /** URL to which the user returns; undefined if there is no user. */
  get redirectUrl(): string | URL | undefined;
  /** URL of this client's metadata document, which serves as the client's id. */
  clientMetadataUrl?: string | undefined;
  /** Metadata that the client sends when it registers. */
  get clientMetadata(): OAuthClientMetadata;
  /** Returns an unguessable value for the parameter `state`. */
  state?(): MaybePromise<string>;
  clientInformation(
    ctx?: OAuthClientInformationContext,
  ): MaybePromise<StoredOAuthClientInformation | undefined>;
  /** Stores a registration; without this method, the client does not register. */
  saveClientInformation?(
    clientInformation: StoredOAuthClientInformation,
    ctx?: OAuthClientInformationContext,
  ): MaybePromise<void>;
  tokens(ctx?: OAuthClientInformationContext): MaybePromise<StoredOAuthTokens | undefined>;
  saveTokens(tokens: StoredOAuthTokens, ctx?: OAuthClientInformationContext): MaybePromise<void>;
  redirectToAuthorization(authorizationUrl: URL): MaybePromise<void>;
  /** Stores the code verifier, which is needed to process the authorization response. */
  saveCodeVerifier(codeVerifier: string): MaybePromise<void>;
  codeVerifier(): MaybePromise<string>;
  /**
   * Returns the resource to request tokens for. Default: the resource in the server's metadata; its URL must
   * contain that of the server.
   * @param resource - resource in the metadata; undefined if there is no metadata
   */
  validateResourceURL?(serverUrl: string | URL, resource?: string): Promise<URL | undefined>;
  /** Discards stored values that are no longer valid. */
  invalidateCredentials?(scope: CredentialScope): MaybePromise<void>;
  /** Authenticates the client at token endpoints. Default: by its secret, or not at all. */
  addClientAuthentication?: AddClientAuthentication;
  /** Returns the parameters of a token request without a user, including `grant_type`. */
  prepareTokenRequest?(scope?: string): MaybePromise<URLSearchParams | undefined>;
  /** Stores the authorization server to which the user is redirected; the code is sent to no other server. */
  saveDiscoveryState?(state: OAuthDiscoveryState): MaybePromise<void>;
  discoveryState?(): MaybePromise<OAuthDiscoveryState | undefined>;
  /** Receives the issuer from which tokens are requested. */
  saveAuthorizationServerUrl?(authorizationServerUrl: string): MaybePromise<void>;
  /** Receives the resource for which tokens are requested. */
  saveResourceUrl?(resourceUrl: string): MaybePromise<void>;
}

/**
 * Error for a server that requires authorization: the user was redirected to the authorization
 * server, or there is no token.
 */
export class UnauthorizedError extends Error {
  override readonly name: string = "UnauthorizedError";

  constructor(message = "Unauthorized") {
    super(message);
  }
}

/** True for a provider that implements the whole OAuth flow. */
export function isOAuthProvider(
  provider: AuthProvider | OAuthClientProvider,
): provider is OAuthClientProvider {
  return "clientInformation" in provider;
}
