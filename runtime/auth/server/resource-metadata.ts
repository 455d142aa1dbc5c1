const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Further members of the metadata (RFC 9728, section 2). */
export interface MoreMetadata {
  readonly resource_name?: string | undefined;
  readonly resource_documentation?: string | undefined;
  readonly resource_policy_uri?: string | undefined;
  readonly resource_tos_uri?: string | undefined;
  readonly [member: string]: unknown;
}

/** Places of the metadata of a protected resource: at its path, and at the root (RFC 9728, section 3.1). */
export function metadataPaths({ pathname }: URL): readonly string[] {
  const own = pathname === "/" ? WELL_KNOWN : WELL_KNOWN + pathname.replace(/\/$/, "");
  return [...new Set([own, WELL_KNOWN])];
}

/**
 * Identifier of a resource or an issuer as a URL: https, or http on this machine, without credentials and fragment.
 *
 * @param what - for messages: `resource`
 * @throws TypeError for any other
 */
export function identifierUrl(given: string, what: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url && isSafe && url.username === "" && url.password === "" && !given.includes("#")) {
    return url;
  }
  throw new TypeError(
    `${what}: "${given}" is no https URL without credentials and fragment (http is for this machine only)`,
  );
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}
