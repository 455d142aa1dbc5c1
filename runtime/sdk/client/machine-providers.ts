import type { KnownClient, OAuthOptions } from "@mcp-codegen/auth/client";
import type { FetchLike, OAuthClientMetadata } from "../shared/index.js";
import type {
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from "./auth-provider.js";
import type { NativeProvider } from "./provider-auth.js";

/** Provider without a user; it keeps its tokens in memory. */
abstract class MachineProvider implements OAuthClientProvider, NativeProvider {
  readonly #client: KnownClient;
  readonly #name: string;
  readonly #scope: string | undefined;
  #tokens: StoredOAuthTokens | undefined;

  constructor(client: KnownClient, name: string, scope: string | undefined) {
    this.#client = client;
    this.#name = name;
    this.#scope = scope;
  }

  get redirectUrl(): undefined {
    return undefined;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: this.#name,
      redirect_uris: [],
      grant_types: ["client_credentials"],
      ...(this.#scope === undefined ? {} : { scope: this.#scope }),
    } as OAuthClientMetadata;
  }

  clientInformation(): StoredOAuthClientInformation {
    const { id, secret, issuer } = this.#client;
    return {
      client_id: id,
      ...(secret === undefined ? {} : { client_secret: secret }),
      ...(issuer === undefined ? {} : { issuer }),
    } as StoredOAuthClientInformation;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(): void {
    throw new Error("There is no user to redirect to an authorization server");
  }

  saveCodeVerifier(): void {}

  codeVerifier(): string {
    throw new Error("There is no user, and therefore no code");
  }

  prepareTokenRequest(scope?: string): URLSearchParams {
    return new URLSearchParams({ grant_type: "client_credentials", ...(scope ? { scope } : {}) });
  }

  async nativeOptions(): Promise<Partial<OAuthOptions>> {
    return { client: this.#client };
  }
}

/** Options of {@link ClientCredentialsProvider}. */
export interface ClientCredentialsProviderOptions {
  clientId: string;
  clientSecret: string;
  clientName?: string | undefined;
  scope?: string | undefined;
  /** Issuer that the client is registered with; the secret is sent to no other. */
  expectedIssuer?: string | undefined;
}

/** Obtains tokens for the client itself, with its secret. */
export class ClientCredentialsProvider extends MachineProvider {
  constructor(options: ClientCredentialsProviderOptions) {
    const { clientId, clientSecret, clientName = "client-credentials-client" } = options;
    const client = { id: clientId, secret: clientSecret, ...issuerOf(options) };
    super(client, clientName, options.scope);
  }
}

/** Options of {@link PrivateKeyJwtProvider}. */
export interface PrivateKeyJwtProviderOptions {
  clientId: string;
  /** PKCS #8 in PEM, or a key for signing. */
  privateKey: string | CryptoKey;
  /** Algorithm of the signature, such as `ES256`. */
  algorithm: string;
  clientName?: string | undefined;
  scope?: string | undefined;
  expectedIssuer?: string | undefined;
}

/** Obtains tokens for the client itself, which signs an assertion with its key. */
export class PrivateKeyJwtProvider extends MachineProvider {
  constructor(options: PrivateKeyJwtProviderOptions) {
    const { clientId, privateKey, algorithm, clientName = "private-key-jwt-client" } = options;
    const client = { id: clientId, key: privateKey, algorithm, ...issuerOf(options) };
    super(client, clientName, options.scope);
  }
}

/** Request for an assertion. */
export interface CrossAppAccessContext {
  authorizationServerUrl: string;
  resourceUrl: string;
  scope?: string | undefined;
  fetchFn: FetchLike;
}

/** Obtains the assertion from the enterprise's identity provider. */
export type AssertionCallback = (context: CrossAppAccessContext) => string | Promise<string>;

/** Options of {@link CrossAppAccessProvider}. */
export interface CrossAppAccessProviderOptions {
  assertion: AssertionCallback;
  clientId: string;
  clientSecret?: string | undefined;
  clientName?: string | undefined;
  fetchFn?: FetchLike | undefined;
  expectedIssuer?: string | undefined;
}

/** Obtains tokens with an assertion of the enterprise's identity provider (enterprise-managed authorization). */
export class CrossAppAccessProvider extends MachineProvider {
  readonly #options: CrossAppAccessProviderOptions;

  constructor(options: CrossAppAccessProviderOptions) {
    const { clientId, clientSecret, clientName = "cross-app-access-client" } = options;
    const secret = clientSecret === undefined ? {} : { secret: clientSecret };
    super({ id: clientId, ...secret, ...issuerOf(options) }, clientName, undefined);
    this.#options = options;
  }

  override async nativeOptions(): Promise<Partial<OAuthOptions>> {
    const { jwtBearer } = await import("@mcp-codegen/auth/client");
    const { assertion, fetchFn = fetch } = this.#options;
    const authorize = jwtBearer({
      assertion: ({ audience, resource = "" }) =>
        assertion({ authorizationServerUrl: audience, resourceUrl: resource, fetchFn }),
    });
    return { ...(await super.nativeOptions()), authorize };
  }
}

function issuerOf({ expectedIssuer }: { expectedIssuer?: string | undefined }): {
  issuer?: string;
} {
  return expectedIssuer === undefined ? {} : { issuer: expectedIssuer };
}
