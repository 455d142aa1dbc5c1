import type {
  FetchLike,
  OAuthClientMetadata,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "../shared/index.js";
import type { AddClientAuthentication, OAuthClientProvider } from "./auth-provider.js";

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

interface MachineOptions {
  clientId: string;
  clientName?: string | undefined;
  scope?: string | undefined;
  /** The issuer with which the client is registered. The client's credentials are sent to no other issuer. */
  expectedIssuer?: string | undefined;
}

/** A provider for clients without a user. It keeps its tokens in memory. */
abstract class MachineProvider implements OAuthClientProvider {
  private readonly _information: StoredOAuthClientInformation;
  private readonly _metadata: OAuthClientMetadata;
  private _tokens: StoredOAuthTokens | undefined;

  constructor(
    { clientId, clientName, scope, expectedIssuer }: MachineOptions,
    name: string,
    clientSecret?: string,
  ) {
    this._information = {
      client_id: clientId,
      client_secret: clientSecret,
      issuer: expectedIssuer,
    };
    const grant_types = ["client_credentials"];
    this._metadata = { client_name: clientName ?? name, redirect_uris: [], grant_types, scope };
  }

  get redirectUrl(): undefined {
    return undefined;
  }

  get clientMetadata(): OAuthClientMetadata {
    return this._metadata;
  }

  clientInformation(): StoredOAuthClientInformation {
    return this._information;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this._tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this._tokens = tokens;
  }

  redirectToAuthorization(): void {
    throw new Error("There is no user to redirect to an authorization server");
  }

  saveCodeVerifier(): void {}

  codeVerifier(): string {
    throw new Error("There is no user, and therefore no code");
  }

  prepareTokenRequest(scope?: string): URLSearchParams | Promise<URLSearchParams> {
    return new URLSearchParams({ grant_type: "client_credentials", ...(scope ? { scope } : {}) });
  }
}

/** The options of {@link ClientCredentialsProvider}. */
export interface ClientCredentialsProviderOptions extends MachineOptions {
  clientSecret: string;
}

/** A provider that obtains tokens for the client itself, with the client's secret. */
export class ClientCredentialsProvider extends MachineProvider {
  constructor(options: ClientCredentialsProviderOptions) {
    super(options, "client-credentials-client", options.clientSecret);
  }
}

/** A key that signs assertions: PKCS #8 in PEM, a JWK, or a key for signing. */
type SigningKey = string | Uint8Array | Record<string, unknown> | CryptoKey;

/** Returns a function that authenticates the client with assertions signed by the client's key (`private_key_jwt`). */
export function createPrivateKeyJwtAuth(options: {
  issuer: string;
  subject: string;
  privateKey: SigningKey;
  /** The signature algorithm, such as `ES256`. */
  alg: string;
  /** The assertion's audience. Default: the authorization server's issuer, or else the URL of the token endpoint. */
  audience?: string | URL | undefined;
  /** The number of seconds for which an assertion is valid. Default: 300. */
  lifetimeSeconds?: number | undefined;
  /** Claims to add to those of RFC 7523, or to use in place of them. */
  claims?: Record<string, unknown> | undefined;
}): AddClientAuthentication {
  const { issuer, subject, privateKey, alg: algorithm, audience, claims } = options;
  const { lifetimeSeconds = 300 } = options;
  const key = privateKey instanceof Uint8Array ? new TextDecoder().decode(privateKey) : privateKey;
  return async (headers, params, url, metadata) => {
    const { privateKeyJwt } = await import("@mcp-codegen/auth/client");
    const aud = String(audience ?? metadata?.issuer ?? url);
    const exp = Math.floor(Date.now() / 1000) + lifetimeSeconds;
    const own = { iss: issuer, sub: subject, aud, exp, ...claims };
    const authenticate = privateKeyJwt(key as string | CryptoKey, { algorithm, claims: own });
    const server = { ...metadata, issuer: aud } as { issuer: string };
    await authenticate(server, { client_id: subject }, params, headers);
  };
}

/** The options of {@link PrivateKeyJwtProvider}. */
export interface PrivateKeyJwtProviderOptions extends MachineOptions {
  privateKey: SigningKey;
  /** The signature algorithm, such as `ES256`. */
  algorithm: string;
  /** The number of seconds for which an assertion is valid. Default: 300. */
  jwtLifetimeSeconds?: number | undefined;
  /** Claims to add to the assertion's RFC 7523 claims, or to use in place of them. */
  claims?: Record<string, unknown> | undefined;
}

/** A provider that obtains tokens for the client itself, with an assertion signed by the client's key. */
export class PrivateKeyJwtProvider extends MachineProvider {
  readonly addClientAuthentication: AddClientAuthentication;

  constructor(options: PrivateKeyJwtProviderOptions) {
    super(options, "private-key-jwt-client");
    const { clientId, privateKey, algorithm: alg, jwtLifetimeSeconds, claims } = options;
    const own = { privateKey, alg, claims, lifetimeSeconds: jwtLifetimeSeconds };
    this.addClientAuthentication = createPrivateKeyJwtAuth({
      ...own,
      issuer: clientId,
      subject: clientId,
    });
  }
}

/** The options of {@link StaticPrivateKeyJwtProvider}. */
export interface StaticPrivateKeyJwtProviderOptions extends MachineOptions {
  /** A signed assertion, which is sent unchanged. */
  jwtBearerAssertion: string;
}

/** A provider that obtains tokens for the client itself, with an assertion that was signed elsewhere. */
export class StaticPrivateKeyJwtProvider extends MachineProvider {
  readonly addClientAuthentication: AddClientAuthentication;

  constructor(options: StaticPrivateKeyJwtProviderOptions) {
    super(options, "static-private-key-jwt-client");
    const { clientId, jwtBearerAssertion } = options;
    this.addClientAuthentication = (_headers, params) => {
      params.set("client_id", clientId);
      params.set("client_assertion", jwtBearerAssertion);
      params.set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    };
  }
}

/** The values for which an assertion is requested. */
export interface CrossAppAccessContext {
  authorizationServerUrl: string;
  resourceUrl: string;
  scope?: string | undefined;
  fetchFn: FetchLike;
}

/** Obtains the assertion from the enterprise's identity provider. */
export type AssertionCallback = (context: CrossAppAccessContext) => string | Promise<string>;

/** The options of {@link CrossAppAccessProvider}. */
export interface CrossAppAccessProviderOptions extends Omit<MachineOptions, "scope"> {
  assertion: AssertionCallback;
  clientSecret?: string | undefined;
  fetchFn?: FetchLike | undefined;
}

/**
 * A provider that obtains tokens with an assertion from the enterprise's identity provider (enterprise-managed
 * authorization).
 */
export class CrossAppAccessProvider extends MachineProvider {
  private readonly _options: CrossAppAccessProviderOptions;
  private _issuer = "";
  private _resource = "";

  constructor(options: CrossAppAccessProviderOptions) {
    super(options, "cross-app-access-client", options.clientSecret);
    this._options = options;
  }

  saveAuthorizationServerUrl(authorizationServerUrl: string): void {
    this._issuer = authorizationServerUrl;
  }

  saveResourceUrl(resourceUrl: string): void {
    this._resource = resourceUrl;
  }

  override async prepareTokenRequest(scope?: string): Promise<URLSearchParams> {
    const { assertion, fetchFn = fetch } = this._options;
    const places = { authorizationServerUrl: this._issuer, resourceUrl: this._resource };
    const signed = await assertion({ ...places, scope, fetchFn });
    const own = { grant_type: JWT_BEARER, assertion: signed };
    return new URLSearchParams({ ...own, ...(scope ? { scope } : {}) });
  }
}
