import type { AuthorizationServer } from "oauth4webapi";
import { IssuerMismatchError } from "./errors.js";
import type { GuardedFetch } from "./guarded-fetch.js";
import { isObject, quoted } from "./text.js";

const OAUTH = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";

/**
 * Reads the metadata of an authorization server in the forms of RFC 8414 and OpenID Connect Discovery.
 * @param issuer - as the MCP server names it
 * @param accepted - issuer that the document must have, to the byte
 * @returns undefined when there is none
 * @throws OAuthError when there are documents of other issuers only
 */
export async function readServerMetadata(
  fetch: GuardedFetch,
  issuer: string,
  accepted: string,
  headers: Readonly<Record<string, string>>,
): Promise<AuthorizationServer | undefined> {
  const url = await fetch.check(issuer, "discovery", "authorization server");
  let other: unknown;
  for (const place of placesOf(url)) {
    const value = await fetch.document(place, "authorization server's metadata", headers);
    if (!isObject(value)) continue;
    if (value["issuer"] === accepted) return value as unknown as AuthorizationServer;
    other ??= value["issuer"] ?? "nobody";
  }
  if (other === undefined) return undefined;
  const text = `The authorization server's metadata is that of ${quoted(other)}`;
  const received = typeof other === "string" ? other : undefined;
  throw new IssuerMismatchError("discovery", text, accepted, received);
}

function placesOf({ origin, pathname }: URL): string[] {
  const path = pathname.replace(/\/$/, "");
  const inserted = [`${origin}${OAUTH}${path}`, `${origin}${OPENID}${path}`];
  return path === "" ? inserted : [...inserted, `${origin}${path}${OPENID}`];
}
