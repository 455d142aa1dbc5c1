import type { AuthorizationServer } from "oauth4webapi";
import { IssuerMismatchError, OAuthError, isObject, quoted, strings } from "./errors.js";
import type { GuardedFetch } from "./guarded-fetch.js";
import type { OAuthOptions } from "./options.js";

export interface Discovery {
  readonly issuer: string;
  readonly metadata: AuthorizationServer;
  readonly resource: string;
  readonly scopes: readonly string[] | undefined;
  /** The location of the resource metadata, if a challenge named it. */
  readonly location?: string | undefined;
}

/** The result of an earlier discovery. It stays valid for challenges that do not name any metadata. */
export type KnownResource = Pick<Discovery, "issuer" | "resource" | "location">;

export interface DiscoveryRequest {
  readonly server: URL;
  readonly location: string | undefined;
  readonly known: KnownResource | undefined;
  /** Header fields that are sent only to the MCP server's own origin. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Finds an MCP server's authorization server (MCP: authorization server discovery): one named in the resource metadata;
 * or, without such metadata, the one from an earlier discovery; or else the MCP server's own origin, as older revisions
 * specify. The `interop.metadata` option takes precedence.
 *
 * @throws OAuthError if no authorization server can be trusted
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
  option: string | undefined,
): string {
  if (option === undefined) return known !== undefined && named.includes(known) ? known : named[0]!;
  if (named.includes(option)) return option;
  const list = named.map(quoted).join(", ");
  const text = `The MCP server names ${list} as its authorization servers`;
  throw new OAuthError("discovery", text, {
    expected: `${quoted(option)}, from the option "issuer"`,
  });
}

function noMetadata(issuer: string): OAuthError {
  const text = `The authorization server ${quoted(issuer)} publishes no metadata`;
  const expected = `a document at a well-known path (RFC 8414, OpenID), or the option "interop.metadata"`;
  return new OAuthError("discovery", text, { expected });
}

/** Returns the default endpoints that older revisions specify for a server without metadata. */
function defaultMetadata(issuer: string): AuthorizationServer {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    code_challenge_methods_supported: ["S256"],
  };
}

/**
 * Returns a server's resource identifier (RFC 8707): its URL without the fragment, and without the trailing slash if
 * the path is empty.
 */
export function canonical(server: URL): string {
  const url = new URL(server);
  url.hash = "";
  return url.pathname === "/" && url.search === "" ? url.origin : url.href;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

export interface ResourceMetadata {
  readonly resource: string;
  readonly servers: readonly string[];
  readonly scopes: readonly string[] | undefined;
  readonly document: Readonly<Record<string, unknown>>;
}

/**
 * Reads the protected resource metadata from the challenge's location or the well-known ones.
 * @throws OAuthError if it describes another resource
 */
export async function readResourceMetadata(
  fetch: GuardedFetch,
  { server, location, headers }: DiscoveryRequest,
): Promise<ResourceMetadata | undefined> {
  const places = resourcePlaces(server, location);
  let parent: string | undefined;
  for (const place of places) {
    const isOwn = URL.canParse(place) && new URL(place).origin === server.origin;
    const value = await fetch.document(place, "resource metadata", isOwn ? headers : {});
    if (!isObject(value) || typeof value["resource"] !== "string") continue;
    const { resource } = value;
    if (!covers(resource, server)) throw otherResource(server, resource);
    // A path cannot speak for its whole origin (RFC 9728, section 3.3): the parent's own metadata must confirm it.
    if (!isSame(resource, server) && place !== wellKnown(new URL(resource))) {
      parent = resource;
      places.add(wellKnown(new URL(resource)));
      continue;
    }
    return {
      resource,
      servers: strings(value["authorization_servers"]) ?? [],
      scopes: strings(value["scopes_supported"]),
      document: value,
    };
  }
  if (parent !== undefined) throw otherResource(server, parent);
  return undefined;
}

function otherResource(server: URL, resource: string): OAuthError {
  const text = `The resource metadata of ${server.origin} does not match: it is for ${quoted(resource)}`;
  const expected = `${server.origin}${server.pathname}, or a parent of it that has the same metadata`;
  return new OAuthError("discovery", text, { expected });
}

function wellKnown({ origin, pathname, search }: URL): string {
  return `${origin}${WELL_KNOWN}${pathname === "/" ? "" : pathname}${search}`;
}

function isSame(resource: string, { origin, pathname, search }: URL): boolean {
  const named = new URL(resource);
  return named.origin === origin && named.pathname === pathname && named.search === search;
}

function resourcePlaces(server: URL, location: string | undefined): Set<string> {
  const { origin, pathname } = server;
  const path = pathname === "/" ? "" : pathname;
  return new Set([
    ...(location === undefined ? [] : [location]),
    wellKnown(server),
    `${origin}${WELL_KNOWN}${path}`,
    `${origin}${WELL_KNOWN}`,
  ]);
}

function covers(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname, search, hash, username, password } = new URL(resource);
  if (origin !== server.origin || hash !== "" || username !== "" || password !== "") return false;
  if (search !== "" && search !== server.search) return false;
  const parent = pathname.endsWith("/") ? pathname : `${pathname}/`;
  return pathname === server.pathname || `${server.pathname}/`.startsWith(parent);
}

const OAUTH = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";

/**
 * Reads an authorization server's metadata from the locations defined by RFC 8414 and OpenID Connect Discovery.
 *
 * @param accepted - the issuer that the document must name, compared byte by byte
 * @throws IssuerMismatchError if only documents from other issuers are found
 */
export async function readServerMetadata(
  fetch: GuardedFetch,
  issuer: string,
  accepted: string,
  headers: Readonly<Record<string, string>>,
): Promise<AuthorizationServer | undefined> {
  const url = await fetch.check(issuer, "discovery", "authorization server");
  let other: Readonly<Record<string, unknown>> | undefined;
  for (const place of issuerPlaces(url)) {
    const value = await fetch.document(place, "authorization server's metadata", headers);
    if (!isObject(value)) continue;
    if (value["issuer"] === accepted) return value as unknown as AuthorizationServer;
    other ??= value;
  }
  if (other === undefined) return undefined;
  const { issuer: found } = other;
  const named = found === undefined ? "no issuer" : `the issuer ${quoted(found)}`;
  const text = `The authorization server's metadata names ${named}`;
  const received = typeof found === "string" ? found : undefined;
  throw new IssuerMismatchError("discovery", text, accepted, received);
}

function issuerPlaces({ origin, pathname }: URL): string[] {
  const path = pathname.replace(/\/$/, "");
  const inserted = [`${origin}${OAUTH}${path}`, `${origin}${OPENID}${path}`];
  return path === "" ? inserted : [...inserted, `${origin}${path}${OPENID}`];
}
