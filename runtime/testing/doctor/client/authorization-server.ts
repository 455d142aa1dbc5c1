import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { bodyOf, refuse } from "../../record/local-http.js";
import { isMembers, member, type Members, parsed } from "../../tape/json-value.js";
import { NOTHING } from "../conversation.js";

/**
 * A way in which an authorization server deviates from the usual one. A client must notice most deviations and stop.
 */
export type AuthorizationVariant =
  /** The challenge names no metadata, and the documents are only at the last addresses that a client tries. */
  | "last places"
  /** The metadata lists no PKCE methods. */
  | "no methods"
  /** The metadata belongs to another issuer. */
  | "other issuer"
  /** The resource metadata belongs to another resource. */
  | "other resource"
  /** The redirect names an issuer that is equal only after normalization. */
  | "other iss"
  /** The redirect names no issuer, although the metadata promises that it will. With `other server`, only later. */
  | "no iss"
  /** The redirect has an error, and names another issuer. */
  | "other error"
  /** The redirect has another state, and the challenge names no scope. */
  | "other state"
  /** Another authorization server issues the tokens once the first token has been rejected. */
  | "other server"
  /** Clients may use a metadata document instead of registering. */
  | "documents"
  /** Clients must use a metadata document because registration is not available. */
  | "only documents";

/** A request for an authorization code, with the scopes that the endpoint required at the time. */
export interface CodeRequest {
  readonly params: URLSearchParams;
  readonly tenant: string | undefined;
  readonly required: readonly string[];
  /** The scopes of all earlier code requests. */
  readonly before: readonly string[];
}

export interface TokenRequest {
  readonly params: URLSearchParams;
  readonly tenant: string | undefined;
  /** True if the code verifier matches the challenge. */
  readonly isVerified: boolean;
}

/** An authorization server that protects an endpoint, and what it has observed. */
export interface AuthorizationServer {
  readonly variants: readonly AuthorizationVariant[];
  /** The paths of the documents that the client has requested. */
  readonly places: string[];
  readonly registrations: Members[];
  readonly codes: CodeRequest[];
  readonly tokens: TokenRequest[];
  lastAt?: number;
  /** The number of requests to the endpoint that had a valid token. */
  served: number;
  /** True once the first token has been rejected. */
  isExpired?: boolean;
  /** The name of the tool for which each token lacks a scope. */
  lacking?: unknown;
  /** The number of code requests before the first `insufficient_scope` challenge. */
  codesBefore?: number;
  /** The first request sent without a token although the client had one. */
  unsigned?: string;
  /** The first address other than the endpoint that received a token. */
  leaked?: string;
  /** True once the client has used the other authorization server. */
  hasMoved?: boolean;
  /** The first address of the other authorization server that received the first server's credentials. */
  misused?: string;
  /** True once the client has followed the challenge and sent a request to the authorization server. */
  isUsed?: boolean;
  readonly challenges: Map<string, string | null>;
}

export function createAuthorizationServer(
  ...variants: readonly AuthorizationVariant[]
): AuthorizationServer {
  const observed = { places: [], registrations: [], codes: [], tokens: [] };
  return { variants, ...observed, served: 0, challenges: new Map() };
}

/** The path of the protected resource metadata, as named in the challenge. */
export const NAMED = "/doctor/resource";
const WELL_KNOWN = "/.well-known";
const RESOURCE = `${WELL_KNOWN}/oauth-protected-resource`;
const OAUTH = `${WELL_KNOWN}/oauth-authorization-server`;
const OPENID = `${WELL_KNOWN}/openid-configuration`;
/** The path prefix of all endpoints, and the issuer's path in the variant `last places`. */
const TENANT = "/doctor";
/** The path of the other authorization server's issuer. */
const OTHER = "/other";
/** The paths of other issuers, by variant. Clients must compare exactly, so a slash makes another issuer. */
const OTHER_ISSUERS: readonly (readonly [AuthorizationVariant, string])[] = [
  ["other iss", "/"],
  ["other error", OTHER],
];
/**
 * The paths of the metadata documents, in the order in which a client tries them if the challenge has no
 * `resource_metadata`.
 */
export const PLACES = [
  `${RESOURCE}/mcp`,
  RESOURCE,
  `${OAUTH}${TENANT}`,
  `${OPENID}${TENANT}`,
  `${TENANT}${OPENID}`,
];

const TOKEN = "doctor-token-";
/** Matches the client ids and refresh tokens that the first authorization server issues. */
const FIRST = /doctor-(?:client|refresh)/;
/** An error description that a client must not show, because another issuer has sent the error. */
export const OTHER_ERROR: string = `${NOTHING}: the user has declined`;
const READ = "doctor:read";
const WRITE = "doctor:write";
/** The scopes that the resource metadata lists. */
export const SCOPES: readonly string[] = [READ, WRITE];
/** The number of authorized requests after which the first token is rejected. */
const EXPIRES_AFTER = 4;

/** Rejects a request that has no valid token or lacks a scope. Returns false if the request may be served. */
export function rejects(
  server: AuthorizationServer,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  text: string,
): boolean {
  server.lastAt = performance.now();
  const { authorization, host } = headers;
  const token = authorization?.replace(/^bearer +/i, "");
  const isGiven = token?.startsWith(TOKEN) === true;
  if (!isGiven && server.served > 0) server.unsigned ??= `${method} without Authorization`;
  const isFirst = token === `${TOKEN}1`;
  if (isGiven && isFirst && server.served >= EXPIRES_AFTER) server.isExpired = true;
  const isExpired = isFirst && server.isExpired;
  const named = server.variants.includes("last places")
    ? ""
    : `resource_metadata="http://${host}${NAMED}"`;
  if (!isGiven || isExpired) {
    const why = isExpired ? `error="invalid_token"` : "";
    const scope = server.variants.includes("other state") ? "" : `scope="${READ}"`;
    return challenge(response, 401, why, scope, named);
  }
  server.served++;
  const { method: called, params } = asMembers(parsed(text));
  const name = member(params, "name");
  if (server.isExpired && called === "tools/call" && (server.lacking ?? name) === name) {
    server.lacking = name;
    server.codesBefore ??= server.codes.length;
    return challenge(response, 403, `error="insufficient_scope"`, `scope="${WRITE}"`, named);
  }
  return false;
}

function challenge(response: ServerResponse, status: number, ...params: readonly string[]): true {
  const text = params.filter((one) => one !== "").join(", ");
  response.writeHead(status, { "www-authenticate": `Bearer ${text}` }).end();
  return true;
}

const asMembers = (value: unknown): Members => (isMembers(value) ? value : {});

export async function authorize(
  server: AuthorizationServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  server.lastAt = performance.now();
  server.isUsed = true;
  const { method, url = "", headers } = request;
  const { pathname, searchParams, origin } = new URL(url, `http://${headers.host}`);
  if (`${headers.authorization} ${url}`.includes(TOKEN)) server.leaked ??= pathname;
  const document = method === "GET" ? documentAt(server, pathname, origin) : undefined;
  if (pathname.includes(WELL_KNOWN) || pathname === NAMED) server.places.push(pathname);
  if (document !== undefined) return sendJson(response, 200, document);
  const text = (await bodyOf(request)) ?? "";
  const [, tenant, action] = /^\/(doctor|other)\/(\w+)$/.exec(pathname) ?? [];
  if (tenant === "other") {
    server.hasMoved = true;
    if (FIRST.test(url + text)) server.misused ??= pathname;
  }
  switch (action) {
    case "register":
      return register(server, asMembers(parsed(text)), response, `${tenant}-client`);
    case "authorize":
      return redirect(server, searchParams, response, { origin, tenant });
    case "token":
      return sendToken(server, new URLSearchParams(text), response, tenant);
    default:
      refuse(response, 404);
  }
}

function tenantOf({ variants, isExpired }: AuthorizationServer): string {
  if (variants.includes("last places")) return TENANT;
  return variants.includes("other server") && isExpired ? OTHER : "";
}

function documentAt(
  server: AuthorizationServer,
  path: string,
  origin: string,
): Members | undefined {
  const has = (variant: AuthorizationVariant): boolean => server.variants.includes(variant);
  const isLast = has("last places");
  const tenant = tenantOf(server);
  const issuer = `${origin}${tenant}`;
  if (path === RESOURCE || (!isLast && (path === NAMED || path === `${RESOURCE}/mcp`))) {
    const scopes_supported = SCOPES;
    const resource = has("other resource") ? "https://example.com/mcp" : `${origin}/mcp`;
    return { resource, authorization_servers: [issuer], scopes_supported };
  }
  if (path !== (isLast ? PLACES.at(-1) : `${OAUTH}${tenant}`)) return undefined;
  const base = `${origin}${tenant || TENANT}`;
  return {
    issuer: has("other issuer") ? `${issuer}/other` : issuer,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    ...(!has("only documents") && { registration_endpoint: `${base}/register` }),
    client_id_metadata_document_supported: has("documents") || has("only documents"),
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: ["none", "client_secret_post", "client_secret_basic"],
    ...(!has("no methods") && { code_challenge_methods_supported: ["S256"] }),
    scopes_supported: SCOPES,
    authorization_response_iss_parameter_supported: true,
  };
}

function sendJson(response: ServerResponse, status: number, value: Members): void {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  response.writeHead(status, headers).end(JSON.stringify(value));
}

function register(
  { registrations }: AuthorizationServer,
  metadata: Members,
  response: ServerResponse,
  client_id: string,
): void {
  registrations.push(metadata);
  const how = metadata["token_endpoint_auth_method"] ?? "none";
  const secret = how === "none" ? {} : { client_secret: NOTHING, client_secret_expires_at: 0 };
  const own = { client_id, token_endpoint_auth_method: how, ...secret };
  sendJson(response, 201, { ...metadata, ...own });
}

/** Redirects at once, as if the user had consented. */
function redirect(
  server: AuthorizationServer,
  params: URLSearchParams,
  response: ServerResponse,
  { origin, tenant }: { readonly origin: string; readonly tenant: string | undefined },
): void {
  const { variants, codes, isExpired = false } = server;
  const has = (variant: AuthorizationVariant): boolean => variants.includes(variant);
  const before = codes.flatMap((one) => one.params.get("scope")?.split(" ") ?? []);
  const required = server.lacking === undefined ? [READ] : [WRITE];
  codes.push({ params, tenant, required, before });
  const back = params.get("redirect_uri") ?? "";
  if (!URL.canParse(back)) return refuse(response, 400);
  const code = `doctor-code-${codes.length}`;
  server.challenges.set(code, params.get("code_challenge"));
  const outcome = has("other error")
    ? { error: "access_denied", error_description: OTHER_ERROR }
    : { code };
  const state = has("other state") ? NOTHING : params.get("state");
  const [, issuer = tenantOf(server)] = OTHER_ISSUERS.find(([variant]) => has(variant)) ?? [];
  const isNamed = !has("no iss") || (has("other server") && !isExpired);
  const sent = {
    ...outcome,
    ...(params.has("state") && { state: state! }),
    ...(isNamed && { iss: `${origin}${issuer}` }),
  };
  const target = new URL(back);
  for (const [name, value] of Object.entries(sent)) target.searchParams.set(name, value);
  response.writeHead(302, { location: target.href }).end();
}

function sendToken(
  { tokens, challenges }: AuthorizationServer,
  params: URLSearchParams,
  response: ServerResponse,
  tenant: string | undefined,
): void {
  const expected = challenges.get(params.get("code") ?? "");
  const verifier = params.get("code_verifier") ?? "";
  const hash = createHash("sha256").update(verifier).digest("base64url");
  tokens.push({ params, tenant, isVerified: expected === hash || expected === verifier });
  const { length } = tokens;
  sendJson(response, 200, {
    access_token: `${TOKEN}${length}`,
    token_type: "Bearer",
    expires_in: 3600,
    refresh_token: `${tenant}-refresh-${length}`,
  });
}
