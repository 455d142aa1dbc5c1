import { exchange, textOf } from "../link/exchange.js";
import type { UrlTarget } from "../link/http-link.js";
import type { Visit } from "../visit.js";
import type { Delivery } from "../link/link.js";
import { openDoor, openingOf } from "./door.js";
import { examineTokens, tokenOf } from "./tokens.js";
import { isSecureUrl } from "../../checks/loopback.js";
import { isMembers, type Members } from "../../tape/json-value.js";

/** Checks that a challenge has `resource_metadata`, which some revisions require. */
function examineChallenge(visit: Visit, headers: Readonly<Record<string, string>>): void {
  const { "www-authenticate": challenge = "" } = headers;
  // Another check reports a header that is not a challenge for a token.
  if (!BEARER.test(challenge)) return;
  visit.expect("auth-named", /\bresource_metadata=/i.test(challenge), {
    pointer: "/http/headers/www-authenticate",
    received: challenge,
  });
}

const BEARER = /^bearer\b|,\s*bearer\b/i;

/** Checks that the refusal of a token with too few scopes says so. */
function examineScopes(visit: Visit, challenge: string): void {
  const isNamed = /\berror="?insufficient_scope\b/i.test(challenge) && SCOPE.test(challenge);
  visit.expect("auth-insufficient", isNamed, {
    pointer: "/http/headers/www-authenticate",
    received: challenge,
  });
}

const SCOPE = /\bscope="([^"]*)"/i;

interface Refusal extends Pick<Delivery, "status" | "headers"> {
  /** True if the refused request had the user's token. */
  readonly hasToken: boolean;
}

/**
 * Examines how a server refuses requests without a token or with too few scopes, and how it directs clients to obtain a
 * token. Does not log in.
 *
 * @param older - a visit in a revision that requires `resource_metadata` in the challenge
 */
export async function examineAuthorization(
  visit: Visit,
  target: UrlTarget,
  { status, headers, hasToken }: Refusal,
  older: Visit | undefined,
): Promise<void> {
  if (hasToken && status === 403) examineScopes(visit, headers["www-authenticate"] ?? "");
  else
    visit.expect("auth-token", status === 401, {
      pointer: "/http/status",
      expected: "401, as the request has no token",
      received: `HTTP status ${status}`,
    });
  await examineMetadata(visit, target, headers);
  if (older) examineChallenge(older, headers);
}

export function needsToken({ status, headers }: Pick<Delivery, "status" | "headers">): boolean {
  return status === 401 || (status === 403 && headers["www-authenticate"] !== undefined);
}

/** Sends a request without the user's token, and examines authorization if the server refuses it. */
export async function examineWithout(
  visit: Visit,
  target: UrlTarget,
  older: Visit | undefined,
): Promise<void> {
  const { token, headers } = tokenOf(target);
  if (token === undefined) return;
  const refusal = await openDoor(visit, { ...target, headers }).post(openingOf(visit));
  // Authorization is optional, so a server may also serve requests without a token.
  if (refusal && needsToken(refusal))
    await examineAuthorization(visit, target, { ...refusal, hasToken: false }, older);
}

async function examineMetadata(
  visit: Visit,
  target: UrlTarget,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { url } = target;
  const challenge = headers["www-authenticate"] ?? "";
  visit.expect("auth-challenge", BEARER.test(challenge), {
    pointer: "/http/headers/www-authenticate",
    received: headers["www-authenticate"],
  });
  await examineTokens(visit, target);
  checkScopes(visit, SCOPE.exec(challenge)?.[1]?.split(" "), {
    pointer: "/http/headers/www-authenticate",
  });
  const named = /resource_metadata="?([^",\s]+)"?/i.exec(challenge)?.[1];
  const path = url.pathname === "/" ? "" : url.pathname;
  const place = "/.well-known/oauth-protected-resource";
  const usual = [new URL(`${place}${path}`, url), new URL(place, url)];
  const isAbsolute = named === undefined || URL.canParse(named);
  visit.expect("auth-metadata", isAbsolute, {
    pointer: "/http/headers/www-authenticate",
    expected: "an absolute URL in resource_metadata",
    received: named,
  });
  const places = named !== undefined && isAbsolute ? [new URL(named)] : usual;
  const metadata = await firstOf(places);
  const isFound = visit.expect("auth-metadata", metadata !== undefined, {
    pointer: "/http/headers/www-authenticate",
    received: `nothing at ${places.map(String).join(", ")}`,
  });
  if (!isFound || metadata === undefined) return;
  const { resource, authorization_servers: servers, scopes_supported: scopes } = metadata;
  checkScopes(visit, scopes, { pointer: "/scopes_supported" });
  visit.expect("auth-resource", typeof resource === "string" && isAbove(resource, url), {
    pointer: "/resource",
    expected: `${url.origin}${url.pathname}`,
    received: resource,
  });
  const [issuer] = Array.isArray(servers) ? (servers as unknown[]) : [];
  const isNamed = typeof issuer === "string" && URL.canParse(issuer);
  visit.expect("auth-servers", isNamed, { pointer: "/authorization_servers", received: servers });
  if (isNamed) await examineIssuer(visit, issuer);
}

async function examineIssuer(visit: Visit, issuer: string): Promise<void> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === "/" ? "" : pathname.replace(/\/$/, "");
  const server = await firstOf([
    new URL(`/.well-known/oauth-authorization-server${path}`, origin),
    new URL(`/.well-known/openid-configuration${path}`, origin),
    ...(path === "" ? [] : [new URL(`${path}/.well-known/openid-configuration`, origin)]),
  ]);
  const isSame = visit.expect("auth-issuer", server?.["issuer"] === issuer, {
    pointer: "/issuer",
    expected: issuer,
    received: server === undefined ? `no metadata at ${origin}` : server["issuer"],
  });
  if (!isSame || server === undefined) return;
  for (const name of ["authorization_endpoint", "token_endpoint", "response_types_supported"]) {
    const value = server[name];
    const pointer = `/${name}`;
    const isList = name === "response_types_supported";
    const isGiven = isList ? Array.isArray(value) : typeof value === "string";
    if (!visit.expect("auth-endpoints", isGiven, { pointer, received: value }) || isList) continue;
    visit.expect("auth-secure", isSecureUrl(String(value)), { pointer, received: value });
  }
  const methods = server["code_challenge_methods_supported"];
  visit.expect("auth-pkce", Array.isArray(methods) && methods.includes("S256"), {
    pointer: "/code_challenge_methods_supported",
    received: methods,
  });
}

/** Reports `offline_access`, because it is not a resource scope. */
function checkScopes(visit: Visit, scopes: unknown, place: { readonly pointer: string }): void {
  if (!Array.isArray(scopes)) return;
  visit.expect("auth-scope", !scopes.includes("offline_access"), { ...place, received: scopes });
}

/** True if the resource is the server's URL or one of that URL's parent paths. */
function isAbove(resource: string, url: URL): boolean {
  if (!URL.canParse(resource)) return false;
  const one = new URL(resource);
  const path = one.pathname.replace(/\/$/, "");
  return (
    one.origin === url.origin &&
    (url.pathname === one.pathname || `${url.pathname}/`.startsWith(`${path}/`))
  );
}

/** Returns the JSON object from the first address that has one. */
async function firstOf(places: readonly URL[]): Promise<Members | undefined> {
  for (const place of places) {
    if (!/^https?:$/.test(place.protocol)) continue;
    try {
      const response = await exchange(place, {
        method: "GET",
        headers: { accept: "application/json" },
      });
      const text = await textOf(response);
      const value: unknown = response.status === 200 ? JSON.parse(text) : undefined;
      if (isMembers(value)) return value;
    } catch {
      // The next address may have the object.
    }
  }
  return undefined;
}
