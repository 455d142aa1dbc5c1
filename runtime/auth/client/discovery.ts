import type { AuthorizationServer } from "oauth4webapi";
import { OAuthError } from "./errors.js";
import type { GuardedFetch } from "./guarded-fetch.js";
import type { OAuthOptions } from "./options.js";
import { readResourceMetadata, type ResourceMetadata } from "./resource-metadata.js";
import { readServerMetadata } from "./server-metadata.js";
import { quoted } from "./text.js";

/** Authorization server of an MCP server, and what to ask it for. */
export interface Discovery {
  readonly issuer: string;
  readonly metadata: AuthorizationServer;
  /** Identifier of the MCP server for tokens (RFC 8707). */
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
  /** Location of the resource metadata, if a challenge named it. */
  readonly location?: string | undefined;
}

/** Result of an earlier discovery, which stays valid for challenges that name no metadata. */
export type KnownResource = Pick<Discovery, "issuer" | "resource" | "location">;

/** Input of a discovery. */
export interface DiscoveryRequest {
  readonly server: URL;
  /** Location of the resource metadata, from a challenge. */
  readonly location: string | undefined;
  readonly known: KnownResource | undefined;
  /** Header fields for the MCP server's own origin. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Finds the authorization server of an MCP server (MCP: authorization, discovery). Without resource metadata, it is
 * the one that was found before; else the MCP server's own origin, as in revision 2025-03-26.
 * @throws OAuthError when there is none that can be trusted
 */
export async function discover(
  fetch: GuardedFetch,
  request: DiscoveryRequest,
  options: OAuthOptions,
): Promise<Discovery> {
  const { server, known } = request;
  const location = request.location ?? known?.location;
  const found = await readResourceMetadata(fetch, { ...request, location });
  const resource = found?.resource ?? known?.resource ?? canonical(server);
  const about = { resource, scopes: found?.scopes, location };
  const fixed = options.interop?.metadata;
  if (fixed !== undefined) {
    return { issuer: fixed.issuer, metadata: fixed as AuthorizationServer, ...about };
  }
  const named = found?.servers ?? [];
  const before = found === undefined ? known?.issuer : undefined;
  const issuer =
    named.length > 0 ? chosen(named, known?.issuer, options.issuer) : (before ?? server.origin);
  const accepted = options.interop?.metadataIssuer ?? issuer;
  const isOwn = issuer === server.origin;
  const metadata = await readServerMetadata(fetch, issuer, accepted, isOwn ? request.headers : {});
  if (metadata !== undefined) return { issuer: accepted, metadata, ...about };
  if (!isOwn || found !== undefined) throw noMetadata(issuer);
  return { issuer, metadata: defaultMetadata(issuer), ...about };
}

function chosen(
  named: ResourceMetadata["servers"],
  known: string | undefined,
  wanted: string | undefined,
): string {
  if (wanted === undefined) return known !== undefined && named.includes(known) ? known : named[0]!;
  if (named.includes(wanted)) return wanted;
  const list = named.map(quoted).join(", ");
  const text = `The MCP server names ${list} as its authorization servers`;
  throw new OAuthError("discovery", text, {
    expected: `${quoted(wanted)}, as option "issuer" says`,
  });
}

function noMetadata(issuer: string): OAuthError {
  const text = `The authorization server ${quoted(issuer)} publishes no metadata`;
  const expected = `a document at a well-known place (RFC 8414, OpenID), or the option "interop.metadata"`;
  return new OAuthError("discovery", text, { expected });
}

/** Endpoints of a server that says nothing about them (MCP 2025-03-26: authorization, fallbacks). */
function defaultMetadata(issuer: string): AuthorizationServer {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    code_challenge_methods_supported: ["S256"],
  };
}

/** Identifier of an MCP server: without fragment, and without a slash that means nothing. */
export function canonical(server: URL): string {
  const url = new URL(server);
  url.hash = "";
  return url.pathname === "/" && url.search === "" ? url.origin : url.href;
}
