/** Largest document that is read, in bytes. */
const MOST = 256 * 1024;

/** Milliseconds to wait for a document. */
const TIMEOUT = 5000;

/**
 * Metadata of an authorization server, from the first place that has them (RFC 8414, section 3; OpenID Connect
 * Discovery).
 *
 * @throws Error when there are none, or when they are of another issuer
 */
export async function authorizationServerMetadata(
  issuer: string,
): Promise<Readonly<Record<string, unknown>>> {
  for (const url of metadataUrls(issuer)) {
    const response = await fetch(url, {
      headers: { Accept: "application/json" },
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    if (!response.ok) {
      await response.body?.cancel();
      if (response.status >= 500) throw new Error(`${url} answered ${response.status}`);
      continue;
    }
    const text = await response.text();
    if (text.length > MOST) throw new Error(`${url} answered with more than ${MOST} characters`);
    const metadata = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (metadata["issuer"] === issuer) return metadata;
    throw new Error(`${url} has the metadata of another issuer than ${issuer}`);
  }
  throw new Error(`${issuer} has no metadata at its well-known places`);
}

function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname.replace(/\/$/, "");
  const urls = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
  ];
  return path === "" ? urls : [...urls, `${origin}${path}/.well-known/openid-configuration`];
}
