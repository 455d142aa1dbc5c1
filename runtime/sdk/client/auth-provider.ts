import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthClientMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "../shared/index.js";

/** A request that the server refused with 401. */
export interface UnauthorizedContext {
  response: Response;
  serverUrl: URL;
  fetchFn: FetchLike;
}

/** The source of the token for requests. It obtains another token if a server refuses the current one. */
export interface AuthProvider {
  token(): Promise<string | undefined>;
  /** Called after a refusal, after which the request is sent once more. Without this method, a refusal is final. */
  onUnauthorized?(ctx: UnauthorizedContext): Promise<void>;
}

/** The authorization server that registrations and tokens belong to. */
export interface OAuthClientInformationContext {
  issuer: string;
}

type MaybePromise<Value> = Value | Promise<Value>;

/** Adds a client's authentication to the parameters or headers of a token request. */
export type AddClientAuthentication = (
  headers: Headers,
  params: URLSearchParams,
  url: string | URL,
  metadata?: AuthorizationServerMetadata,
) => MaybePromise<void>;

/** The information about an authorization server that is kept between requests. */
export interface OAuthDiscoveryState {
  authorizationServerUrl: string;
  resourceMetadataUrl?: string | undefined;
  resourceMetadata?: object | undefined;
  authorizationServerMetadata?: object | undefined;
}

/** A part of the values that a provider stores. */
export type CredentialScope = "all" | "client" | "tokens" | "verifier" | "discovery";

/** Stores what an authorization needs, and redirects the user to the authorization server. */
export interface OAuthClientProvider {
  /** The URL to which the user returns; undefined if there is no user. */
  get redirectUrl(): string | URL | undefined;
  /** The URL of this client's metadata document, which serves as the client's id. */
  clientMetadataUrl?: string | undefined;
  /** The metadata that the client sends when it registers. */
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
   * Returns the resource to request tokens for. Default: the resource in the server's metadata, whose URL must contain
   * the server's URL.
   *
   * @param resource - the resource in the metadata; undefined if there is no metadata
   */
  validateResourceURL?(serverUrl: string | URL, resource?: string): Promise<URL | undefined>;
  /** Discards stored values that are no longer valid. */
  invalidateCredentials?(scope: CredentialScope): MaybePromise<void>;
  /** Authenticates the client at token endpoints. Default: uses the client's secret, or no authentication. */
  addClientAuthentication?: AddClientAuthentication;
  /** Returns the parameters of a token request that involves no user, including `grant_type`. */
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
 * The error for a server that requires authorization: either the user was redirected to the authorization server, or
 * there is no token.
 */
export class UnauthorizedError extends Error {
  override readonly name: string = "UnauthorizedError";

  constructor(message = "Unauthorized") {
    super(message);
  }
}

/** True if a provider implements the whole OAuth flow. */
export function isOAuthProvider(
  provider: AuthProvider | OAuthClientProvider,
): provider is OAuthClientProvider {
  return "clientInformation" in provider;
}
