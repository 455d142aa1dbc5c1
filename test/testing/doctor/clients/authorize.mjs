// Authorization of a client by hand: a code without a browser, with the faults that `how` names.
import { createHash, randomBytes } from "node:crypto";
import { fetch } from "./fetch.mjs";

const REDIRECT = "http://127.0.0.1:3999/callback";
const random = (bytes) => randomBytes(bytes).toString("base64url");

async function documentAt(places) {
  for (const place of places) {
    const response = await fetch(place);
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
  }
  return undefined;
}

const post = async (url, body, type) => {
  const response = await fetch(url, { method: "POST", headers: { "content-type": type }, body });
  return response.json();
};

const requestToken = ({ token_endpoint: url }, params) =>
  post(url, new URLSearchParams(params).toString(), "application/x-www-form-urlencoded");

const defined = (params) =>
  Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));

/** What a client knows about its authorization. */
export const authorizationOf = (how, isStateless) => ({ how, isStateless, scopes: [], codes: 0 });

/** Returns a token for the challenge of a response; undefined if there is none to be had. */
export async function tokenFor(known, response, url) {
  const { how, isStateless } = known;
  const challenge = response.headers.get("www-authenticate") ?? "";
  const { origin, pathname } = new URL(url);
  const named = /resource_metadata="([^"]+)"/.exec(challenge)?.[1];
  const resourcePlace = `${origin}/.well-known/oauth-protected-resource`;
  const usual = how.rootOnly ? [resourcePlace] : [`${resourcePlace}${pathname}`, resourcePlace];
  const resourceMetadata = await documentAt(
    named === undefined || how.ignoresChallenge ? usual : [named],
  );
  const { resource, authorization_servers: issuers } = resourceMetadata;
  if (!url.startsWith(resource) && !how.anyResource) return undefined;
  const issuer = new URL(issuers[0]);
  const path = issuer.pathname === "/" ? "" : issuer.pathname;
  const places = [
    `${issuer.origin}/.well-known/oauth-authorization-server${path}`,
    ...(how.oauthOnly ? [] : [`${issuer.origin}/.well-known/openid-configuration${path}`]),
    `${issuer.origin}${path}/.well-known/openid-configuration`,
  ].slice(how.openidOnly ? 1 : 0);
  const metadata = await documentAt(how.openidFirst ? places.toReversed() : places);
  if (!metadata?.code_challenge_methods_supported && !how.anyMethods) return undefined;
  const isOwn = metadata.issuer === issuers[0];
  if (isStateless && !isOwn && !how.anyIssuer) return undefined;
  if (metadata.issuer !== known.issuer && !how.keepsCredentials)
    Object.assign(known, { issuer: metadata.issuer, id: undefined, refresh: undefined });
  if (known.refresh !== undefined && response.status === 401 && !how.neverRefreshes) {
    const grant = {
      grant_type: "refresh_token",
      refresh_token: known.refresh,
      client_id: known.id,
      resource,
      ...how.refresh,
    };
    known.refresh = undefined;
    return save(known, await requestToken(metadata, defined(grant)));
  }
  const { client_id_metadata_document_supported: takesDocuments } = metadata;
  const byDocument = takesDocuments && how.document;
  const registers = metadata.registration_endpoint && (!byDocument || how.registersFirst);
  known.id ??= registers ? await register(metadata.registration_endpoint, how) : byDocument;
  if (!known.id) return undefined;
  if (how.neverStepsUp && response.status === 403) return undefined;
  const supported = how.ignoresSupported ? [] : resourceMetadata.scopes_supported;
  const needed = /scope="([^"]+)"/.exec(challenge)?.[1]?.split(" ") ?? supported;
  known.scopes = isStateless && !how.forgetsScopes ? [...known.scopes, ...needed] : needed;
  if (!how.endless && ++known.codes > 3) return undefined;
  const verifier = random(32);
  const asked = defined({
    response_type: "code",
    redirect_uri: REDIRECT,
    client_id: known.id,
    state: random(16),
    resource,
    scope: [...new Set(known.scopes)].join(" "),
    code_challenge: how.plain
      ? verifier
      : createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: how.plain ? "plain" : "S256",
    ...how.code,
  });
  const target = new URL(metadata.authorization_endpoint);
  target.search = new URLSearchParams(asked).toString();
  const { headers } = await fetch(target);
  const { searchParams: back } = new URL(headers.get("location"));
  if (asked.state !== undefined && back.get("state") !== asked.state && !how.anyState)
    return undefined;
  const form = (iss) => (how.normalizesIss && iss ? new URL(iss).href : iss);
  const isOther = isStateless && form(back.get("iss")) !== form(metadata.issuer);
  const isUnnamed = isOther && !back.has("iss") && how.missingIss;
  if (back.has("error") && (!isOther || how.showsErrors))
    console.error(back.get("error_description"));
  if (back.has("error") || (isOther && !how.anyIss && !isUnnamed)) return undefined;
  const grant = {
    grant_type: "authorization_code",
    code: back.get("code"),
    redirect_uri: REDIRECT,
    client_id: known.id,
    code_verifier: verifier,
    resource,
    ...how.token,
  };
  return save(known, await requestToken(metadata, defined(grant)));
}

async function register(url, how) {
  const client = {
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: "none",
    application_type: "native",
    grant_types: ["authorization_code", "refresh_token"],
    ...how.registration,
  };
  const { client_id: id } = await post(url, JSON.stringify(client), "application/json");
  return id;
}

function save(known, { access_token: token, refresh_token: refresh }) {
  known.refresh = refresh;
  return token;
}
