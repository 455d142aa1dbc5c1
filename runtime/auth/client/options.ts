import type { CryptoKey } from "oauth4webapi";
import type { Authorize } from "./authorize.js";
import type { AuthStore } from "./store.js";

/** A client that is already registered with an authorization server. */
export interface KnownClient {
  readonly id: string;
  readonly secret?: string;
  /**
   * The key that signs instead of a secret (`private_key_jwt`): PKCS #8 in PEM format, or a `CryptoKey` for signing.
   */
  readonly key?: string | CryptoKey;
  /** The algorithm of a PEM key. Default: ES256. */
  readonly algorithm?: string;
  /** The key id in the signed assertion. */
  readonly keyId?: string;
  /**
   * The authentication method at the token endpoint. Default: with a key, `private_key_jwt`; with a secret,
   * `client_secret_basic`, or `client_secret_post` if the server lists only other methods; otherwise `none`.
   */
  readonly authentication?:
    "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none";
  /**
   * The issuer that the client is registered with. Without it, the credentials go to the first authorization server
   * that the MCP server names, and from then on only to that one.
   */
  readonly issuer?: string;
}

/** An authorization server's metadata (RFC 8414). */
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
   * The value of the `resource` parameter (RFC 8707), or `omit` for servers that reject it. Default: the MCP server's
   * resource identifier.
   */
  readonly resource?: string;
  /** Parameters added to authorization and token requests, such as `audience`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The metadata of a server that does not publish any. It replaces what the MCP server names. */
  readonly metadata?: ServerMetadata;
  /** The issuer in the metadata, if it differs from the one that the MCP server names. */
  readonly metadataIssuer?: string;
  /** `assumed` if the server supports PKCE with S256 even though its metadata does not say so. */
  readonly pkce?: "assumed";
}

export interface OAuthOptions {
  /** The grant: `redirect()`, `device()`, `clientCredentials()`, …, or `loopback()` from `@mcp-codegen/auth/node`. */
  readonly authorize: Authorize;
  /** The store for registrations and tokens. Default: `memoryStore()`. */
  readonly store?: AuthStore;
  /** A client that was registered manually. */
  readonly client?: KnownClient;
  /**
   * The URL of this client's metadata document. It serves as the client id at authorization servers that support such
   * documents.
   */
  readonly clientMetadataUrl?: string;
  /**
   * The metadata, such as `client_name`, that this client registers with at servers where it is not yet known (RFC
   * 7591).
   *
   * @deprecated MCP has deprecated dynamic registration. Use `clientMetadataUrl` or `client`. This option remains for
   *   authorization servers that support neither.
   */
  readonly clientMetadata?: Readonly<Record<string, unknown>>;
  /** Scopes to request in addition to those that the MCP server requires. */
  readonly scopes?: readonly string[];
  /**
   * The issuer to use if the MCP server names several authorization servers. Default: the one used before, or else the
   * first.
   */
  readonly issuer?: string;
  /** True to bind tokens to one of this client's keys (RFC 9449). Default: false. */
  readonly dpop?: boolean;
  readonly interop?: InteropOptions;
  /** Performs requests to authorization servers. Default: the platform's `fetch`. */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
  /** True to let a public MCP server name an authorization server in a private network. Default: false. */
  readonly privateNetworks?: boolean;
  /**
   * True to log in to MCP servers over `http:`, which sends the code and the tokens over the network unencrypted. Not
   * needed for `http:` on this machine. Default: false.
   */
  readonly allowHttp?: boolean;
  /**
   * Called for the process's first dynamic registration, which is deprecated. Default: a process warning, or
   * `console.warn` where there is no `process`.
   */
  readonly onwarning?: (warning: Error) => void;
  /** The timeout for an authorization, in milliseconds, including the time that the user needs. Default: 300,000. */
  readonly timeout?: number;
}

/**
 * The result of `logout`. `revoked`: the tokens were revoked. `forgotten`: they were only deleted, because their
 * authorization server does not support revocation or was unreachable. `none`: there were no tokens.
 */
export type LogoutResult = "revoked" | "forgotten" | "none";
