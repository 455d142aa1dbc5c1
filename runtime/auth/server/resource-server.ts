import { assertKnownOptions } from "../known-options.js";
import { isLoopback } from "../addresses.js";
import type {
  Auth,
  Authenticator,
  Identity,
  PublicDocument,
  Refusal,
  RequestHead,
} from "@mcp-codegen/runtime/http/server";
import { PROOF_ALGORITHMS, type PresentedToken, challenge, presentedToken } from "./credentials.js";
import {
  InvalidTokenError,
  type ScopeHierarchy,
  type TokenClaims,
  type TokenVerifier,
  type VerifierContext,
  checkClaims,
  grantedScopes,
} from "./token.js";
import { authorizationServerMetadata, sharedWork } from "./issuer-metadata.js";
import { jwt } from "./jwt.js";
import { InvalidProofError, PossessionProofs } from "./possession-proofs.js";

export interface ResourceServerOptions {
  /** The canonical URL of the MCP endpoint, as clients use it, such as `https://mcp.example.com/mcp`. */
  readonly resource: string;
  /**
   * The issuer identifiers of the authorization servers whose tokens are accepted. At least one is required. They are
   * compared byte by byte.
   */
  readonly authorizationServers: readonly string[];
  /** The scopes that every request requires. Default: none. */
  readonly requiredScopes?: readonly string[] | undefined;
  /** The scopes listed in the metadata. Default: `requiredScopes`. */
  readonly scopesSupported?: readonly string[] | undefined;
  /** Scopes that imply others, transitively. Default: none. */
  readonly scopeHierarchy?: ScopeHierarchy | undefined;
  /** The token verifier, or several that are tried in order until one recognizes the token. Default: `jwt()`. */
  readonly verify?: TokenVerifier | readonly TokenVerifier[] | undefined;
  /** The accepted audiences. A token must have at least one of them. Default: `[resource]`. */
  readonly audiences?: readonly string[] | undefined;
  /** True to accept only tokens that are bound to a key (RFC 9449). Bound tokens are always checked. Default: false. */
  readonly requireDpop?: boolean | undefined;
  /**
   * True to accept requests without a token as unauthenticated; `ctx.requireScopes` still rejects them. Default:
   * false.
   */
  readonly allowAnonymous?: boolean | undefined;
  /**
   * Identifies the sender across requests. Default: the issuer together with the subject, or with the client id if
   * there is no subject.
   */
  readonly principal?: ((claims: TokenClaims) => string) | undefined;
  /** The allowed clock skew between servers, in seconds. Default: 5. */
  readonly clockTolerance?: number | undefined;
  /** Additional metadata members. */
  readonly metadata?: MoreMetadata | undefined;
  /**
   * True to also serve the first authorization server's metadata at this server's origin, where clients that use older
   * revisions look for it. Default: false.
   */
  readonly serveAuthorizationServerMetadata?: boolean | undefined;
  /**
   * Called if a token cannot be verified for a reason other than the token itself, such as an authorization server that
   * is down. Default: prints one line with `console.error`.
   */
  readonly onerror?: ((error: Error) => void) | undefined;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof ResourceServerOptions>([
  "resource",
  "authorizationServers",
  "requiredScopes",
  "scopesSupported",
  "scopeHierarchy",
  "verify",
  "audiences",
  "requireDpop",
  "allowAnonymous",
  "principal",
  "clockTolerance",
  "metadata",
  "serveAuthorizationServerMetadata",
  "onerror",
]);

/**
 * Admits requests that have an access token for this server (MCP: authorization; RFC 6750, RFC
 * 9728). Pass it as `authenticate`; the handler then also serves the metadata of the resource, at
 * both well-known paths.
 *
 * @example
 * ```ts
 * const handler = createHttpHandler(server, {
 *   authenticate: resourceServer({
 *     resource: "https://mcp.example.com/mcp",
 *     authorizationServers: ["https://login.example.com"],
 *     requiredScopes: ["notes:read"],
 *   }),
 * });
 * ```
 *
 * @throws TypeError if an option is unknown or invalid
 */
export function resourceServer(options: ResourceServerOptions): Authenticator {
  return new ResourceServer(options);
}

class ResourceServer implements Authenticator {
  readonly documents: Readonly<Record<string, PublicDocument>>;
  readonly #options: ResourceServerOptions;
  readonly #context: VerifierContext;
  readonly #verifiers: readonly TokenVerifier[];
  readonly #proofs: PossessionProofs;
  readonly #metadataUrl: string;

  constructor(options: ResourceServerOptions) {
    const url = assertOptions(options);
    const { verify = jwt(), clockTolerance = 5 } = options;
    const { resource, authorizationServers, audiences = [resource] } = options;
    this.#options = options;
    this.#context = { authorizationServers, audiences, clockTolerance };
    this.#verifiers = [verify].flat();
    this.#proofs = new PossessionProofs(url, clockTolerance);
    const paths = metadataPaths(url);
    this.#metadataUrl = url.origin + paths[0]!;
    const metadata = JSON.stringify(metadataOf(options));
    this.documents = {
      ...Object.fromEntries(paths.map((path) => [path, metadata])),
      ...(options.serveAuthorizationServerMetadata === true
        ? { "/.well-known/oauth-authorization-server": relayedMetadata(authorizationServers[0]!) }
        : {}),
    };
  }

  readonly authenticate = async (request: RequestHead): Promise<Identity> => {
    const presented = presentedToken(request);
    if (presented === undefined) {
      return this.#options.allowAnonymous === true ? "anonymous" : this.#unauthorized();
    }
    if ("problem" in presented) {
      const { status, problem } = presented;
      return status === 401 ? this.#unauthorized() : this.#refusal(400, "invalid_request", problem);
    }
    try {
      return await this.#identify(presented, request);
    } catch (error) {
      if (error instanceof InvalidTokenError) return this.#invalid(presented, error);
      if (error instanceof InvalidProofError) return this.#invalid(presented, error);
      this.#report(error);
      return UNAVAILABLE;
    }
  };

  readonly forbid = (scopes: readonly string[], auth: Auth | undefined): Refusal => {
    const all = [...new Set([...(this.#options.requiredScopes ?? []), ...scopes])];
    if (auth === undefined) return this.#unauthorized(all);
    const description = `This request needs the scopes ${all.join(" ")}`;
    return this.#refusal(403, "insufficient_scope", description, all);
  };

  async #identify(presented: PresentedToken, request: RequestHead): Promise<Identity> {
    const { requiredScopes = [], scopeHierarchy = {}, requireDpop = false } = this.#options;
    const claims = await this.#verified(presented.token);
    checkClaims(claims, this.#context);
    await this.#proofs.check(presented, claims, request);
    if (requireDpop && presented.scheme !== "DPoP") {
      throw new InvalidTokenError("Only tokens that are bound to a key are accepted");
    }
    const scopes = grantedScopes(claims, scopeHierarchy);
    const expiresAt = claims.exp && (claims.exp + this.#context.clockTolerance) * 1000;
    const auth = { principal: this.#principalOf(claims), scopes, claims, expiresAt };
    return requiredScopes.every((scope) => scopes.includes(scope)) ? auth : this.forbid([], auth);
  }

  async #verified(token: string): Promise<TokenClaims> {
    for (const verify of this.#verifiers) {
      const claims = await verify(token, this.#context);
      if (claims !== undefined) return claims;
    }
    throw new InvalidTokenError("Tokens of this kind are not accepted");
  }

  #principalOf(claims: TokenClaims): string {
    const { principal } = this.#options;
    if (principal) return principal(claims);
    const { iss = this.#context.authorizationServers[0], sub, client_id: client } = claims;
    const subject = sub ?? client;
    if (subject) return `${iss}|${subject}`;
    throw new InvalidTokenError("The token names no subject");
  }

  #unauthorized(scopes = this.#options.requiredScopes): Refusal {
    return challenge(401, { scheme: this.#scheme, metadataUrl: this.#metadataUrl, scopes });
  }

  #invalid({ scheme }: PresentedToken, error: Error): Refusal {
    const code = error instanceof InvalidProofError ? "invalid_dpop_proof" : "invalid_token";
    const { message: description } = error;
    const { requiredScopes: scopes } = this.#options;
    const metadataUrl = this.#metadataUrl;
    return challenge(401, { scheme, metadataUrl, error: code, description, scopes });
  }

  #refusal(
    status: number,
    error: string,
    description: string,
    scopes?: readonly string[],
  ): Refusal {
    const metadataUrl = this.#metadataUrl;
    return challenge(status, { scheme: this.#scheme, metadataUrl, error, description, scopes });
  }

  get #scheme(): "Bearer" | "DPoP" {
    return this.#options.requireDpop === true ? "DPoP" : "Bearer";
  }

  #report(error: unknown): void {
    const { onerror } = this.#options;
    const failure = error instanceof Error ? error : new Error(String(error));
    if (onerror) onerror(failure);
    else console.error(`An access token could not be verified: ${failure.message}`);
  }
}

const UNAVAILABLE: Refusal = {
  status: 503,
  headers: { "Content-Type": "application/json", "Retry-After": "5" },
  body: JSON.stringify({
    jsonrpc: "2.0",
    id: null,
    error: {
      code: -32603,
      message: "Access tokens cannot be verified at the moment: try again later",
    },
  }),
};

function metadataOf(options: ResourceServerOptions): Readonly<Record<string, unknown>> {
  const { resource, authorizationServers, requiredScopes, metadata, requireDpop } = options;
  const scopes = options.scopesSupported ?? requiredScopes ?? [];
  return {
    ...metadata,
    resource,
    authorization_servers: authorizationServers,
    ...(scopes.length > 0 ? { scopes_supported: scopes } : {}),
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    ...(requireDpop === true ? { dpop_bound_access_tokens_required: true } : {}),
  };
}

function relayedMetadata(issuer: string): () => Promise<string> {
  return sharedWork(
    async () => JSON.stringify(await authorizationServerMetadata(issuer)),
    3_600_000,
  );
}

function assertOptions(options: ResourceServerOptions): URL {
  assertKnownOptions(options, OPTIONS, "resourceServer");
  const { authorizationServers, requiredScopes = [], scopesSupported = [] } = options;
  if (!Array.isArray(authorizationServers) || authorizationServers.length === 0) {
    throw new TypeError("resourceServer: authorizationServers must name at least one issuer");
  }
  for (const issuer of authorizationServers) identifierUrl(issuer, "authorizationServers");
  for (const scope of [...requiredScopes, ...scopesSupported]) {
    if (!/^[!#-[\]-~]+$/.test(scope))
      throw new TypeError(`resourceServer: "${scope}" is not a valid scope`);
    if (scope !== "offline_access") continue;
    throw new TypeError(
      "resourceServer: remove offline_access, which concerns the client and the authorization server only",
    );
  }
  return identifierUrl(options.resource, "resource");
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Additional metadata members (RFC 9728, section 2). */
export interface MoreMetadata {
  readonly resource_name?: string | undefined;
  readonly resource_documentation?: string | undefined;
  readonly resource_policy_uri?: string | undefined;
  readonly resource_tos_uri?: string | undefined;
  readonly [member: string]: unknown;
}

/**
 * Returns the locations of a protected resource's metadata: one for its path and one at the root (RFC 9728, section
 * 3.1).
 */
export function metadataPaths({ pathname }: URL): readonly string[] {
  const own = pathname === "/" ? WELL_KNOWN : WELL_KNOWN + pathname.replace(/\/$/, "");
  return [...new Set([own, WELL_KNOWN])];
}

export function identifierUrl(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url && isSafe && url.username === "" && url.password === "" && !text.includes("#")) {
    return url;
  }
  throw new TypeError(
    `${what}: "${text}" must be an https URL without credentials and fragment (http is for this machine only)`,
  );
}
