import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyOf, refuse } from "../../record/local-http.js";
import { isMembers, type Members, parsed } from "../../tape/json-value.js";

/**
 * Authorization server of the doctor, and how it differs from one without faults: `hidden` is found only at the last
 * well-known addresses and has no PKCE, `foreign` has metadata of another issuer, `mixed` names another issuer in its
 * response.
 */
export interface Login {
  readonly kind: "usual" | "hidden" | "foreign" | "mixed";
  /** Paths of the GET requests for metadata, in their order. */
  readonly paths: string[];
  /** Body of the registration of the client. */
  registration?: Members;
  /** Parameters of the authorization request, and of the token request. */
  authorization?: URLSearchParams;
  token?: URLSearchParams;
  /** True once a request had the token. */
  isUsed?: boolean;
  /** True once a request after that had no token. */
  isForgotten?: boolean;
}

const RESOURCE = "/doctor/resource";
const ISSUER = "/tenant";
const TOKEN = "doctor-token";

/** Scopes that the challenge names, and below it all scopes of the resource. */
export const SCOPE = "doctor:read";
const SCOPES = [SCOPE, "doctor:write"];

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Addresses of the metadata, in the order in which a client requests them. */
export const PLACES: Readonly<Record<"resource" | "server", readonly string[]>> = {
  resource: [`${WELL_KNOWN}/mcp`, WELL_KNOWN],
  server: [
    `/.well-known/oauth-authorization-server${ISSUER}`,
    `/.well-known/openid-configuration${ISSUER}`,
    `${ISSUER}/.well-known/openid-configuration`,
  ],
};

/** Returns the addresses at which a client finds the metadata, each after those that it may have tried before. */
export function placesOf({ kind }: Login): readonly (readonly string[])[] {
  if (kind === "hidden") return [PLACES.resource, PLACES.server];
  return [[RESOURCE], PLACES.server.slice(0, 1)];
}

/** Challenges a request without the token. Returns true if it has done so. */
export function challenge(
  { headers }: IncomingMessage,
  response: ServerResponse,
  login: Login,
): boolean {
  if (headers.authorization === `Bearer ${TOKEN}`) {
    login.isUsed = true;
    return false;
  }
  if (login.isUsed) login.isForgotten = true;
  const place = `http://${headers.host}${RESOURCE}`;
  const named = login.kind === "hidden" ? "" : `, resource_metadata="${place}"`;
  response.writeHead(401, { "www-authenticate": `Bearer scope="${SCOPE}"${named}` }).end();
  return true;
}

/** Answers a request that is not for the MCP endpoint. */
export async function serveLogin(
  request: IncomingMessage,
  response: ServerResponse,
  login: Login,
): Promise<void> {
  const origin = `http://${request.headers.host}`;
  const { pathname, searchParams } = new URL(request.url ?? "", origin);
  const json = (body: object, status = 200): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  switch (pathname) {
    case `${ISSUER}/register`: {
      const given = parsed((await bodyOf(request)) ?? "");
      login.registration ??= isMembers(given) ? given : {};
      return json({ ...login.registration, client_id: "doctor-client" }, 201);
    }
    case `${ISSUER}/authorize`:
      login.authorization ??= searchParams;
      return redirect(response, searchParams, `${origin}${issuerIn(login)}`);
    case `${ISSUER}/token`:
      login.token ??= new URLSearchParams((await bodyOf(request)) ?? "");
      return json({ access_token: TOKEN, token_type: "Bearer", expires_in: 3600, scope: SCOPE });
  }
  login.paths.push(pathname);
  const [resource = [], server = []] = placesOf(login);
  if (pathname === resource.at(-1)) {
    return json({
      resource: `${origin}/mcp`,
      authorization_servers: [`${origin}${ISSUER}`],
      scopes_supported: SCOPES,
    });
  }
  if (pathname === server.at(-1)) return json(metadataOf(login, origin));
  return refuse(response, 404);
}

function issuerIn({ kind }: Login): string {
  return kind === "mixed" ? "/another" : ISSUER;
}

function metadataOf({ kind }: Login, origin: string): Members {
  const issuer = `${origin}${ISSUER}`;
  return {
    issuer: kind === "foreign" ? `${origin}/another` : issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
    ...(kind !== "hidden" && { code_challenge_methods_supported: ["S256"] }),
  };
}

/** Sends the user back to the client, as if the user had agreed. */
function redirect(response: ServerResponse, given: URLSearchParams, iss: string): void {
  const back = given.get("redirect_uri") ?? "";
  if (!URL.canParse(back)) return refuse(response, 400);
  const url = new URL(back);
  const state = given.get("state");
  for (const [name, value] of Object.entries({ code: "doctor-code", iss, state }))
    if (value !== null) url.searchParams.set(name, value);
  response.writeHead(302, { location: url.href }).end();
}

/** Returns the challenge (S256) that belongs to a verifier. */
export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
