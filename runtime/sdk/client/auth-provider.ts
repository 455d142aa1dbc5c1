import type {
  FetchLike,
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from "../shared/index.js";

/** Facts about a request that the server has refused with 401. */
export interface UnauthorizedContext {
  response: Response;
  serverUrl: URL;
  fetchFn: FetchLike;
}

/** Gives the token for requests, and gets another one where a server refuses it. */
export interface AuthProvider {
  token(): Promise<string | undefined>;
  /** Called with a refusal; the request is sent once more afterwards. Without it, a refusal is final. */
  onUnauthorized?(ctx: UnauthorizedContext): Promise<void>;
}

/** Authorization server that registrations and tokens belong to. */
export interface OAuthClientInformationContext {
  issuer: string;
}

/** Registration of a client, with the issuer that it belongs to. */
export type StoredOAuthClientInformation = OAuthClientInformationMixed & {
  issuer?: string | undefined;
};

/** Tokens, with the issuer that they belong to. */
export type StoredOAuthTokens = OAuthTokens & { issuer?: string | undefined };

type MaybePromise<Value> = Value | Promise<Value>;

/** Knowledge of an authorization server that is kept between requests. */
export interface OAuthDiscoveryState {
  authorizationServerUrl: string;
  resourceMetadataUrl?: string | undefined;
  resourceMetadata?: object | undefined;
  authorizationServerMetadata?: object | undefined;
}

/** Part of what a provider keeps. */
export type CredentialScope = "all" | "client" | "tokens" | "verifier" | "discovery";

/** Keeps what an authorization needs, and sends the user to the authorization server. */
export interface OAuthClientProvider {
  /** URL that the user comes back to; undefined where there is no user. */
  get redirectUrl(): string | URL | undefined;
  /** URL of the metadata document of this client, which is its id then. */
  clientMetadataUrl?: string | undefined;
  /** Metadata with which the client registers. */
  get clientMetadata(): OAuthClientMetadata;
  /** Value of `state`, which nobody may guess. */
  state?(): MaybePromise<string>;
  clientInformation(
    ctx?: OAuthClientInformationContext,
  ): MaybePromise<StoredOAuthClientInformation | undefined>;
  /** Keeps a registration; without it this client registers nowhere. */
  saveClientInformation?(
    clientInformation: StoredOAuthClientInformation,
    ctx?: OAuthClientInformationContext,
  ): MaybePromise<void>;
  tokens(ctx?: OAuthClientInformationContext): MaybePromise<StoredOAuthTokens | undefined>;
  saveTokens(tokens: StoredOAuthTokens, ctx?: OAuthClientInformationContext): MaybePromise<void>;
  redirectToAuthorization(authorizationUrl: URL): MaybePromise<void>;
  /** Keeps what the answer of the authorization server needs, as one text. */
  saveCodeVerifier(codeVerifier: string): MaybePromise<void>;
  codeVerifier(): MaybePromise<string>;
  /**
   * Gives the resource to ask tokens for. Default: what the server's metadata say, if that is the server or above it.
   * @param resource - undefined: that the metadata fit the server is checked in any case
   */
  validateResourceURL?(serverUrl: string | URL, resource?: string): Promise<URL | undefined>;
  /** Forgets what is no longer good. */
  invalidateCredentials?(scope: CredentialScope): MaybePromise<void>;
  /** Parameters of a token request without a user, `grant_type` among them. */
  prepareTokenRequest?(scope?: string): MaybePromise<URLSearchParams | undefined>;
  /** Taken and without effect: servers are found anew by each process. */
  saveDiscoveryState?(state: OAuthDiscoveryState): MaybePromise<void>;
  discoveryState?(): MaybePromise<OAuthDiscoveryState | undefined>;
}

/** The server demands authorization: the user was sent to the authorization server, or there is no token. */
export class UnauthorizedError extends Error {
  override readonly name: string = "UnauthorizedError";

  constructor(message = "Unauthorized") {
    super(message);
  }
}

/** True for a provider of everything that OAuth needs. */
export function isOAuthProvider(
  provider: AuthProvider | OAuthClientProvider,
): provider is OAuthClientProvider {
  return "clientInformation" in provider;
}
