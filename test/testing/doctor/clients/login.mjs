// The login of the full client: it finds the authorization server, registers, and follows the redirect by itself.
import { createHash, randomBytes } from "node:crypto";

const REDIRECT = "http://127.0.0.1:3999/callback";

const jsonOf = async (places, origin) => {
  for (const place of places) {
    const response = await fetch(new URL(place, origin));
    if (response.status === 200) return response.json();
  }
  return undefined;
};

/** Returns a token for a URL whose response was 401; undefined if there is none. `change` replaces parts of the login. */
export async function logIn(url, response, change) {
  const { origin, pathname } = new URL(url);
  const given = response.headers.get("www-authenticate");
  const named = /resource_metadata="([^"]+)"/.exec(given)?.[1];
  const usual = ["/.well-known/oauth-protected-resource"];
  const wellKnown = change.ignoresPath ? usual : [`${usual}${pathname}`, ...usual];
  const places = named && !change.ignoresChallenge ? [named] : wellKnown;
  const resource = await jsonOf(places, origin);
  const [issuer] = resource?.authorization_servers ?? [];
  if (issuer === undefined) return undefined;
  const path = new URL(issuer).pathname;
  const servers = [
    `/.well-known/oauth-authorization-server${path}`,
    `/.well-known/openid-configuration${path}`,
    `${path}/.well-known/openid-configuration`,
  ];
  const server = await jsonOf(change.onlyOAuth ? servers.slice(0, 1) : servers, origin);
  if (server === undefined) return undefined;
  if (server.issuer !== issuer && !change.anyIssuer) return undefined;
  if (server.code_challenge_methods_supported === undefined && !change.withoutSupport)
    return undefined;
  const registration = {
    client_name: "full",
    redirect_uris: [REDIRECT],
    application_type: "native",
    ...change.registration,
  };
  const registered = await fetch(server.registration_endpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(registration),
  });
  const { client_id: clientId } = await registered.json();
  const verifier = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(verifier).digest("base64url");
  const query = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: REDIRECT,
    state: randomBytes(8).toString("hex"),
    code_challenge: hash,
    code_challenge_method: "S256",
    resource: url,
    scope: /scope="([^"]+)"/.exec(given)?.[1],
    ...change.authorization,
  };
  const authorize = new URL(server.authorization_endpoint);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) authorize.searchParams.set(name, value);
  const redirected = await fetch(authorize, { redirect: "manual" });
  const back = new URL(redirected.headers.get("location")).searchParams;
  if (back.get("iss") !== issuer && !change.anyResponse) return undefined;
  const body = {
    grant_type: "authorization_code",
    code: back.get("code"),
    redirect_uri: REDIRECT,
    client_id: clientId,
    code_verifier: verifier,
    resource: url,
    ...change.token,
  };
  const known = Object.entries(body).filter(([, value]) => value !== undefined);
  const answer = await fetch(server.token_endpoint, {
    method: "POST",
    body: new URLSearchParams(known),
  });
  return (await answer.json()).access_token;
}
