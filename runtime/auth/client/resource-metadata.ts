import type { DiscoveryRequest } from "./discovery.js";
import { OAuthError } from "./errors.js";
import type { GuardedFetch } from "./guarded-fetch.js";
import { isObject, quoted, strings } from "./text.js";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Protected resource metadata of an MCP server (RFC 9728). */
export interface ResourceMetadata {
  readonly resource: string;
  readonly servers: readonly string[];
  readonly scopes: readonly string[] | undefined;
  /** The document itself. */
  readonly document: Readonly<Record<string, unknown>>;
}

/**
 * Reads the metadata where the challenge says, else at the well-known place for the path, else at the root.
 * @returns undefined when there is none
 * @throws OAuthError when it is that of another resource
 */
export async function readResourceMetadata(
  fetch: GuardedFetch,
  { server, location, headers }: DiscoveryRequest,
): Promise<ResourceMetadata | undefined> {
  const places = placesOf(server, location);
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
  const text = `The resource metadata of ${server.origin} is about ${quoted(resource)}`;
  const expected = `${server.origin}${server.pathname}, or a parent of it that has the same metadata`;
  return new OAuthError("discovery", text, { expected });
}

/** Well-known place of the metadata of a resource. */
function wellKnown({ origin, pathname, search }: URL): string {
  return `${origin}${WELL_KNOWN}${pathname === "/" ? "" : pathname}${search}`;
}

function isSame(resource: string, { origin, pathname, search }: URL): boolean {
  const named = new URL(resource);
  return named.origin === origin && named.pathname === pathname && named.search === search;
}

function placesOf(server: URL, location: string | undefined): Set<string> {
  const { origin, pathname } = server;
  const path = pathname === "/" ? "" : pathname;
  return new Set([
    ...(location === undefined ? [] : [location]),
    wellKnown(server),
    `${origin}${WELL_KNOWN}${path}`,
    `${origin}${WELL_KNOWN}`,
  ]);
}

/** True if a resource is the server, or a parent path of it on the same origin. */
function covers(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname, search, hash, username, password } = new URL(resource);
  if (origin !== server.origin || hash !== "" || username !== "" || password !== "") return false;
  if (search !== "" && search !== server.search) return false;
  const parent = pathname.endsWith("/") ? pathname : `${pathname}/`;
  return pathname === server.pathname || `${server.pathname}/`.startsWith(parent);
}
