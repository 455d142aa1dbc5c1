import type { Authorize } from "./authorize.js";
import type { AuthStore } from "./store.js";

/** Client that an authorization server knows already. */
export interface KnownClient {
  readonly id: string;
  readonly secret?: string;
  /** Signs in place of a secret (`private_key_jwt`): PKCS #8 in PEM, or a key for signatures. */
  readonly key?: string | CryptoKey;
  /** Algorithm of a key in PEM. Default: ES256. */
  readonly algorithm?: string;
  /** Key id in the signed assertion. */
  readonly keyId?: string;
  /** Authentication at the token endpoint. Default: what the metadata prefers of what is possible. */
  readonly authentication?:
    "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none";
  /**
   * Issuer that knows the client. Without it, the first authorization server that the MCP server names gets the
   * credentials, and no other one afterwards.
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

/** Allowances for authorization servers that differ from the specification. */
export interface InteropOptions {
  /** Value of the parameter `resource` (RFC 8707), or `omit` for servers that refuse it. Default: the MCP server's. */
  readonly resource?: string;
  /** Parameters added to authorization and token requests, such as `audience`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Metadata for a server that publishes none; it takes the place of what the MCP server names. */
  readonly metadata?: ServerMetadata;
  /** Issuer in the metadata, where that is another one than the MCP server names. */
  readonly metadataIssuer?: string;
  /** `assumed`: the server does PKCE with S256 although its metadata does not say so. */
  readonly pkce?: "assumed";
}

export interface OAuthOptions {
  /** Way to a token: `redirect()`, `device()`, `clientCredentials()`, …, and `loopback()` of `@mcp-codegen/auth/node`. */
  readonly authorize: Authorize;
  /** Default: `memoryStore()`. */
  readonly store?: AuthStore;
  /** Client that was registered by hand. */
  readonly client?: KnownClient;
  /** URL of this client's metadata document, for authorization servers that read it. It is the client's id then. */
  readonly clientMetadataUrl?: string;
  /**
   * Metadata with which this client registers where it is not known (RFC 7591), such as `client_name`.
   * @deprecated Dynamic registration is deprecated since 2026-07-28: use `clientMetadataUrl`, or `client`. For
   *   authorization servers that support neither, it stays.
   */
  readonly clientMetadata?: Readonly<Record<string, unknown>>;
  /** Scopes to request besides those that the MCP server asks for. */
  readonly scopes?: readonly string[];
  /** Choice among several authorization servers of an MCP server. Default: the first. */
  readonly issuer?: string;
  /** True to bind tokens to a key of this client (RFC 9449). Default: false. */
  readonly dpop?: boolean;
  readonly interop?: InteropOptions;
  /** Does the requests to authorization servers. Default: the platform's `fetch`. */
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
  /** True to let a public MCP server name an authorization server in a private network. Default: false. */
  readonly privateNetworks?: boolean;
  /**
   * True to log in to MCP servers over `http:`, so that code and tokens cross the network in the clear. `http:` on this
   * machine needs no option. Default: false.
   */
  readonly allowHttp?: boolean;
  /**
   * Called once in a process, when a client uses a deprecated part of the protocol: dynamic registration. Default: a
   * warning of the process, or on the console where there is no process.
   */
  readonly onwarning?: (warning: Error) => void;
  /** Time for an authorization, the user's part included, in milliseconds. Default: 300 000. */
  readonly timeout?: number;
}

/**
 * Result of `logout`: the tokens were revoked; or only forgotten, because their authorization server revokes none or
 * could not be asked; or there were `none`.
 */
export type LogoutResult = "revoked" | "forgotten" | "none";
