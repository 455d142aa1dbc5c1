import type { CryptoKey } from "oauth4webapi";
import type { Authorize } from "./authorize.js";
import type { AuthStore } from "./store.js";

/** Client that is already registered with an authorization server. */
export interface KnownClient {
  readonly id: string;
  readonly secret?: string;
  /** Key that signs instead of a secret (`private_key_jwt`): PKCS #8 in PEM, or a `CryptoKey` for signing. */
  readonly key?: string | CryptoKey;
  /** Algorithm of a key in PEM. Default: ES256. */
  readonly algorithm?: string;
  /** Key id in the signed assertion. */
  readonly keyId?: string;
  /**
   * Authentication method at the token endpoint. Default: `private_key_jwt` with a key; with a secret,
   * `client_secret_basic`, or `client_secret_post` if the server lists only other methods; otherwise `none`.
   */
  readonly authentication?:
    "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none";
  /**
   * Issuer that the client is registered with. Without it, the credentials go to the first
   * authorization server that the MCP server names, and only to that one from then on.
   */
  readonly issuer?: string;
}

/** Metadata of an authorization server (RFC 8414). */
export interface ServerMetadata {
  readonly issuer: string;
  readonly authorization_endpoint?: string;
  readonly token_endpoint?: string;
  readonly registration_endpoint?: string;
  readonly device_authorization_endpoint?: string;
  readonly revocation_endpoint?: string;
  readonly [name: string]: unknown;
}

/** Workarounds for authorization servers that deviate from the specification. */
export interface InteropOptions {
  /**
   * Value of the parameter `resource` (RFC 8707), or `omit` for servers that reject it. Default: the MCP server's
   * resource identifier.
   */
  readonly resource?: string;
  /** Parameters added to authorization and token requests, such as `audience`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Metadata for a server that publishes none; it replaces what the MCP server names. */
  readonly metadata?: ServerMetadata;
  /** Issuer in the metadata, if it differs from the one that the MCP server names. */
  readonly metadataIssuer?: string;
  /** `assumed` if the server supports PKCE with S256 although its metadata does not say so. */
  readonly pkce?: "assumed";
}

export interface OAuthOptions {
  /** Grant: `redirect()`, `device()`, `clientCredentials()`, …, or `loopback()` from `@mcp-codegen/auth/node`. */
  readonly authorize: Authorize;
  /** Store for registrations and tokens. Default: `memoryStore()`. */
  readonly store?: AuthStore;
  /** Client that was registered manually. */
  readonly client?: KnownClient;
  /**
   * URL of this client's metadata document, which serves as the client's id at authorization servers that support it.
   */
  readonly clientMetadataUrl?: string;
  /**
   * Metadata with which this client registers where it is not known (RFC 7591), such as `client_name`.
   * @deprecated MCP has deprecated dynamic registration: use `clientMetadataUrl` or `client`. This option remains for
   * authorization servers that support neither.
   */
  readonly clientMetadata?: Readonly<Record<string, unknown>>;
  /** Scopes to request in addition to those that the MCP server requires. */
  readonly scopes?: readonly string[];
  /**
   * Issuer to use among the authorization servers that the MCP server names. Default: the one used before, otherwise
   * the first.
   */
  readonly issuer?: string;
  /** True to bind tokens to a key of this client (RFC 9449). Default: false. */
  readonly dpop?: boolean;
  readonly interop?: InteropOptions;
  /** Performs the requests to authorization servers. Default: the platform's `fetch`. */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
  /** True to let a public MCP server name an authorization server in a private network. Default: false. */
  readonly privateNetworks?: boolean;
  /**
   * True to log in to MCP servers over `http:`, which sends the code and the tokens over the network unencrypted.
   * `http:` on this machine needs no option. Default: false.
   */
  readonly allowHttp?: boolean;
  /**
   * Called at the process's first dynamic registration, which is deprecated. Default: a process warning, or
   * `console.warn` where there is no `process`.
   */
  readonly onwarning?: (warning: Error) => void;
  /** Timeout of an authorization, including the time for the user, in milliseconds. Default: 300 000. */
  readonly timeout?: number;
}

/**
 * Result of `logout`: the tokens were `revoked`; only `forgotten`, because their authorization server does not
 * support revocation or was unreachable; or there were `none`.
 */
export type LogoutResult = "revoked" | "forgotten" | "none";
