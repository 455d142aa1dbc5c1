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
  for (const place of placesOf(server, location)) {
    const isOwn = URL.canParse(place) && new URL(place).origin === server.origin;
    const value = await fetch.document(place, "resource metadata", isOwn ? headers : {});
    if (!isObject(value) || typeof value["resource"] !== "string") continue;
    const { resource } = value;
    if (!covers(resource, server)) {
      const text = `The resource metadata of ${server.origin} is about ${quoted(resource)}`;
      const expected = `${server.origin}${server.pathname} or a parent of it`;
      throw new OAuthError("discovery", text, { expected });
    }
    return {
      resource,
      servers: strings(value["authorization_servers"]) ?? [],
      scopes: strings(value["scopes_supported"]),
      document: value,
    };
  }
  return undefined;
}

function placesOf({ origin, pathname, search }: URL, location: string | undefined): Set<string> {
  const path = pathname === "/" ? "" : pathname;
  return new Set([
    ...(location === undefined ? [] : [location]),
    `${origin}${WELL_KNOWN}${path}${search}`,
    `${origin}${WELL_KNOWN}${path}`,
    `${origin}${WELL_KNOWN}`,
  ]);
}

/** True when a resource is the server, or a parent path of it on the same origin. */
function covers(resource: string, server: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname, search, hash, username, password } = new URL(resource);
  if (origin !== server.origin || hash !== "" || username !== "" || password !== "") return false;
  if (search !== "" && search !== server.search) return false;
  const parent = pathname.endsWith("/") ? pathname : `${pathname}/`;
  return pathname === server.pathname || `${server.pathname}/`.startsWith(parent);
}
